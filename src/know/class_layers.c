/* know/class_layers.c - builds the classes layer by layer, breadth first, interning (node, w).
 *
 * Which are one: know/likelihood.h.
 */
#include "know/classes.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "know/class_builder.h"
#include "know/likelihood.h"

/* What bounds memory beside the classes themselves, for each class of the limit: arcs where successors are many, weights where
 * environments are, and arcs to classes of one environment each. */
static const long long ARCS_PER_CLASS = 64, WEIGHTS_PER_CLASS = 128, REVEALED_PER_CLASS = 256;

static const int CLASSES_PER_CHECK = 64; /* between two looks at the clock */

typedef struct class_maker {
    class_builder b;
    class_limits limits;
    const class_guide *guide; /* NULL: everything is wanted */
    unsigned char *want;      /* [most choices of a node] of the class at hand */
    intern layer;
    uint64_t *key; /* [2 + K] node, number among those rounded alike, w */
    double *w;     /* [K] */
    bool over;     /* there are none: the end has passed, or too many are guided to */
} class_maker;

/* The class (node, w) of the next layer, made if new; -1 when memory is out. first: its first class. */
static int intern_class(class_maker *mk, int first, int node, const double *w)
{
    know_classes *c = mk->b.c;
    mk->key[0] = (uint64_t)node;
    for (int k = 0; k < c->K; k++) mk->key[2 + k] = likelihood_rounded(w[k]);
    bool fresh;
    int local;
    mk->key[1] = 0;
    do {
        local = intern_add(&mk->layer, mk->key, &fresh);
        if (local < 0) return -1;
        mk->key[1]++;
    } while (!fresh && !likelihood_same(know_class_weights(c, first + local), w, c->K, c->g->T));
    if (!fresh) return first + local;
    size_t start = builder_weights(&mk->b, w);
    return start == 0 || builder_class(&mk->b, node, start, -1) ? -1 : first + local;
}

/* Arcs of class i along edge e of its node. */
static int follow_edge(class_maker *mk, int i, int e, int first)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int child = g->edge_child[e], K = c->K;
    const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)K;
    double largest = 0;
    for (int k = 0; k < K; k++) {
        double w = know_class_weights(c, i)[k];
        mk->w[k] = w > 0 && prob[k] > 0 && know_in_set(g, g->set[child], k) ? w * prob[k] : 0;
        if (mk->w[k] > largest) largest = mk->w[k];
    }
    if (largest <= 0) return 0;
    for (int k = 0; k < K; k++) mk->w[k] /= largest;
    return builder_arc(&mk->b, intern_class(mk, first, child, mk->w), largest);
}

static int expand_class(class_maker *mk, int i, int first, int t, bool reveal)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int n = c->node[i];
    if (builder_begin_slots(&mk->b, i)) return -1;
    if (c->f && n < g->time_start[g->L + 1] && c->f->count[n] >= 0) {
        for (int v = 0; v < c->f->count[n]; v++)
            if (builder_slot(&mk->b, g->choices + c->f->start[n] + v)) return -1;
    } else {
        int from = g->choice_start[n];
        if (mk->guide) {
            memset(mk->want, 0, (size_t)(g->choice_start[n + 1] - from));
            mk->guide->want(mk->guide->context, c, i, mk->want);
        }
        for (int choice = from; choice < g->choice_start[n + 1]; choice++) {
            if (g->choice_twin[choice] != choice || (mk->guide && !mk->want[choice - from])) continue;
            if (builder_slot(&mk->b, choice)) return -1;
            for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++)
                if (reveal ? builder_reveal(&mk->b, i, e, t) : follow_edge(mk, i, e, first)) return -1;
        }
    }
    builder_end_slots(&mk->b, i);
    return 0;
}

static bool too_many(const class_maker *mk)
{
    const know_classes *c = mk->b.c;
    return c->classes > mk->limits.classes || c->arcs > ARCS_PER_CLASS * mk->limits.classes ||
           (long long)mk->b.w_used > WEIGHTS_PER_CLASS * mk->limits.classes;
}

/* Makes the layer of time t + 1. Returns 1 over a limit (the layer is removed again), -1 out of memory. */
static int expand_layer(class_maker *mk, int t, bool reveal)
{
    know_classes *c = mk->b.c;
    int first = c->classes, slots = c->slots, arcs = c->arcs;
    size_t w_used = mk->b.w_used;
    intern_clear(&mk->layer);
    if (reveal && builder_clear_units(&mk->b, t + 1)) return -1;
    c->time_start[t + 1] = first;
    for (int i = c->time_start[t]; i < first; i++) {
        if (expand_class(mk, i, first, t, reveal)) return -1;
        bool look = i % CLASSES_PER_CHECK == 0, late = look && !reveal && mk->limits.time && deadline_expired(mk->limits.time);
        /* Scarce memory is no end: an allocation that is refused leaves room for the simpler plans that come after it. */
        if (look && mk->limits.end && (deadline_out_of_time(mk->limits.end) || deadline_interrupted(mk->limits.end))) {
            mk->over = true;
            return -1;
        }
        if (!reveal && (late || too_many(mk))) {
            c->classes = first;
            mk->b.w_used = w_used;
            c->slots = slots;
            c->arcs = arcs;
            return 1;
        }
    }
    return 0;
}

/* Arcs from the last layer, of time t, to classes of one environment each. */
static long long revealing_arcs(const know_classes *c, int t)
{
    const know_graph *g = c->g;
    long long arcs = 0;
    for (int i = c->time_start[t]; i < c->classes; i++) {
        int n = c->node[i];
        long long edges = g->edge_start[g->choice_start[n + 1]] - g->edge_start[g->choice_start[n]];
        arcs += edges * know_set_size(g, g->set[n]);
    }
    return arcs;
}

/* If the layer of time t + 1 is too large: the last time, at most t, from which revealing the environment needs few enough arcs.
 * Removes the classes of later times. */
static int step_back(class_maker *mk, int t)
{
    know_classes *c = mk->b.c;
    while (t > 0 && revealing_arcs(c, t) > REVEALED_PER_CLASS * mk->limits.classes) {
        c->classes = c->time_start[t];
        mk->b.w_used = c->w_start[c->classes];
        t--;
        c->slots = c->slot_start[c->time_start[t]];
        c->arcs = c->arc_start[c->slots];
    }
    return t;
}

static int build(class_maker *mk)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    for (int k = 0; k < c->K; k++) mk->w[k] = 1;
    if (intern_class(mk, 0, 0, mk->w) < 0) return -1;
    c->time_start[0] = 0;
    for (int t = 0; t < g->T; t++) {
        int outcome = expand_layer(mk, t, t + 1 >= c->cut);
        if (outcome > 0 && mk->guide) {
            mk->over = true;
            return -1;
        }
        if (outcome > 0) { /* too many: reveal the environment from the next layer on */
            t = step_back(mk, t);
            c->cut = t + 1;
            outcome = expand_layer(mk, t, true);
        }
        if (outcome < 0) return -1;
    }
    return 0;
}

/* What mk is told, made. */
static vouch_status make(class_maker mk, const know_graph *g, const pareto_sets *f, know_classes **classes, vouch_error *error)
{
    *classes = NULL;
    if (builder_init(&mk.b, g, f)) return error_memory(error);
    mk.key = MEM_NEW(uint64_t, 2 + g->K);
    mk.w = MEM_NEW(double, g->K);
    mk.want = MEM_NEW(unsigned char, g->m->A);
    bool built = mk.key && mk.w && mk.want && !intern_init(&mk.layer, 2 + g->K) && !build(&mk);
    if (built) *classes = builder_finish(&mk.b);
    mem_free(mk.key);
    mem_free(mk.w);
    mem_free(mk.want);
    intern_free(&mk.layer);
    builder_clear(&mk.b);
    if (*classes) return VOUCH_OK;
    return mk.over ? VOUCH_ERROR_SIZE : error_memory(error);
}

vouch_status know_classes_new(const know_graph *g, const pareto_sets *f, const class_limits *limits, know_classes **classes,
                              vouch_error *error)
{
    return make((class_maker){.limits = *limits}, g, f, classes, error);
}

vouch_status know_classes_guided(const know_graph *g, const class_guide *guide, long long limit, const deadline *time,
                                 know_classes **classes, vouch_error *error)
{
    return make((class_maker){.limits = {.classes = limit, .time = time}, .guide = guide}, g, NULL, classes, error);
}

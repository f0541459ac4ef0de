/* know/classes.c - builds the classes layer by layer, breadth first, interning (node, w).
 *
 * Which are one: know/likelihood.h.
 */
#include "know/classes.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/likelihood.h"

static const long long ARCS_PER_CLASS = 64; /* bounds memory where successors are many */

static const int CLASSES_PER_CHECK = 64; /* between two looks at the clock */

typedef struct class_builder {
    know_classes *c;
    long long limit;
    const deadline *time;     /* NULL: none */
    const class_guide *guide; /* NULL: everything is wanted */
    unsigned char *want;      /* [most choices of a node] of the class at hand */
    intern layer;
    int *unit;     /* [nodes * K] of the layer being made, if the environment is revealed there: the class, from 1; 0: none yet */
    uint64_t *key; /* [2 + K] node, number among those rounded alike, w */
    double *w;     /* [K] */
    size_t w_used; /* of c->w */
    bool over;     /* there is a guide, and too many classes */
    size_t unit_capacity, only_capacity, w_start_capacity, node_capacity, w_capacity, slot_start_capacity, option_capacity,
        arc_start_capacity, child_capacity, factor_capacity;
} class_builder;

/* A class more, whose weights are at w_start; only: its environment or -1. */
static int add_class(class_builder *mk, int node, size_t w_start, int only)
{
    know_classes *c = mk->c;
    size_t n = (size_t)c->classes;
    if (MEM_RESERVE(&c->node, &mk->node_capacity, n) || MEM_RESERVE(&c->w_start, &mk->w_start_capacity, n) ||
        MEM_RESERVE(&c->only, &mk->only_capacity, n))
        return -1;
    c->node[n] = node;
    c->w_start[n] = w_start;
    c->only[n] = only;
    c->classes++;
    return 0;
}

/* Where w [K] is from now on; 0: memory is out. */
static size_t add_weights(class_builder *mk, const double *w)
{
    know_classes *c = mk->c;
    size_t K = (size_t)c->K, start = mk->w_used;
    if (MEM_RESERVE(&c->w, &mk->w_capacity, start + K - 1)) return 0;
    MEM_COPY(c->w + start, w, K);
    mk->w_used += K;
    return start;
}

/* The class (node, w) of the next layer, made if new; -1 when memory is out. first: its first class. */
static int intern_class(class_builder *mk, int first, int node, const double *w)
{
    know_classes *c = mk->c;
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
    size_t start = add_weights(mk, w);
    return start == 0 || add_class(mk, node, start, -1) ? -1 : first + local;
}

/* The class (node, w) of the next layer where w is 1 in environment k and 0 in others; -1 when memory is out. */
static int unit_class(class_builder *mk, int t, int node, int k)
{
    know_classes *c = mk->c;
    int *known = &mk->unit[(size_t)(node - c->g->time_start[t + 1]) * (size_t)c->K + (size_t)k];
    if (*known) return *known - 1;
    *known = c->classes + 1;
    return add_class(mk, node, (size_t)(c->K - 1 - k), k) ? -1 : *known - 1;
}

static int add_arc(class_builder *mk, int child, double factor)
{
    know_classes *c = mk->c;
    size_t n = (size_t)c->arcs;
    if (child < 0 || MEM_RESERVE(&c->arc_child, &mk->child_capacity, n) || MEM_RESERVE(&c->arc_factor, &mk->factor_capacity, n))
        return -1;
    c->arc_child[n] = child;
    c->arc_factor[n] = factor;
    c->arcs++;
    return 0;
}

/* Opens a slot; its arcs follow. */
static int add_slot(class_builder *mk, int option)
{
    know_classes *c = mk->c;
    size_t n = (size_t)c->slots;
    if (MEM_RESERVE(&c->slot_option, &mk->option_capacity, n) || MEM_RESERVE(&c->arc_start, &mk->arc_start_capacity, n + 1))
        return -1;
    c->slot_option[n] = option;
    c->arc_start[n] = c->arc_start[n + 1] = c->arcs;
    c->slots++;
    return 0;
}

/* Arcs of class i at time t along edge e of its node to classes of one environment each. */
static int reveal_edge(class_builder *mk, int i, int e, int t)
{
    know_classes *c = mk->c;
    const know_graph *g = c->g;
    int child = g->edge_child[e], K = c->K;
    const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)K, *w = know_class_weights(c, i);
    for (int k = know_class_first(c, i); k < know_class_last(c, i); k++) {
        double factor = w[k] > 0 && prob[k] > 0 && know_in_set(g, g->set[child], k) ? w[k] * prob[k] : 0;
        if (factor <= 0) continue;
        if (add_arc(mk, unit_class(mk, t, child, k), factor)) return -1;
    }
    return 0;
}

/* Arcs of class i along edge e of its node. */
static int follow_edge(class_builder *mk, int i, int e, int first)
{
    know_classes *c = mk->c;
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
    return add_arc(mk, intern_class(mk, first, child, mk->w), largest);
}

static int expand_class(class_builder *mk, int i, int first, int t, bool reveal)
{
    know_classes *c = mk->c;
    const know_graph *g = c->g;
    int n = c->node[i];
    if (MEM_RESERVE(&c->slot_start, &mk->slot_start_capacity, i + 1)) return -1;
    c->slot_start[i] = c->slots;
    if (c->f && n < g->time_start[g->L + 1] && c->f->count[n] >= 0) {
        for (int v = 0; v < c->f->count[n]; v++)
            if (add_slot(mk, g->choices + c->f->start[n] + v)) return -1;
    } else {
        int from = g->choice_start[n];
        if (mk->guide) {
            memset(mk->want, 0, (size_t)(g->choice_start[n + 1] - from));
            mk->guide->want(mk->guide->context, c, i, mk->want);
        }
        for (int choice = from; choice < g->choice_start[n + 1]; choice++) {
            if (g->choice_twin[choice] != choice || (mk->guide && !mk->want[choice - from])) continue;
            if (add_slot(mk, choice)) return -1;
            for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++)
                if (reveal ? reveal_edge(mk, i, e, t) : follow_edge(mk, i, e, first)) return -1;
            c->arc_start[c->slots] = c->arcs;
        }
    }
    c->slot_start[i + 1] = c->slots;
    return 0;
}

static int clear_units(class_builder *mk, int t)
{
    const know_graph *g = mk->c->g;
    size_t units = (size_t)(g->time_start[t + 1] - g->time_start[t]) * (size_t)g->K;
    if (MEM_RESERVE(&mk->unit, &mk->unit_capacity, units)) return -1;
    memset(mk->unit, 0, units * sizeof *mk->unit);
    return 0;
}

/* Makes the layer of time t + 1. 1: over a limit (what was made of it is taken back), -1 memory. */
static int expand_layer(class_builder *mk, int t, bool reveal)
{
    know_classes *c = mk->c;
    int first = c->classes, slots = c->slots, arcs = c->arcs;
    size_t w_used = mk->w_used;
    intern_clear(&mk->layer);
    if (reveal && clear_units(mk, t + 1)) return -1;
    c->time_start[t + 1] = first;
    for (int i = c->time_start[t]; i < first; i++) {
        if (expand_class(mk, i, first, t, reveal)) return -1;
        bool late = !reveal && mk->time && i % CLASSES_PER_CHECK == 0 && deadline_expired(mk->time);
        if (!reveal && (late || c->classes > mk->limit || c->arcs > ARCS_PER_CLASS * mk->limit)) {
            c->classes = first;
            mk->w_used = w_used;
            c->slots = slots;
            c->arcs = arcs;
            return 1;
        }
    }
    return 0;
}

static int note_pairs(know_classes *c)
{
    const know_graph *g = c->g;
    bool *pays = MEM_ZERO(bool, g->m->pairs);
    c->slot_pair = MEM_NEW(int, c->slots);
    if (pays && c->slot_pair) {
        for (int q = 0; q < g->m->pairs; q++)
            for (int k = 0; k < c->K; k++) pays[q] |= g->reward[(size_t)q * (size_t)c->K + (size_t)k] != 0;
        for (int slot = 0; slot < c->slots; slot++) {
            int option = c->slot_option[slot];
            if (know_option_is_vector(c, option))
                c->slot_pair[slot] = -2 - (option - g->choices);
            else
                c->slot_pair[slot] = pays[g->choice_pair[option]] ? g->choice_pair[option] : -1;
        }
    }
    mem_free(pays);
    return c->slot_pair && pays ? 0 : -1;
}

/* The numbers in which all unit vectors lie. */
static int begin_weights(class_builder *mk)
{
    size_t K = (size_t)mk->c->K;
    mk->w_used = 2 * K - 1;
    if (MEM_RESERVE(&mk->c->w, &mk->w_capacity, mk->w_used - 1)) return -1;
    memset(mk->c->w, 0, mk->w_used * sizeof *mk->c->w);
    mk->c->w[K - 1] = 1;
    return 0;
}

static int build(class_builder *mk)
{
    know_classes *c = mk->c;
    const know_graph *g = c->g;
    for (int k = 0; k < c->K; k++) mk->w[k] = 1;
    if (MEM_RESERVE(&c->slot_start, &mk->slot_start_capacity, 1)) return -1;
    if (MEM_RESERVE(&c->arc_start, &mk->arc_start_capacity, 1)) return -1;
    c->slot_start[0] = c->arc_start[0] = 0;
    if (begin_weights(mk) || intern_class(mk, 0, 0, mk->w) < 0) return -1;
    c->cut = g->T + 1;
    c->time_start[0] = 0;
    for (int t = 0; t < g->T; t++) {
        int outcome = expand_layer(mk, t, t + 1 >= c->cut);
        if (outcome > 0 && mk->guide) {
            mk->over = true;
            return -1;
        }
        if (outcome > 0) { /* too many: reveal the environment from the next layer on */
            c->cut = t + 1;
            outcome = expand_layer(mk, t, true);
        }
        if (outcome < 0) return -1;
    }
    c->time_start[g->T + 1] = c->classes;
    for (int i = c->time_start[g->T]; i < c->classes; i++) {
        if (MEM_RESERVE(&c->slot_start, &mk->slot_start_capacity, i + 1)) return -1;
        c->slot_start[i] = c->slot_start[i + 1] = c->slots;
    }
    c->options = g->choices + (c->f ? c->f->vectors : 0);
    return note_pairs(c);
}

/* Weights are normalised to largest entry 1, and 0 outside the node's set; slots are of the class's node, arcs lead to the next
 * layer. */
static void classes_check(const know_classes *c)
{
#ifdef VOUCH_DEBUG
    for (int t = 0; t <= c->g->T; t++)
        for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
            const double *w = know_class_weights(c, i);
            int n = c->node[i];
            double largest = 0;
            for (int k = 0; k < c->K; k++) {
                CHECK(w[k] >= 0 && (w[k] <= 0 || know_in_set(c->g, c->g->set[n], k)));
                largest = fmax(largest, w[k]);
            }
            CHECK_COMPARE(largest, ==, 1);
            CHECK(n >= c->g->time_start[t] && n < c->g->time_start[t + 1]);
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
                int option = c->slot_option[slot];
                CHECK(know_option_is_vector(c, option) || (option >= c->g->choice_start[n] && option < c->g->choice_start[n + 1]));
                for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
                    CHECK(c->arc_child[a] >= c->time_start[t + 1] && c->arc_child[a] < c->time_start[t + 2]);
                    CHECK(c->arc_factor[a] > 0 && c->arc_factor[a] <= 1 + MODEL_SUM_TOLERANCE);
                }
            }
        }
#else
    (void)c;
#endif
}

/* What mk is told, made. */
static vouch_status make(class_builder mk, const know_graph *g, const pareto_sets *f, know_classes **classes, vouch_error *error)
{
    *classes = NULL;
    mk.c = MEM_ZERO(know_classes, 1);
    if (!mk.c) return error_memory(error);
    mk.c->g = g;
    mk.c->f = f;
    mk.c->K = g->K;
    mk.c->time_start = MEM_ZERO(int, g->T + 2);
    mk.key = MEM_NEW(uint64_t, 2 + g->K);
    mk.w = MEM_NEW(double, g->K);
    mk.want = MEM_NEW(unsigned char, g->m->A);
    int failed = !mk.c->time_start || !mk.key || !mk.w || !mk.want || intern_init(&mk.layer, 2 + g->K) || build(&mk);
    mem_free(mk.key);
    mem_free(mk.w);
    mem_free(mk.want);
    mem_free(mk.unit);
    intern_free(&mk.layer);
    if (failed) {
        know_classes_free(mk.c);
        return mk.over ? VOUCH_ERROR_SIZE : error_memory(error);
    }
    classes_check(mk.c);
    *classes = mk.c;
    return VOUCH_OK;
}

vouch_status know_classes_new(const know_graph *g, const pareto_sets *f, long long limit, const deadline *time,
                              know_classes **classes, vouch_error *error)
{
    return make((class_builder){.limit = limit, .time = time}, g, f, classes, error);
}

vouch_status know_classes_guided(const know_graph *g, const class_guide *guide, long long limit, const deadline *time,
                                 know_classes **classes, vouch_error *error)
{
    return make((class_builder){.limit = limit, .time = time, .guide = guide}, g, NULL, classes, error);
}

void know_classes_free(know_classes *c)
{
    if (!c) return;
    mem_free(c->time_start);
    mem_free(c->node);
    mem_free(c->w);
    mem_free(c->w_start);
    mem_free(c->only);
    mem_free(c->slot_start);
    mem_free(c->slot_option);
    mem_free(c->slot_pair);
    mem_free(c->arc_start);
    mem_free(c->arc_child);
    mem_free(c->arc_factor);
    mem_free(c);
}

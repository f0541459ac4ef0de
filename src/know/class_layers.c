/* know/class_layers.c - builds likelihood classes layer by layer, breadth first, interning (node, w). O(1) a class, slot or arc. */
#include "know/classes.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/grown.h"

/* ---- appending: classes in order of time; slots in order of classes, each followed by its arcs. -1: out of memory ---------- */

typedef struct class_builder {
    know_classes *c;
    int *unit;     /* [nodes * K] of the layer being made, if an environment is revealed there: the class, from 1; 0: none yet */
    size_t w_used; /* of c->w */
    size_t unit_capacity, only_capacity, w_start_capacity, node_capacity, w_capacity, slot_start_capacity, option_capacity,
        arc_start_capacity, child_capacity, factor_capacity;
} class_builder;

static int builder_class(class_builder *b, int node, size_t w_start, int only)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->classes;
    if (MEM_RESERVE(&c->node, &b->node_capacity, n) || MEM_RESERVE(&c->w_start, &b->w_start_capacity, n) ||
        MEM_RESERVE(&c->only, &b->only_capacity, n))
        return -1;
    c->node[n] = node;
    c->w_start[n] = w_start;
    c->only[n] = only;
    c->classes++;
    return 0;
}

static size_t builder_weights(class_builder *b, const double w[])
{
    know_classes *c = b->c;
    size_t K = (size_t)c->K, start = b->w_used;
    if (MEM_RESERVE(&c->w, &b->w_capacity, start + K - 1)) return 0;
    MEM_COPY(c->w + start, w, K);
    b->w_used += K;
    return start;
}

static int builder_clear_units(class_builder *b, int t)
{
    const know_graph *g = b->c->g;
    size_t units = (size_t)(g->time_start[t + 1] - g->time_start[t]) * (size_t)g->K;
    if (MEM_RESERVE(&b->unit, &b->unit_capacity, units)) return -1;
    memset(b->unit, 0, units * sizeof *b->unit);
    return 0;
}

static int builder_unit(class_builder *b, int t, int node, int k)
{
    know_classes *c = b->c;
    int *known = &b->unit[(size_t)(node - c->g->time_start[t]) * (size_t)c->K + (size_t)k];
    if (*known) return *known - 1;
    *known = c->classes + 1;
    return builder_class(b, node, (size_t)(c->K - 1 - k), k) ? -1 : *known - 1;
}

static int builder_begin_slots(class_builder *b, int i)
{
    if (MEM_RESERVE(&b->c->slot_start, &b->slot_start_capacity, i + 1)) return -1;
    b->c->slot_start[i] = b->c->slots;
    return 0;
}

static void builder_end_slots(class_builder *b, int i) { b->c->slot_start[i + 1] = b->c->slots; }

static int builder_slot(class_builder *b, int option)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->slots;
    if (MEM_RESERVE(&c->slot_option, &b->option_capacity, n) || MEM_RESERVE(&c->arc_start, &b->arc_start_capacity, n + 1))
        return -1;
    c->slot_option[n] = option;
    c->arc_start[n] = c->arc_start[n + 1] = c->arcs;
    c->slots++;
    return 0;
}

static int builder_arc(class_builder *b, int child, double factor)
{
    know_classes *c = b->c;
    size_t n = (size_t)c->arcs;
    if (child < 0 || MEM_RESERVE(&c->arc_child, &b->child_capacity, n) || MEM_RESERVE(&c->arc_factor, &b->factor_capacity, n))
        return -1;
    c->arc_child[n] = child;
    c->arc_factor[n] = factor;
    c->arcs++;
    if (c->slots > 0) c->arc_start[c->slots] = c->arcs;
    return 0;
}

static int builder_reveal(class_builder *b, int i, int e, int t)
{
    know_classes *c = b->c;
    const know_graph *g = c->g;
    int child = g->edge_child[e], K = c->K;
    const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)K, *w = know_class_weights(c, i);
    for (int k = know_class_first(c, i); k < know_class_last(c, i); k++) {
        double factor = w[k] > 0 && prob[k] > 0 && know_in_set(g, g->set[child], k) ? w[k] * prob[k] : 0;
        if (factor <= 0) continue;
        if (builder_arc(b, builder_unit(b, t + 1, child, k), factor)) return -1;
    }
    return 0;
}

/* ---- begin and end ------------------------------------------------------------------------------------------------------ */

static int begin_weights(class_builder *b)
{
    size_t K = (size_t)b->c->K;
    b->w_used = 2 * K - 1;
    if (MEM_RESERVE(&b->c->w, &b->w_capacity, b->w_used - 1)) return -1;
    memset(b->c->w, 0, b->w_used * sizeof *b->c->w);
    b->c->w[K - 1] = 1;
    return 0;
}

static void builder_clear(class_builder *b)
{
    know_classes_free(b->c);
    mem_free(b->unit);
    *b = (class_builder){0};
}

static int builder_init(class_builder *b, const know_graph *g, const pareto_sets *f)
{
    *b = (class_builder){.c = MEM_ZERO(know_classes, 1)};
    if (!b->c) return -1;
    *b->c = (know_classes){.g = g, .f = f, .K = g->K, .cut = g->T + 1, .options = g->choices + (f ? f->vectors : 0)};
    b->c->time_start = MEM_ZERO(int, g->T + 2);
    if (b->c->time_start && !begin_weights(b) && !MEM_RESERVE(&b->c->arc_start, &b->arc_start_capacity, 1)) {
        b->c->arc_start[0] = 0;
        return 0;
    }
    builder_clear(b);
    return -1;
}

/* Fills slot_pair. */
static int note_pairs(know_classes *c)
{
    const know_graph *g = c->g;
    bool *pays = MEM_ZERO(bool, g->m->pairs);
    c->slot_pair = MEM_NEW(int, c->slots);
    if (pays && c->slot_pair) {
        for (int q = 0; q < g->m->pairs; q++)
            for (int k = 0; k < c->K; k++) pays[q] |= g->reward[(size_t)q * (size_t)c->K + (size_t)k] != 0;
        for (int i = 0; i < c->classes; i++)
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
                int option = c->slot_option[slot];
                if (know_option_is_vector(c, option))
                    c->slot_pair[slot] = -2 - (option - g->choices);
                else
                    c->slot_pair[slot] =
                        pays[g->choice_pair[option]] && !know_slot_reveals(c, i, slot) ? g->choice_pair[option] : -1;
            }
    }
    mem_free(pays);
    return c->slot_pair && pays ? 0 : -1;
}

static void check_slot(const know_classes *c, int i, int slot, int t)
{
    int n = c->node[i], option = c->slot_option[slot];
    CHECK(know_option_is_vector(c, option) || (option >= c->g->choice_start[n] && option < c->g->choice_start[n + 1]));
    for (int a = c->arc_start[slot]; a < c->arc_start[slot + 1]; a++) {
        int child = c->arc_child[a];
        if (know_slot_reveals(c, i, slot))
            CHECK(c->node[child] == n && child > i && c->only[child] >= 0);
        else
            CHECK(child >= c->time_start[t + 1] && child < c->time_start[t + 2]);
        CHECK(c->arc_factor[a] > 0 && c->arc_factor[a] <= 1 + MODEL_SUM_TOLERANCE);
    }
}

static void check(const know_classes *c)
{
    if (!CHECKING) return;
    for (int t = 0; t <= c->g->T; t++)
        for (int i = c->time_start[t]; i < c->time_start[t + 1]; i++) {
            const double *w = know_class_weights(c, i);
            double largest = 0;
            for (int k = 0; k < c->K; k++) {
                CHECK(w[k] >= 0 && (w[k] <= 0 || know_in_set(c->g, c->g->set[c->node[i]], k)));
                largest = fmax(largest, w[k]);
            }
            CHECK_COMPARE(largest, ==, 1);
            CHECK(c->node[i] >= c->g->time_start[t] && c->node[i] < c->g->time_start[t + 1]);
            for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) check_slot(c, i, slot, t);
        }
}

static know_classes *builder_finish(class_builder *b)
{
    know_classes *c = b->c;
    int T = c->g->T;
    c->time_start[T + 1] = c->classes;
    for (int i = c->time_start[T]; i < c->classes; i++) {
        if (builder_begin_slots(b, i)) return NULL;
        builder_end_slots(b, i);
    }
    if (note_pairs(c)) return NULL;
    check(c);
    b->c = NULL;
    return c;
}

void know_classes_free(know_classes *c)
{
    if (!c) return;
    MEM_FREE_ALL(c->time_start, c->node, c->w, c->w_start, c->only, c->slot_start, c->slot_option, c->slot_pair, c->arc_start,
                 c->arc_child, c->arc_factor, c);
}

double know_induction_work(const know_classes *c)
{
    return c->arcs + (double)c->K * (c->slots + c->classes - c->time_start[c->g->T]);
}

/* ---- all classes ----------------------------------------------------------------------------------------------- */

/* Further limits on memory, per class of the limit: arcs, weights, and arcs to classes of one environment. */
static const long long ARCS_PER_CLASS = 64, WEIGHTS_PER_CLASS = 128, REVEALED_PER_CLASS = 256;

static const int CLASSES_PER_CHECK = 64; /* between two reads of the clock */

typedef struct class_maker {
    class_builder b;
    class_limits limits;
    const class_guide *guide; /* NULL: all choices */
    unsigned char *want;      /* [most choices of a node] of the current class */
    intern layer;
    uint64_t *key; /* [2 + K] node, number among the equally rounded, w */
    double *w;     /* [K] */
    bool over;     /* a limit ended the construction */
} class_maker;

/* The class (node, w) of the next layer, whose first class is `first`, made if new; -1: out of memory. */
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
        /* Not deadline_expired: scarce memory is no end, since a refused allocation leaves room for simpler plans. */
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

/* The last time, at most t, from which revealing the environment needs few enough arcs. Removes the classes of later times. */
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

static vouch_status make(class_maker mk, const know_graph *g, const pareto_sets *f, know_classes **classes, vouch_error *error)
{
    *classes = NULL;
    if (builder_init(&mk.b, g, f)) return error_memory(error);
    mk.key = MEM_NEW(uint64_t, 2 + g->K);
    mk.w = MEM_NEW(double, g->K);
    mk.want = MEM_NEW(unsigned char, g->m->A);
    bool built = mk.key && mk.w && mk.want && !intern_init(&mk.layer, 2 + g->K) && !build(&mk);
    if (built) *classes = builder_finish(&mk.b);
    MEM_FREE_ALL(mk.key, mk.w, mk.want);
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

/* ---- the classes of a partial expansion (know/grown.h) -------------------------------------------------------------
 *
 * Grown classes keep their arcs; a leaf has one arc for each choice and environment, whatever the number of edges:
 *
 *     V(leaf) = max over choices of  sum_k w_k V(k, choice),     V(k, choice): class of environment k with that choice only.
 *
 * Invariant: the classes of a choice's environments are adjacent, in the order of the environments. */

typedef struct grown_maker {
    class_builder b;
    const grown_classes *x;
    int *made; /* [x->count] its class, -1: none yet */
    int *of;   /* [classes] the class of x; -1: of one environment */
    int *told; /* [choices] the first of the classes of its environments, -1: none yet */
    int *only; /* [told classes of the current time] their choice */
    size_t of_capacity, only_capacity;
} grown_maker;

/* Class j of x, made if new; -1: out of memory. */
static int make_class(grown_maker *mk, int j)
{
    know_classes *c = mk->b.c;
    if (mk->made[j] >= 0) return mk->made[j];
    size_t start = builder_weights(&mk->b, grown_weights(mk->x, j));
    if (start == 0 || builder_class(&mk->b, mk->x->node[j], start, -1)) return -1;
    mk->made[j] = c->classes - 1;
    return mk->made[j];
}

/* The classes of each environment and choice at the node of leaf i. Their choices are mk->only from class `first` on. */
static int tell_choices(grown_maker *mk, int i, int first)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int n = c->node[i], set = g->set[n];
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++) {
        if (g->choice_twin[choice] != choice || mk->told[choice] >= 0) continue;
        mk->told[choice] = c->classes;
        for (int m = g->member_start[set]; m < g->member_start[set + 1]; m++) {
            if (MEM_RESERVE(&mk->only, &mk->only_capacity, c->classes - first)) return -1;
            mk->only[c->classes - first] = choice;
            if (builder_class(&mk->b, n, (size_t)(c->K - 1 - g->member[m]), g->member[m])) return -1;
        }
    }
    return 0;
}

/* Arcs of class j of x for a choice with first arc `arc`, or, of a leaf, to the classes of its environments. */
static int lead_on(grown_maker *mk, int j, int choice, int *arc)
{
    const grown_classes *x = mk->x;
    const know_graph *g = x->g;
    if (x->arc_start[j] >= 0) {
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++, ++*arc)
            if (x->arc_child[*arc] >= 0 && builder_arc(&mk->b, make_class(mk, x->arc_child[*arc]), x->arc_factor[*arc])) return -1;
        return 0;
    }
    int set = g->set[x->node[j]], first = g->member_start[set];
    for (int m = first; m < g->member_start[set + 1]; m++) {
        double w = grown_weights(x, j)[g->member[m]];
        if (w > 0 && builder_arc(&mk->b, mk->told[choice] + m - first, w)) return -1;
    }
    return 0;
}

/* The slots of class i of time t: of each choice, or of `only` >= 0. */
static int make_slots(grown_maker *mk, int i, int j, int only, int t)
{
    know_classes *c = mk->b.c;
    const know_graph *g = c->g;
    int n = c->node[i], arc = j >= 0 ? mk->x->arc_start[j] : 0;
    if (builder_begin_slots(&mk->b, i)) return -1;
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++) {
        if (g->choice_twin[choice] != choice || (only >= 0 && choice != only)) continue;
        if (builder_slot(&mk->b, choice)) return -1;
        if (j >= 0 && lead_on(mk, j, choice, &arc)) return -1;
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1] && j < 0; e++)
            if (builder_reveal(&mk->b, i, e, t)) return -1;
    }
    builder_end_slots(&mk->b, i);
    return 0;
}

/* Records the class of x of each of the classes first .. last - 1. */
static int note_origin(grown_maker *mk, int t, int first, int last)
{
    const grown_classes *x = mk->x;
    if (last > first && MEM_RESERVE(&mk->of, &mk->of_capacity, last - 1)) return -1;
    for (int i = first; i < last; i++) mk->of[i] = -1;
    for (int j = x->first[t]; j >= 0; j = x->next[j])
        if (mk->made[j] >= 0) mk->of[mk->made[j]] = j;
    return 0;
}

static int make_layer(grown_maker *mk, int t)
{
    know_classes *c = mk->b.c;
    int first = c->time_start[t], told = c->classes;
    if (note_origin(mk, t, first, told)) return -1;
    for (int i = first; i < told; i++) {
        if (mk->of[i] < 0 || mk->x->arc_start[mk->of[i]] >= 0) continue;
        if (tell_choices(mk, i, told)) return -1;
        if (t < c->cut) c->cut = t + 1;
    }
    int last = c->time_start[t + 1] = c->classes;
    if (builder_clear_units(&mk->b, t + 1)) return -1;
    for (int i = first; i < told; i++)
        if (make_slots(mk, i, mk->of[i], -1, t)) return -1;
    for (int i = told; i < last; i++)
        if (make_slots(mk, i, -1, mk->only[i - told], t)) return -1;
    return 0;
}

vouch_status know_classes_expanded(const grown_classes *x, know_classes **classes)
{
    const know_graph *g = x->g;
    grown_maker mk = {.x = x};
    *classes = NULL;
    if (builder_init(&mk.b, g, NULL)) return VOUCH_ERROR_MEMORY;
    mk.made = MEM_NEW(int, x->count);
    mk.told = MEM_NEW(int, g->choices);
    bool failed = !mk.made || !mk.told;
    for (int j = 0; j < x->count && !failed; j++) mk.made[j] = -1;
    for (int choice = 0; choice < g->choices && !failed; choice++) mk.told[choice] = -1;
    failed = failed || make_class(&mk, 0) < 0;
    for (int t = 0; t < g->T && !failed; t++) failed = make_layer(&mk, t) != 0;
    if (!failed) *classes = builder_finish(&mk.b);
    MEM_FREE_ALL(mk.made, mk.of, mk.told, mk.only);
    builder_clear(&mk.b);
    return *classes ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

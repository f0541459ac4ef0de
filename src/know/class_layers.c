/* know/class_layers.c - builds likelihood classes layer by layer, breadth first, interning (node, w). O(1) a class, slot or arc. */
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "know/induction.h"

/* ---- partial expansion: classes of a time are a linked list, so that later ones are added without moving any
 * --------------------------
 *
 *     V(root; high) - V(root; low)  <=  sum over leaves of reach * (high - low)                     (reach: of the policy of high)
 *
 * since at a grown class low is at least the value, by low, of high's choice. */

static const long long ARCS_PER_CLASS = 64; /* limits memory */

typedef struct open_leaf {
    double gap;
    int leaf;
} open_leaf;

void grown_free(grown_classes *c)
{
    if (!c) return;
    intern_free(&c->known);
    MEM_FREE_ALL(c->node, c->w, c->next, c->first, c->arc_start, c->arc_child, c->arc_factor, c->high, c->low, c->high_best,
                 c->low_best, c->reach, c->low_reach, c->q, c->v, c->scratch, c);
}

static int reserve_class(grown_classes *c)
{
    size_t n = (size_t)c->count, K = (size_t)c->K;
    return MEM_RESERVE(&c->node, &c->node_capacity, n) || MEM_RESERVE(&c->w, &c->w_capacity, n * K + K - 1) ||
           MEM_RESERVE(&c->next, &c->next_capacity, n) || MEM_RESERVE(&c->arc_start, &c->start_capacity, n);
}

/* The class (node, w) of time t, made if new; -1: out of memory. */
static int find_class(grown_classes *c, int t, int node, const double w[])
{
    uint64_t key[3];
    bool fresh;
    int i;
    key[0] = (uint64_t)node;
    key[1] = likelihood_sum(w, c->K);
    key[2] = 0;
    if (reserve_class(c)) return -1;
    do {
        i = intern_add(&c->known, key, &fresh);
        if (i < 0) return -1;
        key[2]++;
    } while (!fresh && !likelihood_same(grown_weights(c, i), w, c->K, c->g->T));
    if (!fresh) return i;
    CHECK(i == c->count);
    c->node[i] = node;
    MEM_COPY(c->w + (size_t)i * (size_t)c->K, w, c->K);
    c->arc_start[i] = c->next[i] = -1;
    if (c->last[t] >= 0)
        c->next[c->last[t]] = i;
    else
        c->first[t] = i;
    c->last[t] = i;
    return c->count++;
}

static int make_room(grown_classes *c)
{
    size_t need = (size_t)c->count;
    if (need <= c->value_capacity) return 0;
    need += need / 2;
    if (MEM_RESIZE(&c->high, need) || MEM_RESIZE(&c->low, need) || MEM_RESIZE(&c->reach, need) || MEM_RESIZE(&c->low_reach, need) ||
        MEM_RESIZE(&c->high_best, need) || MEM_RESIZE(&c->low_best, need))
        return -1;
    c->value_capacity = need;
    return 0;
}

vouch_status grown_new(const know_graph *g, const grown_plans *plans, grown_classes **out)
{
    *out = NULL;
    grown_classes *c = MEM_ZERO(grown_classes, 1);
    if (!c) return VOUCH_ERROR_MEMORY;
    size_t K = (size_t)g->K, times = (size_t)g->T + 1;
    CHECK(plans->count > 0);
    c->g = g;
    c->plans = plans;
    c->K = g->K;
    c->first = MEM_NEW(int, 2 * times);
    c->q = MEM_NEW(double, (size_t)g->choices *K);
    c->v = MEM_NEW(double, (size_t)g->nodes *K);
    c->scratch = MEM_NEW(double, 2 * K);
    bool failed = !c->first || !c->q || !c->v || !c->scratch || intern_init(&c->known, 3);
    if (!failed) {
        c->last = c->first + times;
        for (size_t i = 0; i < 2 * times; i++) c->first[i] = -1;
        for (size_t k = 0; k < K; k++) c->scratch[k] = 1;
        failed = find_class(c, 0, 0, c->scratch) < 0 || make_room(c);
    }
    if (failed) {
        grown_free(c);
        return VOUCH_ERROR_MEMORY;
    }
    *out = c;
    return VOUCH_OK;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

/* Four independent sums use the pipeline. */
static double product(const double a[], const double b[], int K)
{
    double sum[4] = {0};
    int k = 0;
    for (; k + 4 <= K; k += 4)
        for (int i = 0; i < 4; i++) sum[i] += a[k + i] * b[k + i];
    for (; k < K; k++) sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void value_end(grown_classes *c, int i, const double mu[])
{
    const double *w = grown_weights(c, i);
    double sum = 0;
    for (int k = 0; k < c->K; k++)
        if (mu[k] > 0 && w[k] > 0) sum += w[k] * mu[k] * know_terminal(c->g, c->node[i], k);
    c->high[i] = c->low[i] = sum;
}

/* wl, wm [K]: w lambda and w mu of leaf i; promised: some mu is not 0. */
static void value_leaf(grown_classes *c, int i, const double wl[], const double wm[], bool promised)
{
    const know_graph *g = c->g;
    const grown_plans *plans = c->plans;
    size_t n = (size_t)c->node[i], K = (size_t)c->K;
    double high = -INFINITY, low = -INFINITY;
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++)
        if (g->choice_twin[choice] == choice) high = fmax(high, product(grown_weights(c, i), c->q + (size_t)choice * K, c->K));
    for (int j = 0; j < plans->count; j++) {
        size_t at = ((size_t)j * (size_t)g->nodes + n) * K;
        double v = product(wl, plans->gain + at, c->K) + (promised ? product(wm, plans->keep + at, c->K) : 0);
        if (v <= low) continue;
        low = v;
        c->low_best[i] = j;
    }
    c->high[i] = fmax(high, low); /* they may cross by rounding */
    c->low[i] = low;
}

static void value_inner(grown_classes *c, int i, const double wl[])
{
    const know_graph *g = c->g;
    int n = c->node[i], arc = c->arc_start[i];
    c->high[i] = c->low[i] = -INFINITY;
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++) {
        if (g->choice_twin[choice] != choice) continue;
        double high = product(wl, g->reward + (size_t)g->choice_pair[choice] * (size_t)c->K, c->K), low = high;
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++, arc++) {
            int child = c->arc_child[arc];
            if (child < 0) continue;
            high += c->arc_factor[arc] * c->high[child];
            low += c->arc_factor[arc] * c->low[child];
        }
        if (high > c->high[i]) {
            c->high[i] = high;
            c->high_best[i] = choice;
        }
        if (low > c->low[i]) {
            c->low[i] = low;
            c->low_best[i] = choice;
        }
    }
}

void grown_value(grown_classes *c, const double lambda[], const double mu[], double *high, double *low)
{
    const know_graph *g = c->g;
    int K = c->K;
    double *wl = c->scratch, *wm = c->scratch + K;
    bool promised = false;
    for (int k = 0; k < K; k++) promised |= mu[k] > 0;
    induction_informed(c->g, lambda, mu, c->q, c->v);
    for (int i = c->first[g->T]; i >= 0; i = c->next[i]) value_end(c, i, mu);
    for (int t = g->T - 1; t >= 0; t--)
        for (int i = c->first[t]; i >= 0; i = c->next[i]) {
            const double *w = grown_weights(c, i);
            for (int k = 0; k < K; k++) wl[k] = w[k] * lambda[k];
            for (int k = 0; k < K && promised; k++) wm[k] = w[k] * mu[k];
            if (c->arc_start[i] < 0)
                value_leaf(c, i, wl, wm, promised);
            else
                value_inner(c, i, wl);
        }
    *high = c->high[0];
    *low = c->low[0];
}

int grown_arc(const grown_classes *c, int i, int choice)
{
    const know_graph *g = c->g;
    int arc = c->arc_start[i];
    for (int other = g->choice_start[c->node[i]]; other < choice; other++)
        if (g->choice_twin[other] == other) arc += g->edge_start[other + 1] - g->edge_start[other];
    return arc;
}

static void send(const grown_classes *c, int i, int choice, double reach[])
{
    int arc = grown_arc(c, i, choice);
    for (int e = c->g->edge_start[choice]; e < c->g->edge_start[choice + 1]; e++, arc++)
        if (c->arc_child[arc] >= 0) reach[c->arc_child[arc]] += reach[i] * c->arc_factor[arc];
}

/* Adds class i of time t, reached by the policy of low, to U and Pr. */
static void add_low(const grown_classes *c, int i, int t, double U[], double Pr[])
{
    const know_graph *g = c->g;
    const double *w = grown_weights(c, i);
    const double here = c->low_reach[i];
    size_t n = (size_t)c->node[i], K = (size_t)c->K;
    if (t == g->T) {
        for (int k = 0; k < c->K; k++) Pr[k] += here * w[k] * know_terminal(g, c->node[i], k);
    } else if (c->arc_start[i] < 0) {
        size_t at = ((size_t)c->low_best[i] * (size_t)g->nodes + n) * K;
        for (size_t k = 0; k < K; k++) {
            U[k] += here * w[k] * c->plans->gain[at + k];
            Pr[k] += here * w[k] * c->plans->keep[at + k];
        }
    } else {
        const double *r = g->reward + (size_t)g->choice_pair[c->low_best[i]] * K;
        for (size_t k = 0; k < K; k++) U[k] += here * w[k] * r[k];
        send(c, i, c->low_best[i], c->low_reach);
    }
}

void grown_forward(grown_classes *c, double U[], double Pr[])
{
    memset(c->reach, 0, (size_t)c->count * sizeof *c->reach);
    memset(c->low_reach, 0, (size_t)c->count * sizeof *c->low_reach);
    for (int k = 0; k < c->K; k++) U[k] = Pr[k] = 0;
    c->reach[0] = c->low_reach[0] = 1;
    for (int t = 0; t <= c->g->T; t++)
        for (int i = c->first[t]; i >= 0; i = c->next[i]) {
            if (c->reach[i] > 0 && t < c->g->T && c->arc_start[i] >= 0) send(c, i, c->high_best[i], c->reach);
            if (c->low_reach[i] > 0) add_low(c, i, t, U, Pr);
        }
}

/* ---- growth --------------------------------------------------------------------------------------------------------- */

static int add_arc(grown_classes *c, int child, double factor)
{
    if (MEM_RESERVE(&c->arc_child, &c->child_capacity, c->arcs) || MEM_RESERVE(&c->arc_factor, &c->factor_capacity, c->arcs))
        return -1;
    c->arc_child[c->arcs] = child;
    c->arc_factor[c->arcs++] = factor;
    return 0;
}

static int grow_edge(grown_classes *c, int i, int t, int e)
{
    const know_graph *g = c->g;
    const double *prob = g->successor_prob + (size_t)g->edge_row[e] * (size_t)c->K;
    int child = g->edge_child[e];
    double *w = c->scratch, largest = 0;
    for (int k = 0; k < c->K; k++) {
        double here = grown_weights(c, i)[k];
        w[k] = here > 0 && prob[k] > 0 && know_in_set(g, g->set[child], k) ? here * prob[k] : 0;
        largest = fmax(largest, w[k]);
    }
    if (largest <= 0) return add_arc(c, -1, 0);
    for (int k = 0; k < c->K; k++) w[k] /= largest;
    int to = find_class(c, t + 1, child, w);
    return to < 0 ? -1 : add_arc(c, to, largest);
}

static int grow_leaf(grown_classes *c, int i)
{
    const know_graph *g = c->g;
    int n = c->node[i], start = c->arcs, t = know_time(g, n);
    CHECK(c->arc_start[i] < 0 && t < g->T);
    for (int choice = g->choice_start[n]; choice < g->choice_start[n + 1]; choice++)
        for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1] && g->choice_twin[choice] == choice; e++)
            if (grow_edge(c, i, t, e)) return -1;
    c->arc_start[i] = start;
    c->grown++;
    return 0;
}

static int by_gap(const void *x, const void *y)
{
    const open_leaf *a = x, *b = y;
    if (a->gap > b->gap || a->gap < b->gap) return a->gap > b->gap ? -1 : 1;
    return a->leaf < b->leaf ? -1 : a->leaf > b->leaf;
}

vouch_status grown_grow(grown_classes *c, double share, int most, long long limit, int *done)
{
    open_leaf *open = MEM_NEW(open_leaf, c->count - c->grown);
    double total = 0, held = 0;
    int count = 0, failed = !open;
    *done = 0;
    for (int t = 0; t < c->g->T && !failed; t++)
        for (int i = c->first[t]; i >= 0; i = c->next[i]) {
            double gap = c->arc_start[i] < 0 ? c->reach[i] * (c->high[i] - c->low[i]) : 0;
            if (gap > 0) open[count++] = (open_leaf){gap, i};
            total += fmax(gap, 0);
        }
    if (count > 0) qsort(open, (size_t)count, sizeof *open, by_gap);
    for (; *done < count && *done < most && held <= share * total && !failed; ++*done) {
        if (c->count >= limit || c->arcs >= ARCS_PER_CLASS * limit) break;
        held += open[*done].gap;
        failed = grow_leaf(c, open[*done].leaf);
    }
    mem_free(open);
    return failed || make_room(c) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

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
static const long long WEIGHTS_PER_CLASS = 128, REVEALED_PER_CLASS = 256;

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

/* ---- the classes of a partial expansion (know/classes.h) -------------------------------------------------------------
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

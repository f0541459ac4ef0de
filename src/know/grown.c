/* know/grown.c - see grown.h. Classes of a time are a linked list, so that later ones are added without moving any.
 *
 *     V(root; high) - V(root; low)  <=  sum over leaves of reach * (high - low)                     (reach: of the policy of high)
 *
 * since at a grown class low is at least the value, by low, of high's choice.
 */
#include "know/grown.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/classes.h"
#include "know/induction.h"

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

static int follow_edge(grown_classes *c, int i, int t, int e)
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
            if (follow_edge(c, i, t, e)) return -1;
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

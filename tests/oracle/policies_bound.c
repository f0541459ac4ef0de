/* tests/oracle/policies_bound.c - see policies.h: one environment alone, and history-dependent policies.
 *
 * The nondominated (Pr, U) of one environment from (t, s) form a concave chain: the upper hull over the actions of the weighted
 * Minkowski sums of the successors' chains, whose edges are merged by slope. In rational arithmetic, since an edge may cost a whole
 * reward for 1e-14 of probability: there a rounding of 1e-19 shows in U.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/exact_lp.h"
#include "oracle/policies.h"

enum { POINTS = 2048, STATES = 8, HISTORIES = 400, ENTRIES = 6000 };

typedef struct point {
    mpq_t pr, u;
} point;

typedef struct chain { /* pr ascending, u descending, concave */
    int count, made;   /* points in use; points initialised, once and for all */
    point p[POINTS];
} chain;

static point *append(chain *c)
{
    if (c->count == POINTS) abort();
    point *n = &c->p[c->count++];
    if (c->count > c->made) {
        mpq_inits(n->pr, n->u, (mpq_ptr)NULL);
        c->made++;
    }
    return n;
}

static void append_point(chain *c, const point *from)
{
    point *n = append(c);
    mpq_set(n->pr, from->pr);
    mpq_set(n->u, from->u);
}

static void single(chain *c, bool kept)
{
    c->count = 0;
    point *n = append(c);
    mpq_set_si(n->pr, kept, 1);
    mpq_set_si(n->u, 0, 1);
}

static int by_pr(const void *a, const void *b)
{
    const point *x = a, *y = b;
    int order = mpq_cmp(x->pr, y->pr);
    return order ? order : mpq_cmp(y->u, x->u);
}

/* The edge from a to b against the edge from c to d, by slope: positive when the first is less steep; pr ascends
 * along both. */
static int compare_slopes(const point *a, const point *b, const point *c, const point *d)
{
    point x, y;
    mpq_inits(x.pr, x.u, y.pr, y.u, (mpq_ptr)NULL);
    mpq_sub(x.pr, b->pr, a->pr);
    mpq_sub(x.u, b->u, a->u);
    mpq_sub(y.pr, d->pr, c->pr);
    mpq_sub(y.u, d->u, c->u);
    mpq_mul(x.u, x.u, y.pr);
    mpq_mul(y.u, y.u, x.pr);
    int order = mpq_cmp(x.u, y.u);
    mpq_clears(x.pr, x.u, y.pr, y.u, (mpq_ptr)NULL);
    return order;
}

/* c: the upper hull of the points `all`, which are sorted, from the highest u on. */
static void hull(chain *all, chain *c)
{
    qsort(all->p, (size_t)all->count, sizeof *all->p, by_pr);
    c->count = 0;
    for (int i = 0; i < all->count; i++) {
        const point *n = &all->p[i];
        if (c->count > 0 && mpq_equal(n->pr, c->p[c->count - 1].pr)) continue;
        if (c->count == 1 && mpq_cmp(n->u, c->p[0].u) >= 0) c->count = 0;
        while (c->count > 1 && compare_slopes(&c->p[c->count - 2], &c->p[c->count - 1], &c->p[c->count - 1], n) <= 0) {
            c->count--;
            if (c->count == 1 && mpq_cmp(n->u, c->p[0].u) >= 0) c->count = 0;
        }
        append_point(c, n);
    }
}

/* to += weight * (b - a) */
static void add_edge(point *to, const point *a, const point *b, const mpq_t weight)
{
    point d;
    mpq_inits(d.pr, d.u, (mpq_ptr)NULL);
    mpq_sub(d.pr, b->pr, a->pr);
    mpq_sub(d.u, b->u, a->u);
    mpq_mul(d.pr, d.pr, weight);
    mpq_mul(d.u, d.u, weight);
    mpq_add(to->pr, to->pr, d.pr);
    mpq_add(to->u, to->u, d.u);
    mpq_clears(d.pr, d.u, (mpq_ptr)NULL);
}

/* to = sum + weight * c, all from the origin: the edges of both by falling slope */
static void add_chain(chain *to, const chain *sum, const chain *c, double weight)
{
    mpq_t part, one;
    point origin;
    mpq_inits(part, one, origin.pr, origin.u, (mpq_ptr)NULL);
    mpq_set_d(part, weight);
    mpq_set_si(one, 1, 1);
    to->count = 0;
    append_point(to, &sum->p[0]);
    add_edge(&to->p[0], &origin, &c->p[0], part);
    for (int i = 1, j = 1; i < sum->count || j < c->count;) {
        const point *a = &sum->p[i - 1], *b = &c->p[j - 1];
        bool first = j >= c->count || (i < sum->count && compare_slopes(a, a + 1, b, b + 1) >= 0);
        append_point(to, &to->p[to->count - 1]);
        add_edge(&to->p[to->count - 1], first ? a : b, first ? a + 1 : b + 1, first ? one : part);
        i += first;
        j += !first;
    }
    mpq_clears(part, one, origin.pr, origin.u, (mpq_ptr)NULL);
}

/* all: what pair q attains in environment k is appended, its successors' chains being c */
static void add_pair(const mdp *e, int q, const chain *c, chain *all)
{
    static chain sum[2];
    mpq_t reward, prob;
    mpq_inits(reward, prob, (mpq_ptr)NULL);
    int now = 0;
    single(&sum[now], false);
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        add_chain(&sum[!now], &sum[now], &c[e->next[o]], e->prob[o]);
        now = !now;
        mpq_set_d(reward, e->reward[o]);
        mpq_set_d(prob, e->prob[o]);
        mpq_mul(reward, reward, prob);
        for (int i = 0; i < sum[now].count; i++) mpq_add(sum[now].p[i].u, sum[now].p[i].u, reward);
    }
    for (int i = 0; i < sum[now].count; i++) append_point(all, &sum[now].p[i]);
    mpq_clears(reward, prob, (mpq_ptr)NULL);
}

/* The chain of environment k from the start. */
static const chain *attainable(const vouch_model *m, int k)
{
    static chain layer[2][STATES], all;
    chain *next = layer[0], *now = layer[1];
    for (int s = 0; s < m->S; s++) single(&next[s], m->terminal[s] > 0);
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            all.count = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) add_pair(&m->env[k], q, next, &all);
            hull(&all, &now[s]);
            if (all.count == 0) single(&now[s], false); /* a state that cannot be left is met at T only */
        }
        chain *swap = now;
        now = next, next = swap;
    }
    return &next[m->s0];
}

static long double rounded(const mpq_t x)
{
    mpq_t rest;
    double high = mpq_get_d(x);
    mpq_init(rest);
    mpq_set_d(rest, high);
    mpq_sub(rest, x, rest);
    long double value = (long double)high + mpq_get_d(rest);
    mpq_clear(rest);
    return value;
}

long double policies_reach(const vouch_model *m, int k)
{
    const chain *h = attainable(m, k);
    return rounded(h->p[h->count - 1].pr);
}

long double policies_constrained(const vouch_model *m, int k, long double p)
{
    const chain *h = attainable(m, k);
    mpq_t aim, low;
    int i = 0;
    mpq_inits(aim, low, (mpq_ptr)NULL);
    mpq_set_d(aim, (double)p);
    mpq_set_d(low, (double)(p - (double)p));
    mpq_add(aim, aim, low);
    while (i + 1 < h->count && mpq_cmp(aim, h->p[i].pr) > 0) i++;
    long double value = rounded(h->p[i].u);
    if (i > 0 && mpq_cmp(aim, h->p[i].pr) < 0) {
        const point *a = &h->p[i - 1], *b = &h->p[i];
        mpq_sub(aim, aim, a->pr);
        mpq_sub(low, b->pr, a->pr);
        mpq_div(aim, aim, low);
        point mixed;
        mpq_inits(mixed.pr, mixed.u, (mpq_ptr)NULL);
        mpq_set(mixed.u, a->u);
        add_edge(&mixed, a, b, aim);
        value = rounded(mixed.u);
        mpq_clears(mixed.pr, mixed.u, (mpq_ptr)NULL);
    }
    mpq_clears(aim, low, (mpq_ptr)NULL);
    return value;
}

/* ---- the whole history: columns z, then one for each history and action; rows: K of regret, K of the
 * commitment, one a history ---- */
typedef struct history {
    const vouch_model *m;
    int cols, rows, entries, most;
    int64_t start[HISTORIES + 2];
    int index[ENTRIES];
    double value[ENTRIES], pr[HISTORIES][POLICIES_ENVIRONMENTS], u[HISTORIES][POLICIES_ENVIRONMENTS];
    int from[HISTORIES], owner[HISTORIES]; /* of a column: the history row it leaves; of a history row: the
                                              column it comes from */
} history;

static bool grow(history *h, int t, int state, int parent, const double mass[])
{
    const vouch_model *m = h->m;
    if (h->rows >= h->most) return false;
    int row = h->rows++;
    h->owner[row] = parent;
    for (int q = m->pair_start[state]; q < m->pair_start[state + 1]; q++) {
        if (h->cols >= h->most) return false;
        int col = h->cols++;
        h->from[col] = row;
        memset(h->pr[col], 0, sizeof h->pr[col]);
        memset(h->u[col], 0, sizeof h->u[col]);
        for (int k = 0; k < m->K; k++) {
            const mdp *e = &m->env[k];
            for (int o = e->start[q]; o < e->start[q + 1] && mass[k] > 0; o++) {
                double later[POLICIES_ENVIRONMENTS] = {0};
                bool seen = false;
                h->u[col][k] += mass[k] * e->prob[o] * e->reward[o];
                if (t + 1 == m->T) {
                    h->pr[col][k] += m->terminal[e->next[o]] > 0 ? mass[k] * e->prob[o] : 0;
                    continue;
                }
                for (int l = 0; l < m->K; l++)
                    for (int x = m->env[l].start[q]; x < m->env[l].start[q + 1] && mass[l] > 0; x++)
                        if (m->env[l].next[x] == e->next[o] &&
                            policies_same_reward(m, q, e->next[o], m->env[l].reward[x], e->reward[o])) {
                            later[l] = mass[l] * m->env[l].prob[x];
                            seen = seen || l < k;
                        }
                if (!seen && !grow(h, t + 1, e->next[o], col, later)) return false;
            }
        }
    }
    return true;
}

static void entry(history *h, int row, double value)
{
    if (value == 0) return;
    if (h->entries == ENTRIES) abort();
    h->index[h->entries] = row;
    h->value[h->entries++] = value;
}

double policies_history(const vouch_model *m, const double optimal[], double p, int most)
{
    static history h;
    int K = m->K;
    double mass[POLICIES_ENVIRONMENTS] = {1, 1, 1, 1}, rl[HISTORIES + 8], ru[HISTORIES + 8], cl[HISTORIES + 1] = {0},
           cost[HISTORIES + 1] = {1};
    h.m = m;
    h.cols = h.rows = h.entries = 0;
    h.most = most < HISTORIES ? most : HISTORIES;
    if (!grow(&h, 0, m->s0, -1, mass)) return NAN;
    cl[0] = -INFINITY;
    for (int k = 0; k < K; k++) entry(&h, k, 1);
    for (int c = 0; c < h.cols; c++) {
        h.start[c + 1] = h.entries;
        for (int k = 0; k < K; k++) entry(&h, k, h.u[c][k]);
        for (int k = 0; k < K; k++) entry(&h, K + k, h.pr[c][k]);
        entry(&h, 2 * K + h.from[c], 1);
        for (int r = 0; r < h.rows; r++)
            if (h.owner[r] == c) entry(&h, 2 * K + r, -1);
    }
    h.start[h.cols + 1] = h.entries;
    for (int i = 0; i < 2 * K + h.rows; i++) {
        rl[i] = i < K ? optimal[i] : i < 2 * K ? p : h.owner[i - 2 * K] < 0;
        ru[i] = i < 2 * K ? INFINITY : rl[i];
    }
    vouch_lp_data d = {.rows = 2 * K + h.rows,
                       .cols = h.cols + 1,
                       .start = h.start,
                       .index = h.index,
                       .value = h.value,
                       .cost = cost,
                       .col_lower = cl,
                       .row_lower = rl,
                       .row_upper = ru};
    double value;
    return exact_lp_solve(&d, NULL, &value) == EXACT_OPTIMAL ? value : INFINITY;
}

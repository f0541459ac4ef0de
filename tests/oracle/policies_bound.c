/* tests/oracle/policies_bound.c - see policies.h: one environment alone, and all policies that see the whole
 * history.
 *
 * The attainable (Pr, U) of one environment from (t, s) are, up to what is dominated, a concave chain: the
 * upper hull over the actions of the weighted Minkowski sums of the successors' chains, whose edges are
 * merged by slope.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/exact_lp.h"
#include "oracle/policies.h"

enum { POINTS = 512, STATES = 8, HISTORIES = 400, ENTRIES = 6000 };

typedef struct point {
    long double pr, u;
} point;

typedef struct chain { /* pr ascending, u descending, concave */
    int count;
    point p[POINTS];
} chain;

static int by_pr(const void *a, const void *b)
{
    const point *x = a, *y = b;
    if (x->pr != y->pr) return x->pr < y->pr ? -1 : 1;
    return x->u > y->u ? -1 : x->u < y->u;
}

static void hull(chain *c)
{
    int kept = 0, top = 0;
    qsort(c->p, (size_t)c->count, sizeof *c->p, by_pr);
    for (int i = 0; i < c->count; i++) {
        point n = c->p[i];
        if (kept > 0 && n.pr == c->p[kept - 1].pr) continue;
        while (kept > 1) {
            point a = c->p[kept - 2], b = c->p[kept - 1];
            if ((b.u - a.u) * (n.pr - a.pr) > (n.u - a.u) * (b.pr - a.pr)) break;
            kept--;
        }
        c->p[kept++] = n;
    }
    for (int i = 0; i < kept; i++)
        if (c->p[i].u >= c->p[top].u) top = i;
    memmove(c->p, c->p + top, (size_t)(kept - top) * sizeof *c->p);
    c->count = kept - top;
}

/* sum += weight * c */
static void add_chain(chain *sum, const chain *c, long double weight)
{
    chain out = {.count = 1};
    out.p[0] = (point){sum->p[0].pr + weight * c->p[0].pr, sum->p[0].u + weight * c->p[0].u};
    int i = 1, j = 1;
    while ((i < sum->count || j < c->count) && out.count < POINTS) {
        point a = {0, 0}, b = {0, 0}, last = out.p[out.count - 1];
        if (i < sum->count) a = (point){sum->p[i].pr - sum->p[i - 1].pr, sum->p[i].u - sum->p[i - 1].u};
        if (j < c->count) b = (point){weight * (c->p[j].pr - c->p[j - 1].pr), weight * (c->p[j].u - c->p[j - 1].u)};
        bool first = j >= c->count || (i < sum->count && a.u * b.pr >= b.u * a.pr);
        point d = first ? a : b;
        i += first;
        j += !first;
        out.p[out.count++] = (point){last.pr + d.pr, last.u + d.u};
    }
    *sum = out;
}

static void chains(const vouch_model *m, int k, chain *c)
{
    static chain now[STATES], sum;
    const mdp *e = &m->env[k];
    for (int s = 0; s < m->S; s++) c[s] = (chain){.count = 1, .p = {{m->phi[s] ? 1 : 0, 0}}};
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            now[s].count = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                sum = (chain){.count = 1};
                for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                    add_chain(&sum, &c[e->next[o]], (long double)e->prob[o]);
                    for (int i = 0; i < sum.count; i++) sum.p[i].u += (long double)e->prob[o] * (long double)e->reward[o];
                }
                for (int i = 0; i < sum.count && now[s].count < POINTS; i++) now[s].p[now[s].count++] = sum.p[i];
            }
            if (now[s].count == 0) now[s] = (chain){.count = 1}; /* a state that cannot be left is met at T only */
            hull(&now[s]);
        }
        memcpy(c, now, (size_t)m->S * sizeof *c);
    }
}

long double policies_reach(const vouch_model *m, int k)
{
    static chain c[STATES];
    chains(m, k, c);
    const chain *h = &c[m->s0];
    return h->p[h->count - 1].pr;
}

long double policies_constrained(const vouch_model *m, int k, long double p)
{
    static chain c[STATES];
    chains(m, k, c);
    const chain *h = &c[m->s0];
    if (p <= h->p[0].pr) return h->p[0].u;
    for (int i = 1; i < h->count; i++) {
        point a = h->p[i - 1], b = h->p[i];
        if (p <= b.pr) return a.u + (b.u - a.u) * ((p - a.pr) / (b.pr - a.pr));
    }
    return h->p[h->count - 1].u;
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
                    h->pr[col][k] += m->phi[e->next[o]] ? mass[k] * e->prob[o] : 0;
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

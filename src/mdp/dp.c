/* mdp/dp.c - backward induction in one environment, and its constrained optimum
 *
 *     U*_c = max { U(pi) : Pr_pi(S_T in Phi) >= p }.
 *
 * The attainable pairs (Pr, U) form a convex polygon whose vertices are deterministic policies, and the vertex extreme in direction
 * (mu, 1) is found by one backward induction with terminal value mu [s in Phi]. So the upper hull is walked from two
 * sides: start with the lexicographic optima (U first, Pr first); take mu from the slope of the segment between the two
 * neighbours of p; a new vertex above the segment replaces one of them, otherwise the segment is an edge and U*_c its
 * height at p. This is Dantzig-Wolfe with two rows, solved by hand (Altman, Constrained Markov Decision Processes, 1999, for the
 * programme itself); the LP over occupancies is in program/constrained.c and tests hold the two against each other.
 */
#include "mdp/dp.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "mdp/commitment.h"
#include "mdp/tolerance.h"

typedef struct vertex {
    double pr, u;
    int *choice; /* [T * S] pair */
} vertex;

typedef struct induction {
    const vouch_model *m;
    int k, time, state;
    double *pr, *u;         /* [2 * S] two layers each: probability and reward to go under the choice */
    double least;           /* expected reward; what is summed is above it, so that a constant in all rewards costs no digits */
    double tie_u, tie_pr;   /* closer values are equal: the rounding of their sums */
} induction;

static void find_ties(induction *d)
{
    const double *expected = d->m->env[d->k].expected;
    double most = -INFINITY;
    d->least = INFINITY;
    for (int q = 0; q < d->m->pairs; q++) {
        d->least = fmin(d->least, expected[q]);
        most = fmax(most, expected[q]);
    }
    d->tie_pr = TOL_STEP * (d->m->T - d->time);
    d->tie_u = d->tie_pr * (most - d->least);
}

/* A tie of action values is decided by the other criterion, then by the lowest action.
 * Maximises wu * U + wp * Pr; ties by the larger Pr if pr_first, else by the larger U. Writes choice and the
 * two values at (time, state). */
static void induce(induction *d, double wu, double wp, bool pr_first, vertex *v)
{
    const vouch_model *m = d->m;
    const mdp *e = &m->env[d->k];
    double *pr = d->pr, *u = d->u, *pr_next = d->pr + m->S, *u_next = d->u + m->S;
    double tie = wu * d->tie_u + wp * d->tie_pr, other_tie = pr_first ? d->tie_u : d->tie_pr;
    for (int s = 0; s < m->S; s++) {
        pr_next[s] = m->phi[s];
        u_next[s] = 0;
    }
    for (int t = m->T - 1; t >= d->time; t--) {
        for (int s = 0; s < m->S; s++) {
            double best = -INFINITY, best_other = -INFINITY, best_u = 0, best_pr = 0;
            int best_q = -1;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double qu = e->expected[q] - d->least, qp = 0;
                for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                    qu += e->prob[o] * u_next[e->next[o]];
                    qp += e->prob[o] * pr_next[e->next[o]];
                }
                double score = wu * qu + wp * qp, other = pr_first ? qu : qp;
                if (best_q < 0 || score > best + tie || (score >= best - tie && other > best_other + other_tie)) {
                    best = score;
                    best_other = other;
                    best_q = q;
                    best_u = qu;
                    best_pr = qp;
                }
            }
            v->choice[(size_t)t * (size_t)m->S + (size_t)s] = best_q;
            u[s] = best_u;
            pr[s] = best_pr;
        }
        double *swap = pr;
        pr = pr_next, pr_next = swap;
        swap = u;
        u = u_next, u_next = swap;
    }
    v->pr = pr_next[d->state];
    v->u = u_next[d->state];
}

/* Occupancy of a deterministic policy, added with weight into x [T * pairs]. y: [2 * S] scratch. */
static void add_occupancy(const induction *d, const vertex *v, double weight, double *x, double *y)
{
    const vouch_model *m = d->m;
    const mdp *e = &m->env[d->k];
    double *now = y, *next = y + m->S;
    memset(y, 0, 2 * (size_t)m->S * sizeof *y);
    now[d->state] = weight;
    for (int t = d->time; t < m->T; t++) {
        for (int s = 0; s < m->S; s++) {
            if (now[s] == 0) continue;
            int q = v->choice[(size_t)t * (size_t)m->S + (size_t)s];
            x[(size_t)t * (size_t)m->pairs + (size_t)q] += now[s];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) next[e->next[o]] += now[s] * e->prob[o];
            now[s] = 0;
        }
        double *swap = now;
        now = next, next = swap;
    }
}

/* From occupancies to probabilities; where nothing arrives, the fallback's choice. */
static void occupancy_to_policy(const induction *d, const vertex *fallback, double *x)
{
    const vouch_model *m = d->m;
    for (int t = d->time; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            double *row = x + (size_t)t * (size_t)m->pairs;
            double sum = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) sum += row[q];
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                row[q] = sum > 0 ? row[q] / sum : (q == fallback->choice[(size_t)t * (size_t)m->S + (size_t)s]);
        }
}

vouch_status dp_constrained(const vouch_model *m, int k, int time, int state, double p, double *value, double *prob)
{
    size_t cells = (size_t)m->T * (size_t)m->S;
    vouch_status status = VOUCH_ERROR_MEMORY;
    induction d = {.m = m, .k = k, .time = time, .state = state, .pr = MEM_NEW(double, 2 * m->S), .u = MEM_NEW(double, 2 * m->S)};
    vertex left = {0, 0, MEM_NEW(int, cells)};  /* most reward; too little probability */
    vertex right = {0, 0, MEM_NEW(int, cells)}; /* enough probability */
    vertex fresh = {0, 0, MEM_NEW(int, cells)};
    if (!d.pr || !d.u || !left.choice || !right.choice || !fresh.choice) goto done;
    status = VOUCH_OK;
    find_ties(&d);

    double weight_left = 0; /* of `left` in the mixture */
    double rounding = commitment_rounding(m->T);
    induce(&d, 1, 0, false, &right);
    if (!commitment_kept_within(right.pr, p, rounding)) {
        vertex swap = left;
        left = right;
        right = swap;
        induce(&d, 0, 1, true, &right);
        if (!commitment_kept(right.pr, p)) {
            *value = -INFINITY;
            goto done;
        }
        p = fmin(p, right.pr); /* short of p by less than counts: the most there is */
        while (right.pr > left.pr) {
            double mu = (left.u - right.u) / (right.pr - left.pr);
            induce(&d, 1, mu, true, &fresh);
            double height = left.u + mu * left.pr;
            if (fresh.u + mu * fresh.pr <= height + d.tie_u + mu * d.tie_pr) break; /* no higher but for rounding */
            vertex *end = commitment_kept_within(fresh.pr, p, rounding) ? &right : &left;
            if (fresh.pr <= left.pr || fresh.pr >= right.pr) break; /* rounding: no longer between */
            vertex spare = *end;
            *end = fresh;
            fresh = spare;
        }
        if (right.pr > p && right.pr > left.pr) weight_left = (right.pr - p) / (right.pr - left.pr);
        if (weight_left > 1) weight_left = 1;
    }
    *value = weight_left * left.u + (1 - weight_left) * right.u + (m->T - time) * d.least;
    if (prob) {
        size_t first = (size_t)time * (size_t)m->pairs, all = (size_t)m->T * (size_t)m->pairs;
        memset(prob + first, 0, (all - first) * sizeof *prob);
        if (weight_left > 0) add_occupancy(&d, &left, weight_left, prob, d.pr);
        add_occupancy(&d, &right, 1 - weight_left, prob, d.pr);
        occupancy_to_policy(&d, &right, prob);
    }
done:
    mem_free(d.pr);
    mem_free(d.u);
    mem_free(left.choice);
    mem_free(right.choice);
    mem_free(fresh.choice);
    return status;
}

void dp_reachable_probability(const vouch_model *m, int k, double *reach)
{
    const mdp *e = &m->env[k];
    size_t S = (size_t)m->S;
    for (size_t s = 0; s < S; s++) reach[(size_t)m->T * S + s] = m->phi[s];
    for (int t = m->T - 1; t >= 0; t--) {
        const double *next = reach + ((size_t)t + 1) * S;
        for (size_t s = 0; s < S; s++) {
            double best = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double pr = 0;
                for (int o = e->start[q]; o < e->start[q + 1]; o++) pr += e->prob[o] * next[e->next[o]];
                if (pr > best) best = pr;
            }
            reach[(size_t)t * S + s] = best;
        }
    }
}

double dp_best_probability(const vouch_model *m, int k)
{
    double *reach = MEM_NEW(double, ((size_t)m->T + 1) * (size_t)m->S);
    if (!reach) return -1;
    dp_reachable_probability(m, k, reach);
    double best = reach[m->s0];
    mem_free(reach);
    return best;
}

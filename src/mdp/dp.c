/* mdp/dp.c - backward induction in one environment, and its constrained optimum
 *
 *     U*_c = max { U(pi) : Pr_pi(S_T in Phi) >= p }.
 *
 * The attainable pairs (Pr, U) form a convex polygon whose vertices are deterministic policies; one backward induction with
 * terminal value mu [s in Phi] finds the vertex extreme in direction (mu, 1). The upper hull is searched from both sides: start
 * with the lexicographic optima (U first, Pr first); mu is the slope of the segment between the two neighbours of p; a vertex above
 * the segment replaces one of them, otherwise the segment is an edge and U*_c its height at p. This is Dantzig-Wolfe decomposition
 * with two rows (programme: Altman, Constrained Markov Decision Processes, 1999). Tests compare with the LP over occupancies.
 *
 * An edge of the hull may be so steep (a slip of probability 1e-12 that costs a whole reward) that mu times the rounding of Pr
 * exceeds the rounding of U. So both are summed in extended precision.
 */
#include "mdp/dp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "mdp/tolerance.h"

typedef long double sum;

typedef struct vertex {
    sum pr, u;
    int *choice; /* [T * S] pair */
} vertex;

typedef struct induction {
    const vouch_model *m;
    int k;
    sum *pr, *u;           /* [2 * S] two layers each: probability and reward to go under the choice */
    double least;          /* expected reward, subtracted from all, so that a constant in all rewards costs no digits */
    double spread;         /* of expected rewards */
    sum rounding;          /* of a probability; times the spread, of a reward */
    const deadline *limit; /* of the hull search; NULL: none */
    bool late;             /* it has passed */
    sum above;             /* upper bound of the optimum */
    sum most_short;        /* largest probability found that is too low for the commitment */
} induction;

void dp_expected_range(const vouch_model *m, int k, double *least, double *spread)
{
    const double *expected = m->env[k].expected;
    double most = -INFINITY;
    *least = INFINITY;
    for (int q = 0; q < m->pairs; q++) {
        *least = fmin(*least, expected[q]);
        most = fmax(most, expected[q]);
    }
    *spread = most - *least;
}

/* Values of the next step and of this one, [S] each. */
typedef struct stage {
    sum *u, *pr, *u_next, *pr_next;
} stage;

static stage horizon(const induction *d)
{
    const vouch_model *m = d->m;
    stage x = {d->u, d->pr, d->u + m->S, d->pr + m->S};
    for (int s = 0; s < m->S; s++) {
        x.pr_next[s] = m->env[d->k].terminal[s];
        x.u_next[s] = 0;
    }
    return x;
}

static void earlier(stage *x) { *x = (stage){x->u_next, x->pr_next, x->u, x->pr}; }

/* Values of pair q. */
static void act(const induction *d, const stage *x, int q, sum *u, sum *pr)
{
    const mdp *e = &d->m->env[d->k];
    sum qu = (sum)e->expected[q] - d->least, qp = 0;
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        qu += e->prob[o] * x->u_next[e->next[o]];
        qp += e->prob[o] * x->pr_next[e->next[o]];
    }
    *u = qu;
    *pr = qp;
}

/* Maximises wu * U + wp * Pr. Ties are broken by the larger Pr (pr_first: the larger U), then by the lowest action. If only U
 * counts, expected rewards tie within their rounding. */
static void induce(induction *d, sum wu, sum wp, bool pr_first, vertex *v)
{
    const vouch_model *m = d->m;
    stage x = horizon(d);
    sum tie = wp > 0 ? d->rounding * (wu * d->spread + wp) : TOL_STEP * wu * d->spread;
    sum other_tie = pr_first ? d->rounding * d->spread : d->rounding;
    CHECK(wu >= 0 && isfinite(wp));
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            sum best = -INFINITY, best_other = -INFINITY, best_u = 0, best_pr = 0;
            int best_q = -1;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                sum qu, qp;
                act(d, &x, q, &qu, &qp);
                sum score = wu * qu + wp * qp, other = pr_first ? qu : qp;
                if (best_q < 0 || score > best + tie || (score >= best - tie && other > best_other + other_tie)) {
                    best = score;
                    best_other = other;
                    best_q = q;
                    best_u = qu;
                    best_pr = qp;
                }
            }
            v->choice[(size_t)t * (size_t)m->S + (size_t)s] = best_q;
            x.u[s] = best_u;
            x.pr[s] = best_pr;
        }
        earlier(&x);
    }
    v->pr = x.pr_next[m->s0];
    v->u = x.u_next[m->s0];
}

/* Evaluates v's choice. */
static void revalue(induction *d, vertex *v)
{
    const vouch_model *m = d->m;
    stage x = horizon(d);
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            int q = v->choice[(size_t)t * (size_t)m->S + (size_t)s];
            if (q < 0)
                x.u[s] = x.pr[s] = 0;
            else
                act(d, &x, q, &x.u[s], &x.pr[s]);
        }
        earlier(&x);
    }
    v->pr = x.pr_next[m->s0];
    v->u = x.u_next[m->s0];
}

/* Lowers d->above by a vertex of greatest u + mu pr: the optimum is at most that less mu p. False: late. */
static bool lower_bound(induction *d, sum p, sum mu, const vertex *v)
{
    sum least = p - KEEP_TOLERANCE - commitment_rounding(d->m->T), tie = TOL_STEP * d->m->T * (d->spread + mu);
    d->above = fminl(d->above, v->u + mu * (v->pr - least) + tie);
    d->late = d->limit && deadline_expired(d->limit);
    return !d->late;
}

static void exchange(vertex *a, vertex *b)
{
    vertex c = *a;
    *a = *b;
    *b = c;
}

/* True if the edge `from`, evaluated here, is also the edge over p of this hull, by one induction. */
static bool is_edge(induction *d, const dp_edge *from, sum p, vertex *left, vertex *right, vertex *fresh)
{
    size_t cells = (size_t)d->m->T * (size_t)d->m->S;
    if (!from || !from->right || !(from->weight > 0)) return false;
    memcpy(left->choice, from->left, cells * sizeof *left->choice);
    memcpy(right->choice, from->right, cells * sizeof *right->choice);
    revalue(d, left);
    revalue(d, right);
    if (!(left->pr < p && p <= right->pr && left->u >= right->u)) return false;
    sum mu = (left->u - right->u) / (right->pr - left->pr);
    induce(d, 1, mu, true, fresh);
    return (fresh->u - left->u) + mu * (fresh->pr - left->pr) <= d->rounding * (d->spread + mu);
}

/* Finds the edge over p, with vertices left and right, unless d->late. False: the commitment is infeasible. */
static bool walk_hull(induction *d, sum *p, vertex *left, vertex *right, vertex *fresh)
{
    sum rounding = commitment_rounding(d->m->T);
    induce(d, 1, 0, false, right);
    if (right->pr >= *p - rounding) {
        left->pr = left->u = 0;
        *p = right->pr;
        return true;
    }
    d->most_short = right->pr;
    if (!lower_bound(d, *p, 0, right)) return true;
    exchange(left, right);
    induce(d, 0, 1, true, right);
    if (!(right->pr >= *p - KEEP_TOLERANCE - rounding)) return false;
    sum enough = fminl(*p, right->pr) - rounding; /* fixed: a later `right` may be less likely */
    if (d->spread > 0) {                          /* among policies of this probability up to rounding, one of more reward */
        induce(d, 1, 2 * d->m->T * d->spread / rounding, true, fresh);
        if (fresh->u > right->u && fresh->pr >= right->pr - rounding) exchange(right, fresh);
    }
    if (*p > right->pr) *p = right->pr; /* within the tolerance */
    while (right->pr > left->pr) {
        CHECK_COMPARE(left->u, >=, right->u - 2 * d->m->T * TOL_STEP * d->spread); /* ties of the first induction */
        sum mu = (left->u - right->u) / (right->pr - left->pr);
        induce(d, 1, mu, true, fresh);
        if (!lower_bound(d, *p, mu, fresh)) return true;
        sum higher = (fresh->u - left->u) + mu * (fresh->pr - left->pr);
        bool enough_kept = fresh->pr >= enough, above = higher > d->rounding * (d->spread + mu);
        /* Ends move inwards only, so the search terminates: a point above the segment beyond its ends is due to rounding. Of two
         * equally high right ends the one of more reward is taken. */
        if (!enough_kept) d->most_short = fmaxl(d->most_short, fresh->pr);
        if (enough_kept ? !(fresh->u > right->u) : !(above && fresh->pr > left->pr)) break;
        exchange(enough_kept ? right : left, fresh);
    }
    return true;
}

/* Reward of probability `owed` on the segment between two vertices; *weight of the left one. */
static double height(const induction *d, const vertex *left, const vertex *right, sum owed, sum *weight)
{
    *weight = 0;
    if (right->pr > owed && right->pr > left->pr) *weight = fminl((right->pr - owed) / (right->pr - left->pr), 1);
    CHECK_COMPARE(*weight, >=, 0);
    return (double)(*weight * left->u + (1 - *weight) * right->u + d->m->T * (sum)d->least);
}

/* prob [T * pairs] of an edge; arrive: [2 * S] scratch. */
static void spread_edge(const vouch_model *m, int k, dp_edge edge, double prob[], double arrive[])
{
    memset(prob, 0, (size_t)m->T * (size_t)m->pairs * sizeof *prob);
    if (edge.weight > 0) occupancy_add(m, k, edge.left, (double)edge.weight, prob, arrive);
    occupancy_add(m, k, edge.right, (double)(1 - edge.weight), prob, arrive);
    occupancy_to_policy(m, edge.right, prob);
}

vouch_status dp_edge_policy(const vouch_model *m, int k, const dp_edge *edge, double *prob)
{
    double *arrive = MEM_NEW(double, 2 * m->S);
    if (!arrive) return VOUCH_ERROR_MEMORY;
    spread_edge(m, k, *edge, prob, arrive);
    mem_free(arrive);
    return VOUCH_OK;
}

void dp_edge_free(dp_edge *edge)
{
    mem_free(edge->right);
    *edge = (dp_edge){0};
}

/* The optima of p and of low. *shared: no vertex found lies between the two, so one search serves both; else at_low is not written.
 * prob: NULL, or [T * pairs] written. */
static vouch_status walk(const vouch_model *m, int k, dp_promise c, dp_optima *out, bool *shared, double *prob)
{
    size_t cells = (size_t)m->T * (size_t)m->S;
    vouch_status status = VOUCH_ERROR_MEMORY;
    CHECK(m->finished && k >= 0 && k < m->K && c.low <= c.p);
    arena a = {0};
    induction d = {.m = m, .k = k, .pr = ARENA_NEW(&a, sum, 2 * m->S), .u = ARENA_NEW(&a, sum, 2 * m->S)};
    vertex left = {0, 0, ARENA_NEW(&a, int, cells)}, right = {0, 0, ARENA_NEW(&a, int, cells)}; /* right: of enough probability */
    vertex fresh = {0, 0, ARENA_NEW(&a, int, cells)};
    double *arrive = ARENA_NEW(&a, double, 2 * m->S);
    if (a.failed) goto done;
    status = VOUCH_OK;
    dp_expected_range(m, k, &d.least, &d.spread);
    d.rounding = TOL_EXTENDED_STEP * m->T;
    d.limit = c.limit;
    d.above = INFINITY;
    d.most_short = -INFINITY;

    sum weight = 0, owed = c.p;
    *out = (dp_optima){-INFINITY, -INFINITY, true};
    *shared = true;
    if (!is_edge(&d, c.from, owed, &left, &right, &fresh) && !walk_hull(&d, &owed, &left, &right, &fresh)) {
        *shared = !(c.low < c.p);
        goto done;
    }
    CHECK_COMPARE(left.u, >=, 0); /* above the least expected reward */
    if (d.late) {
        out->value = (double)(d.above + m->T * (sum)d.least);
        out->known = *shared = false;
        goto done;
    }
    *shared = d.most_short < c.low - 2 * commitment_rounding(m->T);
    bool unbound = isinf(d.most_short); /* the commitment does not bind */
    if (*shared) out->at_low = height(&d, &left, &right, unbound ? right.pr : fminl(c.low, right.pr), &weight);
    out->value = height(&d, &left, &right, owed, &weight);
    if (prob) spread_edge(m, k, (dp_edge){right.choice, left.choice, weight}, prob, arrive);
    if (c.keep && (c.keep->right = MEM_NEW(int, weight > 0 ? 2 * cells : cells))) {
        c.keep->left = weight > 0 ? c.keep->right + cells : NULL;
        c.keep->weight = weight;
        memcpy(c.keep->right, right.choice, cells * sizeof *right.choice);
        if (weight > 0) memcpy(c.keep->left, left.choice, cells * sizeof *left.choice);
    }
done:
    arena_free(&a);
    return status;
}

vouch_status dp_constrained(const vouch_model *m, int k, double p, double *value, double *prob)
{
    dp_optima found;
    bool shared;
    vouch_status status = walk(m, k, (dp_promise){.p = p, .low = p}, &found, &shared, prob);
    if (!status) *value = found.value;
    return status;
}

vouch_status dp_constrained_within(const vouch_model *m, int k, dp_promise c, dp_optima *out)
{
    bool shared;
    vouch_status status = walk(m, k, c, out, &shared, NULL);
    if (!status && !out->known) {
        out->at_low = dp_most_value(m, k);
        return isnan(out->at_low) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    }
    if (!status && !shared && !(c.low < c.p)) out->at_low = out->value;
    if (status || shared || !(c.low < c.p)) return status;
    dp_optima low;
    c.p = c.low;
    c.keep = NULL;
    status = walk(m, k, c, &low, &shared, NULL);
    out->at_low = low.value;
    out->known = low.known;
    return status;
}

double dp_most_value(const vouch_model *m, int k)
{
    const mdp *e = &m->env[k];
    double *next = MEM_ZERO(double, 2 * m->S), *here = next + m->S, least, spread;
    int outcomes = 0;
    if (!next) return NAN;
    for (int q = 0; q < m->pairs; q++)
        if (e->start[q + 1] - e->start[q] > outcomes) outcomes = e->start[q + 1] - e->start[q];
    double *memory = next;
    dp_expected_range(m, k, &least, &spread);
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            double best = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double u = e->expected[q] - least;
                for (int o = e->start[q]; o < e->start[q + 1]; o++) u += e->prob[o] * next[e->next[o]];
                best = u > best ? u : best;
            }
            here[s] = best;
        }
        double *swap = here;
        here = next, next = swap;
    }
    double most = next[m->s0] + m->T * least;
    mem_free(memory);
    return most + (outcomes + 4) * DBL_EPSILON * m->T * m->T * spread;
}

/* here [S]: maximum of Pr(S_T in Phi) from each state, given that of its successors, next [S]. */
static void best_layer(const vouch_model *m, const mdp *e, const double next[], double here[])
{
    for (int s = 0; s < m->S; s++) {
        double best = 0;
        for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
            double pr = 0;
            for (int o = e->start[q]; o < e->start[q + 1]; o++) pr += e->prob[o] * next[e->next[o]];
            best = pr > best ? pr : best;
        }
        CHECK_COMPARE(best, <=, 1 + MODEL_SUM_TOLERANCE);
        here[s] = best;
    }
}

void dp_reachable_probability(const vouch_model *m, int k, double *reach)
{
    const mdp *e = &m->env[k];
    size_t S = (size_t)m->S;
    MEM_COPY(reach + (size_t)m->T * S, e->terminal, S);
    for (int t = m->T - 1; t >= 0; t--) best_layer(m, e, reach + ((size_t)t + 1) * S, reach + (size_t)t * S);
}

double dp_best_probability(const vouch_model *m, int k)
{
    const mdp *e = &m->env[k];
    double *layers = MEM_NEW(double, 2 * m->S), *here = layers, *next = layers + m->S;
    if (!layers) return -1;
    MEM_COPY(next, e->terminal, m->S);
    for (int t = m->T - 1; t >= 0; t--) {
        best_layer(m, e, next, here);
        double *swap = here;
        here = next, next = swap;
    }
    double best = next[m->s0];
    mem_free(layers);
    return best;
}

void occupancy_add(const vouch_model *m, int k, const int choice[], double weight, double x[], double y[])
{
    const mdp *e = &m->env[k];
    double *now = y, *next = y + m->S;
    memset(y, 0, 2 * (size_t)m->S * sizeof *y);
    now[m->s0] = weight;
    for (int t = 0; t < m->T; t++) {
        for (int s = 0; s < m->S; s++) {
            if (now[s] == 0) continue;
            int q = choice[(size_t)t * (size_t)m->S + (size_t)s];
            x[(size_t)t * (size_t)m->pairs + (size_t)q] += now[s];
            for (int o = e->start[q]; o < e->start[q + 1]; o++) next[e->next[o]] += now[s] * e->prob[o];
            now[s] = 0;
        }
        double *swap = now;
        now = next, next = swap;
    }
}

void occupancy_to_policy(const vouch_model *m, const int fallback[], double x[])
{
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            double *row = x + (size_t)t * (size_t)m->pairs;
            double all = 0;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) all += row[q];
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                row[q] = all > 0 ? row[q] / all : (q == fallback[(size_t)t * (size_t)m->S + (size_t)s]);
            CHECK(all >= 0 && all <= 1 + MODEL_SUM_TOLERANCE);
        }
}

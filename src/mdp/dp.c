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
 * exceeds the rounding of U. So both are summed in extended precision. */
#include "mdp/dp.h"

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"

typedef long double real;

typedef struct vertex {
    real pr, u;
    int *choice; /* [T * S] pair */
} vertex;

typedef struct induction {
    const vouch_model *m;
    int k;
    real *pr, *u;          /* [2 * S] two layers each: probability and reward to go under the choice */
    double least;          /* expected reward, subtracted from all, so that a constant in all rewards costs no digits */
    double spread;         /* of expected rewards */
    real rounding;         /* of a probability; times the spread, of a reward */
    const deadline *limit; /* of the hull search; NULL: none */
    bool late;             /* it has passed */
    real above;            /* upper bound of the optimum */
    real most_short;       /* largest probability found that is too low for the commitment */
} induction;

/* Least expected reward of a pair of environment k, and the difference to the largest. */
static void dp_expected_range(const vouch_model *m, int k, double *least, double *spread)
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
    real *u, *pr, *u_next, *pr_next;
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
static void act(const induction *d, const stage *x, int q, real *u, real *pr)
{
    const mdp *e = &d->m->env[d->k];
    real qu = (real)e->expected[q] - d->least, qp = 0;
    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
        qu += e->prob[o] * x->u_next[e->next[o]];
        qp += e->prob[o] * x->pr_next[e->next[o]];
    }
    *u = qu;
    *pr = qp;
}

/* Maximises wu * U + wp * Pr. Ties are broken by the larger Pr (pr_first: the larger U), then by the lowest action. If only U
 * counts, expected rewards tie within their rounding. */
static void induce(induction *d, real wu, real wp, bool pr_first, vertex *v)
{
    const vouch_model *m = d->m;
    stage x = horizon(d);
    real tie = wp > 0 ? d->rounding * (wu * d->spread + wp) : TOL_STEP * wu * d->spread;
    real other_tie = pr_first ? d->rounding * d->spread : d->rounding;
    CHECK(wu >= 0 && isfinite(wp));
    for (int t = m->T - 1; t >= 0; t--) {
        for (int s = 0; s < m->S; s++) {
            real best = -INFINITY, best_other = -INFINITY, best_u = 0, best_pr = 0;
            int best_q = -1;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                real qu, qp;
                act(d, &x, q, &qu, &qp);
                real score = wu * qu + wp * qp, other = pr_first ? qu : qp;
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
static bool lower_bound(induction *d, real p, real mu, const vertex *v)
{
    real least = p - KEEP_TOLERANCE - commitment_rounding(d->m->T), tie = TOL_STEP * d->m->T * (d->spread + mu);
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
static bool is_edge(induction *d, const dp_edge *from, real p, vertex *left, vertex *right, vertex *fresh)
{
    size_t cells = (size_t)d->m->T * (size_t)d->m->S;
    if (!from || !from->right || !(from->weight > 0)) return false;
    memcpy(left->choice, from->left, cells * sizeof *left->choice);
    memcpy(right->choice, from->right, cells * sizeof *right->choice);
    revalue(d, left);
    revalue(d, right);
    if (!(left->pr < p && p <= right->pr && left->u >= right->u)) return false;
    real mu = (left->u - right->u) / (right->pr - left->pr);
    induce(d, 1, mu, true, fresh);
    return (fresh->u - left->u) + mu * (fresh->pr - left->pr) <= d->rounding * (d->spread + mu);
}

/* Finds the edge over p, with vertices left and right, unless d->late. False: the commitment is infeasible. */
static bool walk_hull(induction *d, real *p, vertex *left, vertex *right, vertex *fresh)
{
    real rounding = commitment_rounding(d->m->T);
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
    real enough = fminl(*p, right->pr) - rounding; /* fixed: a later `right` may be less likely */
    if (d->spread > 0) {                           /* among policies of this probability up to rounding, one of more reward */
        induce(d, 1, 2 * d->m->T * d->spread / rounding, true, fresh);
        if (fresh->u > right->u && fresh->pr >= right->pr - rounding) exchange(right, fresh);
    }
    if (*p > right->pr) *p = right->pr; /* within the tolerance */
    while (right->pr > left->pr) {
        CHECK_COMPARE(left->u, >=, right->u - 2 * d->m->T * TOL_STEP * d->spread); /* ties of the first induction */
        real mu = (left->u - right->u) / (right->pr - left->pr);
        induce(d, 1, mu, true, fresh);
        if (!lower_bound(d, *p, mu, fresh)) return true;
        real higher = (fresh->u - left->u) + mu * (fresh->pr - left->pr);
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
static double height(const induction *d, const vertex *left, const vertex *right, real owed, real *weight)
{
    *weight = 0;
    if (right->pr > owed && right->pr > left->pr) *weight = fminl((right->pr - owed) / (right->pr - left->pr), 1);
    CHECK_COMPARE(*weight, >=, 0);
    return (double)(*weight * left->u + (1 - *weight) * right->u + d->m->T * (real)d->least);
}

/* Adds weight times the occupancy of choice [T * S] in environment k to x [T * pairs]. y: [2 * S] scratch. */
static void occupancy_add(const vouch_model *m, int k, const int choice[], double weight, double x[], double y[])
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

/* Normalises occupancies to probabilities; unreached states get the fallback's choice. */
static void occupancy_to_policy(const vouch_model *m, const int fallback[], double x[])
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
    induction d = {.m = m, .k = k, .pr = ARENA_NEW(&a, real, 2 * m->S), .u = ARENA_NEW(&a, real, 2 * m->S)};
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

    real weight = 0, owed = c.p;
    *out = (dp_optima){-INFINITY, -INFINITY, true};
    *shared = true;
    if (!is_edge(&d, c.from, owed, &left, &right, &fresh) && !walk_hull(&d, &owed, &left, &right, &fresh)) {
        *shared = !(c.low < c.p);
        goto done;
    }
    CHECK_COMPARE(left.u, >=, 0); /* above the least expected reward */
    if (d.late) {
        out->value = (double)(d.above + m->T * (real)d.least);
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

/* ---- mixture -------------------------------------------------------------------------------------------------------------------
 *
 * The constrained optimum of one environment that makes several promises
 *
 *     U*_c = max { U(pi) : Pr_j(pi) >= p_j for all j }
 *
 * A policy's vector (Pr_1 .. Pr_J, U) is a mixture of those of deterministic policies; one backward induction with terminal value
 * sum_j mu_j weight_j(s) finds the one extreme in direction (mu, 1). So the simplex method with J + 1 rows prices its columns by
 * the induction (Dantzig and Wolfe, Operations Research 8, 1960): phase one minimises the shortfall of the promises, phase two
 * maximises the reward. The basis is factored at every step; sums are in extended precision, as in mdp/dp.c.
 *
 * Policies equally likely to keep a promise differ by rounding. Mixing them to keep it exactly would give prices of 1 / rounding
 * and arbitrary weights; so the optimal basis is computed for promises lowered by the rounding, and weighted for the promises as
 * given. Infeasibility is proved by prices, as in vouch's other bounds. */

enum { MOST_STEPS = 5000 }; /* far above any need; then the current mixture is used */
enum { MANY_ROWS = 32 };    /* columns eliminated between two reads of the clock */

/* Columns of the program: a policy, surplus and shortfall of a promise. */
typedef enum kind { KIND_POLICY, KIND_SPARE, KIND_MISSING } kind;

typedef struct basic {
    kind what;
    int row;     /* SPARE, MISSING: the promise */
    real *entry; /* [J + 1] of the column */
    real u;
    int *choice; /* POLICY: [T * S] pair */
} basic;

typedef struct mixture {
    const vouch_model *m;
    int k, J;   /* k: first row of the environment */
    real *p;    /* [J] */
    real slack; /* rounding of a promise; smaller entries of a column count as 0 in the ratio test */
    double least, spread;
    real rounding;
    const deadline *limit; /* NULL: none */
    bool late;
    basic *basis; /* [J + 1] */
    basic fresh;
    real *layer;           /* [2 * S * (J + 1)] to go: promises, then reward, of two layers */
    real *square;          /* [(J + 1) * (J + 2)] elimination */
    real *x, *mu, *column; /* [J + 1] values of the basis; prices; the entering column in terms of the basis */
    real *b, *y, *here;    /* [J + 1] right sides; prices of the rows; sums at a state */
} mixture;

/* Best policy for reward * U + sum mu_j Pr_j into d->fresh. */
static void induce_priced(mixture *d, real reward, const real mu[])
{
    const vouch_model *m = d->m;
    const mdp *e = &m->env[d->k];
    size_t S = (size_t)m->S, width = (size_t)d->J + 1, J = (size_t)d->J;
    real *now = d->layer, *next = d->layer + S * width, *best = d->here;
    for (size_t s = 0; s < S; s++) {
        for (size_t j = 0; j < J; j++) next[s * width + j] = m->env[(size_t)d->k + j].terminal[s];
        next[s * width + J] = 0;
    }
    for (int t = m->T - 1; t >= 0; t--) {
        for (size_t s = 0; s < S; s++) {
            real most = -INFINITY;
            int pick = -1;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                for (size_t j = 0; j < J; j++) best[j] = 0;
                best[J] = (real)e->expected[q] - d->least;
                for (int o = e->start[q]; o < e->start[q + 1]; o++)
                    for (size_t j = 0; j < width; j++) best[j] += e->prob[o] * next[(size_t)e->next[o] * width + j];
                real score = reward * best[J];
                for (size_t j = 0; j < J; j++) score += mu[j] * best[j];
                if (pick >= 0 && score <= most) continue;
                most = score;
                pick = q;
                memcpy(now + s * width, best, width * sizeof *best);
            }
            d->fresh.choice[(size_t)t * S + s] = pick;
            if (pick < 0) memset(now + s * width, 0, width * sizeof *now);
        }
        real *swap = now;
        now = next, next = swap;
    }
    memcpy(d->fresh.entry, next + (size_t)m->s0 * width, J * sizeof *next);
    d->fresh.entry[J] = 1;
    d->fresh.u = next[(size_t)m->s0 * width + J];
    d->fresh.what = KIND_POLICY;
}

/* Solves the n equations of d->square, [n][n + 1]; false: singular, or d->late. */
static bool solve(mixture *d, real out[])
{
    int n = d->J + 1, w = n + 1;
    real *a = d->square;
    for (int c = 0; c < n; c++) {
        int pivot = c;
        if (n > MANY_ROWS && c % MANY_ROWS == 0 && d->limit && deadline_expired(d->limit)) d->late = true;
        if (d->late) return false;
        for (int r = c + 1; r < n; r++)
            if (fabsl(a[r * w + c]) > fabsl(a[pivot * w + c])) pivot = r;
        if (!(fabsl(a[pivot * w + c]) > 0)) return false;
        for (int i = 0; i < w && pivot != c; i++) {
            real swap = a[c * w + i];
            a[c * w + i] = a[pivot * w + i];
            a[pivot * w + i] = swap;
        }
        for (int r = 0; r < n; r++) {
            real f = a[r * w + c] / a[c * w + c];
            for (int i = c; i < w && r != c && f != 0; i++) a[r * w + i] -= f * a[c * w + i];
        }
    }
    for (int c = 0; c < n; c++) out[c] = a[c * w + n] / a[c * w + c];
    return true;
}

/* Weights of the basis for right sides b [J + 1]. */
static bool solve_basis(mixture *d, const real b[], real out[])
{
    int n = d->J + 1, w = n + 1;
    for (int r = 0; r < n; r++) {
        for (int c = 0; c < n; c++) d->square[r * w + c] = d->basis[c].entry[r];
        d->square[r * w + n] = b[r];
    }
    return solve(d, out);
}

/* Prices y [J + 1] of the rows. */
static bool solve_prices(mixture *d, bool phase_one, real y[])
{
    int n = d->J + 1, w = n + 1;
    for (int c = 0; c < n; c++) {
        for (int r = 0; r < n; r++) d->square[c * w + r] = d->basis[c].entry[r];
        d->square[c * w + n] = phase_one ? -(real)(d->basis[c].what == KIND_MISSING) : d->basis[c].u;
    }
    return solve(d, y);
}

static void exchange_basic(basic *a, basic *b)
{
    basic c = *a;
    *a = *b;
    *b = c;
}

static void make_unit(basic *b, kind what, int row, int n)
{
    for (int i = 0; i < n; i++) b->entry[i] = 0;
    b->entry[row] = what == KIND_SPARE ? -1 : 1;
    b->what = what;
    b->row = row;
    b->u = 0;
}

/* Exchanges d->fresh for a basic column; false: the step is unbounded, or the basis cannot be solved. Of columns that reach 0
 * together, up to rounding, a shortfall leaves, for good, or else the one of the largest entry, lest columns become parallel. */
static bool enter(mixture *d)
{
    int leave = -1, n = d->J + 1;
    real step = INFINITY, largest = 0;
    if (!solve_basis(d, d->fresh.entry, d->column)) return false;
    for (int i = 0; i < n; i++)
        if (d->column[i] > d->slack) step = fminl(step, (fmaxl(d->x[i], 0) + d->rounding) / d->column[i]);
    for (int i = 0; i < n; i++) {
        if (!(d->column[i] > d->slack) || fmaxl(d->x[i], 0) / d->column[i] > step) continue;
        real size = d->basis[i].what == KIND_MISSING ? INFINITY : d->column[i];
        if (size <= largest) continue;
        largest = size;
        leave = i;
    }
    if (leave < 0) return false;
    exchange_basic(&d->basis[leave], &d->fresh);
    return true;
}

/* True if d->fresh, or (policy false) the surplus of promise j, is basic: its gain is then rounding, and it would cycle. */
static bool is_basic(const mixture *d, bool policy, int j)
{
    for (int i = 0; i <= d->J; i++) {
        const basic *b = &d->basis[i];
        if (!policy && b->what == KIND_SPARE && b->row == j) return true;
        if (policy && b->what == KIND_POLICY && b->u == d->fresh.u &&
            memcmp(b->choice, d->fresh.choice, (size_t)d->m->T * (size_t)d->m->S * sizeof *b->choice) == 0)
            return true;
    }
    return false;
}

/* One phase, to its end or to numerical trouble or the limit. */
static void improve(mixture *d, bool phase_one)
{
    int n = d->J + 1;
    real *y = d->y;
    for (int step = 0; step < MOST_STEPS; step++) {
        d->late = d->late || (d->limit && deadline_expired(d->limit));
        if (d->late) return;
        for (int j = 0; j < d->J; j++) d->b[j] = d->p[j] - d->slack;
        d->b[d->J] = 1;
        if (!solve_basis(d, d->b, d->x) || !solve_prices(d, phase_one, y)) return;
        real scale = phase_one ? 1 : d->spread, missing = 0, most = d->rounding * scale;
        int spare = -1;
        for (int i = 0; i < n; i++) missing += d->basis[i].what == KIND_MISSING ? d->x[i] : 0;
        if (phase_one && !(missing > d->rounding)) return;
        for (int j = 0; j < d->J; j++) {
            d->mu[j] = fmaxl(0, -y[j]);
            most += d->rounding * d->mu[j];
            if (y[j] > d->rounding * scale && (spare < 0 || y[j] > y[spare]) && !is_basic(d, false, j)) spare = j;
        }
        if (spare >= 0) {
            make_unit(&d->fresh, KIND_SPARE, spare, n);
        } else {
            induce_priced(d, phase_one ? 0 : 1, d->mu);
            real gain = phase_one ? 0 : d->fresh.u;
            for (int i = 0; i < n; i++) gain -= y[i] * d->fresh.entry[i];
            if (!(gain > most) || is_basic(d, true, -1)) return;
        }
        if (!enter(d)) return;
    }
}

/* First basis: a policy, and its surplus or shortfall of each promise. */
static void start(mixture *d)
{
    int n = d->J + 1;
    for (int j = 0; j < d->J; j++) d->mu[j] = d->x[j] = 0;
    d->x[d->J] = 1;
    induce_priced(d, 1, d->mu);
    exchange_basic(&d->fresh, &d->basis[d->J]);
    for (int j = 0; j < d->J; j++)
        make_unit(&d->basis[j], d->basis[d->J].entry[j] >= d->p[j] - d->slack ? KIND_SPARE : KIND_MISSING, j, n);
}

/* Lowers promises by the shortfalls left by phase one if all are at most `most`; else false. */
static bool accept_shortfalls(mixture *d, real most)
{
    for (int i = 0; i <= d->J; i++)
        if (d->basis[i].what == KIND_MISSING && !(d->x[i] <= most)) return false;
    for (int i = 0; i <= d->J; i++) {
        if (d->basis[i].what != KIND_MISSING) continue;
        int j = d->basis[i].row;
        if (d->x[i] > d->rounding) d->p[j] -= d->x[i] + d->slack;
        make_unit(&d->basis[i], KIND_SPARE, j, d->J + 1);
    }
    return true;
}

/* True if, at the prices of phase one, every policy is worth less than the promises less rounding. */
static bool impossible(mixture *d)
{
    real missing = 0, prices = 0;
    induce_priced(d, 0, d->mu);
    for (int j = 0; j < d->J; j++) {
        missing += d->mu[j] * (d->p[j] - d->slack - d->fresh.entry[j]);
        prices += d->mu[j];
    }
    return missing > d->rounding * prices;
}

/* Phase one. Promises infeasible by less than the tolerance are lowered to the attained probability. False: infeasible. */
static bool reach(mixture *d)
{
    start(d);
    improve(d, true);
    if (accept_shortfalls(d, KEEP_TOLERANCE)) return true;
    for (int j = 0; j < d->J; j++) d->p[j] -= KEEP_TOLERANCE;
    start(d);
    improve(d, true);
    return !impossible(d) && accept_shortfalls(d, INFINITY);
}

/* Weights the basis for the promises as given; returns the reward above the least. */
static real weigh(mixture *d)
{
    real sum = 0, reward = 0;
    for (int j = 0; j < d->J; j++) d->b[j] = d->p[j];
    if (solve_basis(d, d->b, d->column)) MEM_COPY(d->x, d->column, d->J + 1);
    for (int i = 0; i <= d->J; i++) {
        d->x[i] = d->basis[i].what == KIND_POLICY ? fmaxl(0, d->x[i]) : 0;
        sum += d->x[i];
    }
    CHECK(sum > 0 || d->late);
    for (int i = 0; i <= d->J; i++) {
        d->x[i] /= sum;
        reward += d->x[i] * d->basis[i].u;
    }
    return reward;
}

static bool allocate(mixture *d)
{
    size_t n = (size_t)d->J + 1, S = (size_t)d->m->S, cells = (size_t)d->m->T * S;
    bool ok = true;
    d->p = MEM_NEW(real, n);
    d->basis = MEM_ZERO(basic, n + 1);
    d->layer = MEM_NEW(real, 2 * S * n);
    d->square = MEM_NEW(real, n * (n + 1));
    d->x = MEM_ZERO(real, 6 * n);
    if (!d->p || !d->basis || !d->layer || !d->square || !d->x) return false;
    d->mu = d->x + n;
    d->column = d->mu + n;
    d->b = d->column + n;
    d->y = d->b + n;
    d->here = d->y + n;
    for (size_t i = 0; i <= n; i++) {
        basic *b = i < n ? &d->basis[i] : &d->fresh;
        b->entry = MEM_ZERO(real, n);
        b->choice = MEM_NEW(int, cells);
        ok = ok && b->entry && b->choice;
    }
    return ok;
}

static void release(mixture *d)
{
    for (int i = 0; d->basis && i <= d->J; i++) MEM_FREE_ALL(d->basis[i].entry, d->basis[i].choice);
    MEM_FREE_ALL(d->fresh.entry, d->fresh.choice, d->p, d->basis, d->layer, d->square, d->x);
}

static vouch_status write_policy(const mixture *d, double prob[])
{
    const vouch_model *m = d->m;
    double *arrive = MEM_NEW(double, 2 * m->S);
    const int *fallback = NULL;
    if (!arrive) return VOUCH_ERROR_MEMORY;
    memset(prob, 0, (size_t)m->T * (size_t)m->pairs * sizeof *prob);
    for (int i = 0; i <= d->J; i++) {
        if (d->basis[i].what != KIND_POLICY) continue;
        if (!fallback) fallback = d->basis[i].choice;
        if (d->x[i] > 0) occupancy_add(m, d->k, d->basis[i].choice, (double)d->x[i], prob, arrive);
    }
    occupancy_to_policy(m, fallback, prob);
    mem_free(arrive);
    return VOUCH_OK;
}

static vouch_status prepare(mixture *d, const vouch_model *m, int k, const double p[], const deadline *limit)
{
    *d = (mixture){.m = m, .k = k - k % m->group, .J = m->group, .limit = limit};
    if (!allocate(d)) return VOUCH_ERROR_MEMORY;
    dp_expected_range(m, k, &d->least, &d->spread);
    d->rounding = TOL_EXTENDED_STEP * m->T;
    d->slack = commitment_rounding(m->T);
    for (int j = 0; j < d->J; j++) d->p[j] = p[d->k + j];
    return VOUCH_OK;
}

vouch_status dp_conflict(const vouch_model *m, int k, const double p[], double mu[])
{
    mixture d;
    vouch_status status = prepare(&d, m, k, p, NULL);
    if (!status) (void)reach(&d);
    for (int j = 0; j < m->group && !status; j++) mu[j] = (double)d.mu[j];
    release(&d);
    return status;
}

/* *value: an upper bound if the limit passes. prob: NULL, or [T * pairs] written. */
static vouch_status find_optimum(mixture *d, double *value, double *prob)
{
    bool kept = reach(d);
    if (kept && !d->late) improve(d, false);
    real reward = kept && !d->late ? weigh(d) : 0;
    *value = d->late ? dp_most_value(d->m, d->k) : kept ? (double)(reward + d->m->T * (real)d->least) : -INFINITY;
    if (isnan(*value)) return VOUCH_ERROR_MEMORY;
    return kept && !d->late && prob ? write_policy(d, prob) : VOUCH_OK;
}

vouch_status dp_optimum(const vouch_model *m, int k, const double p[], double *value, double *prob)
{
    if (m->group == 1) return dp_constrained(m, k, p[k], value, prob);
    mixture d;
    vouch_status status = prepare(&d, m, k, p, NULL);
    if (!status) status = find_optimum(&d, value, prob);
    release(&d);
    return status;
}

vouch_status dp_optima_within(const vouch_model *m, int k, const double p[], const double low[], const deadline *limit,
                              dp_optima *out)
{
    *out = (dp_optima){.known = !limit || !deadline_expired(limit)};
    if (!out->known) {
        out->value = out->at_low = dp_most_value(m, k);
        return isnan(out->value) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    }
    if (m->group == 1) return dp_constrained_within(m, k, (dp_promise){.p = p[k], .low = low[k], .limit = limit}, out);
    mixture d;
    for (int i = 0; i < 2; i++) {
        if (i && low == p) {
            out->at_low = out->value;
            break;
        }
        vouch_status status = prepare(&d, m, k, i ? low : p, limit);
        if (!status) status = find_optimum(&d, i ? &out->at_low : &out->value, NULL);
        out->known &= !d.late;
        release(&d);
        if (status) return status;
    }
    return VOUCH_OK;
}

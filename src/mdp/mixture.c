/* mdp/mixture.c - the constrained optimum of one environment that makes several promises
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
 * given. Infeasibility is proved by prices, as in vouch's other bounds.
 */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "mdp/dp.h"
#include "mdp/tolerance.h"

typedef long double real;

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
static void induce(mixture *d, real reward, const real mu[])
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

static void exchange(basic *a, basic *b)
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
    exchange(&d->basis[leave], &d->fresh);
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
            induce(d, phase_one ? 0 : 1, d->mu);
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
    induce(d, 1, d->mu);
    exchange(&d->fresh, &d->basis[d->J]);
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
    induce(d, 0, d->mu);
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
    for (int i = 0; d->basis && i <= d->J; i++) {
        mem_free(d->basis[i].entry);
        mem_free(d->basis[i].choice);
    }
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

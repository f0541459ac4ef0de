/* lp/judge.c - see judge.h.
 *
 *     engine: s, x scaled, with working bounds      ->      x_j scale_j,  y_i = d_i / scale_i      ->      certificate.h
 *
 * A claim that the certificate finds doubtful is refined and judged again; if still doubtful, a small program is solved exactly
 * (exact.h). Invariant: every OPTIMAL, INFEASIBLE or UNBOUNDED of a result is set here. Cost: O(entries) a claim, with two solves
 * for refinement and the limits of the exact attempt.
 *
 * Iterative refinement: r = b - B x (long double), B d = r, x := x + d gains as many digits a round as the factors have, up to the
 * precision of x: the remaining error of an equation is the rounding of its terms, for any condition of B. Source: J. H. Wilkinson,
 * Rounding Errors in Algebraic Processes (1963). */
#include "lp/judge.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "exact/exact.h"
#include "lp/tolerance.h"

/* Rounds of refinement. */
enum { ROUNDS = 2 };
/* Largest distance of B'y from integers for a valid ray. */
static const double NOT_INTEGRAL = 0.1;

/* r := -(A x - s) over all variables, rounded from long double; the point, or value [vars]. */
static void primal_residual(simplex *s, const double value[], vector *r)
{
    /* Sums by columns, each in two doubles, high and low. */
    double *high = r->value, *low = s->flip.value;
    for (int v = 0; v < s->vars; v++) {
        double x = s->where[v] >= 0 && !value ? s->xb[s->where[v]] : value ? value[v] : s->value[v];
        if (x == 0) continue;
        int64_t begin = v < s->m ? 0 : s->a.start[v - s->m], end = v < s->m ? 1 : s->a.start[v - s->m + 1];
        for (int64_t e = begin; e < end; e++) {
            int i = v < s->m ? v : s->a.index[e];
            long double term = (long double)(v < s->m ? -1.0 : s->a.value[e]) * x;
            long double sum = (long double)high[i] + low[i] - term;
            high[i] = (double)sum;
            low[i] = (double)(sum - high[i]);
        }
    }
    for (int i = 0; i < s->m; i++) low[i] = 0;
    s->flip.count = 0;
}

static long double column_times(const simplex *s, int v, const double y[])
{
    if (v < s->m) return -(long double)y[v];
    long double sum = 0;
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) sum += (long double)s->a.value[e] * y[s->a.index[e]];
    return sum;
}

static vector *scratch(simplex *s)
{
    vector_clear(&s->flip);
    vector_clear(&s->tau);
    s->tau.count = VECTOR_UNLISTED;
    return &s->tau;
}

/* Solves drop entries that are small relative to 1, so the residual is scaled to 1; returns the factor. */
static double unit_residual(vector *r)
{
    double largest = 0;
    for (int i = 0; i < r->n; i++) largest = larger(largest, fabs(r->value[i]));
    if (!(largest > 0) || isinf(largest)) return 0;
    for (int i = 0; i < r->n; i++) r->value[i] /= largest;
    return largest;
}

/* Refines basic values of the point, or of value [vars]. */
static void refine_values(simplex *s, double value[])
{
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        primal_residual(s, value, r);
        double size = unit_residual(r);
        if (size > 0) simplex_ftran(s, r, LU_COST, false);
        for (int p = 0; p < s->m; p++) *(value ? &value[s->head[p]] : &s->xb[p]) += size * r->value[p];
        vector_clear(r);
    }
}

static void refine_primal(simplex *s)
{
    CHECK(s->factored && !s->work.bounds_shifted);
    refine_values(s, NULL);
}

static void refine_ray_primal(simplex *s) { refine_values(s, s->ray_primal); }

/* y := y + B^-T r; clears r. */
static void correct(simplex *s, vector *r, double y[])
{
    double size = unit_residual(r);
    if (size > 0) simplex_btran(s, r, LU_COST, false);
    for (int i = 0; i < s->m; i++) y[i] += size * r->value[i];
    vector_clear(r);
}

static void refine_dual(simplex *s)
{
    CHECK(s->factored && !s->work.costs_shifted);
    double *y = s->ray_dual; /* free unless a ray was found */
    for (int i = 0; i < s->m; i++) y[i] = s->reduced[i] - s->cost[i];
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        for (int p = 0; p < s->m; p++) r->value[p] = (double)(s->cost[s->head[p]] - column_times(s, s->head[p], y));
        correct(s, r, y);
    }
    for (int v = 0; v < s->vars; v++) s->reduced[v] = s->where[v] >= 0 ? 0 : (double)(s->cost[v] - column_times(s, v, y));
    s->dual_trust = s->work.costs_shifted ? INVALID : FRESH;
}

/* s->ray_dual: B'y is integer in both methods (a unit vector, or the costs of phase 1). */
static void refine_ray_dual(simplex *s)
{
    for (int round = 0; round < ROUNDS; round++) {
        vector *r = scratch(s);
        for (int p = 0; p < s->m; p++) {
            long double now = column_times(s, s->head[p], s->ray_dual);
            double wanted = rint((double)now);
            r->value[p] = (double)(wanted - now);
            if (fabs(r->value[p]) <= NOT_INTEGRAL) continue;
            vector_clear(r);
            return;
        }
        correct(s, r, s->ray_dual);
    }
}

/* ---- from the engine to the caller's units --------------------------------------------------------------------------------- */

static void unscale_point(const vouch_lp *lp, double x[])
{
    const simplex *s = lp->engine;
    for (int j = 0; j < s->n; j++) {
        int v = s->m + j, p = s->where[v];
        double l = lp->col_lower[j], u = lp->col_upper[j];
        if (p >= 0)
            x[j] = s->xb[p] * s->scale[v];
        else
            x[j] = s->move[v] > 0 ? l : s->move[v] < 0 ? u : l == u ? l : 0;
        if (p < 0) continue;
        /* undo rounding across a bound */
        double tol = s->feasibility_tol * s->scale[v];
        if (x[j] < l && x[j] >= l - tol) x[j] = l;
        if (x[j] > u && x[j] <= u + tol) x[j] = u;
    }
}

static void unscale_dual(const vouch_lp *lp, double y[])
{
    const simplex *s = lp->engine;
    double sense = lp->maximize ? -1 : 1;
    for (int i = 0; i < s->m; i++) y[i] = sense * s->reduced[i] / s->scale[i];
}

static void unscale_row_ray(const simplex *s, double y[])
{
    for (int i = 0; i < s->m; i++) y[i] = s->ray_dual[i] / s->scale[i];
}

/* ---- work of the exact attempt --------------------------------------------------------------------------------------------- */

static const double START_PARTS = 12;

static long long least(long long a, long long b) { return a < b ? a : b; }

/* 0: none left, or the start alone would need too large a part. */
static long long work_of(const judgement *g, long long one, long long all)
{
    long long work = least(one, all - g->lp->exact_work);
    double start = EXACT_WORK_START * ((double)g->data->start[g->data->cols] + g->data->rows + g->data->cols);
    return START_PARTS * start <= (double)work ? work : 0;
}

/* For a claim that is clear but leans, or one within tolerances only. */
static long long work_left(const judgement *g, bool clear)
{
    long long all = g->lp->confirm_most;
    return clear ? work_of(g, EXACT_WORK_LEANS, least(all, EXACT_WORK_LEANS_ALL)) : work_of(g, EXACT_WORK_CONFIRM, all);
}

/* ---- claims ---------------------------------------------------------------------------------------------------------------- */

bool judge_infeasible(judgement *g, double ray[])
{
    vouch_lp_result *r = &g->lp->result;
    r->certificate.ray_quality = certify_farkas(g->data, ray, &g->sure);
    if (!(r->certificate.ray_quality > 0)) {
        g->why = "the rows' combination that should prove infeasibility does not, beyond rounding";
        return false;
    }
    r->farkas = ray;
    r->bound = g->data->maximize ? -INFINITY : INFINITY;
    r->outcome = VOUCH_LP_INFEASIBLE;
    return true;
}

/* Certifies point and duals of the result's arrays and stores the measures. */
static bool certify_point(judgement *g, double primal_tol, double dual_tol)
{
    vouch_lp_result *r = &g->lp->result;
    optimality o = {.x = g->at.x,
                    .y = g->at.dual,
                    .activity = g->at.activity,
                    .reduced = g->at.reduced,
                    .primal_tol = primal_tol,
                    .dual_tol = dual_tol,
                    .fine = g->fine && work_left(g, true) > 0};
    bool proved = certify_optimal(g->data, &o);
    r->objective = o.objective;
    r->bound = o.bound;
    r->certificate = o.measures;
    g->sure = o.sure;
    g->leans = o.leans;
    if (!proved) g->why = o.why;
    return proved;
}

static bool judge_optimal(judgement *g)
{
    unscale_point(g->lp, g->at.x);
    unscale_dual(g->lp, g->at.dual);
    return certify_point(g, CERTIFY_SLACK * g->options->feasibility_tol, CERTIFY_SLACK * g->options->optimality_tol);
}

static bool judge_cutoff(judgement *g)
{
    g->why = "the multipliers do not prove the bound that the method had when it stopped";
    vouch_lp_result *r = &g->lp->result;
    unscale_dual(g->lp, g->at.dual);
    r->bound = certify_bound(g->data, g->at.dual, CERTIFY_SLACK * g->options->optimality_tol, g->at.reduced);
    return g->data->maximize ? r->bound <= g->options->cutoff : r->bound >= g->options->cutoff;
}

/* Is the engine's point feasible to a stricter tolerance than for optimality? A slightly infeasible program has points within
 * tolerance, but no optimum. */
static bool stands_on_rows(judgement *g)
{
    vouch_lp_result *r = &g->lp->result;
    unscale_point(g->lp, g->at.x);
    double off = certify_feasible(g->data, g->at.x, g->at.activity);
    r->certificate.primal_residual = r->certificate.primal_infeasibility = off;
    return off <= TOL_CLEAR_PRIMAL && off <= CERTIFY_SLACK * g->options->feasibility_tol;
}

/* A start vertex of a ray, computed without costs: with them, values may be so large that their rounding violates rows. */
static bool find_start_of_ray(const judgement *g)
{
    simplex *s = g->lp->engine;
    double sense = g->data->maximize ? -1 : 1;
    long long before = s->iterations, factorizations = s->factorizations;
    for (int j = 0; j < s->n; j++) simplex_set_cost(s, s->m + j, 0);
    simplex_slack_basis(s);
    s->cutoff = INFINITY;
    run_end end = simplex_solve(s, VOUCH_LP_DUAL);
    for (int j = 0; j < s->n; j++) simplex_set_cost(s, s->m + j, sense * g->data->cost[j]);
    s->dual_trust = INVALID;
    g->lp->result.iterations = s->iterations;
    g->lp->result.factorizations += s->factorizations - factorizations;
    log_line(&g->options->log, VOUCH_LOG_DETAIL, "unbounded: %s for the ray to start from, %lld iterations",
             end == RUN_OPTIMAL ? "a vertex" : "none found", s->iterations - before);
    if (end != RUN_OPTIMAL) return false;
    refine_primal(s);
    simplex_compute_dual(s, NULL);
    return true;
}

/* last: the point will not be refined. */
static bool judge_unbounded(judgement *g, bool last)
{
    const simplex *s = g->lp->engine;
    vouch_lp_result *r = &g->lp->result;
    for (int j = 0; j < s->n; j++) g->at.ray[j] = s->ray_primal[s->m + j] * s->scale[s->m + j];
    g->sure = DOUBTFUL;
    g->why = "the direction found does not keep every row and improve, beyond rounding";
    bool here = stands_on_rows(g);
    if (!here && !last) return false;
    r->certificate.ray_quality = certify_ray(g->data, g->at.ray, g->at.activity);
    if (!(r->certificate.ray_quality > 0)) return false;
    g->why = "no point within the rows was found from which the direction starts";
    if (!here && !(find_start_of_ray(g) && stands_on_rows(g))) return false;
    certify_feasible(g->data, g->at.x, g->at.activity); /* activity again, which was scratch of the ray */
    unscale_dual(g->lp, g->at.dual);
    certify_bound(g->data, g->at.dual, 0, g->at.reduced); /* reduced costs at the start of the ray */
    r->ray = g->at.ray;
    /* feasibility itself may depend on a tolerance */
    if (r->certificate.primal_infeasibility <= TOL_ROUNDING_PRIMAL) g->sure = PLAUSIBLE;
    return true;
}

bool judge_settled(const judgement *g) { return g->sure == BEYOND_DOUBT && !g->leans; }

vouch_lp_outcome judge_end(judgement *g, run_end end)
{
    simplex *s = g->lp->engine;
    CHECK(s->m == g->data->rows && s->n == g->data->cols);
    bool refinable = s->factored && !s->work.costs_shifted && !s->work.bounds_shifted;
    g->sure = BEYOND_DOUBT;
    g->leans = false;
    for (int refined = 0; refined <= refinable; refined++) {
        switch (end) {
        case RUN_OPTIMAL:
            if (refined) refine_primal(s), refine_dual(s);
            if (judge_optimal(g) && (judge_settled(g) || refined == refinable)) return VOUCH_LP_OPTIMAL;
            break;
        case RUN_INFEASIBLE:
            if (refined) refine_ray_dual(s);
            unscale_row_ray(s, g->at.farkas);
            if (judge_infeasible(g, g->at.farkas)) return VOUCH_LP_INFEASIBLE;
            break;
        case RUN_UNBOUNDED:
            if (refined) refine_primal(s), refine_ray_primal(s);
            if (judge_unbounded(g, refined == refinable)) return VOUCH_LP_UNBOUNDED;
            break;
        case RUN_CUTOFF:
            if (refined) refine_dual(s);
            if (judge_cutoff(g)) return VOUCH_LP_CUTOFF;
            break;
        case RUN_LIMIT:
            return VOUCH_LP_LIMIT;
        case RUN_INTERRUPTED:
            return VOUCH_LP_INTERRUPTED;
        case RUN_ON:
        case RUN_STALLED:
        case RUN_TROUBLE:
        case RUN_MEMORY:
            g->why = end == RUN_STALLED ? "the simplex method made no progress" : "bases are too ill-conditioned for doubles";
            return VOUCH_LP_UNSOLVED;
        }
    }
    return VOUCH_LP_UNSOLVED;
}

/* ---- the exact attempt ----------------------------------------------------------------------------------------------------- */

static void log_exact(const judgement *g, exact_end end, const exact_answer *found)
{
    log_line(&g->options->log, VOUCH_LOG_DETAIL, "exact: %s, %lld pivots from the basis found, work %lld, margin %g",
             end == EXACT_OPTIMAL      ? "optimal"
             : end == EXACT_INFEASIBLE ? "infeasible"
             : end == EXACT_UNBOUNDED  ? "unbounded"
                                       : "not settled",
             found->pivots, found->work, found->margin);
}

static const char EXACT_TINY[] =
    "true of the numbers as written, in rational arithmetic, but by less than their rounding to doubles: other solvers may differ";
static const char RATIONAL_TINY[] = "in rational arithmetic the verdict hangs on less than the rounding of the data to doubles";
static const char PLAUSIBLE_TINY[] =
    "true within the rounding of the data to doubles, which decides: rational arithmetic on the data as written says otherwise";
static const char RATIONAL_LIMIT[] = "neither doubles nor the rational arithmetic that the limit of work allows certify a verdict";

/* The exact answer shows only that rounding decides. */
static void take_back_doubtful(judgement *g, exact_end end, vouch_lp_outcome *outcome)
{
    vouch_lp_result *r = &g->lp->result;
    /* Even a doubtful ray starts at a feasible point. */
    bool refuted = *outcome == VOUCH_LP_INFEASIBLE && end == EXACT_UNBOUNDED;
    if (g->sure == DOUBTFUL || refuted) *outcome = VOUCH_LP_UNSOLVED, g->why = RATIONAL_TINY;
    if (refuted) r->farkas = NULL;
    if (*outcome != VOUCH_LP_UNBOUNDED) r->ray = NULL;
    bool other =
        (end == EXACT_INFEASIBLE && *outcome != VOUCH_LP_INFEASIBLE) || (end == EXACT_UNBOUNDED && *outcome != VOUCH_LP_UNBOUNDED);
    if (other && *outcome != VOUCH_LP_UNSOLVED) r->reason = PLAUSIBLE_TINY;
}

/* The verdict on the decimals as written. Equal numbers of a file may be read as a decimal and as a double (exact/number.h): a
 * proof by less than their rounding then holds for neither reading. */
static exact_end verdict_of_decimals(const judgement *g)
{
    size_t m = (size_t)g->data->rows, n = (size_t)g->data->cols;
    double *block = MEM_ZERO(double, 2 * n + m + 1);
    unsigned char *status = MEM_NEW(unsigned char, m + n);
    exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n};
    exact_end end = EXACT_MEMORY;
    if (block && status) {
        MEM_COPY(status, g->lp->status, m + n);
        end = exact_solve(g->data, status, EXACT_DECIMAL, work_of(g, EXACT_WORK_LAST, EXACT_WORK_TOTAL), g->limit, &found);
        g->lp->exact_work += found.work;
    }
    mem_free(found.fraction);
    mem_free(status);
    mem_free(block);
    return end;
}

/* Does an exact proof exceed the rounding of the data? */
static bool proof_counts(const judgement *g, exact_end end, const exact_answer *found)
{
    if (end != EXACT_INFEASIBLE && end != EXACT_UNBOUNDED) return end == EXACT_OPTIMAL;
    return found->margin >= EXACT_MARGIN || (g->fine && exact_is_sure(g->data));
}

/* Stores an exactly proved result. */
static vouch_lp_outcome take_exact(judgement *g, exact_end end, const exact_answer *found)
{
    vouch_lp_result *r = &g->lp->result;
    double worst = g->data->maximize ? INFINITY : -INFINITY; /* the trivial bound */
    r->farkas = r->ray = NULL;
    CHECK(end == EXACT_OPTIMAL || found->margin > 0);
    if (end == EXACT_INFEASIBLE) {
        MEM_COPY(g->at.farkas, found->y, g->data->rows);
        r->farkas = g->at.farkas;
        r->objective = 0;
        r->certificate = (vouch_lp_certificate){.ray_quality = found->margin};
        r->bound = -worst;
        return VOUCH_LP_INFEASIBLE;
    }
    MEM_COPY(g->at.x, found->x, g->data->cols);
    MEM_COPY(g->at.dual, found->y, g->data->rows);
    certify_point(g, 0, 0);
    simplex_set_basis(g->lp->engine, g->lp->status);
    if (end == EXACT_OPTIMAL) {
        r->objective = found->objective;
        r->bound = found->bound;
        return VOUCH_LP_OPTIMAL;
    }
    MEM_COPY(g->at.ray, found->ray, g->data->cols);
    r->ray = g->at.ray;
    r->objective = 0;
    r->bound = worst;
    r->certificate.ray_quality = found->margin;
    return VOUCH_LP_UNBOUNDED;
}

int judge_exactly(judgement *g, vouch_lp_outcome *outcome)
{
    vouch_lp *lp = g->lp;
    bool unsolved = *outcome == VOUCH_LP_UNSOLVED;
    bool clear = !unsolved && g->sure == BEYOND_DOUBT; /* and leans */
    long long work = unsolved ? work_of(g, EXACT_WORK_LAST, EXACT_WORK_TOTAL) : work_left(g, clear);
    if (work <= 0) return 0;
    lp_keep_basis(lp);
    size_t m = (size_t)g->data->rows, n = (size_t)g->data->cols;
    double *block = MEM_ZERO(double, 2 * n + m + 1);
    if (!block) return -1;
    exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n};
    exact_end end = exact_solve(g->data, lp->status, EXACT_MEANT, work, g->limit, &found);
    lp->exact_work += found.work;
    log_exact(g, end, &found);
    bool counts = proof_counts(g, end, &found);
    exact_end written = counts && end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN ? verdict_of_decimals(g) : end;
    counts = counts && written == end;
    /* Better optima and rays missed by doubles replace a clear claim; a contradiction of rows within the error of a clear point
     * does not. */
    if (clear && (!counts || end == EXACT_INFEASIBLE)) {
        lp_keep_basis(lp);
    } else if (counts) {
        *outcome = take_exact(g, end, &found);
        g->sure = BEYOND_DOUBT;
        if (end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN) lp->result.reason = EXACT_TINY;
    } else if (end != EXACT_LIMIT) {
        take_back_doubtful(g, end, outcome);
    } else if (unsolved) {
        g->why = RATIONAL_LIMIT;
    }
    mem_free(block);
    return end == EXACT_MEMORY || written == EXACT_MEMORY ? -1 : 0;
}

static int solve_in_decimals(judgement *g, vouch_lp_outcome *outcome, double block[])
{
    vouch_lp *lp = g->lp;
    vouch_lp_result *r = &lp->result;
    size_t n = (size_t)g->data->cols;
    exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n};
    double before = clock_seconds();
    lp_keep_basis(lp);
    exact_end end = exact_solve(g->data, lp->status, EXACT_DECIMAL, LLONG_MAX, g->limit, &found);
    r->exact_pivots = found.pivots;
    r->exact_seconds = clock_seconds() - before;
    log_exact(g, end, &found);
    if (end == EXACT_MEMORY) {
        mem_free(found.fraction);
        return -1;
    }
    if (end == EXACT_LIMIT) {
        *outcome = deadline_interrupted(g->limit) ? VOUCH_LP_INTERRUPTED : VOUCH_LP_LIMIT;
        r->farkas = r->ray = NULL;
        return 0;
    }
    *outcome = take_exact(g, end, &found);
    if (end != EXACT_OPTIMAL && found.margin < EXACT_MARGIN) r->reason = EXACT_TINY;
    r->exact_objective = lp->fraction = found.fraction;
    g->sure = BEYOND_DOUBT;
    return 0;
}

int judge_in_decimals(judgement *g, vouch_lp_outcome *outcome)
{
    if (*outcome == VOUCH_LP_LIMIT || *outcome == VOUCH_LP_INTERRUPTED || !g->lp->engine) return 0;
    double *block = MEM_ZERO(double, 2 * (size_t)g->data->cols + (size_t)g->data->rows + 1);
    int failed = block ? solve_in_decimals(g, outcome, block) : -1;
    mem_free(block);
    return failed;
}

/* ---- results without a claim ----------------------------------------------------------------------------------------------- */

/* Time for factors after the limit. */
static const double REPORT_SECONDS = 0.1;

void judge_unfinished(judgement *g)
{
    simplex *s = g->lp->engine;
    if (!s->factored || s->primal_trust != FRESH || s->dual_trust != FRESH) {
        s->limit = (deadline){.start = clock_seconds(), .limits.seconds = REPORT_SECONDS};
        if (!s->factored && simplex_factor(s)) return;
        simplex_compute_primal(s);
        simplex_compute_dual(s, NULL);
    }
    unscale_point(g->lp, g->at.x);
    unscale_dual(g->lp, g->at.dual);
    certify_point(g, 0, 0);
    g->lp->result.bound = certify_bound(g->data, g->at.dual, CERTIFY_SLACK * g->options->optimality_tol, g->at.reduced);
}

void judge_bound(judgement *g, double dual_tol)
{
    g->lp->result.bound = certify_bound_near(g->data, g->at.dual, g->at.x, dual_tol, g->at.reduced);
}

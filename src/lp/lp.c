/* lp/lp.c - vouch_lp_solve: from the caller's problem to a certified result.
 *
 * The engine of the last solve is used again when there is one. Whatever the simplex method claims is unscaled and put
 * before the certificate. What is not beyond doubt there is refined (lp/refine.h) and, in small programs, solved exactly from the
 * basis found (lp/exact.h). When the certificate refuses, the solve is repeated with tighter tolerances and stricter pivoting,
 * without scaling, by the other method and with dense factors from a cold start, and at last exactly; if nothing certifies, the
 * outcome is NUMERICAL.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/memory.h"
#include "lp/certificate.h"
#include "lp/exact.h"
#include "lp/presolve.h"
#include "lp/problem.h"
#include "lp/refine.h"
#include "lp/tolerance.h"

void vouch_lp_options_init(vouch_lp_options *options)
{
    *options = (vouch_lp_options){
        .presolve = 1, .scale = 1, .perturb = 1, .feasibility_tol = 1e-7, .optimality_tol = 1e-7, .cutoff = NAN, .seed = 1};
}

const char *vouch_lp_outcome_text(vouch_lp_outcome outcome)
{
    switch (outcome) {
    case VOUCH_LP_UNSOLVED:
        return "unsolved";
    case VOUCH_LP_OPTIMAL:
        return "optimal";
    case VOUCH_LP_INFEASIBLE:
        return "infeasible";
    case VOUCH_LP_UNBOUNDED:
        return "unbounded";
    case VOUCH_LP_CUTOFF:
        return "cutoff";
    case VOUCH_LP_LIMIT:
        return "limit";
    case VOUCH_LP_INTERRUPTED:
        return "interrupted";
    case VOUCH_LP_NUMERICAL:
        return "numerical trouble";
    }
    return "unknown";
}

void vouch_lp_get_result(const vouch_lp *lp, vouch_lp_result *result) { *result = lp->result; }

/* ---- result arrays -------------------------------------------------------------------------------------------- */

typedef struct numbers {
    double *x, *reduced, *ray;        /* [n] */
    double *activity, *dual, *farkas; /* [m] */
} numbers;

static int reserve_numbers(vouch_lp *lp, numbers *out)
{
    size_t m = (size_t)lp->a.rows, n = (size_t)lp->a.cols, need = 3 * (m + n) + 1;
    if (need > lp->numbers_capacity) {
        size_t capacity = need + need / 2;
        double *block = mem_resize(lp->numbers, capacity, sizeof(double));
        if (!block) return -1;
        lp->numbers = block;
        lp->numbers_capacity = capacity;
    }
    double *p = lp->numbers;
    *out = (numbers){p, p + n, p + 2 * n, p + 3 * n, p + 3 * n + m, p + 3 * n + 2 * m};
    return 0;
}

/* ---- from the engine to the caller's terms ----------------------------------------------------------------------- */

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
        /* Rounding across a bound is taken back. */
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

/* ---- one attempt -------------------------------------------------------------------------------------------------- */

typedef struct attempt {
    double tol_factor; /* on both tolerances */
    bool scaled;
    bool use_cutoff;
    bool cold; /* from the slack basis; by the method that was not asked for, unless dense */
    bool dense;
} attempt;

/* Bounds that cross: infeasible without further ado. The zero vector proves it, as the box is empty. */
static bool bounds_cross(const vouch_lp_data *data, double tol, double *by)
{
    *by = 0;
    for (int j = 0; j < data->cols; j++) *by = larger(*by, data->col_lower[j] - data->col_upper[j]);
    for (int i = 0; i < data->rows; i++) *by = larger(*by, data->row_lower[i] - data->row_upper[i]);
    return *by > tol;
}

static double engine_cutoff(const vouch_lp *lp, const vouch_lp_options *options, const attempt *how)
{
    if (!how->use_cutoff || isnan(options->cutoff)) return INFINITY;
    return (lp->maximize ? -1 : 1) * (options->cutoff - lp->offset);
}

static void set_options(simplex *s, const vouch_lp_options *options, const deadline *limit, double tol_factor)
{
    s->feasibility_tol = options->feasibility_tol * tol_factor;
    s->optimality_tol = options->optimality_tol * tol_factor;
    s->factor_wanted = options->factor;
    s->perturb = options->perturb != 0;
    s->random = rng_seed(options->seed);
    s->limit = *limit;
    s->log = &options->log;
    s->cutoff = INFINITY;
    s->iteration_limit = options->limits.iterations;
}

static bool prepare_engine(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, const deadline *limit,
                           const attempt *how)
{
    if (lp->engine && lp->engine->scaled != how->scaled) lp_drop_engine(lp);
    if (!lp->engine) {
        lp->engine = simplex_new(data, how->scaled, limit);
        if (!lp->engine) return false;
        if (lp->has_basis) simplex_set_basis(lp->engine, lp->status);
    }
    set_options(lp->engine, options, limit, how->tol_factor);
    lp->engine->cutoff = engine_cutoff(lp, options, how);
    if (how->dense) lp->engine->factor_wanted = VOUCH_FACTOR_DENSE;
    if (how->cold) simplex_slack_basis(lp->engine);
    return true;
}

/* A ray that proves infeasibility on the caller's data becomes the result. */
static bool proves_infeasible(vouch_lp *lp, const vouch_lp_data *data, double ray[], certainty *sure)
{
    vouch_lp_result *r = &lp->result;
    r->certificate.ray_quality = certify_farkas(data, ray, sure);
    if (!(r->certificate.ray_quality > 0)) return false;
    r->farkas = ray;
    r->bound = data->maximize ? -INFINITY : INFINITY;
    r->outcome = VOUCH_LP_INFEASIBLE;
    return true;
}

/* The point and the duals of the engine against the certificate; *sure as there. */
static bool judge_optimal(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, numbers *v, certainty *sure)
{
    vouch_lp_result *r = &lp->result;
    double primal_tol = CERTIFY_SLACK * options->feasibility_tol, dual_tol = CERTIFY_SLACK * options->optimality_tol;
    unscale_point(lp, v->x);
    unscale_dual(lp, v->dual);
    return certify_optimal(data, v->x, v->dual, primal_tol, dual_tol, v->activity, v->reduced, &r->objective, &r->bound,
                           &r->certificate, sure);
}

static bool judge_cutoff(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, numbers *v)
{
    vouch_lp_result *r = &lp->result;
    unscale_dual(lp, v->dual);
    r->bound = certify_bound(data, v->dual, CERTIFY_SLACK * options->optimality_tol, v->reduced);
    return data->maximize ? r->bound <= options->cutoff : r->bound >= options->cutoff;
}

static bool judge_unbounded(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, numbers *v, certainty *sure)
{
    simplex *s = lp->engine;
    vouch_lp_result *r = &lp->result;
    unscale_point(lp, v->x);
    for (int j = 0; j < s->n; j++) v->ray[j] = s->ray_primal[s->m + j] * s->scale[s->m + j];
    double off = r->certificate.primal_residual = r->certificate.primal_infeasibility = certify_feasible(data, v->x, v->activity);
    *sure = DOUBTFUL; /* that the point is feasible at all rests on a tolerance */
    /* A smaller one than optimality asks for: a program infeasible by a little has points within tolerance, but no optimum at all. */
    if (!(off <= TOL_CLEAR_PRIMAL && off <= CERTIFY_SLACK * options->feasibility_tol)) return false;
    r->certificate.ray_quality = certify_ray(data, v->ray, v->activity);
    if (!(r->certificate.ray_quality > 0)) return false;
    certify_feasible(data, v->x, v->activity); /* activity again: the ray had it as scratch */
    unscale_dual(lp, v->dual);
    certify_bound(data, v->dual, 0, v->reduced); /* reduced costs where the ray starts, for the reader */
    r->ray = v->ray;
    return true;
}

/* What the engine says, once checked, and refined if there is doubt; UNSOLVED: not certified. *sure: how well. */
static vouch_lp_outcome judge(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, run_end end, numbers *v,
                              certainty *sure)
{
    simplex *s = lp->engine;
    bool proved = false, refinable = s->factored && !s->costs_shifted && !s->bounds_shifted;
    *sure = BEYOND_DOUBT;
    for (int refined = 0; refined <= refinable; refined++) {
        switch (end) {
        case RUN_OPTIMAL:
            if (refined) refine_primal(s), refine_dual(s);
            proved = judge_optimal(lp, data, options, v, sure);
            if (proved && (*sure == BEYOND_DOUBT || refined == refinable)) return VOUCH_LP_OPTIMAL;
            break;
        case RUN_INFEASIBLE:
            if (refined) refine_ray_dual(s);
            unscale_row_ray(s, v->farkas);
            if (proves_infeasible(lp, data, v->farkas, sure)) return VOUCH_LP_INFEASIBLE;
            break;
        case RUN_UNBOUNDED:
            if (refined) refine_primal(s), refine_ray_primal(s);
            proved = judge_unbounded(lp, data, options, v, sure);
            if (proved) return VOUCH_LP_UNBOUNDED;
            break;
        case RUN_CUTOFF:
            if (refined) refine_dual(s);
            if (judge_cutoff(lp, data, options, v)) return VOUCH_LP_CUTOFF;
            break;
        case RUN_LIMIT:
            return VOUCH_LP_LIMIT;
        case RUN_INTERRUPTED:
            return VOUCH_LP_INTERRUPTED;
        case RUN_ON:
        case RUN_STALLED:
        case RUN_TROUBLE:
        case RUN_MEMORY:
            return VOUCH_LP_UNSOLVED;
        }
    }
    return VOUCH_LP_UNSOLVED;
}

/* Solves exactly from the engine's basis, if the program is small and work is left; UNSOLVED: no answer. What only
 * the rounding of the data decides is left as it was if plausible, and unsolved if not. -1: memory */
static int settle_exactly(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, const deadline *limit,
                          long long work, certainty *sure, numbers *v, vouch_lp_outcome *outcome)
{
    vouch_lp_result *r = &lp->result;
    long long left = (*outcome == VOUCH_LP_UNSOLVED ? EXACT_WORK_TOTAL : EXACT_WORK_CONFIRM_ALL) - lp->exact_work;
    if (work > left) work = left;
    if (work <= 0 || !exact_fits(data)) return 0;
    lp_keep_basis(lp);
    size_t m = (size_t)data->rows, n = (size_t)data->cols;
    double *block = MEM_ZERO(double, 2 * n + m + 1);
    if (!block) return -1;
    exact_answer found = {.x = block, .ray = block + n, .y = block + 2 * n};
    exact_end end = exact_solve(data, lp->status, work, limit, &found);
    lp->exact_work += found.work;
    log_line(&options->log, VOUCH_LOG_DETAIL, "exact: %s, %lld pivots from the basis found, work %lld, margin %g",
             end == EXACT_OPTIMAL      ? "optimal"
             : end == EXACT_INFEASIBLE ? "infeasible"
             : end == EXACT_UNBOUNDED  ? "unbounded"
                                       : "not settled",
             found.pivots, found.work, found.margin);
    bool by_rounding = end != EXACT_OPTIMAL && end != EXACT_LIMIT && found.margin < EXACT_MARGIN;
    if (end == EXACT_MEMORY || by_rounding) {
        /* A ray, however thin, starts from a point that exists. */
        bool refuted = *outcome == VOUCH_LP_INFEASIBLE && end == EXACT_UNBOUNDED;
        if (*sure == DOUBTFUL || refuted) *outcome = VOUCH_LP_UNSOLVED;
        if (refuted) r->farkas = NULL;
        r->ray = *outcome == VOUCH_LP_UNBOUNDED ? r->ray : NULL;
        mem_free(block);
        return end == EXACT_MEMORY ? -1 : 0;
    }
    if (end == EXACT_LIMIT) {
        mem_free(block);
        return 0;
    }
    r->farkas = NULL;
    if (end == EXACT_OPTIMAL || end == EXACT_UNBOUNDED) {
        MEM_COPY(v->x, found.x, n);
        MEM_COPY(v->dual, found.y, m);
        r->certificate = (vouch_lp_certificate){0};
        certify_optimal(data, v->x, v->dual, 0, 0, v->activity, v->reduced, &r->objective, &r->bound, &r->certificate, sure);
        simplex_set_basis(lp->engine, lp->status);
    }
    if (end == EXACT_OPTIMAL) {
        r->objective = found.objective;
        r->bound = found.bound;
        *outcome = VOUCH_LP_OPTIMAL;
    } else if (end == EXACT_UNBOUNDED) {
        MEM_COPY(v->ray, found.ray, n);
        r->ray = v->ray;
        r->objective = 0;
        r->bound = data->maximize ? INFINITY : -INFINITY;
        r->certificate.ray_quality = found.margin;
        *outcome = VOUCH_LP_UNBOUNDED;
    } else if (end == EXACT_INFEASIBLE) {
        MEM_COPY(v->farkas, found.y, m);
        r->farkas = v->farkas;
        r->ray = NULL;
        r->objective = 0;
        r->certificate = (vouch_lp_certificate){.ray_quality = found.margin};
        r->bound = data->maximize ? -INFINITY : INFINITY;
        *outcome = VOUCH_LP_INFEASIBLE;
    }
    *sure = BEYOND_DOUBT;
    mem_free(block);
    return 0;
}

/* What the factors may take that a report after the limit needs. */
static const double REPORT_SECONDS = 0.1;

/* Whatever the engine has at a limit: its point, its duals, the bound these prove. */
static void report_unfinished(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, numbers *v)
{
    simplex *s = lp->engine;
    vouch_lp_result *r = &lp->result;
    if (!s->factored || s->primal_trust != FRESH || s->dual_trust != FRESH) {
        s->limit = (deadline){.start = clock_seconds(), .limits.seconds = REPORT_SECONDS};
        if (!s->factored && simplex_factor(s)) return;
        simplex_compute_primal(s);
        simplex_compute_dual(s, NULL);
    }
    unscale_point(lp, v->x);
    unscale_dual(lp, v->dual);
    certainty sure;
    certify_optimal(data, v->x, v->dual, 0, 0, v->activity, v->reduced, &r->objective, &r->bound, &r->certificate, &sure);
    r->bound = certify_bound(data, v->dual, CERTIFY_SLACK * options->optimality_tol, v->reduced);
}

static const attempt ladder[] = {
    {1, true, true, false, false},     {1, true, true, false, false}, /* from new factors */
    {1e-1, true, false, false, false}, {1e-2, true, false, false, false}, {1, false, false, false, false},
    {1, true, false, true, false},     {1, true, false, true, true},
};
/* Programs with more rows than this are not tried with dense factors that nobody asked for. */
enum { DENSE_ROWS_MOST = 1000 };

static vouch_lp_method method_of(const vouch_lp_options *options, const attempt *how)
{
    if (!how->cold || how->dense) return options->method;
    return options->method == VOUCH_LP_PRIMAL ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
}

/* ---- presolve ------------------------------------------------------------------------------------------------------ */

/* The basis the reduced problem ended with, carried back to lp->status. -1: memory */
static int carry_back(vouch_lp *lp, const presolve *p, const simplex *s)
{
    int m = s->m, n = s->n;
    unsigned char *status = MEM_NEW(unsigned char, m + n);
    double *x = MEM_NEW(double, n), *y = MEM_NEW(double, m);
    int failed = -1;
    if (status && x && y) {
        for (int v = 0; v < m + n; v++) status[v] = simplex_status(s, v);
        for (int j = 0; j < n; j++) {
            int v = m + j, at = s->where[v];
            x[j] = s->scale[v] * (at >= 0 ? s->xb[at] : s->value[v]);
        }
        for (int i = 0; i < m; i++) y[i] = s->reduced[i] / s->scale[i];
        failed = presolve_undo(p, status, x, y, lp->status);
        if (!failed) lp->has_basis = true;
    }
    mem_free(status);
    mem_free(x);
    mem_free(y);
    return failed;
}

/* Reduces, solves what is left, and leaves an (all but) optimal basis of the full problem; nothing when presolve finds
 * nothing or suspects a contradiction, unless it can be proved: then that is the result. Counts into *iterations and the
 * result. -1: memory */
static int solve_reduced(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, const deadline *limit,
                         double farkas[], long long *iterations)
{
    presolve *p;
    simplex *s = NULL;
    int failed = 0;
    presolve_end found = presolve_run(data, limit, &p);
    if (found == PRESOLVE_MEMORY) failed = -1;
    if (found == PRESOLVE_REDUCED) {
        vouch_lp_data reduced;
        presolve_problem(p, &reduced);
        log_line(&options->log, VOUCH_LOG_INFO, "presolve: %d rows, %d columns, %lld entries left", reduced.rows, reduced.cols,
                 (long long)reduced.start[reduced.cols]);
        s = simplex_new(&reduced, options->scale != 0, limit);
        if (!s) failed = -1;
        if (!failed) {
            set_options(s, options, limit, 1);
            run_end end = simplex_solve(s, options->method);
            *iterations = s->iterations;
            lp->result.factorizations += s->factorizations;
            if (end == RUN_MEMORY || carry_back(lp, p, s)) failed = -1;
        }
    } else if (found == PRESOLVE_HOPELESS) {
        int none = presolve_ray(p, farkas);
        if (none < 0) failed = -1;
        certainty sure;
        bool proved = none == 0 && proves_infeasible(lp, data, farkas, &sure) && sure == BEYOND_DOUBT;
        if (!proved) lp->result.outcome = VOUCH_LP_UNSOLVED;
        log_line(&options->log, VOUCH_LOG_INFO, "presolve: %s",
                 proved ? "infeasible" : "seems infeasible or unbounded; left to the simplex method");
    }
    simplex_free(s);
    presolve_free(p);
    return failed;
}

static vouch_status solve_now(vouch_lp *lp, const vouch_lp_data *data, const vouch_lp_options *options, const deadline *limit)
{
    vouch_lp_result *r = &lp->result;
    numbers v;
    if (reserve_numbers(lp, &v)) return VOUCH_ERROR_MEMORY;
    memset(lp->numbers, 0, 3 * ((size_t)data->rows + (size_t)data->cols) * sizeof(double));
    r->x = v.x, r->row_activity = v.activity, r->row_dual = v.dual, r->reduced_cost = v.reduced;
    r->bound = data->maximize ? INFINITY : -INFINITY;
    double crossing;
    if (bounds_cross(data, options->feasibility_tol, &crossing)) {
        r->outcome = VOUCH_LP_INFEASIBLE;
        r->farkas = v.farkas;
        r->certificate.ray_quality = crossing;
        r->bound = -r->bound;
        return VOUCH_OK;
    }
    long long before_iterations = 0;
    vouch_lp_outcome outcome = VOUCH_LP_UNSOLVED;
    if (options->presolve && !lp->has_basis && solve_reduced(lp, data, options, limit, v.farkas, &before_iterations)) {
        lp_forget_result(lp);
        return VOUCH_ERROR_MEMORY;
    }
    if (r->outcome == VOUCH_LP_INFEASIBLE) return VOUCH_OK; /* proved by presolve */
    certainty sure = BEYOND_DOUBT;
    for (size_t k = 0; k < sizeof ladder / sizeof *ladder && outcome == VOUCH_LP_UNSOLVED; k++) {
        attempt how = ladder[k];
        how.scaled = how.scaled && options->scale;
        if (how.dense && data->rows > DENSE_ROWS_MOST) continue;
        if (k > 0) log_line(&options->log, VOUCH_LOG_DETAIL, "not certified; attempt %d", (int)k + 1);
        if (!prepare_engine(lp, data, options, limit, &how)) {
            lp_forget_result(lp);
            return VOUCH_ERROR_MEMORY;
        }
        simplex *s = lp->engine;
        s->iterations = before_iterations;
        long long factorizations = s->factorizations;
        if (k > 0) s->factored = false;
        run_end end = simplex_solve(s, method_of(options, &how));
        lp->has_basis = true;
        if (end == RUN_MEMORY) {
            lp_drop_engine(lp);
            lp_forget_result(lp);
            return VOUCH_ERROR_MEMORY;
        }
        before_iterations = s->iterations;
        r->factorizations += s->factorizations - factorizations;
        r->used_dense = basis_is_dense(s->factors);
        outcome = judge(lp, data, options, end, &v, &sure);
    }
    r->iterations = before_iterations;
    if ((outcome == VOUCH_LP_UNSOLVED || sure != BEYOND_DOUBT) &&
        settle_exactly(lp, data, options, limit, outcome == VOUCH_LP_UNSOLVED ? EXACT_WORK_LAST : EXACT_WORK_CONFIRM, &sure, &v,
                       &outcome)) {
        lp_forget_result(lp);
        return VOUCH_ERROR_MEMORY;
    }
    if (outcome == VOUCH_LP_OPTIMAL &&
        sure != BEYOND_DOUBT) { /* optimal within the tolerances: the bound is what the duals prove */
        r->bound = certify_bound_near(data, v.dual, v.x, CERTIFY_SLACK * options->optimality_tol, v.reduced);
    }
    if (outcome == VOUCH_LP_UNSOLVED) {
        outcome = VOUCH_LP_NUMERICAL;
        r->bound = certify_bound_near(data, v.dual, v.x, 0, v.reduced); /* whatever the duals are, they prove something */
    }
    if (outcome == VOUCH_LP_LIMIT || outcome == VOUCH_LP_INTERRUPTED) report_unfinished(lp, data, options, &v);
    r->outcome = outcome;
    return VOUCH_OK;
}

vouch_status vouch_lp_solve(vouch_lp *lp, const vouch_lp_options *options)
{
    vouch_lp_options defaults;
    if (!options) {
        vouch_lp_options_init(&defaults);
        options = &defaults;
    }
    if (!(options->feasibility_tol > 0) || !(options->optimality_tol > 0)) return VOUCH_ERROR_ARGUMENT;
    deadline limit = deadline_start(&options->limits);
    vouch_lp_data data;
    vouch_lp_view(lp, &data);
    lp_forget_result(lp);
    log_line(&options->log, VOUCH_LOG_INFO, "linear program: %d rows, %d columns, %lld entries%s", data.rows, data.cols,
             (long long)data.start[data.cols], lp->has_basis ? ", starting from a basis" : "");
    vouch_status status = solve_now(lp, &data, options, &limit);
    if (status) return status;
    vouch_lp_result *r = &lp->result;
    r->seconds = clock_seconds() - limit.start;
    char objective[48] = "";
    if (r->outcome == VOUCH_LP_OPTIMAL) snprintf(objective, sizeof objective, "objective %.12g, ", r->objective);
    log_line(&options->log, VOUCH_LOG_INFO, "%s: %s%lld iterations, %lld factorizations (%s), %.2f s",
             vouch_lp_outcome_text(r->outcome), objective, r->iterations, r->factorizations, r->used_dense ? "dense" : "sparse",
             r->seconds);
    return VOUCH_OK;
}

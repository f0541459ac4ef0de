/* lp/lp.c - vouch_lp_solve: from the caller's problem to a certified result.
 *
 * The engine of the last solve is used again. Each claim of the simplex method is unscaled and certified (lp/judge.h). If the
 * certificate refuses it, the solve is repeated with tighter tolerances and stricter pivoting, without scaling, by the other method
 * and with dense factors from a cold start, and finally exactly; without a certified result the outcome is NUMERICAL. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/trace.h"
#include "lp/judge.h"
#include "lp/presolve.h"
#include "lp/pricing.h"
#include "lp/tolerance.h"

void vouch_lp_options_init(vouch_lp_options *options)
{
    if (!options) return;
    *options = (vouch_lp_options){
        .presolve = 2, .scale = 1, .perturb = 1, .feasibility_tol = 1e-7, .optimality_tol = 1e-7, .cutoff = NAN, .seed = 1};
}

const char *vouch_lp_outcome_text(vouch_lp_outcome outcome)
{
    static const char *const text[] = {"unsolved", "optimal", "infeasible",  "unbounded",
                                       "cutoff",   "limit",   "interrupted", "numerical"};
    return (size_t)outcome < sizeof text / sizeof *text ? text[outcome] : "unknown";
}

void vouch_lp_get_result(const vouch_lp *lp, vouch_lp_result *result)
{
    if (result) *result = lp ? lp->result : (vouch_lp_result){0};
}

/* All zero. -1: memory */
static int reserve_arrays(vouch_lp *lp, result_arrays *out)
{
    size_t m = (size_t)lp->a.rows, n = (size_t)lp->a.cols, need = 3 * (m + n) + 1;
    if (need > lp->numbers_capacity) {
        size_t capacity = need + need / 2;
        mem_free(lp->numbers);
        lp->numbers_capacity = 0;
        if (!(lp->numbers = MEM_ZERO(double, capacity))) return -1;
        lp->numbers_capacity = capacity;
    } else {
        memset(lp->numbers, 0, need * sizeof(double));
    }
    double *p = lp->numbers;
    *out = (result_arrays){p, p + n, p + 2 * n, p + 3 * n, p + 3 * n + m, p + 3 * n + 2 * m};
    return 0;
}

/* ---- one attempt ----------------------------------------------------------------------------------------------------------- */

typedef struct solve_attempt {
    double tol_factor; /* on both tolerances */
    bool scaled;
    bool use_cutoff;
    bool cold; /* from the slack basis; by the other method, unless dense or without boxes */
    bool dense;
    bool no_boxes;
} solve_attempt;

/* Crossing bounds prove infeasibility with the zero vector, as the box is empty. */
static bool bounds_cross(const vouch_lp_data *data, double tol, double *by)
{
    *by = 0;
    for (int j = 0; j < data->cols; j++) *by = larger(*by, data->col_lower[j] - data->col_upper[j]);
    for (int i = 0; i < data->rows; i++) *by = larger(*by, data->row_lower[i] - data->row_upper[i]);
    return *by > tol;
}

static double engine_cutoff(const vouch_lp *lp, const vouch_lp_options *options, const solve_attempt *how)
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
    s->solved_once = options->presolve > 1;
    s->perturb_start = s->perturb && s->solved_once;
    s->random = rng_seed(options->seed);
    s->limit = *limit;
    s->log = &options->log;
    s->trace = options->trace;
    s->cutoff = INFINITY;
    s->iteration_limit = options->limits.iterations;
    s->dual_rule = options->dual_pricing;
    s->primal_rule = options->primal_pricing;
}

static bool prepare_engine(const judgement *g, const solve_attempt *how)
{
    vouch_lp *lp = g->lp;
    if (lp->engine && lp->engine->scaled != how->scaled) lp_drop_engine(lp);
    if (!lp->engine) {
        lp->engine = simplex_new(g->data, how->scaled, g->limit);
        if (!lp->engine) return false;
        if (lp->has_basis) simplex_set_basis(lp->engine, lp->status);
    }
    set_options(lp->engine, g->options, g->limit, how->tol_factor);
    lp->engine->cutoff = engine_cutoff(lp, g->options, how);
    lp->engine->no_boxes = how->no_boxes;
    if (how->dense) lp->engine->factor_wanted = VOUCH_FACTOR_DENSE;
    if (how->cold) simplex_slack_basis(lp->engine);
    return true;
}

static const solve_attempt ladder[] = {
    {1, true, true, false, false, false},     {1, true, true, false, false, false}, /* from new factors */
    {1e-1, true, false, false, false, false}, {1e-2, true, false, false, false, false}, {1, false, false, false, false, false},
    {1, true, false, true, false, true},      {1, true, false, true, false, false},     {1, true, false, true, true, false},
};
/* Most rows for dense factors that the caller did not choose. */
enum { DENSE_ROWS_MOST = 1000 };

static vouch_lp_method method_of(const vouch_lp_options *options, const solve_attempt *how)
{
    if (!how->cold || how->dense || how->no_boxes) return options->method;
    return options->method == VOUCH_LP_PRIMAL ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
}

/* A cold solve with free choice of the method, of a program solved once, first tries a start near the optimum. */
static run_end run_simplex(const judgement *g, simplex *s, vouch_lp_method method)
{
    bool once = method == VOUCH_LP_AUTO && g->options->presolve > 1 && !g->lp->has_basis && isinf(s->cutoff);
    return once ? crash_solve(s) : simplex_solve(s, method);
}

/* ---- presolve --------------------------------------------------------------------------------------------------------------- */

/* Carries the basis of the reduced problem back to lp->status. -1: memory */
static int carry_back(vouch_lp *lp, const presolve *p, const simplex *s)
{
    int m = s->m, n = s->n;
    arena a = {0};
    unsigned char *status = ARENA_NEW(&a, unsigned char, m + n);
    double *x = ARENA_NEW(&a, double, n), *y = ARENA_NEW(&a, double, m);
    int failed = -1;
    if (!a.failed) {
        for (int v = 0; v < m + n; v++) status[v] = simplex_status(s, v);
        for (int j = 0; j < n; j++) {
            int v = m + j, at = s->where[v];
            x[j] = s->scale[v] * (at >= 0 ? s->xb[at] : s->value[v]);
        }
        for (int i = 0; i < m; i++) y[i] = s->reduced[i] / s->scale[i];
        failed = presolve_undo(p, status, x, y, lp->status);
        if (!failed) lp->has_basis = true;
    }
    arena_free(&a);
    return failed;
}

/* Solves the reduced problem; its basis goes to lp->status. -1: memory */
static int solve_rest(judgement *g, const presolve *p)
{
    const vouch_lp_data *reduced = presolve_problem(p);
    log_line(&g->options->log, VOUCH_LOG_INFO, "presolve: %d rows, %d columns, %lld entries left", reduced->rows, reduced->cols,
             (long long)reduced->start[reduced->cols]);
    simplex *s = simplex_new(reduced, g->options->scale != 0, g->limit);
    if (!s) return -1;
    set_options(s, g->options, g->limit, 1);
    run_end end = run_simplex(g, s, g->options->method);
    g->lp->result.iterations = s->iterations;
    g->lp->result.factorizations += s->factorizations;
    int failed = end == RUN_MEMORY || carry_back(g->lp, p, s) ? -1 : 0;
    simplex_free(s);
    return failed;
}

/* Leaves a nearly optimal basis of the full problem; none if presolve finds no reduction or suspects a contradiction, unless that
 * is proved and becomes the result. -1: memory */
static int solve_reduced(judgement *g)
{
    presolve *p;
    int failed = 0;
    double since = trace_start(g->options->trace);
    presolve_end found = presolve_run(g->data, g->options->presolve > 1, g->limit, &p);
    trace_stop(g->options->trace, KERNEL_presolve, since);
    if (found == PRESOLVE_MEMORY) failed = -1;
    if (found == PRESOLVE_REDUCED) failed = solve_rest(g, p);
    if (found == PRESOLVE_HOPELESS) {
        int none = presolve_ray(p, g->at.farkas);
        if (none < 0) failed = -1;
        bool proved = none == 0 && judge_infeasible(g, g->at.farkas) && g->sure == BEYOND_DOUBT;
        if (!proved) g->lp->result.outcome = VOUCH_LP_UNSOLVED;
        log_line(&g->options->log, VOUCH_LOG_INFO, "presolve: %s",
                 proved ? "infeasible" : "seems infeasible or unbounded; left to the simplex method");
    }
    presolve_free(p);
    return failed;
}

/* ---- the solve -------------------------------------------------------------------------------------------------------------- */

/* -1: memory */
static int try_attempt(judgement *g, int rung, vouch_lp_outcome *outcome)
{
    vouch_lp *lp = g->lp;
    vouch_lp_result *r = &lp->result;
    solve_attempt how = ladder[rung];
    how.scaled = how.scaled && g->options->scale;
    if (how.dense && g->data->rows > DENSE_ROWS_MOST) return 0;
    if (rung > 0) log_line(&g->options->log, VOUCH_LOG_DETAIL, "not certified; attempt %d", rung + 1);
    if (!prepare_engine(g, &how)) return -1;
    simplex *s = lp->engine;
    s->iterations = r->iterations;
    long long factorizations = s->factorizations;
    if (rung > 0) s->factored = false;
    run_end end = run_simplex(g, s, method_of(g->options, &how));
    lp->has_basis = true;
    if (end == RUN_MEMORY) {
        lp_drop_engine(lp);
        return -1;
    }
    r->iterations = s->iterations;
    r->factorizations += s->factorizations - factorizations;
    r->used_dense = basis_is_dense(s->factors);
    double since = trace_start(g->options->trace);
    *outcome = judge_end(g, end);
    trace_stop(g->options->trace, KERNEL_judge, since);
    return 0;
}

/* Presolve, the attempts, the exact attempt; UNSOLVED: no answer. -1: memory */
static int solve_by_all_means(judgement *g, vouch_lp_outcome *outcome)
{
    *outcome = VOUCH_LP_UNSOLVED;
    if (g->options->presolve && !g->lp->has_basis) {
        if (solve_reduced(g)) return -1;
        if ((*outcome = g->lp->result.outcome) == VOUCH_LP_INFEASIBLE && !g->options->exact) return 0;
        if (g->options->exact) *outcome = VOUCH_LP_UNSOLVED; /* presolve leaves no basis to continue from */
    }
    g->sure = BEYOND_DOUBT;
    for (int rung = 0; rung < (int)(sizeof ladder / sizeof *ladder) && *outcome == VOUCH_LP_UNSOLVED; rung++) {
        if (try_attempt(g, rung, outcome)) return -1;
    }
    if (!g->options->exact && *outcome != VOUCH_LP_UNSOLVED && judge_settled(g)) return 0;
    double since = trace_start(g->options->trace);
    int failed = g->options->exact ? judge_in_decimals(g, outcome) : judge_exactly(g, outcome);
    trace_stop(g->options->trace, KERNEL_judge, since);
    return failed;
}

static vouch_status solve_now(judgement *g)
{
    vouch_lp_result *r = &g->lp->result;
    const vouch_lp_data *data = g->data;
    if (reserve_arrays(g->lp, &g->at)) return VOUCH_ERROR_MEMORY;
    r->x = g->at.x, r->row_activity = g->at.activity, r->row_dual = g->at.dual, r->reduced_cost = g->at.reduced;
    r->bound = data->maximize ? INFINITY : -INFINITY;
    double crossing;
    if (bounds_cross(data, g->options->feasibility_tol, &crossing)) {
        r->outcome = VOUCH_LP_INFEASIBLE;
        r->farkas = g->at.farkas;
        r->certificate.ray_quality = crossing;
        r->bound = -r->bound;
        return VOUCH_OK;
    }
    vouch_lp_outcome outcome;
    if (solve_by_all_means(g, &outcome)) {
        lp_forget_result(g->lp);
        return VOUCH_ERROR_MEMORY;
    }
    if (outcome == VOUCH_LP_UNSOLVED) {
        outcome = VOUCH_LP_NUMERICAL;
        r->reason = g->why ? g->why : "the simplex method ended without a verdict";
        judge_bound(g, 0); /* any duals prove a bound */
    } else if (outcome == VOUCH_LP_OPTIMAL && g->sure != BEYOND_DOUBT) {
        judge_bound(g, CERTIFY_SLACK * g->options->optimality_tol);
    } else if (outcome == VOUCH_LP_LIMIT || outcome == VOUCH_LP_INTERRUPTED) {
        judge_unfinished(g);
    }
    r->outcome = outcome;
    return VOUCH_OK;
}

static void explain_log(const vouch_log *log)
{
    static const char *const lines[] = {
        "pivots       exchanges of a basic variable so far; a line at 1, 2, 4, 8 and so on, and each second",
        "method       primal keeps rows within bounds and improves, dual keeps reduced costs right, repairs rows; 1 seeks a start",
        "objective    of the problem worked on: minimised, scaled, in phase 1 and after shifts not the one asked for",
        "rows out     by how much basic variables are out of bounds in all, and how many",
        "columns      by how much reduced costs are of the wrong sign in all, and how many: 0 and 0 on both sides is the optimum",
        "    pivots  method          objective         rows out             columns     seconds"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(log, VOUCH_LOG_INFO, "%s", lines[i]);
}

vouch_status vouch_lp_solve(vouch_lp *lp, const vouch_lp_options *options)
{
    if (!lp) return VOUCH_ERROR_ARGUMENT;
    vouch_lp_options defaults;
    if (!options) {
        vouch_lp_options_init(&defaults);
        options = &defaults;
    }
    if (!(options->feasibility_tol > 0) || !(options->optimality_tol > 0) || !pricing_known(options)) return VOUCH_ERROR_ARGUMENT;
    deadline limit = deadline_start(&options->limits);
    vouch_lp_data data;
    vouch_lp_view(lp, &data);
    lp_forget_result(lp);
    log_line(&options->log, VOUCH_LOG_INFO, "linear program: %d rows, %d columns, %lld entries%s", data.rows, data.cols,
             (long long)data.start[data.cols], lp->has_basis ? ", starting from a basis" : "");
    explain_log(&options->log);
    judgement g = {.lp = lp, .data = &data, .options = options, .limit = &limit};
    g.fine = !lp->has_basis && options->presolve != 1 && !lp->computed;
    vouch_status status = solve_now(&g);
    if (status) return status;
    vouch_lp_result *r = &lp->result;
    r->seconds = clock_seconds() - limit.start;
    char objective[48] = "";
    if (r->outcome == VOUCH_LP_OPTIMAL) format_text(objective, sizeof objective, "objective %.12g, ", r->objective);
    log_line(&options->log, VOUCH_LOG_INFO, "%s: %s%lld iterations, %lld factorizations (%s), %.2f s",
             vouch_lp_outcome_text(r->outcome), objective, r->iterations, r->factorizations, r->used_dense ? "dense" : "sparse",
             r->seconds);
    return VOUCH_OK;
}

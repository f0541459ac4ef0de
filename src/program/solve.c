/* program/solve.c - see solve.h. A point is returned only with a status that guarantees it; a bound is valid with every status. */
#include "program/program.h"

#include <math.h>
#include <string.h>
#include <vouch/mip.h>

#include "base/memory.h"
#include "base/trace.h"

/* For linear programs whose points become policies, which must keep promises within 2^-40; if unattainable, the solver's default.
 */
static const double PLAYED_TOLERANCE = 1e-10;

static double *copy_point(const double x[], int n)
{
    double *copy = MEM_NEW(double, n);
    if (copy) MEM_COPY(copy, x, n);
    return copy;
}

static program_end end_of_lp(vouch_lp_outcome outcome)
{
    if (outcome == VOUCH_LP_OPTIMAL) return PROGRAM_SOLVED;
    if (outcome == VOUCH_LP_INFEASIBLE) return PROGRAM_INFEASIBLE;
    return outcome == VOUCH_LP_LIMIT || outcome == VOUCH_LP_INTERRUPTED ? PROGRAM_LIMIT : PROGRAM_TROUBLE;
}

static program_end end_of_mip(vouch_mip_outcome outcome)
{
    if (outcome == VOUCH_MIP_OPTIMAL) return PROGRAM_SOLVED;
    if (outcome == VOUCH_MIP_INFEASIBLE) return PROGRAM_INFEASIBLE;
    return outcome == VOUCH_MIP_LIMIT || outcome == VOUCH_MIP_INTERRUPTED ? PROGRAM_LIMIT : PROGRAM_TROUBLE;
}

static vouch_status solve_lp(program *p, const program_options *options, program_solution *solution)
{
    vouch_lp_options lo;
    vouch_lp_result result;
    *solution = (program_solution){.end = PROGRAM_TROUBLE, .value = NAN, .bound = -INFINITY};
    if (deadline_expired(options->limit)) {
        solution->end = PROGRAM_LIMIT;
        return VOUCH_OK;
    }
    vouch_lp_options_init(&lo);
    lo.presolve = 1; /* fixed, since optimal faces have many vertices and the policy depends on the pivots */
    lo.trace = options->trace;
    lo.limits = deadline_left(options->limit);
    lo.limits.nodes = 0;
    double default_feasibility = lo.feasibility_tol, default_optimality = lo.optimality_tol;
    lo.feasibility_tol = lo.optimality_tol = PLAYED_TOLERANCE;
    vouch_status status = vouch_lp_solve(p->lp, &lo);
    if (status) return status;
    vouch_lp_get_result(p->lp, &result);
    if (result.outcome == VOUCH_LP_NUMERICAL) {
        lo.limits.seconds = deadline_left(options->limit).seconds;
        lo.feasibility_tol = default_feasibility;
        lo.optimality_tol = default_optimality;
        status = vouch_lp_solve(p->lp, &lo);
        if (status) return status;
        vouch_lp_get_result(p->lp, &result);
    }
    solution->iterations = result.iterations;
    solution->nodes = 1;
    solution->end = end_of_lp(result.outcome);
    if (solution->end != PROGRAM_SOLVED) return VOUCH_OK;
    solution->value = result.objective;
    solution->bound = result.bound;
    solution->x = copy_point(result.x, vouch_lp_cols(p->lp));
    return solution->x ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status program_solve_lp(program *p, const program_options *options, program_solution *solution)
{
    double since = trace_start(options->trace);
    bool within = trace_within(options->trace, true);
    vouch_status status = solve_lp(p, options, solution);
    (void)trace_within(options->trace, within);
    trace_stop(options->trace, KERNEL_program, since);
    return status;
}

typedef struct relay {
    const program_options *options;
    long long nodes;
    double bound;
} relay;

static void on_node(void *context, const vouch_mip_node *node)
{
    relay *r = context;
    r->nodes++;
    if (node->parent == 0) r->bound = node->bound;
    if ((r->nodes & 15) == 1) r->options->progress(r->options->progress_context, r->bound, r->nodes);
}

static vouch_status solve_mip(program *p, const program_options *options, program_solution *solution)
{
    vouch_mip_options mo;
    vouch_mip_result result;
    vouch_mip *mip = NULL;
    relay r = {options, 0, -INFINITY};
    *solution = (program_solution){.end = PROGRAM_TROUBLE, .value = NAN, .bound = -INFINITY};
    if (deadline_expired(options->limit)) {
        solution->end = PROGRAM_LIMIT;
        return VOUCH_OK;
    }
    vouch_mip_options_init(&mo);
    mo.gap_absolute = options->gap;
    mo.gap_relative = 0;
    mo.limits = deadline_left(options->limit);
    mo.log = options->log;
    mo.seed = options->seed;
    mo.threads = options->threads;
    if (!trace_on(options->trace)) mo.trace = mo.lp.trace = options->trace; /* subproblems are counted, but not recorded */
    mo.start = options->start;
    mo.heuristic = options->round;
    mo.heuristic_context = options->round_context;
    if (options->progress) {
        mo.on_node = on_node;
        mo.on_node_context = &r;
    }
    vouch_status status = vouch_mip_new(&mip, p->lp);
    if (!status) status = vouch_mip_solve(mip, &mo);
    if (!status) {
        vouch_mip_get_result(mip, &result);
        solution->nodes = result.nodes;
        solution->iterations = result.iterations;
        solution->bound = result.bound;
        if (result.has_incumbent) {
            solution->value = result.objective;
            solution->x = copy_point(result.x, vouch_lp_cols(p->lp));
            if (!solution->x) status = VOUCH_ERROR_MEMORY;
        }
        solution->end = end_of_mip(result.outcome);
    }
    vouch_mip_free(mip);
    return status;
}

vouch_status program_solve_mip(program *p, const program_options *options, program_solution *solution)
{
    double since = trace_start(options->trace);
    vouch_status status = solve_mip(p, options, solution);
    trace_stop(options->trace, KERNEL_program, since);
    return status;
}

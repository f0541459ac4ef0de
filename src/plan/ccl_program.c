/* plan/ccl_program.c - MILP-CCL by its compact program (THEORY.md, sections 3 and 4), one mixed-integer program a stage:
 *
 *     min z,  z >= U*_c(k) - U(k; sigma),  Pr(k; sigma) >= accepted(k),  flow of sigma,
 *             sigma(n,w,a) <= M(n,w) Delta(n,a),  Delta binary
 *
 * The solver's relaxation points are rounded to policies (heaviest choice of each node), improved by time slices and handed back
 * as points of the program, so that incumbents are exact policies and never rest on the solver's tolerances. Cost: a program of
 * O(slots) columns, written anew for the second stage. Invariant: `returned` is the value of the last point handed back, and
 * falls.
 */
#include "plan/ccl_program.h"

#include <math.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/memory.h"
#include "plan/search/search.h"
#include "program/program.h"

typedef struct policy_rounding {
    const plan_call *call;
    const policy_space *space;
    incumbent *inc;
    const program *p;
    arena memory;                     /* of the arrays */
    double *slot_mass, *mass, *reach; /* [slots], [choices], [classes] */
    int *pick;                        /* [nodes] */
    const char *stage;
    double returned; /* value of the incumbent the solver has */
} policy_rounding;

static int round_point(void *context, const double x[], double out[])
{
    policy_rounding *r = context;
    const know_classes *c = r->space->c;
    const know_graph *g = r->space->g;
    program_slot_mass(r->p, x, r->slot_mass);
    for (int o = 0; o < g->choices; o++) r->mass[o] = 0;
    for (int s = 0; s < c->slots; s++) r->mass[c->slot_option[s]] += r->slot_mass[s];
    for (int n = 0; n < g->nodes; n++) {
        double most = 0;
        r->pick[n] = r->inc->found ? r->inc->best[n] : -1;
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++)
            if (r->mass[o] > most) {
                most = r->mass[o];
                r->pick[n] = o;
            }
    }
    for (int n = 0; n < g->nodes; n++)
        CHECK(r->pick[n] < 0 || (r->pick[n] >= g->choice_start[n] && r->pick[n] < g->choice_start[n + 1]));
    local_search_offer(r->inc, r->pick, 2);
    if (!r->inc->found || !(incumbent_value(r->inc) < r->returned)) return 0;
    r->returned = incumbent_value(r->inc);
    program_point(r->p, r->inc->best, r->inc->value.max_regret, r->reach, out);
    return 1;
}

static void report(void *context, double bound, long long nodes)
{
    const policy_rounding *r = context;
    plan_progress(r->call, r->stage, incumbent_value(r->inc), bound, nodes, 0);
}

/* One stage: solves the program and takes its policy over. */
static vouch_status solve_stage(policy_rounding *r, program_goal goal, program_solution *solution)
{
    const policy_space *space = r->space;
    program *p = NULL;
    *solution = (program_solution){.end = PROGRAM_LIMIT, .value = NAN, .bound = -INFINITY};
    deadline limit = r->call->limit;
    limit.limits.iterations = deadline_iterations_left(&limit, r->call->policy->iterations);
    if (deadline_expired(&limit) || limit.limits.iterations < 0) return VOUCH_OK;
    vouch_status status = program_compact(
        space->c, &(program_aim){space->optimal, space->accepted, &space->averages, goal, r->inc->bound_cap, space->share}, true,
        &p);
    if (status) return status;
    vouch_lp_set_col_bounds(p->lp, 0, 0, goal == PROGRAM_TOTAL_REGRET ? r->inc->bound_cap : INFINITY); /* z */
    program_options options = {.gap = r->call->options->gap,
                               .trace = r->call->options->trace,
                               .limit = &limit,
                               .seed = r->call->options->seed,
                               .log = r->call->options->log,
                               .threads = r->call->options->threads,
                               .round = round_point,
                               .round_context = r,
                               .progress = r->call->options->progress ? report : NULL,
                               .progress_context = r};
    double *point =
        MEM_NEW(double, vouch_lp_cols(p->lp)); /* that of the incumbent, to start from, then that of the solution as a policy */
    if (!point) status = VOUCH_ERROR_MEMORY;
    r->p = p;
    r->returned = INFINITY;
    if (!status && r->inc->found) {
        program_point(p, r->inc->best, r->inc->value.max_regret, r->reach, point);
        r->returned = incumbent_value(r->inc);
        options.start = point;
    }
    if (!status) status = program_solve_mip(p, &options, solution);
    if (!status && solution->x) round_point(r, solution->x, point);
    r->call->policy->nodes += solution->nodes;
    r->call->policy->iterations += solution->iterations;
    mem_free(point);
    mem_free(solution->x);
    solution->x = NULL;
    program_free(p);
    return status;
}

vouch_status ccl_program_solve(plan_call *call, const policy_space *space, incumbent *inc)
{
    vouch_policy *policy = call->policy;
    policy_rounding r = {.call = call, .space = space, .inc = inc, .stage = "maximum regret"};
    program_solution solution = {0};
    vouch_status status = VOUCH_ERROR_MEMORY;
    r.slot_mass = ARENA_NEW(&r.memory, double, space->c->slots);
    r.mass = ARENA_NEW(&r.memory, double, space->g->choices);
    r.reach = ARENA_NEW(&r.memory, double, space->c->classes);
    r.pick = ARENA_NEW(&r.memory, int, space->g->nodes);
    if (r.memory.failed) goto done;
    status = solve_stage(&r, PROGRAM_MAX_REGRET, &solution);
    if (status) goto done;
    policy->bound = fmax(0, solution.bound);
    if (solution.end == PROGRAM_INFEASIBLE && !inc->found)
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!inc->found)
        policy->outcome = solution.end == PROGRAM_LIMIT ? VOUCH_PLAN_LIMIT : VOUCH_PLAN_NUMERICAL;
    else {
        /* closed against the exact value of the policy, not the solver's own */
        bool closed = solution.end == PROGRAM_SOLVED && inc->value.max_regret - policy->bound <= call->options->gap;
        policy->outcome = closed ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
    }
    if (policy->outcome == VOUCH_PLAN_OPTIMAL && call->options->least_total_regret && !space->share) {
        r.stage = "total regret";
        incumbent_seek_total(inc, call->options->gap - (inc->value.max_regret - policy->bound));
        status = solve_stage(&r, PROGRAM_TOTAL_REGRET, &solution);
        policy->total_nodes = solution.nodes;
        policy->total_bound = fmin(solution.bound, inc->value.total_regret);
    }
done:
    arena_free(&r.memory);
    return status;
}

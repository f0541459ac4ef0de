/* plan/ccl.c - MILP-CCL: the deterministic L-updates policy of least maximum regret, and among those of least total regret.
 *
 * Two engines give the same answer: branch and bound on policies (plan/search.h) and the compact program by LP-based branch and
 * bound (plan/ccl_program.h). When the knowledge states of L are too many for memory, Markov policies, which are
 * L-updates policies for every L, are searched instead and nothing is claimed about the optimum.
 */
#include <math.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "plan/ccl_program.h"
#include "plan/methods.h"
#include "plan/rules.h"
#include "plan/search.h"
#include "plan/seed.h"
#include "plan/start.h"

/* Shares of a time limit after which the graph of L > 0 is given up, Markov seeding and all seeding end. */
static const double GRAPH_SHARE = 0.3, MARKOV_SHARE = 0.45, SEED_SHARE = 0.6;

typedef struct stage_report {
    const plan_call *call;
    const char *stage;
} stage_report;

static void report(void *context, double value, double bound, long long nodes, long long open)
{
    const stage_report *r = context;
    plan_progress(r->call, r->stage, value, bound, nodes, open);
}

/* Rules and figures of the incumbent into the policy. */
static vouch_status write_policy(const policy_space *space, incumbent *inc, vouch_policy *policy)
{
    const know_graph *g = space->g;
    propagate_pick(g, inc->best, inc->prob);
    propagate_forward(g, inc->prob, inc->reach, inc->now.U, inc->now.Pr);
    policy_set_figures(policy, space->optimal, inc->now.U, inc->now.Pr);
    policy->has_policy = 1;
    return rules_from_nodes(g, inc->prob, inc->reach, policy) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* A share of the seconds there are, counted from the start of the call. */
static deadline share_of(const deadline *whole, double share)
{
    deadline d = *whole;
    d.limits.seconds *= share;
    return d;
}

static vouch_status seed_incumbents(const plan_call *call, const policy_space *space, incumbent *inc)
{
    deadline first = share_of(&call->limit, MARKOV_SHARE), second = share_of(&call->limit, SEED_SHARE);
    vouch_status status = call->task && call->task->start ? seed_policy(inc, call->task->start) : VOUCH_OK;
    if (!status && call->options->start && space->g->L == call->options->lookahead) /* else Markov policies are all that fits */
        status = start_policy(inc, call->options->start, call->error);
    if (!status && space->g->L > 0) status = seed_markov(inc, &first);
    inc->limit = inc->found ? &second : &call->limit;
    if (!status) status = seed_single_environments(inc, &second);
    inc->limit = &call->limit;
    return status;
}

static vouch_status search_policies(plan_call *call, const policy_space *space, incumbent *inc)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    relaxation *r = NULL;
    search_options so;
    search_result result;
    stage_report context = {.call = call, .stage = "maximum regret"};
    search_options_init(&so);
    so.gap = o->gap;
    so.seed = o->seed;
    so.threads = o->threads;
    so.without = o->without;
    so.on_node = o->on_node;
    so.on_node_context = o->on_node_context;
    so.limit = call->limit;
    so.log = o->log;
    so.progress = o->progress ? report : NULL;
    so.progress_context = &context;
    vouch_status status = relaxation_new(space, &r);
    if (!status) status = search_run(r, inc, MASTER_MAX_REGRET, &so, &result);
    if (status) goto done;
    policy->nodes += result.nodes;
    policy->iterations += result.sweeps;
    policy->bound = result.bound;
    log_line(&o->log, VOUCH_LOG_DETAIL, "maximum regret %.10g, bound %.10g: %lld nodes, %lld backward inductions, %.3f s", inc->value.max_regret, result.bound,
             result.nodes, result.sweeps, clock_seconds() - call->limit.start);
    if (result.infeasible) policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!inc->found) policy->outcome = result.limit ? VOUCH_PLAN_LIMIT : VOUCH_PLAN_NUMERICAL;
    else policy->outcome = result.proved ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
    if (inc->found && result.proved && o->least_total_regret) {
        context.stage = "total regret";
        incumbent_seek_total(inc, incumbent_cap(inc->value.max_regret));
        so.most_sweeps = o->tie_break_work;
        so.on_node = NULL;
        status = search_run(r, inc, MASTER_TOTAL_REGRET, &so, &result);
        policy->nodes += result.nodes;
        policy->iterations += result.sweeps;
        policy->total_bound = fmin(result.bound, inc->value.total_regret);
    }
done:
    relaxation_free(r);
    return status;
}

vouch_status plan_ccl(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0};
    incumbent *inc = NULL;
    space_options so;
    space_options_init(&so);
    so.L = o->lookahead;
    if (o->class_limit > 0) so.class_limit = o->class_limit;
    if (o->engine == VOUCH_ENGINE_LP || (o->without & VOUCH_WITHOUT_FRONTIERS)) so.frontier_cap = 0;
    if (call->task) {
        so.p = call->task->p;
        so.floor = call->task->floor;
        so.tolerance = call->task->tolerance;
    }
    bool smaller = false; /* only Markov policies were searched */
    deadline graph_limit = share_of(&call->limit, GRAPH_SHARE);
    so.limit = &graph_limit;
    vouch_status status = space_make(call->m, &so, &space, call->error);
    if (status == VOUCH_ERROR_SIZE && so.L > 0) {
        log_line(&o->log, VOUCH_LOG_INFO, "L = %d has too many knowledge states for the limits; searching Markov policies (L = 0), which are L-updates policies for every L", so.L);
        smaller = true;
        so.limit = NULL;
        so.L = policy->L = 0;
        status = space_make(call->m, &so, &space, call->error);
    }
    if (status) return status;
    if (space.c->cut <= space.g->T)
        log_line(&o->log, VOUCH_LOG_INFO, "too many likelihood classes: bounds assume the environment is known from time %d on", space.c->cut);
    log_line(&o->log, VOUCH_LOG_DETAIL, "L = %d: %d policy nodes, %d choices, %d likelihood classes", so.L, space.g->nodes, space.g->choices, space.c->classes);
    status = incumbent_new(&space, &inc);
    if (!status) status = seed_incumbents(call, &space, inc);
    if (!status) status = o->engine == VOUCH_ENGINE_LP ? ccl_program_solve(call, &space, inc) : search_policies(call, &space, inc);
    if (!status && inc->found) status = write_policy(&space, inc, policy);
    if (!status && smaller) { /* an optimum or impossibility for L = 0 proves nothing for L */
        policy->bound = 0;
        policy->outcome = inc->found ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
    }
    incumbent_free(inc);
    space_free(&space);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

/* plan/exact.c - exact CCL: the stochastic L-updates policy of least maximum regret.
 *
 *   1. The least regret over policies that know the whole history, by column generation (plan/bnb/colgen.h): a lower bound, or the proof
 *      that the commitment cannot be kept. Its mixture, taken to the policy nodes in proportion to mass, is the first start.
 *   2. If every policy node has one likelihood class, that policy is optimal: sigma(n,a) and pi(a|n) determine each other, the
 *      whole problem is a linear program and column generation has solved it. What remains for local search, a step or two, is to keep
 *      the commitment exactly and not just within the tolerance of that program.
 *   3. Else local search (plan/spatial/multistart.h) from that start, from the best deterministic policy, from what each environment alone
 *      would do, and from random policies.
 *   4. If the gap is still open, branch and bound over boxes (plan/spatial/certify.h): a little of it always, all of it when asked for.
 */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "mdp/dp.h"
#include "plan/spatial/certify.h"
#include "plan/spatial/multistart.h"
#include "plan/methods.h"
#include "plan/bnb/colgen.h"
#include "policy/rules.h"
#include "plan/bnb/initial.h"

static const double DUST = 1e-12; /* action probabilities below this are dust of the mixture's weights */
/* Search nodes for the deterministic start, which need not be proved optimal: so many, and fewer where there are many classes, unless
 * nothing has kept the commitment yet. */
static const long long START_NODES = 300;
static const double START_VISITS = 3e5; /* nodes times classes */
static const int DEFAULT_RESTARTS = 48;
/* Without --certify the certificate is tried in so many backward inductions and visits of classes: a fraction of a second. */
static const double QUICK_SWEEPS = 8000, QUICK_VISITS = 5e6;
/* Steps of local search keep to their aim within this: margins it takes where policies have to spend the tolerance of the commitment. */
static const double STEPS_OFF = 2e-10;
/* Part of the gap that the tolerance may be worth before policies that spend it are looked for. */
static const double WORTH = 0.1;
/* Regrets are closer than this to the bound only by luck of rounding; local search need not go on. */
static const double CLOSED = 1e-8;
/* Shares of a time limit after which the graph of L > 0 is given up, the environment is revealed, and the first bound is left as it is: what
 * remains is for finding a policy. */
static const double GRAPH_SHARE = 0.3, DETAIL_SHARE = 0.4, BOUND_SHARE = 0.6;

/* Does every policy node have at most one class? */
static bool one_class_each(const know_classes *c)
{
    if (c->cut <= c->g->T) return false;
    for (int t = 0; t < c->g->T; t++)
        if (c->time_start[t + 1] - c->time_start[t] > c->g->time_start[t + 1] - c->g->time_start[t]) return false;
    return true;
}

/* prob [choices] of the mixture's mass; a node without mass keeps zeros. */
static void project(colgen *r, double prob[])
{
    const know_graph *g = r->space->g;
    colgen_mass(r);
    for (int n = 0; n < g->nodes; n++) {
        double sum = 0, kept = 0;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) sum += r->mass[c];
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            prob[c] = sum > 0 && r->mass[c] > DUST * sum ? r->mass[c] / sum : 0;
            kept += prob[c];
        }
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (kept > 0) prob[c] /= kept;
    }
}

/* Rules and figures of prob; nodes that sum to 0 take their first choice. */
static vouch_status write_policy(policy_space *space, double prob[], vouch_policy *policy)
{
    const know_graph *g = space->g;
    double *U = MEM_NEW(double, 2 * space->K), *reach = MEM_NEW(double, (size_t)g->nodes *(size_t)g->K);
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (U && reach) {
        for (int n = 0; n < g->time_start[g->T]; n++) {
            double sum = 0;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) sum += prob[c];
            if (sum == 0) prob[g->choice_start[n]] = 1;
        }
        status = space_use_given(space);
    }
    if (!status) {
        propagate_forward(g, prob, reach, U, U + space->K);
        policy_set_figures(policy, space->m, space->optimal, U, U + space->K);
        policy->has_policy = 1;
        status = rules_from_nodes(g, prob, reach, policy) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    }
    mem_free(U);
    mem_free(reach);
    return status;
}

/* Of the iterations allowed; as deadline_iterations_left. */
static long long iterations_left(const plan_call *call, const multistart *s)
{
    return deadline_iterations_left(&call->limit, call->policy->iterations + multistart_work(s));
}

/* The best deterministic policy found in a few nodes; its work is counted. */
static vouch_status start_deterministic(plan_call *call, const policy_space *space, multistart *s, double prob[], double enough)
{
    vouch_plan_options o = *call->options;
    vouch_policy *policy = policy_new(space->K);
    if (!policy) return VOUCH_ERROR_MEMORY;
    o.method = VOUCH_METHOD_MILP_CCL;
    o.engine = VOUCH_ENGINE_POLICY;
    o.least_total_regret = 0;
    o.start = NULL;
    o.progress = NULL;
    o.log = (vouch_log){0};
    plan_call inner = {call->m, &o, call->limit, policy, NULL, call->task};
    long long nodes =
        !multistart_found(s) ? START_NODES : 1 + (long long)fmin((double)START_NODES - 1, START_VISITS / space->c->classes);
    if (inner.limit.limits.nodes == 0 || inner.limit.limits.nodes > nodes) inner.limit.limits.nodes = nodes;
    inner.limit.limits.iterations = iterations_left(call, s);
    vouch_status status =
        policy_describe(policy, call->m, vouch_method_text(o.method), o.lookahead) ? VOUCH_ERROR_MEMORY : plan_ccl(&inner);
    call->policy->iterations += policy->iterations;
    if (!status && policy->has_policy && policy->L == space->g->L) {
        status = rules_to_nodes(policy, space->g, prob, NULL);
        if (!status) status = multistart_offer(s, START_DETERMINISTIC, prob, enough, &call->limit);
    }
    vouch_policy_free(policy);
    return status;
}

/* What environment k alone would do. */
static vouch_status start_alone(plan_call *call, const policy_space *space, multistart *s, double prob[], double enough)
{
    const vouch_model *m = space->m;
    double *alone = MEM_NEW(double, (size_t)m->T *(size_t)m->pairs), value;
    vouch_status status = alone ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0;
         k < m->K && !status && multistart_regret(s) > enough && !deadline_expired(&call->limit) && iterations_left(call, s) >= 0;
         k++) {
        status = dp_constrained(m, k, 0, m->s0, space->p[k], &value, alone);
        if (status) break;
        space_spread(space, alone, prob);
        status = multistart_offer(s, START_ALONE, prob, enough, &call->limit);
    }
    mem_free(alone);
    return status;
}

/* The policy in force when CCIL plans again, and the one the caller begins with. */
static vouch_status start_given(plan_call *call, const policy_space *space, multistart *s, double prob[], double enough)
{
    vouch_status status = VOUCH_OK;
    if (call->task && call->task->start) {
        space_spread(space, call->task->start, prob);
        status = multistart_offer(s, START_GIVEN, prob, enough, &call->limit);
    }
    if (status || !call->options->start) return status;
    status = initial_given_choices(space, call->options->start, prob, call->error);
    return status ? status : multistart_offer(s, START_GIVEN, prob, enough, &call->limit);
}

static void hand_records(const plan_call *call, const multistart *s)
{
    const vouch_plan_options *o = call->options;
    for (int i = 0; i < multistart_records(s) && o->restart; i++) {
        const descent_record *r = multistart_record(s, i);
        vouch_restart record = {i, start_kind_text(r->start), call->m->scale.spread * r->regret, r->shortfall, r->work, r->optimum};
        o->restart(o->restart_context, &record);
    }
}

static vouch_status search_locally(plan_call *call, const policy_space *space, double prob[], double enough, multistart *s)
{
    const vouch_plan_options *o = call->options;
    int restarts = o->restarts > 0 ? o->restarts : DEFAULT_RESTARTS;
    plan_progress(call, "local search", INFINITY, call->policy->bound, 0, 0);
    vouch_status status = multistart_offer(s, START_HISTORY, prob, enough, &call->limit);
    if (!status) status = start_given(call, space, s, prob, enough);
    if (!status && multistart_regret(s) > enough && iterations_left(call, s) >= 0)
        status = start_deterministic(call, space, s, prob, enough);
    if (!status && multistart_regret(s) > enough) status = start_alone(call, space, s, prob, enough);
    for (int done = 0; done < restarts && !status && iterations_left(call, s) >= 0;) {
        int count = call->limit.limits.iterations > 0 ? 1 : restarts - done; /* one by one where they are counted */
        status = multistart_restart(s, count, enough, &call->limit);
        done += count;
    }
    if (status) return status;
    call->policy->iterations += multistart_work(s);
    log_line(&o->log, VOUCH_LOG_DETAIL,
             "local search: regret %.10g, bound %.10g; %d descents to %d distinct ends, %lld simplex iterations, %.3f s",
             call->m->scale.spread * multistart_regret(s), call->m->scale.spread * call->policy->bound, multistart_records(s),
             multistart_optima(s), multistart_work(s), clock_seconds() - call->limit.start);
    hand_records(call, s);
    return VOUCH_OK;
}

/* Raises the bound, which is that of all policies that are accepted, and writes prob by projection of the best mixture that reaches the aim;
 * *least: what such policies cannot be better than, INFINITY where none reaches it. */
static vouch_status relax(plan_call *call, colgen *r, const double aim[], bool first, double prob[], double *least, colgen_end *end)
{
    long long inductions = r->inductions;
    deadline limit = deadline_share(&call->limit, BOUND_SHARE);
    r->gap = call->options->gap;
    r->most = call->limit.limits.iterations;
    colgen_set_aim(r, aim);
    vouch_status status = first ? colgen_start(r, NULL, 0) : colgen_change_aim(r, aim);
    if (!status) status = colgen_solve(r, INFINITY, 0, &limit, end);
    if (status) return status;
    call->policy->iterations += r->inductions - inductions;
    call->policy->bound = fmax(call->policy->bound, r->bound);
    *least = r->mixture;
    project(r, prob);
    return VOUCH_OK;
}

/* Policies that spend the tolerance of the commitment, where it is worth something: the bound is theirs too. */
static vouch_status spend_tolerance(plan_call *call, colgen *r, double prob[], double aim[], multistart *s, colgen_end *end)
{
    const double margin[] = {space_least_margin(r->space), STEPS_OFF};
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < 2 && !status && *end != COLGEN_INFEASIBLE; i++) {
        double least = INFINITY;
        space_aim(r->space, margin[i], aim);
        multistart_aim(s, aim);
        if (i == 0) status = relax(call, r, aim, false, prob, &least, end);
        double enough = fmax(call->policy->bound, isfinite(least) ? least : -INFINITY) + fmin(CLOSED, call->options->gap);
        if (status || *end == COLGEN_INFEASIBLE || multistart_regret(s) <= enough) break;
        status = multistart_offer(s, START_HISTORY, prob, enough, &call->limit);
        if (!status && multistart_found(s)) status = multistart_offer(s, START_GIVEN, multistart_best(s), enough, &call->limit);
        if (!status && i == 0 && multistart_regret(s) > enough) status = start_deterministic(call, r->space, s, prob, enough);
    }
    return status;
}

static void report(void *context, double value, double bound, long long nodes, long long open)
{
    plan_progress(context, "certificate", value, bound, nodes, open);
}

/* More than any policy's regret: U*(k) less the least reward in every step. */
static double regret_ceiling(const policy_space *space)
{
    const know_graph *g = space->g;
    double ceiling = 0;
    for (int k = 0; k < g->K; k++) {
        double least = 0;
        for (int q = 0; q < g->m->pairs; q++) least = fmin(least, g->reward[(size_t)q * (size_t)g->K + (size_t)k]);
        ceiling = fmax(ceiling, space->optimal[k] - g->T * least);
    }
    return ceiling + 1;
}

static vouch_status prove(plan_call *call, const policy_space *space, multistart *s)
{
    const vouch_plan_options *o = call->options;
    certify_options co;
    certify_result result;
    certify_options_init(&co);
    co.gap = o->gap;
    co.floor = call->policy->bound;
    co.ceiling = regret_ceiling(space);
    if (!o->certify) co.inductions = 1 + (long long)fmin(QUICK_SWEEPS, QUICK_VISITS / space->c->classes);
    long long left = deadline_iterations_left(&call->limit, call->policy->iterations);
    if (left < 0) return VOUCH_OK;
    if (left > 0 && (co.inductions == 0 || left < co.inductions)) co.inductions = left;
    co.limit = call->limit;
    co.progress = o->progress ? report : NULL;
    co.progress_context = call;
    vouch_status status = certify_run(space, s, &co, &result);
    if (status) return status;
    call->policy->nodes += result.nodes;
    call->policy->iterations += result.inductions;
    call->policy->bound = fmax(call->policy->bound, result.bound);
    if (result.infeasible) call->policy->outcome = VOUCH_PLAN_INFEASIBLE;
    log_line(&o->log, VOUCH_LOG_DETAIL, "certificate: regret %.10g, bound %.10g: %lld boxes, %lld backward inductions, %.3f s",
             call->m->scale.spread * multistart_regret(s), call->m->scale.spread * result.bound, result.nodes, result.inductions,
             clock_seconds() - call->limit.start);
    return VOUCH_OK;
}

static vouch_status solve(plan_call *call, policy_space *space, colgen *r, double prob[], double aim[])
{
    vouch_policy *policy = call->policy;
    multistart *s = NULL;
    colgen_end end;
    double least = INFINITY;
    policy->nodes = 1;
    policy->bound = policy->lowest = space->lowest;
    space_aim(space, INFINITY, aim);
    vouch_status status = relax(call, r, aim, true, prob, &least, &end);
    if (!status && end != COLGEN_INFEASIBLE) status = multistart_new(space, call->options->seed, call->options->threads, &s);
    if (s && !status && one_class_each(space->c))
        log_line(&call->options->log, VOUCH_LOG_DETAIL, "every policy node has one likelihood class: a linear program");
    if (s && !status && isfinite(least))
        status = search_locally(call, space, prob, fmax(policy->bound, least) + fmin(CLOSED, call->options->gap), s);
    bool worth = !isfinite(least) || least - policy->bound > WORTH * call->options->gap || !(s && multistart_found(s));
    if (s && !status && worth && multistart_regret(s) - policy->bound > call->options->gap)
        status = spend_tolerance(call, r, prob, aim, s, &end);
    if (s && !status && end != COLGEN_INFEASIBLE && multistart_regret(s) - policy->bound > call->options->gap)
        status = prove(call, space, s);
    if (!status && end == COLGEN_INFEASIBLE) {
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        policy->bound = INFINITY;
    } else if (!status && !multistart_found(s)) {
        policy->nearest = multistart_nearest(s);
    } else if (!status) {
        MEM_COPY(prob, multistart_best(s), space->g->choices);
        status = write_policy(space, prob, policy);
        policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    }
    multistart_free(s);
    return status;
}

vouch_status plan_exact(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    policy_space space = {0};
    space_options so;
    space_options_init(&so);
    so.L = o->lookahead;
    so.pareto_cap = 0;
    if (o->class_limit > 0) so.class_limit = o->class_limit;
    if (call->task) {
        so.p = call->task->p;
        so.tolerance = call->task->tolerance;
    }
    deadline graph_limit = deadline_share(&call->limit, GRAPH_SHARE), detail_limit = deadline_share(&call->limit, DETAIL_SHARE);
    so.limit = so.L > 0 ? &graph_limit : NULL;
    so.detail = &detail_limit;
    vouch_status status = space_make(call->m, &so, &space, call->error);
    if (status == VOUCH_ERROR_SIZE && so.L > 0) {
        log_line(&o->log, VOUCH_LOG_INFO,
                 "L = %d has too many knowledge states for the limits: the policy is a Markov one, and nothing is proved", so.L);
        return plan_markov(call, -INFINITY);
    }
    if (status) return status;
    if (space.c->cut <= space.g->T)
        log_line(&o->log, VOUCH_LOG_INFO, "too many likelihood classes: bounds assume the environment is known from time %d on",
                 space.c->cut);
    log_line(&o->log, VOUCH_LOG_DETAIL, "L = %d: %d policy nodes, %d choices, %d likelihood classes", so.L, space.g->nodes,
             space.g->choices, space.c->classes);
    colgen *r = NULL;
    double *prob = MEM_ZERO(double, space.g->choices), *aim = MEM_NEW(double, space.K);
    status = prob && aim ? colgen_new(&space, &r) : VOUCH_ERROR_MEMORY;
    if (!status) status = solve(call, &space, r, prob, aim);
    colgen_free(r);
    mem_free(prob);
    mem_free(aim);
    space_free(&space);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

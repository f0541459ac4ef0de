/* plan/exact.c - exact CCL: the stochastic L-updates policy of least maximum regret.
 *
 *   1. The least regret over history policies, by column generation (plan/colgen/colgen.h): a lower bound, or the proof that the
 *      commitment is infeasible. Its mixture, projected to the policy nodes in proportion to mass, is the first start.
 *   2. If every policy node has one likelihood class, that policy is optimal: sigma(n,a) and pi(a|n) determine each other, and the
 *      problem is the linear program just solved. A step or two of local search then keep the commitment exactly.
 *   3. Else local search (plan/spatial/box.h) from that start, from the best deterministic policy, from optimal policies of
 *      single environments, and from random policies.
 *   4. If the gap is still open, branch and bound over boxes (plan/spatial/box.h), in full only with --certify.
 *
 * Source: THEORY.md, sections 4 and 6; exact CCL: Zhang, Singh, Durfee, ICAPS 2017. Cost: the inductions of 1, O(slots K) each; a
 * descent a few hundred linear programs of K rows; 4 is exponential at worst. Invariant: the bound covers all accepted policies;
 * the best policy keeps p(k) by propagation.
 */

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/initial.h"
#include "plan/proof.h"
#include "plan/reach/reach_search.h"
#include "plan/search/record.h"
#include "policy/parameters.h"

/* Limit on search nodes for the deterministic start, lower with many classes if a policy already keeps the commitment. */
static const long long START_NODES = 300;
static const double START_VISITS = 3e5; /* nodes times classes */
static const int DEFAULT_RESTARTS = 48;
/* Limits on backward inductions and visits of classes for boxes without --certify: a fraction of a second. */
static const double QUICK_INDUCTIONS = 8000, QUICK_VISITS = 5e6;
/* Error of local search in its aim: the margin when policies use the tolerance of the commitment. */
static const double STEPS_OFF = 2e-10;
/* Value of the tolerance, as a part of the gap, above which policies that use it are searched. */
static const double WORTH = 0.1;
/* Local search ends this close to the bound, within rounding. */
static const double CLOSED = 1e-8;

/* Does every policy node have at most one class? */
static bool one_class_each(const know_classes *c)
{
    if (c->cut <= c->g->T) return false;
    for (int t = 0; t < c->g->T; t++)
        if (c->time_start[t + 1] - c->time_start[t] > c->g->time_start[t + 1] - c->g->time_start[t]) return false;
    return true;
}

typedef struct exact_search {
    plan_call *call;
    policy_space *space;
    colgen *r;
    multistart *starts;
    const multistart_result *local; /* of starts */
    double *prob;                   /* [choices] the start of local search */
    double *aim;                    /* [promises] */
    double least;                   /* least regret of policies that reach the aim; INFINITY: none does */
    double enough;                  /* the regret at which local search ends */
    colgen_end end;
} exact_search;

/* prob in proportion to the mixture's mass; zeros at nodes without mass. */
static void project(exact_search *x)
{
    const know_graph *g = x->space->g;
    colgen_mass(x->r);
    for (int n = 0; n < g->nodes; n++) space_distribution(x->r->mass, x->prob, g->choice_start[n], g->choice_start[n + 1]);
}

static vouch_status offer(exact_search *x, start_kind start, const double prob[])
{
    long long before = x->local->work;
    vouch_status status = multistart_offer(x->starts, start, prob, x->enough, &x->call->limit);
    deadline_use(&x->call->limit, 0, x->local->work - before);
    return status;
}

/* The best deterministic policy found in a few nodes; its work is counted. */
static vouch_status start_deterministic(exact_search *x)
{
    plan_call *call = x->call;
    const policy_space *space = x->space;
    vouch_plan_options o = *call->options;
    vouch_policy *policy = policy_new(space->K);
    if (!policy) return VOUCH_ERROR_MEMORY;
    o.method = VOUCH_METHOD_MILP_CCL;
    o.engine = VOUCH_ENGINE_POLICY;
    o.least_total_regret = 0;
    o.start = NULL;
    o.progress = NULL;
    o.log = (vouch_log){0};
    plan_call inner = {call->m, &o,         call->limit, policy, NULL,  call->without, NULL,
                       NULL,    call->task, call->first, NULL,   false, NULL};
    long long nodes =
        !x->local->found ? START_NODES : 1 + (long long)fmin((double)START_NODES - 1, START_VISITS / space->c->classes);
    inner.limit = deadline_part(&call->limit, nodes, 0);
    vouch_status status =
        policy_describe(policy, call->m, vouch_method_text(o.method), o.lookahead) ? VOUCH_ERROR_MEMORY : plan_ccl(&inner);
    deadline_use(&call->limit, 0, inner.limit.iterations);
    if (!status && policy->has_policy && policy->L == space->g->L) {
        status = rules_to_nodes(policy, space->g, x->prob, NULL);
        if (!status) status = offer(x, START_DETERMINISTIC, x->prob);
    }
    vouch_policy_free(policy);
    return status;
}

static vouch_status start_alone(exact_search *x)
{
    const plan_call *call = x->call;
    const policy_space *space = x->space;
    const vouch_model *m = space->m;
    double *alone = MEM_NEW(double, (size_t)m->T *(size_t)m->pairs);
    vouch_status status = alone ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status && x->local->regret > x->enough && !deadline_expired(&call->limit) &&
                    !deadline_used_up(&x->call->limit);
         k++) {
        status = space_alone(space, k, alone);
        if (status) break;
        space_spread(space->g, alone, x->prob);
        status = offer(x, START_ALONE, x->prob);
    }
    mem_free(alone);
    return status;
}

/* The current policy of CCIL, and the start given by the caller. */
static vouch_status start_given(exact_search *x)
{
    const plan_call *call = x->call;
    const policy_space *space = x->space;
    vouch_status status = VOUCH_OK;
    if (call->task && call->task->start) {
        space_spread(space->g, call->task->start, x->prob);
        status = offer(x, START_GIVEN, x->prob);
    }
    if (status || !call->options->start) return status;
    status = initial_choices(space->g, call->options->start, x->prob, call->error);
    return status ? status : offer(x, START_GIVEN, x->prob);
}

static void report_descents(const exact_search *x)
{
    const plan_call *call = x->call;
    const vouch_plan_options *o = call->options;
    for (int i = 0; i < x->local->descents && o->restart; i++) {
        const descent_record *r = &x->local->record[i];
        vouch_restart record = {i, start_kind_text(r->start), call->m->scale.spread * r->regret, r->shortfall, r->work, r->optimum};
        o->restart(o->restart_context, &record);
    }
}

static vouch_status search_locally(exact_search *x)
{
    plan_call *call = x->call;
    multistart *s = x->starts;
    const vouch_plan_options *o = call->options;
    int restarts = o->restarts > 0 ? o->restarts : DEFAULT_RESTARTS;
    plan_progress(call, "local search", INFINITY, call->policy->bound, 0, 0);
    vouch_status status = offer(x, START_HISTORY, x->prob);
    if (!status) status = start_given(x);
    if (!status && x->local->regret > x->enough && !deadline_used_up(&x->call->limit)) status = start_deterministic(x);
    if (!status && x->local->regret > x->enough) status = start_alone(x);
    for (int done = 0; done < restarts && !status && !deadline_used_up(&call->limit);) {
        int count = call->limit.limits.iterations > 0 ? 1 : restarts - done; /* one by one under a limit */
        long long before = x->local->work;
        status = multistart_restart(s, count, x->enough, &call->limit);
        deadline_use(&call->limit, 0, x->local->work - before);
        done += count;
    }
    if (status) return status;
    log_line(&o->log, VOUCH_LOG_INFO,
             "local search: regret %.10g, bound %.10g; %d descents to %d distinct ends, %lld simplex iterations, %.3f s",
             call->m->scale.spread * x->local->regret, call->m->scale.spread * call->policy->bound, x->local->descents,
             x->local->optima, x->local->work, clock_seconds() - call->limit.start);
    report_descents(x);
    return VOUCH_OK;
}

/* Raises the bound on all accepted policies, and projects the best mixture that reaches the aim to prob. */
static vouch_status bound_by_history(exact_search *x)
{
    colgen *r = x->r;
    vouch_policy *policy = x->call->policy;
    long long inductions = r->inductions;
    deadline limit = deadline_share(&x->call->limit, TIME.exact_bound);
    r->gap = x->call->options->gap;
    r->most = x->call->limit.limits.iterations;
    vouch_status status = colgen_aim(r, x->aim);
    record_alone(x->call->options->trace, r, "mixtures of policies that know the whole history");
    if (!status) status = colgen_solve(r, INFINITY, 0, &limit, &x->end);
    if (!status) status = record_alone_end(x->call->options->trace, r);
    if (!status && x->call->proof) status = proof_single(x->call->proof, r, x->end == COLGEN_INFEASIBLE);
    if (status) return status;
    deadline_use(&x->call->limit, 0, r->inductions - inductions);
    policy->bound = fmax(policy->bound, r->bound);
    x->least = r->mixture;
    log_line(&x->call->options->log, VOUCH_LOG_INFO, "policies that remember the whole history: bound %.10g, by a mixture of %d",
             x->call->m->scale.spread * r->bound, r->count);
    CHECK_COMPARE(r->inductions, >=, inductions);
    project(x);
    return VOUCH_OK;
}

/* Searches policies that use the tolerance of the commitment, which the bound covers, too. */
static vouch_status spend_tolerance(exact_search *x)
{
    const double margin[] = {commitment_rounding(x->space->m->T), STEPS_OFF};
    plan_call *call = x->call;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < 2 && !status && x->end != COLGEN_INFEASIBLE; i++) {
        x->least = INFINITY;
        space_aim(x->space, margin[i], x->aim);
        multistart_aim(x->starts, x->aim);
        if (i == 0) status = bound_by_history(x);
        x->enough = fmax(call->policy->bound, isfinite(x->least) ? x->least : -INFINITY) + fmin(CLOSED, call->options->gap);
        if (status || x->end == COLGEN_INFEASIBLE || x->local->regret <= x->enough) break;
        status = offer(x, START_HISTORY, x->prob);
        if (!status && x->local->found) status = offer(x, START_GIVEN, x->local->best);
        if (!status && i == 0 && x->local->regret > x->enough) status = start_deterministic(x);
    }
    return status;
}

/* Raises the bound by intervals of reach, where transitions rather than actions decide which states are reached. */
static vouch_status bound_by_reach(exact_search *x)
{
    plan_call *call = x->call;
    const know_graph *g = x->space->g;
    long long pass = (long long)g->edges * (g->K / g->m->group), left = deadline_iterations_left(&call->limit, 0);
    if (part_off(call->without, VOUCH_PART_REACH) || call->proof || left < 0 || !x->local->found) return VOUCH_OK;
    deadline share = deadline_share(&call->limit, TIME.intervals);
    reach_options o = {.most_spread = REACH_MOST_SPREAD,
                       .target = x->local->regret,
                       .known = call->policy->bound,
                       .most_work = left > 0 ? left * pass : LLONG_MAX,
                       .limit = &share};
    reach_result result;
    int *pick = MEM_NEW(int, g->nodes);
    if (!pick) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < g->nodes; n++) {
        pick[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            if (pick[n] < 0 || x->local->best[c] > x->local->best[pick[n]]) pick[n] = c;
    }
    vouch_status status = reach_root(x->space, pick, &o, &result);
    mem_free(pick);
    deadline_use(&call->limit, 0, result.work / pass);
    call->policy->bound = fmax(call->policy->bound, fmin(result.bound, x->local->regret));
    x->enough = fmax(x->enough, call->policy->bound + fmin(CLOSED, call->options->gap));
    return status;
}

static void report(void *context, double value, double bound, long long nodes, long long open)
{
    plan_progress(context, "certificate", value, bound, nodes, open);
}

/* More than every policy's regret: U*(k) less the least reward in every step. */
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

static vouch_status prove(exact_search *x)
{
    plan_call *call = x->call;
    const policy_space *space = x->space;
    const vouch_plan_options *o = call->options;
    certify_result result;
    long long left = deadline_iterations_left(&call->limit, 0);
    certify_options co = {.gap = o->gap,
                          .floor = call->policy->bound,
                          .ceiling = regret_ceiling(space),
                          .inductions = left,
                          .agree = !part_off(call->without, VOUCH_PART_AGREEMENT),
                          .limit = call->limit,
                          .trace = o->trace,
                          .progress = report,
                          .progress_context = call};
    if (left < 0) return VOUCH_OK;
    long long quick = 1 + (long long)fmin(QUICK_INDUCTIONS, QUICK_VISITS / space->c->classes);
    if (!o->certify && (left == 0 || quick < left)) co.inductions = quick;
    CHECK(isfinite(co.ceiling) && co.floor <= co.ceiling);
    box_proof proof = {.ceiling = co.ceiling};
    vouch_status status = call->proof ? box_proof_begin(&proof, space, co.ceiling) : VOUCH_OK;
    if (call->proof) co.witness = &proof.witness;
    if (!status) status = certify_run(space, x->starts, &co, &result);
    box_proof_end(&proof, status ? NULL : call->proof);
    if (status) return status;
    deadline_use(&call->limit, result.nodes, result.inductions);
    call->policy->bound = fmax(call->policy->bound, result.bound);
    if (result.infeasible) call->policy->outcome = VOUCH_PLAN_INFEASIBLE;
    log_line(&o->log, VOUCH_LOG_INFO, "certificate: regret %.10g, bound %.10g: %lld boxes, %lld backward inductions, %.3f s",
             call->m->scale.spread * x->local->regret, call->m->scale.spread * result.bound, result.nodes, result.inductions,
             clock_seconds() - call->limit.start);
    return VOUCH_OK;
}

static bool open_gap(const exact_search *x) { return x->local->regret - x->call->policy->bound > x->call->options->gap; }

static vouch_status solve(exact_search *x)
{
    vouch_policy *policy = x->call->policy;
    const vouch_plan_options *o = x->call->options;
    deadline_use(&x->call->limit, 1, 0);
    policy->bound = 0;
    policy->steep = x->space->steep;
    x->least = INFINITY;
    space_aim(x->space, INFINITY, x->aim);
    vouch_status status = bound_by_history(x);
    if (!status && x->end == COLGEN_INFEASIBLE) {
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        policy->bound = INFINITY;
        return status;
    }
    if (!status) status = multistart_new(x->space, o->seed, o->trace ? 1 : o->threads, &x->starts);
    if (status) return status;
    x->local = multistart_result_of(x->starts);
    multistart_watch(x->starts, o->trace);
    if (one_class_each(x->space->c))
        log_line(&o->log, VOUCH_LOG_DETAIL, "every policy node has one likelihood class: a linear program");
    x->enough = fmax(policy->bound, x->least) + fmin(CLOSED, o->gap);
    if (isfinite(x->least)) status = search_locally(x);
    if (!status && open_gap(x)) status = bound_by_reach(x);
    bool worth = !isfinite(x->least) || x->least - policy->bound > WORTH * o->gap || !x->local->found;
    if (!status && worth && open_gap(x)) status = spend_tolerance(x);
    if (!status && x->end != COLGEN_INFEASIBLE && open_gap(x)) status = prove(x);
    CHECK(status || (x->end != COLGEN_INFEASIBLE && policy->outcome != VOUCH_PLAN_INFEASIBLE) || !x->local->found);
    if (!status && x->end == COLGEN_INFEASIBLE) {
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        policy->bound = INFINITY;
    } else if (!status && !x->local->found) {
        policy->nearest = x->local->nearest;
    } else if (!status) {
        MEM_COPY(x->prob, x->local->best, x->space->g->choices);
        /* Unreachable nodes, which sum to 0, take their first choice. */
        for (int n = 0; n < x->space->g->time_start[x->space->g->T]; n++) {
            double sum = 0;
            for (int c = x->space->g->choice_start[n]; c < x->space->g->choice_start[n + 1]; c++) sum += x->prob[c];
            if (sum == 0) x->prob[x->space->g->choice_start[n]] = 1;
        }
        status = space_write_policy(x->space, x->prob, false, policy);
        policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    }
    return status;
}

vouch_status plan_exact(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    policy_space space = {0};
    space_options so = plan_space_options(call, o->lookahead);
    vouch_status status = plan_space(call, &so, &space);
    if (status == VOUCH_ERROR_SIZE || plan_memory_over(status)) {
        log_line(
            &o->log, VOUCH_LOG_INFO,
            "L = %d has too many knowledge states for the limits: the policy is a deterministic Markov one, and nothing is proved",
            so.L);
        return plan_markov(call, -INFINITY);
    }
    if (status) return status;
    if (space.late) {
        space_free(&space);
        return plan_markov(call, -INFINITY);
    }
    exact_search x = {
        .call = call, .space = &space, .prob = MEM_ZERO(double, space.g->choices), .aim = MEM_NEW(double, space.promises)};
    status = x.prob && x.aim ? colgen_new(&space, &x.r) : VOUCH_ERROR_MEMORY;
    if (!status) status = solve(&x);
    multistart_free(x.starts);
    colgen_free(x.r);
    mem_free(x.prob);
    mem_free(x.aim);
    space_free(&space);
    if (plan_memory_over(status)) return plan_markov(call, -INFINITY); /* with the memory now free */
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

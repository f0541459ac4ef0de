/* plan/ccl.c - MILP-CCL: the deterministic L-updates policy of least maximum regret, and among those of least total regret.
 *
 *     min over deterministic pi in Pi_c of  max_k U*_c(k) - U(k),     then of  sum_k U*_c(k) - U(k)  with that maximum
 *
 * Two engines give the same answer: branch and bound on policies (plan/bnb/search.h) and the compact program by LP-based branch and
 * bound (plan/ccl_program.h). When the knowledge states of L are too many for memory, Markov policies, which are
 * L-updates policies for every L, are searched instead and nothing is claimed about the optimum.
 * Source: Zhang, Singh, Durfee, ICAPS 2017; THEORY.md, sections 2 and 5. Cost: exponential in the policy nodes at worst; an
 * induction O(arcs K). Invariant: the incumbent keeps the commitment by propagation, and policy->bound only grows.
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "plan/ccl_program.h"
#include "plan/few.h"
#include "plan/ladder.h"
#include "plan/methods.h"
#include "plan/proof.h"
#include "plan/bnb/forward.h"
#include "plan/bnb/forward_regret.h"
#include "plan/bnb/search_group.h"
#include "plan/bnb/initial.h"
#include "plan/bnb/proof_writer.h"

/* Shares of a time limit after which the graph of L > 0 is given up, Pareto sets and classes are left coarse, initial Markov
 * policies and all initial policies end. */
static const double GRAPH_SHARE = 0.3, DETAIL_SHARE = 0.4, MARKOV_SHARE = 0.5, INITIAL_SHARE = 0.6;
/* The same of Pareto sets and classes that are made after searches which need none. */
static const double LATE_DETAIL_SHARE = 0.7;

/* Vectors of a node where a proof is written, which has a line for those of the root: they are more than those of the nodes below.
 */
enum { PROOF_PARETO_CAP = 2 * PARETO_CAP };

/* Edges times environments, summed over the environments whose own policies are offered before few of many are searched; fewest of
 * them. */
static const double OFFERED_WORK = 1e7, FEWEST_OFFERED = 2;

/* Share of a time limit of what is searched forward in time: the policy search bounds better what is left. */
static const double FORWARD_SHARE = 0.5;

typedef struct stage_report {
    const plan_call *call;
    const double *known; /* a bound that no search need show again */
    const char *stage;
} stage_report;

static void report(void *context, double value, double bound, long long nodes, long long open)
{
    const stage_report *r = context;
    plan_progress(r->call, r->stage, value, fmax(bound, *r->known), nodes, open);
}

/* Are few of many environments searched first? */
static bool few_first(const plan_call *call, int L)
{
    const vouch_plan_options *o = call->options;
    return call->m->K / call->m->group >= FEW_OF_MANY && !part_off(call->without, VOUCH_PART_SCENARIOS) && L == 0 &&
           o->objective != VOUCH_OBJECTIVE_WEIGHTED && o->engine != VOUCH_ENGINE_LP;
}

/* Environments whose own policies are offered: fewer where it takes long and few environments are searched first, which offer more;
 * none then where no policy is known that keeps the promises: those find one sooner. */
static int environments_offered(const plan_call *call, const policy_space *space, bool found)
{
    double most = OFFERED_WORK / ((double)space->g->edges * space->K);
    if (!few_first(call, space->g->L)) return INITIAL_ENVIRONMENTS;
    if (!found && most < FEWEST_OFFERED + 1) return 0;
    return (int)fmax(FEWEST_OFFERED, fmin(INITIAL_ENVIRONMENTS, most));
}

static vouch_status initial_incumbents(const plan_call *call, const policy_space *space, incumbent *inc)
{
    const initial_policy *first = call->first;
    deadline markov = deadline_share(&call->limit, MARKOV_SHARE), all = deadline_share(&call->limit, INITIAL_SHARE);
    vouch_status status = VOUCH_OK;
    if (first) {
        inc->limit = &markov;
        initial_markov(inc, first->table);
        inc->limit = NULL;
        plan_progress(call, "the first policy improved", incumbent_value(inc), space->lowest, 0, 0);
    }
    if (call->task && call->task->start) initial_markov(inc, call->task->start);
    if (call->options->start && space->g->L == call->options->lookahead) /* else Markov policies are all that fits */
        status = initial_given(inc, call->options->start, call->error);
    if (!status && space->g->L > 0) status = initial_from_markov(inc, &markov);
    inc->limit = inc->found ? &all : &call->limit;
    if (!status) status = initial_single_environments(inc, environments_offered(call, space, inc->found), &all);
    inc->limit = &call->limit;
    if (!status && !inc->found && deadline_expired(&all)) initial_safest(inc);
    if (first) plan_progress(call, "initial policies", incumbent_value(inc), space->lowest, 0, 0);
    return status;
}

/* What is left where time is out before the constrained optima are known: a policy that keeps the promises, if it is found at once.
 */
static void plan_late(plan_call *call, const policy_space *space, incumbent *inc)
{
    vouch_policy *policy = call->policy;
    log_line(&call->options->log, VOUCH_LOG_ERROR,
             "no time to find the best policy of each environment alone: optimal values and regrets are upper bounds, and nothing "
             "is proved of the regret");
    inc->limit = &call->limit;
    if (call->task && call->task->start) initial_markov(inc, call->task->start);
    if (call->first) initial_markov(inc, call->first->table);
    if (!inc->found) initial_safest(inc);
    policy->bound = space->lowest;
    policy->outcome = inc->found ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
}

/* Room for what the search shows of the regret of determinism, NAN until then. */
static vouch_status want_determinism(const plan_call *call)
{
    vouch_policy *policy = call->policy;
    if (call->task || call->options->method != VOUCH_METHOD_MILP_CCL) return VOUCH_OK;
    if (call->options->objective == VOUCH_OBJECTIVE_MAX_MIN) return VOUCH_OK; /* nothing is counted from U* */
    policy->determinism = ARENA_NEW(&policy->memory, double, policy->K);
    if (!policy->determinism) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < policy->K; k++) policy->determinism[k] = NAN;
    return VOUCH_OK;
}

/* Drops it unless it is known of every environment. */
static void settle_determinism(vouch_policy *policy)
{
    for (int k = 0; k < policy->K && policy->determinism; k++)
        if (!isfinite(policy->determinism[k])) policy->determinism = NULL;
}

/* What the lines of a search say (plan/bnb/search.c). */
static void explain_log(const vouch_log *log, const vouch_model *m, const incumbent *inc)
{
    static const char *const lines[] = {
        "nodes        sets of policies that are settled; a line at 1, 2, 4, 8 .., where a better policy was found, and at the end",
        "open         sets of policies that wait",
        "best         maximum regret of the best policy found, bound: what no policy can be below; the search ends where they meet",
        "inductions   backward inductions over likelihood classes: the unit of work",
        "    nodes      open            best           bound  inductions  seconds"};
    if (inc->found)
        log_line(log, VOUCH_LOG_INFO, "policies to begin with: the best has a maximum regret of %.9g",
                 m->scale.spread * inc->value.max_regret);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(log, VOUCH_LOG_INFO, "%s", lines[i]);
}

/* May a search that needs no classes show all? None does of what coins are worth where promises bind; but few of many environments,
 * whose classes are their own, come to a policy while those of all would be made. */
static bool search_without_classes(const plan_call *call)
{
    const vouch_plan_options *o = call->options;
    bool binds = false;
    for (int k = 0; k < call->m->K; k++) binds |= (call->task ? call->task->p[k] : call->m->env[k].p) > 0;
    if (o->engine == VOUCH_ENGINE_LP) return false;
    return few_first(call, o->lookahead) || (!binds && !part_off(call->without, VOUCH_PART_STAGEWISE));
}

/* Where no promise binds policies are searched forward in time first; *known: the bound shown. *done: nothing remains, not even of
 * the total regret. A proof has no line for it. */
static vouch_status search_forward(plan_call *call, const policy_space *space, incumbent *inc, double *known, bool *done)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    *done = false;
    if (part_off(call->without, VOUCH_PART_STAGEWISE) || space->floor || space_may_bind(space) ||
        *known >= incumbent_cutoff(inc, o->gap) || plan_worked_enough(call))
        return VOUCH_OK;
    forward_result result;
    deadline share = deadline_share(&call->limit, FORWARD_SHARE);
    stage_log log = {.space = space, .trace = o->trace, .ids = policy->ids};
    if (o->on_node) log.on_node = plan_report_node, log.on_node_context = call;
    if (call->limit.limits.nodes > 0) log.most = call->limit.limits.nodes - policy->nodes;
    forward_options fo = {.gap = o->gap,
                          .seed = o->seed,
                          .walks = !part_off(call->without, VOUCH_PART_THRESHOLD_ACCEPTING),
                          .most_visits = deadline_iterations_left(&call->limit, policy->iterations),
                          .limit = &share,
                          .log = &log};
    vouch_status status = space->share ? forward_search(space, inc, &fo, &result) : forward_regret_search(space, inc, &fo, &result);
    policy->nodes += log.nodes;
    policy->ids = log.ids;
    policy->iterations += result.visits;
    *known = fmax(*known, result.bound);
    *done = space->share && !status && result.finished && inc->found;
    log_line(&o->log, VOUCH_LOG_INFO, "forward in time: %s regret %.10g, bound %.10g: %lld nodes, %lld nodes of histories, %.3f s",
             space->share ? "mean" : "maximum", call->m->scale.spread * inc->value.max_regret, call->m->scale.spread * result.bound,
             log.nodes, result.visits, clock_seconds() - call->limit.start);
    return status;
}

/* Is what was shown all that is needed, and written down where a proof is? */
static bool shown(const plan_call *call, const incumbent *inc, double known)
{
    double cutoff = incumbent_cutoff(inc, call->options->gap);
    return inc->found && known >= cutoff && (!call->proof || proof_reaches(call->proof, cutoff));
}

/* Searches that need no classes; where more is needed, or it is asked what coins would be worth, those of `detail` are made. *done:
 * all is known. */
static vouch_status search_first(plan_call *call, policy_space *space, space_options *detail, incumbent *inc, double *known,
                                 bool *done)
{
    vouch_policy *policy = call->policy;
    vouch_status status = few_first(call, space->g->L) ? few_search(call, space, inc, known) : VOUCH_OK;
    if (!status && !inc->found && *known == INFINITY) {
        policy->bound = *known;
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        *done = !call->proof; /* which is about all environments */
        *known = -INFINITY;
        if (*done) return VOUCH_OK;
    }
    if (!status) status = search_forward(call, space, inc, known, done);
    if (!space->share && !call->options->least_total_regret && !space_may_bind(space)) *done = shown(call, inc, *known);
    if (*done) {
        policy->bound = fmax(space->lowest, fmin(*known, incumbent_value(inc)));
        policy->outcome = VOUCH_PLAN_OPTIMAL;
        for (int k = 0; k < policy->K && policy->determinism && !space->share; k++) policy->determinism[k] = 0;
    } else if (!status && !space->c)
        status = plan_space_detail(call, detail, LATE_DETAIL_SHARE, space);
    return status;
}

/* Parts that a proof has of the largest regret alone. */
static search_parts proof_without(const plan_call *call) { return call->proof ? part_set(VOUCH_PART_DOMINANCE) : 0; }

/* A tree of the total regret is to be written. Its bounds count with the cap as it is written, which may have large multipliers. */
static void write_total(plan_call *call, incumbent *inc)
{
    double cap = proof_cap(call->m, inc->bound_cap);
    proof_seek_total(call->total, cap, call->proof->named);
    inc->bound_cap = cap / call->m->scale.spread;
}

static vouch_status search_policies(plan_call *call, policy_space *space, space_options *detail, incumbent *inc)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    ladder rungs = {.count = 0};
    search_options so;
    stage_report context = {.call = call, .known = &rungs.known, .stage = "maximum regret"};
    search_options_init(&so);
    so.gap = o->gap;
    if (want_determinism(call)) return VOUCH_ERROR_MEMORY;
    so.determinism = policy->determinism;
    so.seed = o->seed;
    so.threads = o->threads;
    so.workers = o->workers;
    so.window = o->window;
    so.grain = o->grain;
    so.journal = o->journal;
    so.without = call->without | (space->share ? proof_without(call) : 0);
    so.on_node = o->on_node ? plan_report_node : NULL;
    so.on_node_context = call;
    so.limit = call->limit;
    so.trace = o->trace;
    so.log = o->log;
    so.progress = o->progress ? report : NULL;
    so.progress_context = &context;
    bool done = false;
    double forward = -INFINITY;
    vouch_status status = search_first(call, space, detail, inc, &forward, &done);
    if (space->share || forward >= incumbent_cutoff(inc, o->gap))
        so.floor = forward; /* it is all that is needed; else rungs could not be told apart below it */
    if (status || done) goto settle;
    bool by_vectors = call->proof && space->f; /* of the root: they are all there is to say */
    bool written = call->proof && shown(call, inc, forward);
    so.proof = by_vectors || written ? NULL : call->proof;
    if (!call->task || !call->task->start) explain_log(&o->log, call->m, inc); /* of plans made again the first will do */
    status = ladder_search(&rungs, call, space, inc, &so);
    if (!status && by_vectors && !written) status = proof_vectors(call->proof, space);
    if (status) goto settle;
    search_result result = rungs.last->result;
    policy->bound = fmax(fmax(result.bound, rungs.known), fmin(forward, incumbent_value(inc)));
    log_line(&o->log, VOUCH_LOG_DETAIL, "maximum regret %.10g, bound %.10g: %lld nodes, %lld backward inductions, %.3f s",
             call->m->scale.spread * inc->value.max_regret, call->m->scale.spread * policy->bound, policy->nodes,
             policy->iterations, clock_seconds() - call->limit.start);
    if (result.infeasible)
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
    else if (!inc->found)
        policy->outcome = result.limit ? VOUCH_PLAN_LIMIT : VOUCH_PLAN_NUMERICAL;
    else
        policy->outcome = result.proved ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
    long long left = deadline_iterations_left(&call->limit, policy->iterations);
    if (inc->found && result.proved && o->least_total_regret && !space->share && left >= 0) {
        context.stage = "total regret";
        rungs.known = -INFINITY;
        incumbent_seek_total(inc, o->gap - (inc->value.max_regret - policy->bound));
        so.limit = call->limit;
        so.limit.limits.iterations = left;
        so.most_inductions = o->tie_break_work;
        so.most_nodes = 0;
        so.first_id = 1;
        so.determinism = NULL;
        so.floor = so.elsewhere = -INFINITY;
        so.on_node = NULL;
        so.proof = by_vectors ? NULL : call->total;
        so.without |= proof_without(call);
        if (call->total) write_total(call, inc);
        log_line(&o->log, VOUCH_LOG_INFO,
                 "the least total regret among policies of that maximum is sought: best and bound are total regrets now");
        status = search_shared(rungs.last->r, inc, MASTER_TOTAL_REGRET, &so, &result);
        policy->nodes += result.nodes;
        policy->total_nodes = result.nodes;
        policy->iterations += result.inductions;
        CHECK_COMPARE(inc->value.max_regret, <=, inc->cap);
        policy->total_bound = fmin(result.bound, inc->value.total_regret);
        if (!status && by_vectors && call->total) status = proof_vectors(call->total, space);
    }
settle:
    settle_determinism(policy);
    ladder_clear(&rungs);
    return status;
}

vouch_status plan_markov(plan_call *call, double bound)
{
    vouch_plan_options markov = *call->options;
    plan_call inner = *call;
    markov.lookahead = 0;
    markov.start = NULL;
    inner.options = &markov;
    call->policy->L = 0;
    vouch_status status = plan_ccl(&inner);
    call->policy->bound = bound;
    call->policy->total_bound = NAN;
    if (call->policy->has_policy && !call->policy->late)
        call->policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    if (!call->policy->has_policy) call->policy->outcome = VOUCH_PLAN_LIMIT;
    return status;
}

vouch_status plan_ccl(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0};
    incumbent *inc = NULL;
    space_options so = plan_space_options(call, o->lookahead);
    if (o->engine != VOUCH_ENGINE_LP && !part_off(call->without, VOUCH_PART_PARETO_VECTORS))
        so.pareto_cap = call->proof ? PROOF_PARETO_CAP : PARETO_CAP;
    so.for_root = call->proof != NULL; /* sets of other nodes have no line in a proof */
    if (call->task) so.floor = call->task->floor;
    if (o->engine != VOUCH_ENGINE_LP && !part_off(call->without, VOUCH_PART_LEVELS)) so.class_limit = LADDER_CLASSES;
    bool smaller = false; /* only Markov policies were searched */
    if (call->first) so.most = call->first->most;
    space_options detail = so;
    if (search_without_classes(call)) so.classes = so.pareto_cap = 0;
    vouch_status status = plan_space(call, &so, GRAPH_SHARE, DETAIL_SHARE, &space);
    if (status == VOUCH_ERROR_SIZE && so.L > 0) {
        log_line(&o->log, VOUCH_LOG_INFO,
                 "L = %d has too many knowledge states for the limits; searching Markov policies (L = 0), which are L-updates "
                 "policies for every L",
                 so.L);
        smaller = true;
        so.L = policy->L = 0;
        status = plan_space(call, &so, GRAPH_SHARE, DETAIL_SHARE, &space);
    }
    if (status) return status;
    policy->lowest = space.lowest;
    status = incumbent_new(&space, &inc);
    double since = trace_start(o->trace);
    if (!status && !space.late) status = initial_incumbents(call, &space, inc);
    trace_stop(o->trace, KERNEL_local_search, since);
    if (!status && space.late)
        plan_late(call, &space, inc);
    else if (!status)
        status = o->engine == VOUCH_ENGINE_LP ? ccl_program_solve(call, &space, inc) : search_policies(call, &space, &detail, inc);
    if (!status && inc->found) {
        CHECK_COMPARE(inc->value.shortfall, <=, 0);
        propagate_pick(space.g, inc->best, inc->prob);
        status = space_write_policy(&space, inc->prob, false, policy);
    }
    if (!status && smaller) { /* an optimum or impossibility for L = 0 proves nothing for L */
        policy->bound = policy->lowest;
        policy->outcome = !inc->found  ? VOUCH_PLAN_LIMIT
                          : space.late ? VOUCH_PLAN_FEASIBLE
                                       : VOUCH_PLAN_OPTIMAL; /* if it meets the lowest: plan_settle */
    }
    incumbent_free(inc);
    space_free(&space);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

/* plan/ccl.c - MILP-CCL: the deterministic L-updates policy of least maximum regret and, with that maximum, of least total regret.
 *
 *     min over deterministic pi in Pi_c of  max_k U*_c(k) - U(k),     then of  sum_k U*_c(k) - U(k)  with that maximum
 *
 * Two engines give the same answer: branch and bound on policies (plan/methods.h is the whole search), and the compact program by
 * LP-based branch and bound. If L has too many knowledge states for memory, Markov policies, which are L-updates policies for every
 * L, are searched instead, without a bound. Source: Zhang, Singh, Durfee, ICAPS 2017; THEORY.md, sections 2 and 5. Cost:
 * exponential in the policy nodes at worst; an induction O(arcs K). Invariant: the incumbent keeps the commitment by propagation.
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/heuristic/initial.h"
#include "plan/heuristic/local_search.h"
#include "plan/methods.h"
#include "policy/parameters.h"
#include "program/program.h"

/* Limit on vectors of a node with proofs, which have a line for the root's only: these are more than at other nodes. */
enum { PROOF_PARETO_CAP = 2 * PARETO_CAP };

/* Before scenarios: limit on edges times environments, summed over the environments whose policies are offered; their least number.
 */
static const double OFFERED_WORK = 1e7, FEWEST_OFFERED = 2;

/* Number of environments whose optimal policies are offered. Fewer if that is slow and scenarios follow, which offer more; none
 * while no policy keeps the promises, since scenarios find one sooner. */
static int environments_offered(const plan_call *call, const policy_space *space, bool found)
{
    double most = OFFERED_WORK / ((double)space->g->edges * space->K);
    if (!schedule_has_scenarios(call, space->g->L)) return INITIAL_ENVIRONMENTS;
    if (!found && most < FEWEST_OFFERED + 1) return 0;
    return (int)fmax(FEWEST_OFFERED, fmin(INITIAL_ENVIRONMENTS, most));
}

/* A plan of L > 0 with a large graph begins with a search of Markov policies within a share of the time, inductions and nodes: they
 * are L-updates policies for every L. */
static const double MARKOV_WORK = 1e5; /* edges times environments */
enum { MARKOV_ITERATIONS = 2000, MARKOV_NODES = 500, LIMIT_PART = 3 };

/* Limits of a graph with one action a node. */
enum { BARE_NODES = 100000, BARE_EDGES = 1000000 };

static long long part_of_limit(long long limit, long long most)
{
    return limit > 0 && limit / LIMIT_PART < most ? limit / LIMIT_PART + 1 : most;
}

static vouch_status search_markov(plan_call *call, incumbent *inc)
{
    const policy_space *space = inc->space;
    const vouch_plan_options *o = call->options;
    if (space->g->L == 0 || call->task || o->engine == VOUCH_ENGINE_LP || (double)space->g->edges * space->K < MARKOV_WORK)
        return VOUCH_OK;
    vouch_plan_options markov = *o;
    plan_call inner = {.m = call->m, .options = &markov, .without = call->without, .first = call->first, .alike = space};
    vouch_error trouble = {0};
    bool whole;
    markov.lookahead = 0;
    markov.start = NULL;
    markov.least_total_regret = 0;
    markov.threads = 1;
    markov.workers = 0;
    markov.journal = NULL;
    markov.proof = NULL;
    markov.on_node = NULL;
    markov.progress = NULL;
    markov.trace = NULL;
    markov.log = (vouch_log){0};
    inner.error = &trouble;
    inner.limit = deadline_share(&call->limit, TIME.markov_search);
    inner.limit = deadline_part(&inner.limit, part_of_limit(inner.limit.limits.nodes, MARKOV_NODES),
                                part_of_limit(inner.limit.limits.iterations, MARKOV_ITERATIONS));
    inner.policy = policy_new(space->K);
    if (!inner.policy) return VOUCH_ERROR_MEMORY;
    vouch_status status = policy_describe(inner.policy, call->m, vouch_method_text(o->method), 0) ||
                                  policy_aim(inner.policy, o->objective, o->weights, space->K / call->m->group)
                              ? VOUCH_ERROR_MEMORY
                              : plan_ccl(&inner);
    deadline_use(&call->limit, 0, inner.limit.iterations);
    if (!status && inner.policy->has_policy) status = initial_given(inc, inner.policy, &whole, call->error);
    call->markov_searched = !status && inner.policy->outcome == VOUCH_PLAN_OPTIMAL;
    vouch_policy_free(inner.policy);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

static vouch_status offer_given(const plan_call *call, incumbent *inc)
{
    const vouch_policy *start = call->options->start;
    bool whole;
    vouch_status status = initial_given(inc, start, &whole, call->error);
    if (!status && !whole)
        log_line(
            &call->options->log, VOUCH_LOG_ERROR,
            "what is known at time %d does not tell all that the starting policy (L = %d) looks at: what is nearest to it begins",
            inc->space->g->L, start->L);
    return status;
}

/* Reports if the starting policy is better than the result, which is possible only with another L. */
static void compare_given(const plan_call *call)
{
    const vouch_policy *start = call->options->start, *policy = call->policy;
    if (!start || !policy->has_policy || start->L == policy->L || start->objective != policy->objective) return;
    if (start->max_regret < policy->max_regret)
        log_line(&call->options->log, VOUCH_LOG_ERROR, "L = %d is better here: the starting policy has a maximum regret of %.9g",
                 start->L, start->max_regret);
}

static vouch_status initial_incumbents(plan_call *call, const policy_space *space, incumbent *inc)
{
    const initial_policy *first = call->first;
    deadline markov = deadline_share(&call->limit, TIME.markov), all = deadline_share(&call->limit, TIME.initial);
    vouch_status status = VOUCH_OK;
    if (first) {
        inc->limit = &markov;
        initial_markov(inc, first->table);
        inc->limit = &call->limit;
        plan_progress(call, "the first policy improved", incumbent_value(inc), 0, 0, 0);
    }
    if (call->task && call->task->start) initial_markov(inc, call->task->start);
    if (call->options->start && space->g->L == call->options->lookahead) /* else only Markov policies fit */
        status = offer_given(call, inc);
    if (!status && space->g->L > 0) status = initial_from_markov(inc, &markov);
    if (!status) status = search_markov(call, inc);
    inc->limit = inc->found ? &all : &call->limit;
    if (!status) status = initial_single_environments(inc, environments_offered(call, space, inc->found), &all);
    inc->limit = &call->limit;
    if (!status && !inc->found && deadline_expired(&all)) initial_feasible(inc);
    if (first) plan_progress(call, "initial policies", incumbent_value(inc), 0, 0, 0);
    return status;
}

/* Out of time before the constrained optima are known: a policy that keeps the promises, if found immediately. */
static void plan_late(plan_call *call, incumbent *inc)
{
    vouch_policy *policy = call->policy;
    log_line(&call->options->log, VOUCH_LOG_ERROR,
             inc->space->late ? "no time to find the best policy of each environment alone: optimal values and regrets are upper "
                                "bounds, and nothing is proved of the regret"
                              : "no time for likelihood classes: nothing is proved of the regret");
    inc->limit = &call->limit;
    if (call->task && call->task->start) initial_markov(inc, call->task->start);
    if (call->first) initial_markov(inc, call->first->table);
    if (!inc->found) initial_feasible(inc);
    policy->bound = 0;
    policy->outcome = inc->found ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
}

/* Calls the heuristic `knowledge` if no first policy keeps the promises, and offers its policy to inc (NULL: no graph yet). like:
 * as for knowledge_find. *found: the policy, with the lookahead of the options. *ended: it is optimal, or the plan infeasible. */
static vouch_status search_knowledge(plan_call *call, const policy_space *like, incumbent *inc, knowledge_policy *found,
                                     bool *ended)
{
    const vouch_plan_options *o = call->options;
    if (part_off(call->without, VOUCH_PART_KNOWLEDGE) || o->engine == VOUCH_ENGINE_LP || (inc && inc->found)) return VOUCH_OK;
    vouch_status status = knowledge_find(like, o->lookahead, &call->limit, found);
    bool here = !status && found->inc && found->inc->found;
    if (here && inc) status = lift_offer(inc, found->inc);
    if (here)
        log_line(&o->log, VOUCH_LOG_INFO, "a policy by what is known has a maximum regret of %.9g: %.3f s",
                 call->m->scale.spread * found->inc->value.max_regret, clock_seconds() - call->limit.start);
    *ended = here && !inc && !call->proof && found->inc->value.max_regret <= like->rounding;
    call->policy->bound = 0;
    if (status || !found->impossible || call->proof) return status;
    log_line(&o->log, VOUCH_LOG_INFO, "look-ahead over knowledge states: no policy keeps the promises, whatever it remembers");
    *ended = true;
    call->policy->bound = INFINITY;
    call->policy->outcome = VOUCH_PLAN_INFEASIBLE;
    return VOUCH_OK;
}

static vouch_status write_best(const incumbent *inc, policy_space *space, vouch_policy *policy)
{
    CHECK_COMPARE(inc->value.shortfall, <=, 0);
    CHECK(inc->space == space);
    propagate_pick(space->g, inc->best, inc->prob);
    return space_write_policy(space, inc->prob, false, policy);
}

vouch_status plan_markov(plan_call *call, double bound)
{
    vouch_plan_options markov = *call->options;
    plan_call inner = *call;
    markov.lookahead = 0;
    markov.start = NULL;
    inner.options = &markov;
    inner.proof = inner.total = NULL; /* its tree would cover Markov policies only */
    inner.limit = deadline_part(&call->limit, 0, 0);
    call->policy->L = 0;
    vouch_status status = plan_ccl(&inner);
    deadline_use(&call->limit, inner.limit.nodes, inner.limit.iterations);
    call->policy->bound = bound;
    call->policy->total_bound = NAN;
    if (call->policy->has_policy && !call->policy->late)
        call->policy->outcome = VOUCH_PLAN_OPTIMAL; /* if the gap is closed: plan_settle */
    if (!call->policy->has_policy) call->policy->outcome = VOUCH_PLAN_LIMIT;
    return status;
}

/* After the memory limit: frees memory to write the policy. */
static vouch_status memory_left(policy_space *space, vouch_policy *policy)
{
    space_drop_detail(space);
    policy->bound = 0;
    policy->outcome = VOUCH_PLAN_FEASIBLE;
    return VOUCH_OK;
}

/* Even the graph of Markov policies exceeds the limits or the time: writes the first policy, if any. */
static vouch_status plan_first(plan_call *call, vouch_status status)
{
    const vouch_model *m = call->m;
    const initial_policy *first = call->first;
    double *most = first ? MEM_NEW(double, m->K) : NULL;
    if (!most) return first ? VOUCH_ERROR_MEMORY : status;
    log_line(&call->options->log, VOUCH_LOG_ERROR,
             "the policy nodes of L = 0 are too many for the limits, or for the time: a first policy that keeps the promises is "
             "the answer");
    for (int k = 0; k < m->K; k++) most[k] = m->scale.spread * first->most[k] + rescaled_loss(m) + rescaled_rounding(m);
    call->policy->L = 0;
    call->policy->bound = 0;
    status = table_policy_write(m, first->table, most, call->policy);
    call->policy->outcome = call->policy->has_policy ? VOUCH_PLAN_FEASIBLE : VOUCH_PLAN_LIMIT;
    mem_free(most);
    return status;
}

/* Writes the better policy, of the search or of `knowledge`. smaller: only Markov policies were searched. */
static vouch_status write_answer(plan_call *call, policy_space *space, const incumbent *inc, knowledge_policy *by_knowledge,
                                 bool smaller, vouch_status status)
{
    vouch_policy *policy = call->policy;
    const incumbent *other = smaller ? by_knowledge->inc : NULL;
    const bool mine = inc && inc->found;
    if (plan_memory_over(status) && mine) status = memory_left(space, policy);
    bool better = other && other->found && !(mine && inc->value.max_regret <= other->value.max_regret);
    if (better) policy->L = call->options->lookahead;
    if (!status && (better || mine))
        status = better ? write_best(other, &by_knowledge->space, policy) : write_best(inc, space, policy);
    if (!status) compare_given(call);
    if (!status && smaller && !by_knowledge->impossible) { /* an optimum or impossibility for L = 0 proves nothing for L */
        policy->bound = 0;
        policy->outcome = !policy->has_policy ? VOUCH_PLAN_LIMIT
                          : space->late       ? VOUCH_PLAN_FEASIBLE
                                              : VOUCH_PLAN_OPTIMAL; /* if it is 0: plan_settle */
    }
    return status;
}

/* Without a search: writes the policy of `knowledge`, else a first policy. */
static vouch_status plan_without_graph(plan_call *call, policy_space *bare, knowledge_policy *found, vouch_status status)
{
    bool known = found->impossible || (found->inc && found->inc->found);
    call->policy->steep = bare->steep;
    if (known && (!status || status == VOUCH_ERROR_SIZE || plan_memory_over(status)))
        status = write_answer(call, bare, NULL, found, true, VOUCH_OK);
    else if (status == VOUCH_ERROR_SIZE || plan_memory_over(status))
        status = plan_first(call, status);
    knowledge_free(found);
    space_free(bare);
    return status;
}

/* A know_offer of the first pair alone. */
static int one_pair(void *context, int time, int state, const uint64_t set[], int pair[])
{
    const vouch_model *m = context;
    (void)time, (void)set;
    pair[0] = m->pair_start[state];
    return 1;
}

/* Calls `knowledge` before the graph of L > 0 is made. bare: a space with a minimal graph, for the optima. */
static vouch_status search_before_graph(plan_call *call, const space_options *so, policy_space *bare, knowledge_policy *found,
                                        bool *ended)
{
    if (bare->g || call->first || part_off(call->without, VOUCH_PART_KNOWLEDGE) || call->options->engine == VOUCH_ENGINE_LP ||
        deadline_expired(&call->limit))
        return VOUCH_OK;
    know_offer one = {one_pair, (void *)(uintptr_t)call->m};
    know_limits graph = {.nodes = BARE_NODES, .edges = BARE_EDGES, .time = &call->limit, .offer = &one};
    space_options bare_options = *so;
    bare_options.graph = &graph;
    bare_options.classes = bare_options.pareto_cap = 0;
    vouch_status status = plan_space(call, &bare_options, bare);
    if (!status) status = search_knowledge(call, bare, NULL, found, ended);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status;
}

/* Are there sure promises that no first Markov policy keeps? They need knowledge, and the graph of L > 0 may be large. */
static vouch_status needs_knowledge(const plan_call *call, const space_options *so, bool *needed)
{
    initial_policy markov = {0};
    *needed = false;
    if (so->L == 0 || call->first || call->task || !knowledge_looks_ahead(call->m)) return VOUCH_OK;
    vouch_status status = initial_first(call->m, so, &call->limit, false, &markov);
    *needed = !status && !markov.table;
    initial_policy_free(&markov);
    return status;
}

/* Is a first policy the answer, since making policy nodes took all the time (late)? */
static bool first_is_all(const plan_call *call, bool late)
{
    return late && call->first && !call->proof && deadline_expired(&call->limit);
}

/* Improve first policies before making classes? In a large model with L > 0 classes may take all the time, and the plan would be
 * worse than with L = 0. */
static bool policies_come_first(const plan_call *call)
{
    const vouch_plan_options *o = call->options;
    return call->first && o->lookahead > 0 && call->limit.limits.seconds > 0 && !call->proof && !call->task &&
           o->engine != VOUCH_ENGINE_LP;
}

/* ---- the compact program (THEORY.md, sections 3 and 4), one mixed-integer program a stage ----
 *
 *     min z,  z >= U*_c(k) - U(k; sigma),  Pr(k; sigma) >= accepted(k),  flow of sigma,
 *             sigma(n,w,a) <= M(n,w) Delta(n,a),  Delta binary
 *
 * Relaxation points are rounded to policies (heaviest choice of each node), improved by local search and returned as points of the
 * program, so incumbents are exact policies, independent of the solver's tolerances. Cost: a program of O(slots) columns. */
typedef struct policy_rounding {
    plan_call *call;
    const policy_space *space;
    incumbent *inc;
    const program *p;
    arena memory;                     /* of the arrays */
    double *slot_mass, *mass, *reach; /* [slots], [choices], [classes] */
    int *pick;                        /* [nodes] */
    const char *stage;
    double returned; /* value of the last returned point */
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

static void report_program(void *context, double bound, long long nodes)
{
    const policy_rounding *r = context;
    plan_progress(r->call, r->stage, incumbent_value(r->inc), bound, nodes, 0);
}

/* Solves the program of one stage and adopts its policy. */
static vouch_status solve_stage(policy_rounding *r, program_goal goal, program_solution *solution)
{
    const policy_space *space = r->space;
    program *p = NULL;
    *solution = (program_solution){.end = PROGRAM_LIMIT, .value = NAN, .bound = -INFINITY};
    deadline limit = deadline_part(&r->call->limit, 0, 0);
    if (deadline_expired(&limit) || deadline_used_up(&r->call->limit)) return VOUCH_OK;
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
                               .progress = r->call->options->progress ? report_program : NULL,
                               .progress_context = r};
    double *point = MEM_NEW(double, vouch_lp_cols(p->lp)); /* of the incumbent, then of the rounded solution */
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
    deadline_use(&r->call->limit, solution->nodes, solution->iterations);
    mem_free(point);
    mem_free(solution->x);
    solution->x = NULL;
    program_free(p);
    return status;
}

/* Improves inc to the optimum of both stages (space without Pareto sets); fills outcome, bound, nodes and iterations of the policy.
 */
static vouch_status solve_program(plan_call *call, const policy_space *space, incumbent *inc)
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
        /* by the exact value of the policy, not the solver's */
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

/* ---- the plan ---- */

vouch_status plan_ccl(plan_call *call)
{
    const vouch_plan_options *o = call->options;
    vouch_policy *policy = call->policy;
    policy_space space = {0}, bare = {0};
    incumbent *inc = NULL;
    knowledge_policy by_knowledge = {0};
    space_options so = plan_space_options(call, o->lookahead);
    if (o->engine != VOUCH_ENGINE_LP && !part_off(call->without, VOUCH_PART_PARETO_VECTORS))
        so.pareto_cap = call->proof ? PROOF_PARETO_CAP : PARETO_CAP;
    so.for_root = call->proof != NULL; /* sets of other nodes have no line in a proof */
    if (call->task) so.floor = call->task->floor;
    if (o->objective == VOUCH_OBJECTIVE_REGRET) so.enough = o->enough, so.cutoff = o->cutoff;
    if (o->engine != VOUCH_ENGINE_LP && !part_off(call->without, VOUCH_PART_LEVELS)) so.class_limit = LADDER_CLASSES;
    bool smaller = false, ended = false; /* only Markov policies were searched; no search is needed */
    if (call->first) so.most = call->first->most;
    deadline classes = deadline_share(&call->limit, TIME.classes);
    if (o->engine != VOUCH_ENGINE_LP && !call->proof) so.end = &classes;
    space_options detail = so;
    if (schedule_begins_without_classes(call) || policies_come_first(call)) so.classes = so.pareto_cap = 0;
    bool ahead;
    vouch_status status = needs_knowledge(call, &so, &ahead);
    if (!status && ahead) status = search_before_graph(call, &so, &bare, &by_knowledge, &ended);
    if (!status && !ended) status = plan_space(call, &so, &space);
    if (first_is_all(call, status == VOUCH_ERROR_SIZE)) return plan_first(call, status);
    if ((status == VOUCH_ERROR_SIZE || plan_memory_over(status)) && so.L > 0) {
        log_line(&o->log, VOUCH_LOG_INFO,
                 "L = %d has too many knowledge states for the limits; searching Markov policies (L = 0), which are L-updates "
                 "policies for every L",
                 so.L);
        smaller = true;
        status = search_before_graph(call, &so, &bare, &by_knowledge, &ended);
        so.L = policy->L = 0;
        if (!status && !ended) status = plan_space(call, &so, &space);
    }
    if (status || ended) return plan_without_graph(call, &bare, &by_knowledge, status);
    if (first_is_all(call, space.late)) {
        space_free(&space);
        return plan_first(call, VOUCH_ERROR_SIZE);
    }
    policy->steep = space.steep;
    status = incumbent_new(&space, &inc);
    if (!status) inc->limit = &call->limit;
    double since = trace_start(o->trace);
    if (!status && !smaller && by_knowledge.inc && by_knowledge.inc->found) status = lift_offer(inc, by_knowledge.inc);
    if (!status && !space.late && !ended) status = initial_incumbents(call, &space, inc);
    trace_stop(o->trace, KERNEL_local_search, since);
    if (!status && !bare.g) status = search_knowledge(call, &space, smaller ? NULL : inc, &by_knowledge, &ended);
    if (!status && !ended && (space.late || (so.classes && !space.c)))
        plan_late(call, inc);
    else if (!status && !ended)
        status = o->engine == VOUCH_ENGINE_LP ? solve_program(call, &space, inc) : schedule_run(call, &space, &detail, inc);
    status = write_answer(call, &space, inc, &by_knowledge, smaller, status);
    const bool none = plan_memory_over(status) && !(inc && inc->found) && !call->proof;
    knowledge_free(&by_knowledge);
    incumbent_free(inc);
    space_free(&bare);
    space_free(&space);
    if (none) return so.L > 0 ? plan_markov(call, 0) : plan_first(call, status);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

/* plan/plan.c - the public call: arguments, each environment alone, the model in units for planning, then the method asked for.
 *
 * The model is rescaled (mdp/model.h), planned, and what was found settled: bounds return to the units given, less what
 * rescaling may have cost, and "optimal" stays only where max regret - bound <= gap in those units (THEORY.md, section 8). Cost
 * beside the method: one backward induction an environment. Invariant: what is infeasible has no policy, and no bound exceeds the
 * value of the policy but by rounding.
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "plan/heuristic/initial.h"
#include "plan/proof.h"
#include "plan/relax/scenarios.h"
#include "policy/parameters.h"

#define ENTRY(name, function, ...) plan_##function,
static vouch_status (*const PLANNERS[])(plan_call *call) = {VOUCH_METHODS(ENTRY)};
#undef ENTRY

vouch_status plan_by_method(plan_call *call)
{
    CHECK(vouch_method_describe(call->options->method) != NULL);
    CHECK(call->policy->rule_count == 0 && !call->policy->has_policy);
    vouch_status status = PLANNERS[call->options->method](call);
    call->policy->nodes = call->limit.nodes;
    call->policy->iterations = call->limit.iterations;
    return status;
}

int plan_lookahead(const plan_call *call)
{
    vouch_lookahead L = vouch_method_describe(call->options->method)->lookahead;
    return L == VOUCH_LOOKAHEAD_ASKED ? call->options->lookahead : L == VOUCH_LOOKAHEAD_NONE ? 0 : call->m->T;
}

/* plan_optima_work from which on a first policy is made before the optima are known: they take a second. */
static const double FIRST_WORK = 1e6;

static const double RULE_SECONDS =
    3e-7; /* a rule of a table written, nothing else known: of millions, it takes a share of a limit */

/* A step of a bound on boxes of stochastic policies, in rewards as planned: tolerances of its linear programs, which show where
 * rewards are wide and the bound is a small part of them. */
static const double LP_ROUNDING = 1e-6, SMALL_PART = 1e-3;

/* Linear programs see promises as doubles: times by how much U* moves if these are rounded once more. */
static const double THIN_PROMISES = 2;

/* Share of the gap that is planned with where a proof is written: the rest is for the rounding of what is written. */
static const double PROOF_GAP = 0.95;

void vouch_plan_options_init(vouch_plan_options *options)
{
    if (!options) return;
    *options = (vouch_plan_options){
        .method = VOUCH_METHOD_MILP_CCL,
        .engine = VOUCH_ENGINE_AUTO,
        .gap = NAN,
        .least_total_regret = 1,
        .tie_break_work = 10000,
        .threads = 1,
        .seed = 1,
    };
}

/* Fills largest_probability; *alone: does each environment alone allow its promises? Where they are several and the limit passes,
 * it is taken to. */
static vouch_status probe_environments(const vouch_model *m, vouch_policy *policy, const deadline *limit, int *alone)
{
    double *p = MEM_NEW(double, m->K);
    *alone = 1;
    if (!p) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K; k++) p[k] = m->env[k].p;
    vouch_status status = VOUCH_OK;
    for (int k = 0; k < m->K && m->group > 1 && !status; k += m->group) {
        dp_optima found;
        status = dp_optima_within(m, k, p, p, limit, &found);
        if (!status && !isfinite(found.value)) *alone = 0;
    }
    mem_free(p);
    if (status) return status;
    policy->largest_probability = ARENA_NEW(&policy->memory, double, m->K);
    if (!policy->largest_probability) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K; k++) {
        double best = dp_best_probability(m, k);
        if (best < 0) return VOUCH_ERROR_MEMORY;
        policy->largest_probability[k] = best;
        if (!commitment_kept(best, m->env[k].p)) *alone = 0;
    }
    return VOUCH_OK;
}

/* A row of an environment that cannot keep its promises by itself; there is one. */
static int hopeless(const vouch_model *m, const vouch_policy *policy)
{
    double *p = MEM_NEW(double, m->K), value = 0;
    int k = 0;
    while (k < m->K - 1 && commitment_kept(policy->largest_probability[k], m->env[k].p)) k++;
    if (!p || m->group == 1 || !commitment_kept(policy->largest_probability[k], m->env[k].p)) goto done;
    for (k = 0; k < m->K; k++) p[k] = m->env[k].p;
    for (k = 0; k < m->K - m->group; k += m->group)
        if (dp_optimum(m, k, p, &value, NULL) || !isfinite(value)) break;
done:
    mem_free(p);
    return k;
}

/* A gap of the weighted sum as one of the mean by shares. */
static double mean_gap(const vouch_policy *policy, int environments, double gap)
{
    double weights = 0;
    for (int k = 0; k < environments && policy->weights; k++) weights += policy->weights[k];
    return weights > 0 ? gap / weights : gap;
}

static void tell_first(const plan_call *call, initial_policy *first)
{
    const vouch_plan_options *o = call->options;
    if (o->objective == VOUCH_OBJECTIVE_MAX_MIN) first->regret = call->m->T; /* rewards are at least 0 */
    plan_progress(call, "a first policy, at most", first->regret, -INFINITY, 0, 0);
    log_line(&o->log, VOUCH_LOG_INFO, "a first policy that keeps the promises has a maximum regret of at most %.9g: %.3f s",
             call->m->scale.spread * first->regret, clock_seconds() - call->limit.start);
}

/* Where it takes long to find the optima, a policy that keeps the promises before. Of many environments few find one at once, and
 * all of them a better one. */
static vouch_status first_policy(const plan_call *call, initial_policy *first)
{
    const vouch_model *m = call->m;
    const vouch_plan_options *o = call->options;
    if (plan_optima_work(m) <= FIRST_WORK || vouch_model_averages(m) > 0 || o->method == VOUCH_METHOD_GREEDY ||
        o->method == VOUCH_METHOD_MDPS_BEST)
        return VOUCH_OK;
    space_options promised = space_options_for(0);
    bool ahead = o->lookahead > 0 && o->method == VOUCH_METHOD_MILP_CCL && knowledge_looks_ahead(m);
    deadline limit = deadline_share(&call->limit, ahead ? TIME.first_ahead : TIME.first);
    bool few = m->K / m->group >= SCENARIOS_LEAST;
    vouch_status status = initial_first(m, &promised, &limit, few, first);
    if (status || !first->table) return status;
    double before = first->regret;
    tell_first(call, first);
    if (!few || deadline_expired(&limit)) return VOUCH_OK;
    status = initial_first(m, &promised, &limit, false, first);
    if (!status && first->regret < before) tell_first(call, first);
    return status;
}

/* An empty policy for the call, and room for its proof. */
static vouch_status begin_policy(plan_call *call, int rows)
{
    const vouch_plan_options *o = call->options;
    const vouch_model *m = call->m;
    long long ids = call->policy ? call->policy->ids : 0;
    vouch_policy_free(call->policy);
    proof_close(call);
    vouch_policy *policy = call->policy = policy_new(rows);
    if (policy) policy->ids = ids;
    if (!policy || policy_describe(policy, m, vouch_method_text(o->method), plan_lookahead(call)) ||
        policy_aim(policy, o->objective, o->weights, m->K))
        return error_memory(call->error);
    return proof_open(call);
}

/* Plans for the rescaled model. */
static vouch_status plan_rescaled(plan_call *inner, const vouch_model *rescaled, int *alone)
{
    initial_policy first = {0};
    /* Leaves the time to write a policy of a rule for each time and state, but no more than half of the limit: a policy may come to
     * few of them. */
    double *seconds = &inner->limit.limits.seconds;
    if (*seconds > 0) *seconds = fmax(*seconds / 2, *seconds - RULE_SECONDS * inner->m->T * inner->m->S);
    vouch_status status = first_policy(inner, &first);
    inner->first = first.table ? &first : NULL;
    *alone = inner->first != NULL; /* what keeps them everywhere */
    if (!status && !*alone) status = probe_environments(rescaled, inner->policy, &inner->limit, alone);
    if (!status && *alone) status = plan_by_method(inner);
    initial_policy_free(&first);
    return status;
}

/* A plan of a call, and why it is made again. */
typedef struct attempt {
    double gap;
    bool wide;                /* rewards are (mdp/model.h), or rounded promises show */
    bool floors;              /* penalties are raised to a floor */
    int raised;               /* plans before whose floor was too high */
    const loss_model *losses; /* NULL: rewards are planned with */
    int alone;                /* each environment by itself can keep its promises; else nothing is planned */
    bool shows;               /* rounding shows in what is claimed */
    bool again;               /* the search ended for rewards of which some are raised, and what it proves is lost */
} attempt;

/* Ends a plan: its figures and bounds in the units given, unless it is to be made again, and its proof. */
static vouch_status settle(const plan_call *inner, plan_call *call, attempt *a)
{
    const vouch_model *rescaled = inner->m;
    vouch_policy *policy = call->policy;
    vouch_plan_outcome closed = policy->outcome;
    vouch_status status = VOUCH_OK;
    bool small = a->wide && policy->bound < SMALL_PART;
    if (small && call->options->method == VOUCH_METHOD_EXACT_CCL) policy->bound -= LP_ROUNDING * rescaled->T;
    if (a->wide && call->options->method != VOUCH_METHOD_MILP_CCL) policy->bound -= THIN_PROMISES * policy->steep;
    plan_settle(rescaled, a->gap, policy);
    if (policy->has_policy && plan_shows_promises(rescaled, policy)) a->wide = loss_model_fits(call->m);
    bool lost = closed == VOUCH_PLAN_OPTIMAL && policy->outcome != closed;
    a->again = rescaled->scale.raised && lost;
    a->shows = a->wide && !a->floors && policy->has_policy && (lost || plan_shows_rounding(call, rescaled));
    if (a->again || a->shows) return VOUCH_OK;
    if (a->losses) plan_return_from_losses(a->losses, policy);
    plan_bound_value(rescaled, policy);
    if (a->floors && policy->has_policy) status = plan_settle_figures(call, rescaled);
    if (!status && call->options->proof) status = proof_tell(inner, rescaled, -1);
    if (call->options->proof && policy->outcome == VOUCH_PLAN_OPTIMAL &&
        !(fabs(plan_objective(rescaled, policy) - policy->bound) <= call->options->gap))
        policy->outcome = VOUCH_PLAN_FEASIBLE;
    return status;
}

static vouch_status run(plan_call *call, attempt *a)
{
    vouch_model rescaled;
    const rescale_options how = {a->gap, a->floors, call->options->proof != NULL, a->raised};
    a->shows = a->again = false;
    if (model_rescaled(a->losses ? &a->losses->m : call->m, &how, &rescaled)) return error_memory(call->error);
    vouch_plan_options options = *call->options;
    plan_call inner = *call;
    options.gap = rescaled_gap(&rescaled, a->gap) * (options.proof ? PROOF_GAP : 1);
    options.enough = fmax(0, options.enough - rescaled_loss(&rescaled)) / rescaled.scale.spread;
    if (options.cutoff > 0) options.cutoff = (options.cutoff + rescaled_loss(&rescaled)) / rescaled.scale.spread;
    inner.m = &rescaled;
    inner.options = &options;
    if (a->floors)
        inner.without |= part_set(VOUCH_PART_DOMINANCE); /* options apart by rounding here are not to who checks a proof */
    vouch_status status = plan_rescaled(&inner, &rescaled, &a->alone);
    if ((!status || status == VOUCH_ERROR_SIZE) && a->alone) {
        vouch_status settled = settle(&inner, call, a);
        status = settled ? settled : status;
    }
    model_rescaled_free(&rescaled);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

/* Is a plan for losses one for rewards? It has other states, of which a proof and a policy to begin with know nothing, and counts
 * from the optimum of each environment by itself. */
static bool may_plan_losses(const vouch_plan_options *o)
{
    return o->objective != VOUCH_OBJECTIVE_MAX_MIN && !o->proof && !o->start && vouch_method_describe(o->method)->proves;
}

/* Did the program of the paper end without a proof, and without a limit? What it accepts within its tolerances is then better than
 * every policy. */
static bool left_open_by_tolerances(const plan_call *call)
{
    const vouch_limits *l = &call->options->limits;
    return call->options->engine == VOUCH_ENGINE_LP && call->options->method == VOUCH_METHOD_MILP_CCL && !call->options->proof &&
           call->policy->outcome == VOUCH_PLAN_FEASIBLE && l->nodes <= 0 && l->iterations <= 0 && !deadline_expired(&call->limit);
}

static bool may_search_precisely(const plan_call *call, const attempt *a)
{
    vouch_method method = call->options->method;
    vouch_plan_outcome outcome = call->policy->outcome;
    if (!a->alone || outcome == VOUCH_PLAN_INFEASIBLE || call->policy->too_large) return false;
    if (!a->wide) return left_open_by_tolerances(call);
    if (method == VOUCH_METHOD_HISTORY) return a->shows || outcome != VOUCH_PLAN_OPTIMAL;
    return method == VOUCH_METHOD_MILP_CCL && (!call->options->proof || a->shows);
}

/* The precise search, with U* as any evaluation of its policy gives it, in doubles. */
static vouch_status search_with_optima(plan_call *call, const vouch_model *rows, bool *done)
{
    vouch_policy *policy = call->policy;
    double *optimum = MEM_NEW(double, policy->K);
    if (!optimum) return VOUCH_ERROR_MEMORY;
    for (int r = 0; r < policy->K; r++) optimum[r] = policy->figures[r].optimal_value;
    vouch_status status = plan_precise_search(call, rows, done);
    if (*done && policy->has_policy) {
        double before = plan_objective(rows, policy);
        for (int r = 0; r < policy->K; r++) {
            policy->figures[r].optimal_value = optimum[r];
            policy->figures[r].regret = optimum[r] - policy->figures[r].value;
        }
        policy_sum_regrets(policy);
        if (policy->bound == before) policy->bound = plan_objective(rows, policy);
    }
    mem_free(optimum);
    return status;
}

/* *least: as the bound of plan_precise_history. */
static vouch_status search_precisely(plan_call *call, const vouch_model *rows, double *least, bool *done)
{
    if (call->options->method == VOUCH_METHOD_MILP_CCL) return plan_precise_search(call, rows, done);
    return call->options->proof ? VOUCH_OK : plan_precise_history(call, rows, least, done);
}

/* The bound of a plan whose value is not the least by rounding alone. */
static void use_bound(const vouch_model *m, double least, double gap, vouch_policy *policy)
{
    bool regret = policy->objective == VOUCH_OBJECTIVE_REGRET;
    double value = plan_objective(m, policy);
    policy->bound = regret ? fmax(0, fmin(least, value)) : fmax(-least, value);
    if (policy->outcome == VOUCH_PLAN_OPTIMAL && !(fabs(value - policy->bound) <= gap)) policy->outcome = VOUCH_PLAN_FEASIBLE;
}

/* Plans. Where rewards are wide (mdp/model.h), searches a small class of policies again with more digits; of others, where
 * rounding shows in claims, plans again for losses or above a floor, which is lowered while it is too high. */
static vouch_status run_attempts(plan_call *call, double gap, bool wide, const vouch_model *rows, int *alone)
{
    loss_model losses = {0};
    attempt a = {.gap = gap, .wide = wide};
    vouch_status status = run(call, &a);
    bool done = false;
    double least = -INFINITY;
    if (!status && may_search_precisely(call, &a))
        status = wide || a.wide ? search_precisely(call, rows, &least, &done) : search_with_optima(call, rows, &done);
    while (!status && !done && (a.shows || a.again)) {
        a.raised += a.again;
        if (a.shows && may_plan_losses(call->options)) {
            vouch_status made = loss_model_new(call->m, &losses);
            if (made == VOUCH_ERROR_MEMORY) status = made;
            if (!made) a.losses = &losses;
        }
        a.floors = true;
        if (!status) status = begin_policy(call, rows->K);
        if (!status) status = run(call, &a);
    }
    if (!status && isfinite(least) && !done && call->policy->has_policy) use_bound(rows, least, call->options->gap, call->policy);
    *alone = a.alone;
    loss_model_free(&losses);
    return status == VOUCH_ERROR_MEMORY ? error_memory(call->error) : status;
}

/* What a proof cannot carry is left out, and named. */
static void leave_out_unproved(plan_call *call)
{
    char words[256] = "";
    size_t n = 0;
    search_parts unproved = parts_unproved();
    for (int i = 0; i < VOUCH_PART_COUNT && n < sizeof words; i++)
        if (part_off(unproved, (vouch_part)i))
            n += (size_t)format_text(words + n, sizeof words - n, "%s%s", n ? ", " : "", vouch_part_describe((vouch_part)i)->word);
    call->without |= unproved;
    log_line(&call->options->log, VOUCH_LOG_INFO, "a proof has no lines for these parts of the search, which are left out: %s",
             words);
}

vouch_status plan_prior_weights(const vouch_model *m, vouch_plan_options *o, double **weights)
{
    *weights = NULL;
    if (o->objective != VOUCH_OBJECTIVE_WEIGHTED || o->weights || !vouch_model_has_prior(m)) return VOUCH_OK;
    *weights = MEM_NEW(double, m->K);
    for (int k = 0; k < m->K && *weights; k++) (*weights)[k] = vouch_model_prior(m, k);
    o->weights = *weights;
    return *weights ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* How often memory was out, and its limit met. */
typedef struct memory_events {
    long failures, met;
} memory_events;

/* Says so where the memory limit has ended anything since `before`: a limit as any other. Returns what the status of the call is
 * then. */
static vouch_status settle_memory(const plan_call *call, memory_events before, vouch_status status)
{
    vouch_policy *policy = call->policy;
    if (mem_limit_met() == before.met) return status;
    mem_failures_settled(before.failures);
    log_line(&call->options->log, VOUCH_LOG_ERROR, "the memory limit is reached: what was found until then is the answer");
    if (status != VOUCH_ERROR_MEMORY) return status;
    policy->has_policy = 0;
    policy->rule_count = 0;
    policy->bound = policy->objective == VOUCH_OBJECTIVE_REGRET ? 0 : INFINITY;
    policy->outcome = VOUCH_PLAN_LIMIT;
    policy->largest_probability = NULL;
    return VOUCH_OK;
}

vouch_status vouch_plan(vouch_policy **out, const vouch_model *m, const vouch_plan_options *options, vouch_error *error)
{
    vouch_plan_options own;
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the policy");
    *out = NULL;
    if (options)
        own = *options;
    else
        vouch_plan_options_init(&own);
    vouch_status status = check_model(m, error);
    if (!status) status = check_plan_options(&own, error);
    if (!status) status = check_lookahead(own.lookahead, 0, m, error);
    if (!status) status = check_objective(&own, m, error);
    if (status) return status;
    return vouch_model_has_error(m) ? plan_within(out, m, &own, error) : plan_nominal(out, m, &own, NULL, error);
}

vouch_status plan_nominal(vouch_policy **out, const vouch_model *m, const vouch_plan_options *options,
                          const proof_unrolled *unrolled, vouch_error *error)
{
    vouch_plan_options own = *options;
    options = &own;
    vouch_status status;
    vouch_model rows;
    double *prior;
    if (plan_prior_weights(m, &own, &prior) || model_rows(m, &rows)) {
        mem_free(prior);
        return error_memory(error);
    }
    vouch_error trouble = {0};
    plan_call call = {m,     options, deadline_start(&options->limits), NULL, &trouble, 0, NULL, NULL, NULL, NULL, NULL,
                      false, unrolled};
    int alone = 0;
    const memory_events before = {mem_failures(), mem_limit_met()};
    parts_named(own.without, &call.without, NULL); /* checked above */
    if (own.proof) leave_out_unproved(&call);
    status = begin_policy(&call, rows.K);
    if (!status) status = model_fits(m, &trouble);
    bool wide = false;
    if (!status && model_is_wide(m, own.proof != NULL, &wide)) status = error_memory(&trouble);
    wide = wide && loss_model_fits(m);
    if (!status) status = run_attempts(&call, mean_gap(call.policy, m->K, own.gap), wide, &rows, &alone);
    vouch_policy *policy = call.policy;
    if (!policy) {
        mem_free(prior);
        model_view_free(&rows);
        return error_memory(error);
    }
    if (!status && alone) {
        if (policy->outcome != VOUCH_PLAN_INFEASIBLE) policy->largest_probability = NULL;
    } else if (!status) {
        policy->outcome = VOUCH_PLAN_INFEASIBLE;
        policy->bound = own.objective == VOUCH_OBJECTIVE_REGRET ? INFINITY : -INFINITY;
        if (options->proof) status = proof_tell(&call, &rows, hopeless(&rows, policy));
    }
    if (status == VOUCH_ERROR_SIZE) { /* a limit as any other, but the caller is told which */
        log_line(&options->log, VOUCH_LOG_ERROR, "%s", trouble.text[0] ? trouble.text : vouch_status_text(status));
        policy->outcome = VOUCH_PLAN_LIMIT;
        policy->too_large = true;
        policy->largest_probability = NULL;
        status = VOUCH_OK;
    }
    proof_close(&call);
    mem_free(prior);
    status = settle_memory(&call, before, status);
    if (!status && policy_merge(policy, &rows)) status = error_memory(&trouble);
    model_view_free(&rows);
    if (own.objective != VOUCH_OBJECTIVE_REGRET && policy->bound < policy_value(policy))
        policy->bound = policy_value(policy); /* the two are sums in another order */
    policy_finish(policy, m);
    if (status && !trouble.text[0])
        error_set(&trouble, status, "%s", vouch_status_text(status)); /* of a proof, which says no more */
    if (status && error) *error = trouble;
    policy->seconds = clock_seconds() - call.limit.start;
    CHECK(status || policy->has_policy == (policy->rule_count > 0));
    CHECK(policy->L == 0 || policy->L == plan_lookahead(&call)); /* 0 where the nodes of the class asked for are too many */
    if (status) {
        vouch_policy_free(policy);
        return status;
    }
    *out = policy;
    return VOUCH_OK;
}

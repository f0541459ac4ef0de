/* plan/within.c - plans whose promises survive error: the least value, by nominal probabilities, among the policies of the class
 * that keep every promise under the worst reply of nature (policy/within.h).
 *
 *     relaxation:  min over deterministic pi of  max_k U*_c(k) - U(k; pi),   Pr(j; pi, q) >= p(k, j) for every nature q in the list
 *
 * Each nature is a row for every choice of the graph of policy nodes, within the limits of k, so a policy that keeps its promises
 * at worst keeps them under all of the list: the bound of a relaxation is a bound. Unrolled, policies are Markov, and a nature is
 * one more environment that earns the same in every step. The worst replies of the relaxation's policy join the list, until it
 * keeps its promises or its bound meets the best policy found before: nominal, cautious (the best against one worst reply), and
 * plans for a probability p' > p, of which the least that gives such a policy is found by bisection. U* is that of p throughout.
 *
 * Cost: one plan a round; the worst replies take O(edges) for each promise of each environment. Invariant: every policy offered as
 * the answer passed its worst replies, and the bound is that of a relaxation. Sources: as policy/within.h; cuts by the worst reply:
 * A. Mutapcic, S. Boyd, Optimization Methods and Software 2009. */
#include "policy/within.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "plan/heuristic/initial.h"
#include "plan/proof.h"
#include "policy/parameters.h"

/* Plans for a higher probability, shares of the time left: of the nominal plan and of each of those. */
enum { RAISED_PLANS = 12, RAISED_NODES = 2000, TOTAL_ROUNDS = 20, MOST_NODES = 1000000, MOST_EDGES = 10000000 };
static const double NOMINAL_SHARE = 0.34, RAISED_SHARE = 0.05;
static const double RAISED_APART = 1e-5;

typedef struct robust {
    const vouch_model *m;
    const vouch_plan_options *options; /* checked */
    deadline limit;
    vouch_error *error;
    vouch_policy *answer; /* owned: the nominal plan, whose rules are replaced */
    know_graph *g;
    arena memory;
    double *optimum, *U, *Pr; /* [K] */
    double *reach;            /* [nodes * K] */
    double *prob, *best;      /* [choices] policy looked at, and the best that keeps its promises at worst */
    double *last;             /* [choices] of the last relaxation */
    double *value;            /* [nodes] */
    double *worst;            /* [K * J] of the policy looked at */
    double least, bound;      /* of what is minimised: by `best`, INFINITY: none; by relaxations */
    double total_bound;       /* NAN: `best` was not sought for its total regret */
    nature *list;             /* owned: the environments, without rows, and natures */
    size_t count, capacity;
    int groups; /* of natures for promises on average */
} robust;

static bool regrets(const robust *r) { return r->options->objective == VOUCH_OBJECTIVE_REGRET; }
static bool closed(const robust *r) { return isfinite(r->least) && r->least - r->bound <= r->options->gap; }

/* What is minimised, from a value or bound of the objective as the user of a model of this sense sees it; and back. */
static double minimised(const robust *r, vouch_sense sense, double x) { return regrets(r) || sense == VOUCH_MINIMISE ? x : -x; }

/* ---- the worst replies of a policy ---- */

/* The worst reply to promise j of environment k joins the list. */
static vouch_status add_nature(robust *r, const reply_graph *reply, int k, int j)
{
    double *row = MEM_ZERO(double, r->g->edges), *value = MEM_NEW(double, r->g->nodes);
    if (!row || !value || MEM_RESERVE(&r->list, &r->capacity, r->count)) {
        MEM_FREE_ALL(row, value);
        return error_memory(r->error);
    }
    r->list[r->count++] = (nature){row, value, k, j, vouch_model_promise_is_average(r->m, j) ? r->groups : 0};
    return reply_worst(reply, k * r->m->J + j, value, row) ? error_memory(r->error) : VOUCH_OK;
}

/* r->prob, which keeps its promises at worst, becomes the best if it is. */
static void offer(robust *r)
{
    double value = -INFINITY, mean = 0;
    (void)propagate_forward(r->g, r->prob, r->reach, r->U, r->Pr);
    for (int k = 0; k < r->m->K; k++) {
        value = fmax(value, regrets(r) ? r->optimum[k] - r->U[k] : -r->U[k]);
        if (r->options->weights) mean -= r->options->weights[k] * r->U[k];
    }
    if (r->options->objective == VOUCH_OBJECTIVE_WEIGHTED) value = mean;
    if (!(value < r->least)) return;
    r->least = value;
    MEM_COPY(r->best, r->prob, r->g->choices);
    log_line(&r->options->log, VOUCH_LOG_INFO, "a policy that keeps the promises under the worst error: %.9g, bound %.9g: %.3f s",
             value, r->bound, clock_seconds() - r->limit.start);
}

/* Looks at r->prob. *kept: it keeps its promises at worst. list: natures that break them join the list. */
static vouch_status look_at(robust *r, bool list, bool *kept)
{
    const vouch_model *m = r->m;
    reply_graph reply = reply_of_graph(r->g, r->prob);
    vouch_status status = VOUCH_OK;
    *kept = true;
    if (reply_all(&reply, r->value, r->worst, NULL, NULL)) return error_memory(r->error);
    for (int j = 0; j < m->J; j++) {
        bool average = vouch_model_promise_is_average(m, j);
        if (reply_kept(m, j, r->worst)) continue;
        *kept = false;
        r->groups += list && average;
        for (int k = 0; k < m->K && list && !status; k++)
            if (average || !vouch_model_promise_kept(m, j, k, r->worst[k * m->J + j])) status = add_nature(r, &reply, k, j);
    }
    if (*kept) offer(r);
    return status;
}

/* For each promise of each environment the policy that is best against its worst reply. */
static vouch_status try_cautious(robust *r)
{
    reply_graph reply = reply_of_graph(r->g, NULL);
    vouch_status status = (reply.best = ARENA_NEW(&r->memory, int, r->g->nodes)) ? VOUCH_OK : error_memory(r->error);
    bool kept;
    for (int i = 0; i < r->m->K * r->m->J && !status; i++) {
        if (reply_worst(&reply, i, r->value, NULL)) return error_memory(r->error);
        propagate_pick(r->g, reply.best, r->prob);
        status = look_at(r, false, &kept);
    }
    return status;
}

/* ---- plans for a higher probability ---- */

/* Options of a plan within this one. */
static vouch_plan_options options_within(const robust *r, double share)
{
    vouch_plan_options o = *r->options;
    o.start = NULL;
    o.least_total_regret = 0;
    o.journal = NULL;
    o.on_node = NULL;
    o.trace = NULL;
    o.proof = NULL;
    o.limits = deadline_left(&r->limit);
    o.limits.seconds *= share;
    if (isfinite(o.gap)) o.gap /= 2; /* the other half is for differences of sums */
    if (regrets(r) && isfinite(r->least)) o.cutoff = o.cutoff > 0 ? fmin(o.cutoff, r->least) : fmax(0, r->least);
    return o;
}

static vouch_status plan_part(robust *r, const vouch_model *m, const vouch_plan_options *o, const proof_unrolled *x,
                              vouch_policy **policy)
{
    vouch_status status = plan_nominal(policy, m, o, x, r->error);
    if (!status) deadline_use(&r->limit, (*policy)->nodes, (*policy)->iterations);
    return status;
}

static bool is_over(const robust *r)
{
    double cutoff = r->options->cutoff;
    return closed(r) || (cutoff > 0 && r->bound >= cutoff) || deadline_expired(&r->limit) || deadline_used_up(&r->limit);
}

/* Each promise of the copy owes more: so large a part of the way to the most that its environment can keep; U* stays. */
static vouch_status owe_more(const robust *r, const double most[], double part, vouch_model *copy)
{
    const vouch_model *m = r->m;
    vouch_status status = VOUCH_OK;
    for (int i = 0; i < m->K * m->J && !status; i++) {
        int j = i % m->J;
        double p = vouch_model_promise_probability(m, j, i / m->J);
        double top = vouch_model_promise_is_average(m, j) ? vouch_model_mean(m, most + j, m->J) : most[i];
        if (p > 0) status = vouch_model_set_promise_probability(copy, j, i / m->J, p + part * fmax(0, top - p));
    }
    for (int k = 0; k < m->K; k++) {
        copy->env[k].optimum = r->optimum[k];
        copy->env[k].optimum_known = true;
    }
    return status;
}

/* Bisects the part by which promises are raised. */
static vouch_status raise_promises(robust *r, const double most[], vouch_model *copy)
{
    double low = 0, high = 1, least = r->bound; /* of policies that owe what `low` asks for */
    vouch_status status = VOUCH_OK;
    for (int round = 0; round < RAISED_PLANS && high - low > RAISED_APART && !status && !is_over(r); round++) {
        double middle = low + (high - low) / 2;
        vouch_plan_options o = options_within(r, RAISED_SHARE);
        vouch_policy *policy = NULL;
        bool kept = false;
        if (regrets(r) && isfinite(o.gap)) o.enough = fmax(0, least) + o.gap;
        if (o.limits.nodes <= 0 || o.limits.nodes > RAISED_NODES) o.limits.nodes = RAISED_NODES;
        status = owe_more(r, most, middle, copy);
        if (!status) status = plan_part(r, copy, &o, NULL, &policy);
        bool found = !status && policy->has_policy; /* of L = 0 after some limits */
        if (found) status = initial_choices(r->g, policy, r->prob, r->error);
        if (found && !status) status = look_at(r, false, &kept);
        if (found && !kept) {
            low = middle;
            least = fmax(least, minimised(r, copy->sense, policy->bound));
        } else {
            high = middle;
        }
        vouch_policy_free(policy);
    }
    return status;
}

static vouch_status try_raised(robust *r)
{
    const vouch_model *m = r->m;
    double *most = MEM_NEW(double, m->K * m->J);
    vouch_model rows = {0}, *copy = NULL;
    vouch_status status = most && !model_rows(m, &rows) ? VOUCH_OK : error_memory(r->error);
    for (int i = 0; i < m->K * m->J && !status; i++) {
        most[i] = dp_best_probability(&rows, i);
        if (most[i] < 0) status = error_memory(r->error);
    }
    model_view_free(&rows);
    if (!status) status = vouch_model_restrict(&copy, m, NULL, 0, r->error);
    if (!status) status = raise_promises(r, most, copy);
    vouch_model_free(copy);
    mem_free(most);
    return status;
}

/* ---- the relaxation: a model of policy nodes with an environment for each nature ---- */

/* Choice c of environment e of u: the rows of an environment of m, or of a nature, which earns `paid` in every step. */
static vouch_status add_choice(const robust *r, vouch_model *u, int e, int node, int c, double paid)
{
    const know_graph *g = r->g;
    const nature *x = &r->list[e];
    int pair = g->choice_pair[c];
    bool here = know_in_set(g, g->set[node], x->k); /* else any rows will do */
    int from = here ? x->k : g->member[g->member_start[g->set[node]]];
    const mdp *own = &r->m->env[from];
    vouch_status status = VOUCH_OK;
    for (int i = g->edge_start[c]; i < g->edge_start[c + 1] && !status; i++) {
        int next = g->edge_child[i];
        double p = g->successor_prob[(size_t)g->edge_row[i] * (size_t)g->K + (size_t)from];
        if (p <= 0 || !know_in_set(g, g->set[next], from)) continue;
        if (x->row && here) p = x->row[i];
        double reward = x->row ? paid : own->reward[mdp_outcome(own, pair, g->state[next])];
        if (p > 0) status = vouch_model_add(u, e, node, r->m->pair_action[pair], next, p, reward);
    }
    return status;
}

/* The next promise of u: promise j, in the environments of m and natures that reply to it, or on average of a group of these. */
static vouch_status add_promise(const robust *r, vouch_model *u, int j, int group)
{
    const know_graph *g = r->g;
    const vouch_model *m = r->m;
    bool average = vouch_model_promise_is_average(m, j);
    int number = u->promises;
    char name[32];
    format_text(name, sizeof name, "%d of %d", group, j);
    vouch_status status = vouch_model_add_promise(u, name, VOUCH_PROMISE_AT, -1, -1);
    if (!status && average) status = vouch_model_set_promise_average(u, number, 1);
    if (!status && average) /* no other environment keeps it */
        status = vouch_model_set_promise_probability(u, number, -1, vouch_model_promise_probability(m, j, 0) / (1 + r->groups));
    for (int e = 0; e < (int)r->count && !status; e++) {
        const nature *x = &r->list[e];
        if (x->row ? x->j != j || x->group != group : group > 0) continue;
        const double *weight = reply_weight(m, x->k * m->J + j);
        if (!average) status = vouch_model_set_promise_probability(u, number, e, vouch_model_promise_probability(m, j, x->k));
        for (int n = g->time_start[g->T]; n < g->nodes && !status; n++)
            if (weight[g->state[n]] > 0) status = vouch_model_set_promise_state(u, number, e, n, 1);
    }
    return status;
}

/* *u is to be freed, after an error, too. weight [environments]: scratch. */
static vouch_status unroll(const robust *r, double weight[], vouch_model **out)
{
    const vouch_model *m = r->m;
    double paid = -INFINITY; /* natures never have the least value */
    for (int k = 0; k < m->K; k++)
        for (int q = 0; q < m->pairs; q++) paid = fmax(paid, m->env[k].expected[q]);
    vouch_status status = vouch_model_new(out, r->g->nodes, m->A, (int)r->count, m->T);
    vouch_model *u = *out;
    for (int j = 0; j < m->J && !status; j++) status = add_promise(r, u, j, 0);
    for (size_t i = 0; i < r->count && !status; i++)
        if (r->list[i].group > 0 && r->list[i].k == 0) status = add_promise(r, u, r->list[i].j, r->list[i].group);
    for (size_t i = 0; i < r->count; i++)
        weight[i] = r->list[i].row && r->list[i].group == 0 ? 0 : vouch_model_prior(m, r->list[i].k);
    if (!status && r->groups > 0) status = vouch_model_set_prior(u, weight);
    for (int e = 0; e < (int)r->count; e++)
        for (int n = 0; n < r->g->time_start[r->g->T] && !status; n++)
            for (int c = r->g->choice_start[n]; c < r->g->choice_start[n + 1] && !status; c++)
                status = add_choice(r, u, e, n, c, paid);
    return status ? status : vouch_model_finish(u, NULL, r->error);
}

/* The policy of a relaxation, on the nodes of the graph. */
static void take_policy(robust *r, const vouch_policy *policy)
{
    const know_graph *g = r->g;
    memset(r->prob, 0, (size_t)g->choices * sizeof *r->prob);
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        for (int c = g->choice_start[rule->state]; c < g->choice_start[rule->state + 1]; c++)
            if (r->m->pair_action[g->choice_pair[c]] == rule->action[0]) r->prob[c] = 1;
    }
}

/* Plans for the relaxation; x: its proof, or NULL. */
static vouch_status plan_unrolled(robust *r, vouch_plan_options o, const proof_unrolled *x, vouch_policy **policy)
{
    vouch_model *u = NULL;
    double *weight = ARENA_NEW(&r->memory, double, r->count);
    vouch_status status = weight ? unroll(r, weight, &u) : error_memory(r->error);
    o.lookahead = 0;
    for (size_t i = 0; i < r->count && weight && o.weights; i++) weight[i] = r->list[i].row ? 0 : o.weights[r->list[i].k];
    if (o.weights) o.weights = weight;
    if (!status) status = plan_part(r, u, &o, x, policy);
    if (!status && (*policy)->outcome != VOUCH_PLAN_NUMERICAL && !(*policy)->late)
        r->bound =
            fmax(r->bound, (*policy)->outcome == VOUCH_PLAN_INFEASIBLE ? INFINITY : minimised(r, VOUCH_MAXIMISE, (*policy)->bound));
    vouch_model_free(u);
    return status;
}

/* One round; total: for the least total regret, after the maximum is known. *more: it may go on. */
static vouch_status relax(robust *r, bool total, bool *more)
{
    vouch_policy *policy = NULL;
    size_t before = r->count, size = (size_t)r->g->choices * sizeof *r->prob;
    bool kept = false, again = false;
    vouch_plan_options o = options_within(r, 1);
    if (total) o.cutoff = 0;
    o.least_total_regret = total;
    vouch_status status = plan_unrolled(r, o, NULL, &policy);
    if (!status && policy->has_policy) {
        take_policy(r, policy);
        again = memcmp(r->prob, r->last, size) == 0; /* its replies break no more than the tolerance of a plan */
        memcpy(r->last, r->prob, size);
        status = look_at(r, true, &kept);
    }
    if (kept && total && policy->max_regret - r->bound <= r->options->gap) {
        memcpy(r->best, r->prob, size);
        r->total_bound = policy->total_bound;
    }
    *more = !status && policy->has_policy && r->count > before && !again && (total || !is_over(r));
    log_line(&r->options->log, VOUCH_LOG_INFO, "%zu worst replies: bound %.9g: %.3f s", before - (size_t)r->m->K, r->bound,
             clock_seconds() - r->limit.start);
    vouch_policy_free(policy);
    return status;
}

/* ---- the answer ---- */

/* The answer without a policy. worst [K * J]: what each promise can keep alone. */
static vouch_status answer_none(robust *r, bool infeasible, const double worst[])
{
    const vouch_model *m = r->m;
    vouch_policy *p = policy_new(m->K);
    if (!p || policy_describe(p, m, vouch_method_text(r->options->method), r->options->lookahead) ||
        policy_aim(p, r->options->objective, r->options->weights, m->K) ||
        (infeasible && !(p->largest_probability = ARENA_NEW(&p->memory, double, m->K * m->J)))) {
        vouch_policy_free(p);
        return error_memory(r->error);
    }
    if (infeasible) MEM_COPY(p->largest_probability, worst, m->K * m->J);
    policy_finish(p, m);
    p->outcome = infeasible ? VOUCH_PLAN_INFEASIBLE : VOUCH_PLAN_LIMIT;
    p->bound = infeasible ? minimised(r, m->sense, INFINITY) : minimised(r, m->sense, r->bound);
    vouch_policy_free(r->answer);
    r->answer = p;
    return VOUCH_OK;
}

/* Of the answer, by what is minimised. */
static void set_bound(const robust *r, double bound)
{
    vouch_policy *p = r->answer;
    double value = minimised(r, r->m->sense, policy_value(p));
    p->bound = minimised(r, r->m->sense, fmin(bound, value));
    p->outcome = value - bound <= r->options->gap ? VOUCH_PLAN_OPTIMAL : VOUCH_PLAN_FEASIBLE;
}

/* The best policy, with its figures. */
static vouch_status answer_best(robust *r)
{
    const vouch_model *m = r->m;
    vouch_policy *p = r->answer;
    vouch_environment_figures *found = ARENA_NEW(&p->memory, vouch_environment_figures, m->K);
    double *kept_with = ARENA_NEW(&p->memory, double, m->K * m->J);
    int kept = 0;
    if (!found || !kept_with) return error_memory(r->error);
    (void)propagate_forward(r->g, r->best, r->reach, r->U, r->Pr);
    p->rule_count = 0;
    p->L = r->g->L;
    p->has_policy = 1;
    if (rules_from_nodes(r->g, r->best, r->reach, p)) return error_memory(r->error);
    vouch_status status = vouch_policy_evaluate_promises(p, m, found, kept_with, &kept, r->error);
    if (status) return status;
    vouch_policy_set_figures(p, found);
    if (vouch_policy_set_commitments(p, m->J, kept_with)) return error_memory(r->error);
    set_bound(r, r->bound);
    p->total_bound = r->total_bound;
    return VOUCH_OK;
}

static vouch_status set_worst(robust *r)
{
    int kept;
    if (vouch_policy_worst(r->answer, r->m, r->worst, NULL, &kept, r->error)) return r->error->status;
    CHECK(kept);
    return vouch_policy_set_worst(r->answer, r->m->J, r->worst) ? error_memory(r->error) : VOUCH_OK;
}

static vouch_status prepare(robust *r)
{
    const vouch_model *m = r->m;
    const vouch_policy *p = r->answer;
    know_limits limits = {.nodes = MOST_NODES, .edges = MOST_EDGES, .time = &r->limit};
    vouch_status status = know_graph_new(m, p->too_large ? 0 : r->options->lookahead, &limits, &r->g, r->error);
    if (status) return status;
    r->optimum = ARENA_NEW(&r->memory, double, m->K);
    r->U = ARENA_NEW(&r->memory, double, m->K);
    r->Pr = ARENA_NEW(&r->memory, double, m->K);
    r->reach = ARENA_NEW(&r->memory, double, (size_t)r->g->nodes *(size_t)m->K);
    r->prob = ARENA_NEW(&r->memory, double, r->g->choices);
    r->best = ARENA_NEW(&r->memory, double, r->g->choices);
    r->last = ARENA_ZERO(&r->memory, double, r->g->choices);
    r->value = ARENA_NEW(&r->memory, double, r->g->nodes);
    if (r->memory.failed) return error_memory(r->error);
    for (int k = 0; k < m->K; k++) {
        if (MEM_RESERVE(&r->list, &r->capacity, r->count)) return error_memory(r->error);
        r->list[r->count++] = (nature){.k = k};
    }
    for (int k = 0; k < m->K; k++) { /* unknown after a limit: 0, for policies to compare */
        double optimum = model_given(m, p->figures[k].optimal_value);
        r->optimum[k] = isfinite(optimum) ? optimum : 0;
    }
    r->bound = p->late || p->outcome == VOUCH_PLAN_NUMERICAL ? -INFINITY : minimised(r, m->sense, p->bound);
    return VOUCH_OK;
}

/* From the nominal plan on. *nominal: it is the answer. */
static vouch_status improve(robust *r, bool *nominal)
{
    vouch_status status = prepare(r);
    bool more = true;
    *nominal = false;
    if (!status && r->answer->has_policy) {
        status = initial_choices(r->g, r->answer, r->prob, r->error);
        if (!status) status = look_at(r, true, nominal);
    }
    if (status || *nominal) return status;
    status = try_cautious(r);
    if (!status && r->answer->has_policy && !is_over(r)) status = try_raised(r);
    while (!status && more && !r->answer->too_large && !is_over(r)) status = relax(r, false, &more);
    more = r->options->least_total_regret && regrets(r) && isfinite(r->options->gap) && closed(r) && !r->answer->too_large;
    for (int round = 0; round < TOTAL_ROUNDS && !status && more && !deadline_expired(&r->limit); round++)
        status = relax(r, true, &more);
    return status;
}

/* ---- the proof: of the nominal plan, or of the last relaxation, made once more ---- */

static void keep_lines(void *context, const char *text) { fputs(text, context); }

/* The nominal plan; *lines: of its proof, if one is wanted. */
static vouch_status plan_nominal_first(robust *r, FILE **lines)
{
    vouch_plan_options o = *r->options;
    if (o.proof && !(*lines = tmpfile())) return error_set(r->error, VOUCH_ERROR_IO, "there is no temporary file for the proof");
    if (o.proof) o.proof = keep_lines, o.proof_context = *lines;
    o.limits.seconds *= NOMINAL_SHARE;
    return plan_part(r, r->m, &o, NULL, &r->answer);
}

static vouch_status prove_relaxation(robust *r)
{
    vouch_policy *p = r->answer, *again = NULL;
    vouch_plan_options o = options_within(r, 1);
    o.proof = r->options->proof;
    figures_finish(r->m, p->figures, p->K); /* as planned */
    vouch_status status = plan_unrolled(r, o, &(proof_unrolled){r->m, r->g, p, r->list + r->m->K, (int)r->count - r->m->K}, &again);
    figures_finish(r->m, p->figures, p->K);
    if (!status && p->has_policy) set_bound(r, minimised(r, VOUCH_MAXIMISE, again->bound));
    p->total_bound = NAN;
    vouch_policy_free(again);
    return status;
}

/* An environment alone breaks its promise. */
static vouch_status prove_hopeless(robust *r, const double alone[])
{
    vouch_status status = prepare(r);
    if (status) return status;
    reply_graph reply = reply_of_graph(r->g, NULL);
    for (int i = 0, J = r->m->J; i < r->m->K * J && (int)r->count == r->m->K && !status; i++)
        if (!vouch_model_promise_kept(r->m, i % J, i / J, alone[i])) status = add_nature(r, &reply, i / J, i % J);
    return status ? status : prove_relaxation(r);
}

static vouch_status find(robust *r, double alone[], FILE **lines)
{
    bool hopeless = false, nominal = false;
    vouch_status status = reply_alone(r->m, alone, r->error);
    for (int j = 0; j < r->m->J && !status; j++) hopeless |= !reply_kept(r->m, j, alone); /* whatever the policy */
    if (!status && hopeless) {
        status = answer_none(r, true, alone);
        return status || !r->options->proof ? status : prove_hopeless(r, alone);
    }
    if (!status) status = plan_nominal_first(r, lines);
    if (status) return status;
    bool impossible = r->answer->outcome == VOUCH_PLAN_INFEASIBLE;
    if (!impossible) status = improve(r, &nominal);
    bool none = isinf(r->bound) && r->bound > 0;
    if (!status && !impossible && !nominal) status = isfinite(r->least) ? answer_best(r) : answer_none(r, none, alone);
    if (!status && *lines && (impossible || nominal) && proof_copy(r->options, *lines))
        status = error_set(r->error, VOUCH_ERROR_IO, "the temporary file of the proof cannot be read");
    if (!status && *lines && !impossible && !nominal && (int)r->count > r->m->K) status = prove_relaxation(r);
    if (!status && r->answer->has_policy) status = set_worst(r);
    r->answer->nodes = r->limit.nodes;
    r->answer->iterations = r->limit.iterations;
    r->answer->seconds = clock_seconds() - r->limit.start;
    return status;
}

vouch_status plan_within(vouch_policy **out, const vouch_model *m, const vouch_plan_options *options, vouch_error *error)
{
    vouch_plan_options own = *options;
    int rows = m->K * m->J;
    double *worst = MEM_NEW(double, 2 * rows + m->K);
    robust r = {.m = m,
                .options = &own,
                .limit = deadline_start(&own.limits),
                .error = error,
                .least = INFINITY,
                .total_bound = NAN,
                .worst = worst};
    vouch_status status = VOUCH_OK;
    FILE *lines = NULL;
    if (own.method != VOUCH_METHOD_MILP_CCL)
        status = error_set(error, VOUCH_ERROR_ARGUMENT, "%s keeps no promises under the error of probabilities; milp-ccl does",
                           vouch_method_text(own.method));
    else if (own.proof && vouch_model_averages(m) > 0)
        status = error_set(error, VOUCH_ERROR_ARGUMENT,
                           "proofs of promises under the error of probabilities are of promises that every environment keeps");
    else if (!worst)
        status = error_memory(error);
    if (!status && own.objective == VOUCH_OBJECTIVE_WEIGHTED && !own.weights) { /* natures have no weight */
        double *weights = worst + 2 * rows;
        for (int k = 0; k < m->K; k++) weights[k] = vouch_model_has_prior(m) ? vouch_model_prior(m, k) : 1;
        own.weights = weights;
    }
    if (!status) status = find(&r, worst + rows, &lines);
    if (lines) fclose(lines);
    for (size_t i = 0; i < r.count; i++) MEM_FREE_ALL(r.list[i].row, r.list[i].value);
    MEM_FREE_ALL(r.list, worst);
    know_graph_free(r.g);
    arena_free(&r.memory);
    if (status)
        vouch_policy_free(r.answer);
    else
        *out = r.answer;
    return status;
}

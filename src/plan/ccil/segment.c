/* plan/ccil/segment.c - plans the L steps from one knowledge state: Pr(k) >= p(k), U(k) >= floor(k) for the environments still
 * possible, and means over their posterior.
 *
 * The knowledge state is turned into a model of its own (mdp/model.h), for which the inner method finds an L-updates policy that
 * gives each environment at least p(k). Value and probability at each exit are then those of one backward propagation of that
 * policy. Where planning fails, or gives less than is owed, the policy in force is taken over as it stands, which costs one
 * backward evaluation of its Markov rules. Source: THEORY.md, section 7. Cost: one plan of the inner method. Invariant
 * (segment_check): in each environment the exits' probabilities sum to 1.
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "link/message.h"
#include "plan/ccil/ccil.h"
#include "plan/methods.h"

static const long long MANY = (long long)1 << 31;

static void put_rule(message *m, const policy_rule *r, int K)
{
    const int numbers[] = {(int)r->kind, r->time, r->state, r->boundary_time, r->boundary_state, r->env_count, r->do_count};
    MESSAGE_PUT(m, numbers, sizeof numbers / sizeof *numbers);
    if (r->env) MESSAGE_PUT(m, r->env, r->env_count);
    if (r->likelihood) MESSAGE_PUT(m, r->likelihood, K);
    MESSAGE_PUT(m, r->action, r->do_count);
    MESSAGE_PUT(m, r->prob, r->do_count);
}

static vouch_status take_rule(message *m, vouch_policy *policy)
{
    int n[7];
    MESSAGE_TAKE(m, n, 7);
    if (m->failed || n[5] < 0 || n[5] > policy->K || n[6] < 0) return VOUCH_ERROR_IO;
    policy_rule *r = policy_add_rule(policy, (vouch_rule_kind)n[0], n[5], n[6]);
    if (!r) return VOUCH_ERROR_MEMORY;
    r->time = n[1];
    r->state = n[2];
    r->boundary_time = n[3];
    r->boundary_state = n[4];
    if (r->env) MESSAGE_TAKE(m, r->env, r->env_count);
    if (r->likelihood) MESSAGE_TAKE(m, r->likelihood, policy->K);
    MESSAGE_TAKE(m, r->action, r->do_count);
    MESSAGE_TAKE(m, r->prob, r->do_count);
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

/* The policy as the answer of a task, with the status of the call that found it and what it says. */
static void segment_policy_put(message *m, const vouch_policy *policy, vouch_status status, const vouch_error *trouble)
{
    message_put_int(m, status);
    message_put_text(m, status ? trouble->text : "");
    message_put_int(m, policy->outcome);
    message_put_int(m, policy->has_policy);
    message_put_int(m, policy->L);
    message_put_real(m, policy->bound);
    message_put_int(m, (long long)policy->rule_count);
    for (size_t i = 0; i < policy->rule_count; i++) put_rule(m, &policy->rules[i], policy->K);
}

/* Into a policy that was described and has no rules. */
static vouch_status segment_policy_take(message *m, vouch_policy *policy, vouch_error *trouble)
{
    vouch_status found = (vouch_status)message_take_int(m), status = VOUCH_OK;
    message_take_text(m, trouble->text, sizeof trouble->text);
    policy->outcome = (vouch_plan_outcome)message_take_int(m);
    policy->has_policy = message_take_int(m) != 0;
    policy->L = (int)message_take_int(m);
    policy->bound = message_take_real(m);
    long long rules = message_take_count(m, 0, MANY);
    for (long long i = 0; i < rules && !status; i++) status = take_rule(m, policy);
    return status ? status : m->failed ? VOUCH_ERROR_IO : found;
}

static const double SUM_ROUNDING = 1e-6; /* of distributions in files, and of sums propagated through them */

segment *segment_new(const segment_start *start)
{
    segment *seg = MEM_ZERO(segment, 1);
    if (!seg) return NULL;
    int count = start->count;
    CHECK_COMPARE(count, >, 0);
    for (int i = 1; i < count; i++) CHECK_COMPARE(start->env[i - 1], <, start->env[i]);
    seg->time = start->time;
    seg->state = start->state;
    seg->count = count;
    seg->outcome = VOUCH_PLAN_LIMIT;
    seg->env = MEM_NEW(int, count);
    seg->store = MEM_NEW(double, 14 * (size_t)count);
    if (!seg->env || !seg->store) {
        segment_free(seg);
        return NULL;
    }
    double **array[] = {&seg->p,       &seg->in_force_U,      &seg->in_force_Pr, &seg->optimal,     &seg->U,
                        &seg->Pr,      &seg->reward,          &seg->adaptive_U,  &seg->adaptive_Pr, &seg->earned,
                        &seg->given_U, &seg->adaptive_earned, &seg->floor};
    for (size_t i = 0; i < sizeof array / sizeof *array - !start->floor; i++) *array[i] = seg->store + i * (size_t)count;
    MEM_COPY(seg->env, start->env, count);
    MEM_COPY(seg->p, start->p, count);
    if (start->floor) MEM_COPY(seg->floor, start->floor, count);
    if (start->weight) {
        seg->weight = seg->store + 13 * (size_t)count;
        MEM_COPY(seg->weight, start->weight, count);
    }
    if (averages_copy(start->averages, count, &seg->averages)) {
        segment_free(seg);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        seg->in_force_U[i] = seg->in_force_Pr[i] = seg->optimal[i] = seg->U[i] = seg->Pr[i] = seg->earned[i] = seg->given_U[i] =
            NAN;
    return seg;
}

static void clear_plan(segment *seg)
{
    for (int i = 0; i < seg->exits; i++) MEM_FREE_ALL(seg->exit[i].reach, seg->exit[i].rules.rule);
    mem_free(seg->exit);
    seg->exit = NULL;
    seg->exits = 0;
    mem_free(seg->prob);
    seg->prob = NULL;
    know_graph_free(seg->g);
    seg->g = NULL;
}

void segment_free(segment *seg)
{
    if (!seg) return;
    clear_plan(seg);
    model_view_free(&seg->view);
    model_view_free(&seg->first);
    mem_free(seg->env);
    mem_free(seg->store);
    averages_free(&seg->averages);
    mem_free(seg->in_force.rule);
    mem_free(seg);
}

static int add_rule(markov_rules *r, int time, int pair, double prob)
{
    if (mem_reserve((void **)&r->rule, &r->capacity, r->count, sizeof *r->rule)) return -1;
    r->rule[r->count++] = (markov_rule){time, pair, prob};
    return 0;
}

/* The rules as a table over (time, pair) of the view; states that they do not speak of keep zeros. */
static double *rules_table(const markov_rules *r, const vouch_model *view)
{
    double *table = MEM_ZERO(double, (size_t)view->T *(size_t)view->pairs);
    for (size_t i = 0; table && i < r->count; i++)
        table[(size_t)r->rule[i].time * (size_t)view->pairs + (size_t)r->rule[i].pair] = r->rule[i].prob;
    return table;
}

/* One exit for each node of the last layer that prob comes to. value and pr are left to the caller. reach: [nodes * count] of g. */
static vouch_status open_exits(segment *seg, const double reach[])
{
    const know_graph *g = seg->g;
    size_t K = (size_t)seg->count;
    int first = g->time_start[g->T], last = g->time_start[g->T + 1];
    seg->exit = MEM_ZERO(segment_exit, last - first);
    if (!seg->exit) return VOUCH_ERROR_MEMORY;
    for (int n = first; n < last; n++) {
        double most = 0;
        for (size_t k = 0; k < K; k++) most = fmax(most, reach[(size_t)n * K + k]);
        if (most <= 0) continue;
        segment_exit *x = &seg->exit[seg->exits++];
        x->node = n;
        x->child = -1;
        x->reach = MEM_ZERO(double, 3 * K);
        if (!x->reach) return VOUCH_ERROR_MEMORY;
        x->U = x->reach + K;
        x->Pr = x->U + K;
        MEM_COPY(x->reach, reach + (size_t)n * K, K);
    }
    return VOUCH_OK;
}

/* Reward of the steps, and the exits, of seg->g under seg->prob. */
static vouch_status propagate_steps(segment *seg)
{
    double *reach = MEM_NEW(double, (size_t)seg->g->nodes *(size_t)seg->count), *pr = MEM_NEW(double, seg->count);
    vouch_status status = reach && pr ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (!status) {
        propagate_forward(seg->g, seg->prob, reach, seg->reward, pr);
        status = open_exits(seg, reach);
    }
    mem_free(reach);
    mem_free(pr);
    return status;
}

/* The graph of the segment's own steps. */
static vouch_status make_graph(segment *seg, vouch_error *error)
{
    int *all = MEM_NEW(int, seg->count);
    if (!all) return error_memory(error);
    for (int i = 0; i < seg->count; i++) all[i] = i;
    vouch_status status = model_view(&seg->view, seg->state, seg->steps, all, seg->count, &seg->first);
    mem_free(all);
    if (status) return error_memory(error);
    return know_graph_new(&seg->first, seg->steps, NULL, &seg->g, error);
}

/* What follows the exits under prob of the whole graph `full`, of which seg->g is the beginning. */
static vouch_status fill_exits(segment *seg, const know_graph *full, const double prob[], const double gain[], const double keep[])
{
    size_t K = (size_t)seg->count;
    for (int i = 0; i < seg->exits; i++) {
        segment_exit *x = &seg->exit[i];
        for (size_t k = 0; k < K; k++) {
            x->U[k] = gain[(size_t)x->node * K + k];
            x->Pr[k] = keep[(size_t)x->node * K + k];
        }
        for (int t = seg->steps; t < full->T; t++)
            for (int n = full->time_start[t]; n < full->time_start[t + 1]; n++) {
                if (full->boundary[n] != x->node) continue;
                for (int c = full->choice_start[n]; c < full->choice_start[n + 1]; c++)
                    if (prob[c] > 0 && add_rule(&x->rules, t - seg->steps, full->choice_pair[c], prob[c]))
                        return VOUCH_ERROR_MEMORY;
            }
    }
    return VOUCH_OK;
}

/* Takes over the policy in force. */
static vouch_status keep_policy_in_force(segment *seg, vouch_error *error)
{
    const vouch_model *v = &seg->view;
    size_t K = (size_t)seg->count, S = (size_t)v->S, layers = (size_t)v->T + 1;
    double *table = rules_table(&seg->in_force, v), *gain = MEM_ZERO(double, 2 * S * layers);
    vouch_status status = table && gain ? make_graph(seg, error) : error_memory(error);
    if (!status && !(seg->prob = MEM_NEW(double, seg->g->choices))) status = error_memory(error);
    if (status) goto done;
    seg->kept_on = true;
    double *keep = gain + S * layers;
    CHECK(seg->g->T == seg->steps && seg->g->m->pairs == v->pairs);
    space_spread(seg->g, table, seg->prob);
    if (propagate_steps(seg)) {
        status = error_memory(error);
        goto done;
    }
    for (size_t k = 0; k < K; k++) {
        const mdp *e = &v->env[k];
        for (size_t s = 0; s < S; s++) keep[(size_t)v->T * S + s] = e->terminal[s];
        for (int t = v->T - 1; t >= 0; t--)
            for (int s = 0; s < v->S; s++) {
                double u = 0, pr = 0;
                for (int q = v->pair_start[s]; q < v->pair_start[s + 1]; q++) {
                    double x = table[(size_t)t * (size_t)v->pairs + (size_t)q];
                    if (x <= 0) continue;
                    u += x * e->expected[q];
                    for (int o = e->start[q]; o < e->start[q + 1]; o++) {
                        size_t next = ((size_t)t + 1) * S + (size_t)e->next[o];
                        u += x * e->prob[o] * gain[next];
                        pr += x * e->prob[o] * keep[next];
                    }
                }
                gain[(size_t)t * S + (size_t)s] = u;
                keep[(size_t)t * S + (size_t)s] = pr;
            }
        seg->U[k] = gain[seg->state];
        seg->Pr[k] = keep[seg->state];
        for (int i = 0; i < seg->exits; i++) {
            size_t at = (size_t)seg->steps * S + (size_t)seg->g->state[seg->exit[i].node];
            seg->exit[i].U[k] = gain[at];
            seg->exit[i].Pr[k] = keep[at];
        }
    }
    for (int i = 0; i < seg->exits && !status; i++)
        for (size_t j = 0; j < seg->in_force.count && !status; j++) {
            const markov_rule *r = &seg->in_force.rule[j];
            if (r->time >= seg->steps && add_rule(&seg->exit[i].rules, r->time - seg->steps, r->pair, r->prob))
                status = error_memory(error);
        }
done:
    mem_free(table);
    mem_free(gain);
    return status;
}

/* Does the plan give each environment, and on average, what is owed? */
static bool gives_enough(const segment *seg, double tolerance)
{
    for (int i = 0; i < seg->count; i++) {
        if (!commitment_kept_within(seg->Pr[i], seg->p[i], tolerance)) return false;
        if (seg->floor && !(seg->U[i] >= seg->floor[i] - floor_tolerance(seg->view.T))) return false;
    }
    for (int a = 0; a < seg->averages.count; a++)
        if (!commitment_kept_within(average_mean(&seg->averages, a, seg->count, seg->Pr), seg->averages.p[a], tolerance))
            return false;
    return true;
}

/* Rewards of a graph of the segment: as planned; where losses are planned for, those given, before rescaling, or of the model. */
typedef enum reward_kind { AS_PLANNED, AS_GIVEN, AS_EARNED } reward_kind;

static void set_rewards(const segment *seg, know_graph *g, reward_kind kind)
{
    size_t K = (size_t)seg->count;
    for (size_t i = 0; i < (size_t)seg->view.pairs * K; i++) {
        const mdp *e = &seg->view.env[i % K];
        g->reward[i] = (kind == AS_EARNED ? e->earned : kind == AS_GIVEN && e->given ? e->given : e->expected)[i / K];
    }
}

/* Takes over the policy found; *enough: it gives each environment its due. */
static vouch_status adopt(segment *seg, const vouch_policy *policy, double tolerance, bool *enough, vouch_error *error)
{
    know_graph *full = NULL;
    double *prob = NULL, *reach = NULL, *gain = NULL, *keep = NULL;
    vouch_status status = know_graph_new(&seg->view, seg->steps, NULL, &full, error);
    if (status) return status;
    size_t table = (size_t)full->nodes * (size_t)seg->count;
    prob = MEM_NEW(double, full->choices);
    reach = MEM_NEW(double, table);
    gain = MEM_NEW(double, table);
    keep = MEM_NEW(double, table);
    status = prob && reach && gain && keep ? rules_to_nodes(policy, full, prob, error) : error_memory(error);
    if (status) goto done;
    if (seg->view.env[0].earned) {
        set_rewards(seg, full, AS_EARNED);
        propagate_forward(full, prob, reach, seg->earned, gain);
        set_rewards(seg, full, AS_GIVEN);
        propagate_forward(full, prob, reach, seg->given_U, gain);
        set_rewards(seg, full, AS_PLANNED);
    }
    propagate_forward(full, prob, reach, seg->U, seg->Pr);
    *enough = gives_enough(seg, tolerance);
    if (!*enough) goto done;
    propagate_backward(full, prob, gain, keep);
    status = make_graph(seg, error);
    if (status) goto done;
    seg->prob = MEM_NEW(double, seg->g->choices); /* layers and choices of g are the first ones of full */
    if (seg->prob) MEM_COPY(seg->prob, prob, seg->g->choices);
    if (!seg->prob || propagate_steps(seg) || fill_exits(seg, full, prob, gain, keep)) status = error_memory(error);
done:
    MEM_FREE_ALL(prob, reach, gain, keep);
    know_graph_free(full);
    return status;
}

/* U*(k), and whether each environment alone can give what it owes. */
static vouch_status find_optima(segment *seg, double tolerance, bool *alone)
{
    double *low = MEM_NEW(double, seg->count);
    vouch_status status = low ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    *alone = true;
    for (int k = 0; k < seg->count && low; k++) low[k] = commitment_threshold(seg->p[k], tolerance, seg->view.T);
    for (int k = 0; k < seg->count && !status; k++) {
        dp_optima found = {0};
        if (k % seg->view.group > 0)
            seg->optimal[k] = seg->optimal[k - 1];
        else
            status = dp_optima_within(&seg->view, k, seg->p, low, NULL, &found);
        if (!status && k % seg->view.group == 0)
            seg->optimal[k] = isfinite(found.value) ? found.at_low : found.value; /* as space.h */
        if (!status && k % seg->view.group == 0 && isfinite(found.value))         /* U* is concave in the threshold */
            seg->steep = fmax(seg->steep, (found.at_low - found.value) * commitment_rounding(seg->view.T) / KEEP_TOLERANCE);
        double best = status ? -1 : dp_best_probability(&seg->view, k);
        if (best < 0) status = VOUCH_ERROR_MEMORY;
        if (!commitment_kept_within(best, seg->p[k], tolerance) || !isfinite(seg->optimal[k])) *alone = false;
    }
    mem_free(low);
    return status;
}

/* A policy found for L = 0 instead, the knowledge states being too many, becomes the policy in force of a segment that has none. */
static vouch_status take_markov(segment *seg, const vouch_policy *policy)
{
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *r = &policy->rules[i];
        for (int j = 0; j < r->do_count; j++)
            if (add_rule(&seg->in_force, r->time, model_pair(&seg->view, r->state, r->action[j]), r->prob[j]))
                return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

/* Where rewards are wide or the rounding of promises shows, in numbers of 640 bits. */
static vouch_status search_precisely(const segment *seg, plan_call *call)
{
    const vouch_policy *policy = call->policy;
    bool done, unseen = plan_is_unseen(rescaled_rounding(&seg->view), 0) && !plan_shows_promises(&seg->view, policy);
    if (unseen || call->options->method != VOUCH_METHOD_MILP_CCL || policy->outcome == VOUCH_PLAN_INFEASIBLE ||
        policy->L != seg->steps)
        return VOUCH_OK;
    return plan_precise_search(call, &seg->view, &done);
}

/* Runs the inner method; *found NULL when it found nothing of this L or ran out of memory for its search. */
static vouch_status run_method(segment *seg, const segment_options *o, const double start[], vouch_policy **found,
                               vouch_error *error)
{
    vouch_plan_options po = *o->plan;
    vouch_error trouble = {0};
    po.lookahead = seg->steps;
    po.threads = o->threads;
    if (!o->shared) {
        po.workers = 0;
        po.journal = NULL;
    }
    if (seg->time > 0) po.progress = NULL; /* of many plans, maybe on several threads */
    po.restart = NULL;
    po.on_node = NULL;
    *found = NULL;
    double gap = po.gap;
    po.gap = rescaled_gap(&seg->view, gap);
    plan_task task = {seg->p, &seg->averages, seg->floor, start, o->tolerance};
    int group = seg->view.group, environments = seg->count / group;
    vouch_policy *policy = policy_new(seg->count);
    double *weights = policy && seg->weight ? ARENA_NEW(&policy->memory, double, environments) : NULL;
    for (int k = 0; k < environments && weights; k++) weights[k] = seg->weight[k * group];
    po.weights = weights;
    if (!policy || (seg->weight && !weights) || policy_aim(policy, po.objective, weights, environments)) {
        vouch_policy_free(policy);
        return error_memory(error);
    }
    search_parts without = 0;
    parts_named(po.without, &without, NULL); /* checked by the caller */
    plan_call call = {&seg->view, &po, o->limit, policy, &trouble, without, NULL, NULL, &task, NULL, NULL, false, NULL};
    vouch_status status =
        policy_describe(policy, &seg->view, vouch_method_text(po.method), seg->steps) ? error_memory(&trouble) : VOUCH_OK;
    if (!status && o->given)
        status = segment_policy_take(o->given, policy, &trouble);
    else if (!status) {
        status = plan_by_method(&call);
        if (!status) plan_settle(&seg->view, gap, policy);
        po.gap = gap;
        if (!status) status = search_precisely(seg, &call);
        if (o->kept && status != VOUCH_ERROR_MEMORY) segment_policy_put(o->kept, policy, status, &trouble);
    }
    if (!status) {
        seg->outcome = policy->outcome;
        seg->bound = policy->bound;
    }
    if (!status && policy->has_policy && policy->L == seg->steps) {
        *found = policy;
        return VOUCH_OK;
    }
    if (!status && policy->has_policy && !start && take_markov(seg, policy)) status = error_memory(&trouble);
    vouch_policy_free(policy);
    if (status == VOUCH_ERROR_SIZE && !start)
        log_line(&o->plan->log, VOUCH_LOG_ERROR, "%s", trouble.text); /* no first plan: the caller is told why */
    if (!status || status == VOUCH_ERROR_SIZE) return VOUCH_OK;
    return error_set(error, status, "%s", trouble.text);
}

/* Every environment leaves by some exit, and rows of the plan that are reached sum to 1. */
static void segment_check(const segment *seg)
{
    if (!CHECKING) return;
    for (int k = 0; k < seg->count; k++) {
        double sum = 0;
        for (int i = 0; i < seg->exits; i++) {
            CHECK(seg->exit[i].Pr[k] >= 0 && seg->exit[i].Pr[k] <= 1 + SUM_ROUNDING);
            sum += seg->exit[i].reach[k];
        }
        CHECK_COMPARE(fabs(sum - 1), <=, SUM_ROUNDING);
        CHECK(isfinite(seg->U[k]) && isfinite(seg->optimal[k]));
    }
    for (int i = 1; i < seg->exits; i++) CHECK_COMPARE(seg->exit[i - 1].node, <, seg->exit[i].node);
}

/* What is within `rounding` of certainty is owed with certainty. */
static void round_owed(segment *seg, double rounding)
{
    for (int i = 0; i < seg->count; i++)
        if (seg->p[i] > 1 - rounding) seg->p[i] = 1;
    for (int a = 0; a < seg->averages.count; a++)
        if (seg->averages.p[a] > 1 - rounding) seg->averages.p[a] = 1;
}

vouch_status segment_plan(const vouch_model *m, segment *seg, const segment_options *o, vouch_error *error)
{
    int left = m->T - seg->time;
    bool alone = true, enough = false;
    double *start = NULL;
    vouch_policy *policy = NULL;
    seg->steps = o->lookahead < left ? o->lookahead : left;
    CHECK(seg->steps > 0 && !seg->planned && !seg->g);
    CHECK(o->tolerance >= 0 && o->tolerance <= KEEP_TOLERANCE);
    bool root = seg->in_force.count == 0;
    /* what propagation may have rounded down from 1 is 1, and certainty prunes; what the first plan owes is as given */
    if (!root) round_owed(seg, commitment_rounding(m->T));
    if (model_view(m, seg->state, left, seg->env, seg->count, &seg->view)) return error_memory(error);
    vouch_status status = find_optima(seg, o->tolerance, &alone);
    if (status) return error_memory(error);
    if (!root && !(start = rules_table(&seg->in_force, &seg->view))) return error_memory(error);
    if (!alone && root) {
        seg->outcome = VOUCH_PLAN_INFEASIBLE;
        seg->bound = INFINITY;
    } else if (alone) {
        status = run_method(seg, o, start, &policy, error);
        if (!status && policy) status = adopt(seg, policy, o->tolerance, &enough, error);
    }
    if (!status && !enough && seg->in_force.count > 0) {
        clear_plan(seg);
        status = keep_policy_in_force(seg, error);
    }
    if (!status && !seg->g && seg->outcome != VOUCH_PLAN_INFEASIBLE) seg->outcome = VOUCH_PLAN_LIMIT;
    seg->planned = !status;
    if (!status && seg->g) segment_check(seg);
    mem_free(start);
    vouch_policy_free(policy);
    return status;
}

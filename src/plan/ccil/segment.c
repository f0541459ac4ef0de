/* plan/ccil/segment.c - see segment.h.
 *
 * The knowledge state is turned into a model of its own (mdp/view.h), for which the inner method finds an L-updates policy that gives each
 * environment at least p(k). Value and probability at each exit are then those of one backward propagation of that policy. Where
 * planning fails, or gives less than is owed, the policy in force is taken over as it stands, which costs one backward
 * evaluation of its Markov rules.
 */
#include "plan/ccil/segment.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/log.h"
#include "base/memory.h"
#include "know/propagate.h"
#include "mdp/dp.h"
#include "mdp/rescale.h"
#include "plan/methods.h"
#include "policy/rules.h"
#include "policy/space.h"

plan_block *block_new(int time, int state, const int env[], int count, bool floors)
{
    plan_block *b = MEM_ZERO(plan_block, 1);
    if (!b) return NULL;
    b->time = time;
    b->state = state;
    b->count = count;
    b->outcome = VOUCH_PLAN_LIMIT;
    b->env = MEM_NEW(int, count);
    b->p = MEM_ZERO(double, count);
    b->in_force_value = MEM_NEW(double, count);
    b->in_force_pr = MEM_NEW(double, count);
    b->optimal = MEM_NEW(double, count);
    b->value = MEM_NEW(double, count);
    b->pr = MEM_NEW(double, count);
    b->head = MEM_NEW(double, count);
    b->total = MEM_NEW(double, count);
    b->kept = MEM_NEW(double, count);
    if (floors) b->floor = MEM_NEW(double, count);
    if (!b->env || !b->p || !b->in_force_value || !b->in_force_pr || !b->optimal || !b->value || !b->pr || !b->head || !b->total ||
        !b->kept || (floors && !b->floor)) {
        block_free(b);
        return NULL;
    }
    MEM_COPY(b->env, env, count);
    for (int i = 0; i < count; i++) b->in_force_value[i] = b->in_force_pr[i] = b->optimal[i] = b->value[i] = b->pr[i] = NAN;
    return b;
}

static void exit_release(block_exit *x)
{
    mem_free(x->reach);
    mem_free(x->value);
    mem_free(x->pr);
    mem_free(x->rules.rule);
}

static void drop_plan(plan_block *b)
{
    for (int i = 0; i < b->exits; i++) exit_release(&b->exit[i]);
    mem_free(b->exit);
    b->exit = NULL;
    b->exits = 0;
    mem_free(b->prob);
    b->prob = NULL;
    know_graph_free(b->g);
    b->g = NULL;
}

void block_free(plan_block *b)
{
    if (!b) return;
    drop_plan(b);
    model_view_free(&b->view);
    model_view_free(&b->first);
    mem_free(b->env);
    mem_free(b->p);
    mem_free(b->floor);
    mem_free(b->in_force_value);
    mem_free(b->in_force_pr);
    mem_free(b->in_force.rule);
    mem_free(b->optimal);
    mem_free(b->value);
    mem_free(b->pr);
    mem_free(b->head);
    mem_free(b->total);
    mem_free(b->kept);
    mem_free(b);
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
static vouch_status open_exits(plan_block *b, const double reach[])
{
    const know_graph *g = b->g;
    size_t K = (size_t)b->count;
    int first = g->time_start[g->T], last = g->time_start[g->T + 1];
    b->exit = MEM_ZERO(block_exit, last - first);
    if (!b->exit) return VOUCH_ERROR_MEMORY;
    for (int n = first; n < last; n++) {
        double most = 0;
        for (size_t k = 0; k < K; k++) most = fmax(most, reach[(size_t)n * K + k]);
        if (most <= 0) continue;
        block_exit *x = &b->exit[b->exits++];
        x->node = n;
        x->child = -1;
        x->reach = MEM_NEW(double, K);
        x->value = MEM_ZERO(double, K);
        x->pr = MEM_ZERO(double, K);
        if (!x->reach || !x->value || !x->pr) return VOUCH_ERROR_MEMORY;
        MEM_COPY(x->reach, reach + (size_t)n * K, K);
    }
    return VOUCH_OK;
}

/* Head rewards and exits of b->g under b->prob. */
static vouch_status walk_head(plan_block *b)
{
    double *reach = MEM_NEW(double, (size_t)b->g->nodes *(size_t)b->count), *pr = MEM_NEW(double, b->count);
    vouch_status status = reach && pr ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    if (!status) {
        propagate_forward(b->g, b->prob, reach, b->head, pr);
        status = open_exits(b, reach);
    }
    mem_free(reach);
    mem_free(pr);
    return status;
}

/* The graph of the block's own steps. */
static vouch_status make_graph(plan_block *b, vouch_error *error)
{
    int *all = MEM_NEW(int, b->count);
    if (!all) return error_memory(error);
    for (int i = 0; i < b->count; i++) all[i] = i;
    vouch_status status = model_view(&b->view, b->state, b->steps, all, b->count, &b->first);
    mem_free(all);
    if (status) return error_memory(error);
    return know_graph_new(&b->first, b->steps, NULL, &b->g, error);
}

/* What follows the exits under prob of the whole graph `full`, of which b->g is the beginning. */
static vouch_status follow_exits(plan_block *b, const know_graph *full, const double prob[], const double gain[],
                                 const double keep[])
{
    size_t K = (size_t)b->count;
    for (int i = 0; i < b->exits; i++) {
        block_exit *x = &b->exit[i];
        for (size_t k = 0; k < K; k++) {
            x->value[k] = gain[(size_t)x->node * K + k];
            x->pr[k] = keep[(size_t)x->node * K + k];
        }
        for (int t = b->steps; t < full->T; t++)
            for (int n = full->time_start[t]; n < full->time_start[t + 1]; n++) {
                if (full->boundary[n] != x->node) continue;
                for (int c = full->choice_start[n]; c < full->choice_start[n + 1]; c++)
                    if (prob[c] > 0 && add_rule(&x->rules, t - b->steps, full->choice_pair[c], prob[c])) return VOUCH_ERROR_MEMORY;
            }
    }
    return VOUCH_OK;
}

/* Takes over the policy in force. */
static vouch_status keep_on(plan_block *b, vouch_error *error)
{
    const vouch_model *v = &b->view;
    size_t K = (size_t)b->count, S = (size_t)v->S, layers = (size_t)v->T + 1;
    double *table = rules_table(&b->in_force, v), *gain = MEM_ZERO(double, 2 * S * layers);
    vouch_status status = table && gain ? make_graph(b, error) : error_memory(error);
    if (!status && !(b->prob = MEM_NEW(double, b->g->choices))) status = error_memory(error);
    if (status) goto done;
    b->kept_on = true;
    double *keep = gain + S * layers;
    for (int t = 0; t < b->steps; t++)
        for (int n = b->g->time_start[t]; n < b->g->time_start[t + 1]; n++)
            for (int c = b->g->choice_start[n]; c < b->g->choice_start[n + 1]; c++)
                b->prob[c] = table[(size_t)t * (size_t)v->pairs + (size_t)b->g->choice_pair[c]];
    if (walk_head(b)) {
        status = error_memory(error);
        goto done;
    }
    for (size_t k = 0; k < K; k++) {
        const mdp *e = &v->env[k];
        for (size_t s = 0; s < S; s++) keep[(size_t)v->T * S + s] = v->phi[s];
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
        b->value[k] = gain[b->state];
        b->pr[k] = keep[b->state];
        for (int i = 0; i < b->exits; i++) {
            size_t at = (size_t)b->steps * S + (size_t)b->g->state[b->exit[i].node];
            b->exit[i].value[k] = gain[at];
            b->exit[i].pr[k] = keep[at];
        }
    }
    for (int i = 0; i < b->exits && !status; i++)
        for (size_t j = 0; j < b->in_force.count && !status; j++) {
            const markov_rule *r = &b->in_force.rule[j];
            if (r->time >= b->steps && add_rule(&b->exit[i].rules, r->time - b->steps, r->pair, r->prob))
                status = error_memory(error);
        }
done:
    mem_free(table);
    mem_free(gain);
    return status;
}

/* Does the plan give each environment what it is owed? */
static bool gives_enough(const plan_block *b, double tolerance)
{
    for (int i = 0; i < b->count; i++) {
        if (!commitment_kept_within(b->pr[i], b->p[i], tolerance)) return false;
        if (b->floor && !(b->value[i] >= b->floor[i] - FLOOR_TOLERANCE * (1 + fabs(b->floor[i])))) return false;
    }
    return true;
}

/* Takes over the policy found; *enough: it gives each environment its due. */
static vouch_status adopt(plan_block *b, const vouch_policy *policy, double tolerance, bool *enough, vouch_error *error)
{
    know_graph *full = NULL;
    double *prob = NULL, *reach = NULL, *gain = NULL, *keep = NULL;
    vouch_status status = know_graph_new(&b->view, b->steps, NULL, &full, error);
    if (status) return status;
    size_t table = (size_t)full->nodes * (size_t)b->count;
    prob = MEM_NEW(double, full->choices);
    reach = MEM_NEW(double, table);
    gain = MEM_NEW(double, table);
    keep = MEM_NEW(double, table);
    status = prob && reach && gain && keep ? rules_to_nodes(policy, full, prob, error) : error_memory(error);
    if (status) goto done;
    propagate_forward(full, prob, reach, b->value, b->pr);
    *enough = gives_enough(b, tolerance);
    if (!*enough) goto done;
    propagate_backward(full, prob, gain, keep);
    status = make_graph(b, error);
    if (status) goto done;
    b->prob = MEM_NEW(double, b->g->choices); /* layers and choices of g are the first ones of full */
    if (b->prob) MEM_COPY(b->prob, prob, b->g->choices);
    if (!b->prob || walk_head(b) || follow_exits(b, full, prob, gain, keep)) status = error_memory(error);
done:
    mem_free(prob);
    mem_free(reach);
    mem_free(gain);
    mem_free(keep);
    know_graph_free(full);
    return status;
}

/* U*(k), and whether each environment alone can give what it owes. */
static vouch_status find_optima(plan_block *b, double tolerance, bool *alone)
{
    *alone = true;
    for (int k = 0; k < b->count; k++) {
        if (dp_constrained(&b->view, k, 0, b->state, b->p[k], &b->optimal[k], NULL)) return VOUCH_ERROR_MEMORY;
        double best = dp_best_probability(&b->view, k);
        if (best < 0) return VOUCH_ERROR_MEMORY;
        if (!commitment_kept_within(best, b->p[k], tolerance)) *alone = false;
    }
    return VOUCH_OK;
}

/* A policy found for L = 0 instead, the knowledge states being too many, becomes the policy in force of a block that has none. */
static vouch_status take_markov(plan_block *b, const vouch_policy *policy)
{
    for (size_t i = 0; i < policy->rule_count; i++) {
        const policy_rule *r = &policy->rules[i];
        for (int j = 0; j < r->do_count; j++)
            if (add_rule(&b->in_force, r->time, model_pair(&b->view, r->state, r->action[j]), r->prob[j]))
                return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

/* Runs the inner method; *found NULL when it found nothing of this L or ran out of memory for its search. */
static vouch_status run_method(plan_block *b, const block_options *o, const double start[], vouch_policy **found,
                               vouch_error *error)
{
    vouch_plan_options po = *o->plan;
    vouch_error trouble = {0};
    po.lookahead = b->steps;
    po.threads = o->threads;
    po.progress = NULL;
    po.restart = NULL;
    po.on_node = NULL;
    *found = NULL;
    double gap = po.gap;
    po.gap = rescaled_gap(&b->view, gap);
    plan_task task = {b->p, b->floor, start, o->tolerance};
    vouch_policy *policy = policy_new(b->count);
    if (!policy) return error_memory(error);
    plan_call call = {&b->view, &po, o->limit, policy, &trouble, &task};
    vouch_status status =
        policy_describe(policy, &b->view, vouch_method_text(po.method), b->steps) ? error_memory(&trouble) : VOUCH_OK;
    if (!status) status = po.method == VOUCH_METHOD_EXACT_CCL ? plan_exact(&call) : plan_ccl(&call);
    if (!status) {
        plan_settle(&b->view, gap, policy);
        b->outcome = policy->outcome;
        b->bound = policy->bound;
    }
    if (!status && policy->has_policy && policy->L == b->steps) {
        *found = policy;
        return VOUCH_OK;
    }
    if (!status && policy->has_policy && !start && take_markov(b, policy)) status = error_memory(&trouble);
    vouch_policy_free(policy);
    if (status == VOUCH_ERROR_SIZE && !start)
        log_line(&o->plan->log, VOUCH_LOG_ERROR, "%s", trouble.text); /* no first plan: the caller is told why */
    if (!status || status == VOUCH_ERROR_SIZE) return VOUCH_OK;
    return error_set(error, status, "%s", trouble.text);
}

vouch_status block_plan(const vouch_model *m, plan_block *b, const block_options *o, vouch_error *error)
{
    int left = m->T - b->time;
    bool alone = true, enough = false;
    double *start = NULL;
    vouch_policy *policy = NULL;
    b->steps = o->lookahead < left ? o->lookahead : left;
    /* what propagation may have rounded down from 1 is 1, and certainty prunes */
    for (int i = 0; i < b->count; i++)
        if (b->p[i] > 1 - commitment_rounding(m->T)) b->p[i] = 1;
    if (model_view(m, b->state, left, b->env, b->count, &b->view)) return error_memory(error);
    vouch_status status = find_optima(b, o->tolerance, &alone);
    if (status) return error_memory(error);
    bool root = b->in_force.count == 0;
    if (!root && !(start = rules_table(&b->in_force, &b->view))) return error_memory(error);
    if (!alone && root) {
        b->outcome = VOUCH_PLAN_INFEASIBLE;
        b->bound = INFINITY;
    } else if (alone) {
        status = run_method(b, o, start, &policy, error);
        if (!status && policy) status = adopt(b, policy, o->tolerance, &enough, error);
    }
    if (!status && !enough && b->in_force.count > 0) {
        drop_plan(b);
        status = keep_on(b, error);
    }
    if (!status && !b->g && b->outcome != VOUCH_PLAN_INFEASIBLE) b->outcome = VOUCH_PLAN_LIMIT;
    b->planned = !status;
    mem_free(start);
    vouch_policy_free(policy);
    return status;
}

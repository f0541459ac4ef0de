/* plan/ccil/executor.c - CCIL followed by an agent: one decision after the other, planning when a segment ends.
 *
 * The executor stands at a node of its segment's graph. An observation picks the edge of the action taken whose child has the
 * state seen and an environment that pays the reward seen; at the last layer the child's segment is planned. A plan that does not
 * come off in time leaves the policy in force, so that there is always a decision and the promise never depends on planning
 * (THEORY.md, section 7). A step costs O(edges of the node * K), at the end of a segment one plan. Invariant: the environments
 * still possible ascend and are never none.
 */

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "plan/ccil/ccil.h"

struct vouch_executor {
    vouch_ccil *c;
    int segment, node; /* node: of the segment's graph */
    int time, state;
    bool fresh; /* the segment was planned at this step */
    rng random;
    int *env, count; /* [K] environments of the user still possible */
    int *action;     /* [A] */
    double *prob;    /* [A] */
    int actions, sampled;
};

static const segment *here(const vouch_executor *e) { return e->c->segment[e->segment]; }

/* Knowledge and decision at the present node. */
static void look(vouch_executor *e)
{
    const segment *seg = here(e);
    const know_graph *g = seg->g;
    int set = g->set[e->node];
    int group = e->c->m->group; /* rows of an environment stand together */
    e->count = know_set_size(g, set) / group;
    for (int i = 0; i < e->count; i++) e->env[i] = seg->env[g->member[g->member_start[set] + i * group]] / group;
    CHECK_COMPARE(e->count, >, 0);
    for (int i = 1; i < e->count; i++) CHECK_COMPARE(e->env[i - 1], <, e->env[i]);
    CHECK_COMPARE(g->state[e->node], ==, e->state);
    e->actions = 0;
    e->sampled = -1;
    if (e->time >= e->c->m->T) return;
    double u = rng_unit(&e->random);
    for (int c = g->choice_start[e->node]; c < g->choice_start[e->node + 1]; c++) {
        if (seg->prob[c] <= 0) continue;
        e->action[e->actions] = g->m->pair_action[g->choice_pair[c]];
        e->prob[e->actions++] = seg->prob[c];
        if (u >= 0 || e->sampled < 0) e->sampled = e->action[e->actions - 1];
        u -= seg->prob[c];
    }
    CHECK(e->actions > 0 && e->sampled >= 0);
}

vouch_status vouch_executor_new(vouch_executor **out, const vouch_model *m, const vouch_ccil_options *options, vouch_error *error)
{
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the executor");
    *out = NULL;
    vouch_executor *e = MEM_ZERO(vouch_executor, 1);
    if (!e) return error_memory(error);
    vouch_ccil_options own;
    vouch_ccil_options_init(&own);
    vouch_status status = ccil_start(m, options ? options : &own, &(rescale_options){0}, &e->c, error);
    if (!status) {
        deadline limit = deadline_start(&e->c->options.plan.limits);
        status = ccil_plan_segments(e->c, (int[]){0}, 1, &(ccil_budget){&limit, 1, NULL}, error);
    }
    if (!status) {
        e->env = MEM_NEW(int, m->K);
        e->action = MEM_NEW(int, m->A);
        e->prob = MEM_NEW(double, m->A);
        if (!e->env || !e->action || !e->prob) status = error_memory(error);
    }
    if (!status && !here(e)->g)
        status = here(e)->outcome == VOUCH_PLAN_INFEASIBLE
                     ? error_set(error, VOUCH_ERROR_INPUT, "the commitment cannot be kept")
                     : error_set(error, VOUCH_ERROR_SIZE, "no plan was found within the limits");
    if (status) {
        vouch_executor_free(e);
        return status;
    }
    vouch_executor_restart(e, e->c->options.plan.seed);
    e->fresh = true;
    *out = e;
    return VOUCH_OK;
}

void vouch_executor_restart(vouch_executor *e, uint64_t seed)
{
    if (!e) return;
    e->segment = e->node = e->time = 0;
    e->state = e->c->m->s0;
    e->fresh = false;
    e->random = rng_seed(seed);
    look(e);
}

void vouch_executor_free(vouch_executor *e)
{
    if (!e) return;
    vouch_ccil_free(e->c);
    MEM_FREE_ALL(e->env, e->action, e->prob, e);
}

void vouch_executor_decision(const vouch_executor *e, vouch_decision *d)
{
    if (d) *d = (vouch_decision){0};
    if (!e || !d) return;
    *d = (vouch_decision){.time = e->time,
                          .state = e->state,
                          .environments = e->count,
                          .environment = e->env,
                          .actions = e->actions,
                          .action = e->action,
                          .probability = e->prob,
                          .sampled = e->sampled,
                          .planned = e->fresh};
}

/* The choice of `action` at the present node; -1: the decision does not allow it. */
static int find_choice(const vouch_executor *e, int action)
{
    const segment *seg = here(e);
    for (int c = seg->g->choice_start[e->node]; c < seg->g->choice_start[e->node + 1]; c++)
        if (seg->g->m->pair_action[seg->g->choice_pair[c]] == action && seg->prob[c] > 0) return c;
    return -1;
}

/* Where choice c, `reward` and `state` lead: to the child one of whose environments pays the reward nearest to it, within the
 * tolerance for rewards of the same observation; -1: nowhere. */
static int find_child(const segment *seg, int c, double reward, int state)
{
    const know_graph *g = seg->g;
    int q = g->choice_pair[c], best = -1;
    double distance = INFINITY;
    for (int i = g->edge_start[c]; i < g->edge_start[c + 1]; i++) {
        int child = g->edge_child[i], set = g->set[child];
        if (g->state[child] != state) continue;
        for (int j = g->member_start[set]; j < g->member_start[set + 1]; j++) {
            const mdp *env = &g->m->env[g->member[j]];
            for (int o = env->start[q]; o < env->start[q + 1]; o++) {
                double apart = fabs(env->reward[o] - reward);
                if (env->next[o] != state || apart >= distance || !observe_close(g->m, env->reward[o], reward)) continue;
                distance = apart;
                best = child;
            }
        }
    }
    return best;
}

/* At the end of the segment: plans the next. */
static vouch_status step_on(vouch_executor *e, int node, vouch_error *error)
{
    const segment *seg = here(e);
    for (int i = 0; i < seg->exits; i++) {
        if (seg->exit[i].node != node) continue;
        int child = seg->exit[i].child;
        deadline limit = deadline_start(&e->c->options.plan.limits);
        bool planned = e->c->segment[child]->planned; /* in an earlier episode */
        vouch_status status = ccil_plan_segments(e->c, &child, 1, &(ccil_budget){&limit, 1, NULL}, error);
        if (status) return status;
        e->segment = child;
        e->node = 0;
        e->fresh = !planned;
        return VOUCH_OK;
    }
    return error_set(error, VOUCH_ERROR_INPUT, "the decision does not lead there");
}

vouch_status vouch_executor_observe(vouch_executor *e, int action, double reward, int state, vouch_error *error)
{
    if (!e) return error_null(error);
    const vouch_model *m = e->c->m;
    const segment *seg = here(e);
    if (vouch_executor_done(e)) return error_set(error, VOUCH_ERROR_INPUT, "the horizon has been reached");
    if (state < 0 || state >= m->S) return error_set(error, VOUCH_ERROR_INPUT, "there is no such state");
    int c = find_choice(e, action < 0 ? e->sampled : action);
    if (c < 0) return error_set(error, VOUCH_ERROR_INPUT, "the policy does not take this action here");
    int next = model_successor(m, seg->g->choice_pair[c], state);
    if (next >= 0) state = next;
    int child = isfinite(reward) ? find_child(seg, c, model_given(m, reward), state) : -1;
    CHECK(child < 0 || seg->g->state[child] == state);
    if (child < 0)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "no environment still possible leads from state \"%.100s\" by action \"%.100s\" to state \"%.100s\" with reward %.10g",
            m->state_name[e->state], m->action_name[m->pair_action[seg->g->choice_pair[c]]], m->state_name[state], reward);
    bool ends = child >= seg->g->time_start[seg->steps] && e->time + 1 < m->T;
    if (ends) {
        vouch_status status = step_on(e, child, error);
        if (status) return status;
    } else {
        e->node = child;
        e->fresh = false;
    }
    e->time++;
    e->state = state;
    look(e);
    return VOUCH_OK;
}

int vouch_executor_done(const vouch_executor *e) { return e && e->time >= e->c->m->T; }

int vouch_executor_kept(const vouch_executor *e)
{
    if (!e) return 0;
    const vouch_model *m = e->c->m;
    bool kept = true;
    for (int i = 0; i < e->count && vouch_executor_done(e); i++)
        for (int j = 0; j < m->group; j++) kept &= m->env[e->env[i] * m->group + j].terminal[e->state] > 0;
    return kept;
}

/* value [nodes]: Pr(S_T in Phi | node, k) from each node of the segment on. */
static void promise_below(const segment *seg, int k, double value[])
{
    const know_graph *g = seg->g;
    for (int n = 0; n < g->nodes; n++) value[n] = 0;
    for (int i = 0; i < seg->exits; i++) {
        const segment_exit *x = &seg->exit[i];
        value[x->node] = x->child >= 0 ? x->Pr[k] : know_terminal(g, x->node, k);
    }
    for (int n = g->time_start[seg->steps] - 1; n >= 0; n--)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->edge_start[c]; seg->prob[c] > 0 && i < g->edge_start[c + 1]; i++) {
                double p = g->successor_prob[(size_t)g->edge_row[i] * (size_t)g->K + (size_t)k];
                if (know_in_set(g, g->set[g->edge_child[i]], k)) value[n] += seg->prob[c] * p * value[g->edge_child[i]];
            }
}

void vouch_executor_promise(const vouch_executor *e, double probability[])
{
    if (!e || !probability) return;
    const segment *seg = here(e);
    double *value = MEM_NEW(double, seg->g->nodes);
    for (int k = 0; k < e->c->m->K; k++) probability[k] = NAN;
    for (int i = 0; i < seg->count && value; i++) {
        if (!know_in_set(seg->g, seg->g->set[e->node], i)) continue;
        promise_below(seg, i, value);
        probability[seg->env[i]] = value[e->node];
    }
    mem_free(value);
}

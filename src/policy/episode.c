/* policy/episode.c - a policy followed by an agent: one decision after the other, nothing planned.
 *
 * The episode stands at a node of the policy's graph. What was observed, (action, reward, state), is taken for the outcome whose
 * reward is nearest to it in the environments still possible, within the tolerance for rewards of one observation; those that have
 * this outcome remain possible. The policy may tell apart less: from time L on it no longer looks at rewards. A step costs O(edges
 * of the node * K).
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mdp/join.h"
#include "mdp/observe.h"
#include "policy/graph.h"

struct vouch_episode {
    const vouch_model *m;
    const vouch_policy *p;
    vouch_policy_graph *graph; /* owned */
    int node;
    rng random;
    int *env, count; /* env: owned, [K], the first count ascending: still possible */
    int sampled;
};

static const vouch_policy_node *here(const vouch_episode *e) { return &e->graph->node[e->node]; }
static const policy_rule *rule_here(const vouch_episode *e) { return here(e)->rule < 0 ? NULL : &e->p->rules[here(e)->rule]; }

/* Draws the action; the last one when rounding leaves a rest. */
static int sample(vouch_episode *e)
{
    const policy_rule *r = rule_here(e);
    if (!r) return -1;
    double u = rng_unit(&e->random);
    int i = 0;
    while (i + 1 < r->do_count && u >= r->prob[i]) u -= r->prob[i++];
    return r->action[i];
}

vouch_status vouch_episode_new(vouch_episode **out, const vouch_policy *p, const vouch_model *m, uint64_t seed, vouch_error *error)
{
    vouch_policy_graph *graph;
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the episode");
    *out = NULL;
    vouch_status status = vouch_policy_graph_new(&graph, p, m, error);
    if (status) return status;
    vouch_episode *e = MEM_ZERO(vouch_episode, 1);
    int *env = MEM_NEW(int, m->K);
    if (!e || !env) {
        vouch_policy_graph_free(graph);
        mem_free(e);
        mem_free(env);
        return error_memory(error);
    }
    *e = (vouch_episode){.m = m, .p = p, .graph = graph, .env = env};
    vouch_episode_restart(e, seed);
    *out = e;
    return VOUCH_OK;
}

void vouch_episode_restart(vouch_episode *e, uint64_t seed)
{
    e->node = 0;
    e->random = rng_seed(seed);
    e->count = e->m->K;
    for (int k = 0; k < e->m->K; k++) e->env[k] = k;
    e->sampled = sample(e);
}

void vouch_episode_free(vouch_episode *e)
{
    if (!e) return;
    vouch_policy_graph_free(e->graph);
    mem_free(e->env);
    mem_free(e);
}

void vouch_episode_decision(const vouch_episode *e, vouch_decision *d)
{
    const policy_rule *r = rule_here(e);
    CHECK_COMPARE(e->count, >, 0);
    CHECK((r == NULL) == vouch_episode_done(e));
    *d = (vouch_decision){.time = here(e)->time,
                          .state = here(e)->state,
                          .environments = e->count,
                          .environment = e->env,
                          .actions = r ? r->do_count : 0,
                          .action = r ? r->action : NULL,
                          .probability = r ? r->prob : NULL,
                          .sampled = e->sampled};
}

/* The outcome of pair q in environment k that leads to `state`; -1: there is none. */
static int find_outcome(const mdp *env, int q, int state)
{
    for (int o = env->start[q]; o < env->start[q + 1]; o++)
        if (env->next[o] == state) return o;
    return -1;
}

/* The possible environment whose reward is nearest to the one observed; -1: none pays it. */
static int nearest(const vouch_episode *e, int q, double reward, int state)
{
    int best = -1;
    double distance = INFINITY;
    for (int i = 0; i < e->count && isfinite(reward); i++) {
        const mdp *env = &e->m->env[e->env[i]];
        int o = find_outcome(env, q, state);
        if (o < 0 || !observe_close(e->m, env->reward[o], reward) || fabs(env->reward[o] - reward) >= distance) continue;
        distance = fabs(env->reward[o] - reward);
        best = e->env[i];
    }
    return best;
}

/* The edge of a choice by which environment k comes to `state`; -1: none. */
static int find_edge(const vouch_episode *e, int choice, int k, int state)
{
    const vouch_policy_graph *g = e->graph;
    const vouch_policy_node *n = here(e);
    for (int i = n->first_edge; i < n->first_edge + n->edges; i++)
        if (g->edge[i].choice == choice && g->node[g->edge[i].to].state == state &&
            g->prob[(size_t)i * (size_t)g->K + (size_t)k] > 0)
            return i;
    return -1;
}

vouch_status vouch_episode_observe(vouch_episode *e, int action, double reward, int state, vouch_error *error)
{
    const vouch_model *m = e->m;
    const policy_rule *r = rule_here(e);
    if (!r) return error_set(error, VOUCH_ERROR_INPUT, "the horizon has been reached");
    if (state < 0 || state >= m->S) return error_set(error, VOUCH_ERROR_INPUT, "there is no such state");
    int choice = 0, taken = action < 0 ? e->sampled : action;
    while (choice < r->do_count && r->action[choice] != taken) choice++;
    if (choice == r->do_count) return error_set(error, VOUCH_ERROR_INPUT, "the decision does not allow this action");
    int q = model_pair(m, r->state, taken), next = q < 0 ? -1 : model_successor(m, q, state);
    if (next >= 0) state = next;
    int k = nearest(e, q, reward, state);
    int edge = k < 0 ? -1 : find_edge(e, choice, k, state);
    if (edge < 0)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "no environment still possible leads from state \"%.100s\" by action \"%.100s\" to state \"%.100s\" with reward %.10g",
            m->state_name[r->state], m->action_name[taken], m->state_name[state], reward);
    int seen = m->env[k].seen[find_outcome(&m->env[k], q, state)], count = 0;
    for (int i = 0; i < e->count; i++) {
        const mdp *env = &m->env[e->env[i]];
        int o = find_outcome(env, q, state);
        if (o >= 0 && env->seen[o] == seen) e->env[count++] = e->env[i];
    }
    CHECK_COMPARE(count, >, 0);
    CHECK_COMPARE(e->graph->node[e->graph->edge[edge].to].time, ==, here(e)->time + 1);
    e->count = count;
    e->node = e->graph->edge[edge].to;
    e->sampled = sample(e);
    return VOUCH_OK;
}

int vouch_episode_done(const vouch_episode *e) { return here(e)->time >= e->m->T; }
int vouch_episode_kept(const vouch_episode *e)
{
    int kept = 1;
    for (int i = 0; i < e->count && vouch_episode_done(e); i++)
        for (int j = 0; j < e->m->J; j++) kept &= vouch_model_promise_holds(e->m, j, e->env[i], here(e)->state);
    return kept;
}

/* policy/episode.c - an agent that follows a policy, decision by decision.
 *
 * The state of an episode is a node of the policy's graph. An observation (action, reward, state) is matched to the outcome of
 * nearest reward in a possible environment, within the tolerance; environments with this outcome remain possible. If plans are
 * followed, the episode tracks their posterior given the actions, which is equivalent to drawing a plan (H. Kuhn 1953). A step
 * costs O(edges of the node * K) per plan.
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mdp/model.h"
#include "policy/policy.h"

struct vouch_episode {
    arena memory; /* of all arrays, itself included */
    const vouch_model *m;
    const vouch_policy *p;
    vouch_policy_graph *graph; /* owned */
    int *node, nodes;          /* [plans + 1] possible nodes, of the same time and state; one unless plans are followed */
    double *mass;              /* [plans + 1] their probabilities */
    int *next_node;            /* [plans + 1] after an observation, as the next */
    double *next_mass;
    rng random;
    int *env, count; /* env: [K]; the first count, ascending, are still possible */
    int *action, actions;
    double *prob; /* action, prob: [A]; the decision here, actions ascending */
    int sampled;
};

static const vouch_policy_node *here(const vouch_episode *e) { return &e->graph->node[e->node[0]]; }
static const policy_rule *rule_at(const vouch_episode *e, int i)
{
    const vouch_policy_node *n = &e->graph->node[e->node[i]];
    return n->rule < 0 ? NULL : &e->p->rules[n->rule];
}

static void add_action(vouch_episode *e, int action, double prob)
{
    int i = e->actions;
    while (i > 0 && e->action[i - 1] > action) i--;
    if (i > 0 && e->action[i - 1] == action) {
        e->prob[i - 1] += prob;
        return;
    }
    for (int j = e->actions++; j > i; j--) {
        e->action[j] = e->action[j - 1];
        e->prob[j] = e->prob[j - 1];
    }
    e->action[i] = action;
    e->prob[i] = prob;
}

static void decide(vouch_episode *e)
{
    e->actions = 0;
    e->sampled = -1;
    for (int n = 0; n < e->nodes; n++) {
        const policy_rule *r = rule_at(e, n);
        for (int i = 0; r && i < r->do_count; i++) add_action(e, r->action[i], e->mass[n] * r->prob[i]);
    }
    if (e->actions == 0) return;
    double u = rng_unit(&e->random);
    int i = 0;
    while (i + 1 < e->actions && u >= e->prob[i]) u -= e->prob[i++];
    e->sampled = e->action[i];
}

vouch_status vouch_episode_new(vouch_episode **out, const vouch_policy *p, const vouch_model *m, uint64_t seed, vouch_error *error)
{
    vouch_policy_graph *graph;
    arena a = {0};
    if (!out) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no place for the episode");
    *out = NULL;
    vouch_status status = vouch_policy_graph_new(&graph, p, m, error);
    if (status) return status;
    int nodes = p->plans + 1;
    vouch_episode *e = ARENA_NEW(&a, vouch_episode, 1), made = {.m = m, .p = p, .graph = graph};
    made.node = ARENA_NEW(&a, int, nodes);
    made.mass = ARENA_NEW(&a, double, nodes);
    made.next_node = ARENA_NEW(&a, int, nodes);
    made.next_mass = ARENA_NEW(&a, double, nodes);
    made.env = ARENA_NEW(&a, int, m->K);
    made.action = ARENA_NEW(&a, int, m->A);
    made.prob = ARENA_NEW(&a, double, m->A);
    made.memory = a;
    if (a.failed) {
        vouch_policy_graph_free(graph);
        arena_free(&a);
        return error_memory(error);
    }
    *e = made;
    vouch_episode_restart(e, seed);
    *out = e;
    return VOUCH_OK;
}

void vouch_episode_restart(vouch_episode *e, uint64_t seed)
{
    if (!e) return;
    e->node[0] = 0;
    e->mass[0] = e->nodes = 1;
    e->random = rng_seed(seed);
    e->count = e->m->K;
    for (int k = 0; k < e->m->K; k++) e->env[k] = k;
    decide(e);
}

void vouch_episode_free(vouch_episode *e)
{
    if (!e) return;
    vouch_policy_graph_free(e->graph);
    arena_free(&e->memory);
}

void vouch_episode_decision(const vouch_episode *e, vouch_decision *d)
{
    if (d) *d = (vouch_decision){0};
    if (!e || !d) return;
    CHECK_COMPARE(e->count, >, 0);
    CHECK((e->actions == 0) == vouch_episode_done(e));
    *d = (vouch_decision){.time = here(e)->time,
                          .state = here(e)->state,
                          .environments = e->count,
                          .environment = e->env,
                          .actions = e->actions,
                          .action = e->actions ? e->action : NULL,
                          .probability = e->actions ? e->prob : NULL,
                          .sampled = e->sampled};
}

/* The possible environment with the nearest reward; -1: none within the tolerance. */
static int nearest(const vouch_episode *e, int q, double reward, int state)
{
    int best = -1;
    double distance = INFINITY;
    for (int i = 0; i < e->count && isfinite(reward); i++) {
        const mdp *env = &e->m->env[e->env[i]];
        int o = mdp_outcome(env, q, state);
        if (o < 0 || !observe_close(e->m, env->reward[o], reward) || fabs(env->reward[o] - reward) >= distance) continue;
        distance = fabs(env->reward[o] - reward);
        best = e->env[i];
    }
    return best;
}

/* The edge of a choice at node n to `state` with positive probability in environment k; -1: none. */
static int find_edge(const vouch_episode *e, const vouch_policy_node *n, int choice, int k, int state)
{
    const vouch_policy_graph *g = e->graph;
    for (int i = n->first_edge; i < n->first_edge + n->edges; i++)
        if (g->edge[i].choice == choice && g->node[g->edge[i].to].state == state &&
            g->prob[(size_t)i * (size_t)g->K + (size_t)k] > 0)
            return i;
    return -1;
}

static void add_node(int node[], double mass[], int *nodes, int fresh, double part)
{
    int i = 0;
    while (i < *nodes && node[i] != fresh) i++;
    if (i == *nodes) {
        node[(*nodes)++] = fresh;
        mass[i] = 0;
    }
    mass[i] += part;
}

/* The nodes reached in `state` by the action taken in environment k: next_node, next_mass; returns their number. */
static int find_nodes(vouch_episode *e, int taken, int k, int state)
{
    int nodes = 0, *node = e->next_node;
    double *mass = e->next_mass;
    double sum = 0;
    for (int n = 0; n < e->nodes; n++) {
        const policy_rule *r = rule_at(e, n);
        for (int choice = 0; choice < r->do_count; choice++) {
            double part = e->mass[n] * r->prob[choice];
            int edge = r->action[choice] == taken ? find_edge(e, &e->graph->node[e->node[n]], choice, k, state) : -1;
            if (edge < 0) continue;
            add_node(node, mass, &nodes, e->graph->edge[edge].to, part);
            sum += part;
        }
    }
    for (int i = 0; i < nodes; i++) mass[i] = sum > 0 ? mass[i] / sum : 1.0 / nodes;
    return nodes;
}

/* Removes environments without the outcome of pair q in environment k with successor `state`. */
static void keep_possible(vouch_episode *e, int q, int k, int state)
{
    int seen = e->m->env[k].seen[mdp_outcome(&e->m->env[k], q, state)], count = 0;
    for (int i = 0; i < e->count; i++) {
        const mdp *env = &e->m->env[e->env[i]];
        int o = mdp_outcome(env, q, state);
        if (o >= 0 && env->seen[o] == seen) e->env[count++] = e->env[i];
    }
    CHECK_COMPARE(count, >, 0);
    e->count = count;
}

vouch_status vouch_episode_observe(vouch_episode *e, int action, double reward, int state, vouch_error *error)
{
    if (!e) return error_null(error);
    const vouch_model *m = e->m;
    int now = here(e)->state;
    if (e->actions == 0) return error_set(error, VOUCH_ERROR_INPUT, "the horizon has been reached");
    if (state < 0 || state >= m->S) return error_set(error, VOUCH_ERROR_INPUT, "there is no such state");
    int choice = 0, taken = action < 0 ? e->sampled : action;
    while (choice < e->actions && e->action[choice] != taken) choice++;
    if (choice == e->actions) return error_set(error, VOUCH_ERROR_INPUT, "the policy does not take this action here");
    int q = model_pair(m, now, taken), next = q < 0 ? -1 : model_successor(m, q, state);
    if (next >= 0) state = next;
    int k = nearest(e, q, reward, state), nodes = k >= 0 ? find_nodes(e, taken, k, state) : 0;
    if (nodes == 0)
        return error_set(
            error, VOUCH_ERROR_INPUT,
            "no environment still possible leads from state \"%.100s\" by action \"%.100s\" to state \"%.100s\" with reward %.10g",
            m->state_name[now], m->action_name[taken], m->state_name[state], reward);
    keep_possible(e, q, k, state);
    CHECK_COMPARE(e->graph->node[e->next_node[0]].time, ==, here(e)->time + 1);
    MEM_COPY(e->node, e->next_node, nodes);
    MEM_COPY(e->mass, e->next_mass, nodes);
    e->nodes = nodes;
    decide(e);
    return VOUCH_OK;
}

int vouch_episode_done(const vouch_episode *e) { return e && here(e)->time >= e->m->T; }
int vouch_episode_kept(const vouch_episode *e)
{
    if (!e) return 0;
    int kept = 1;
    for (int i = 0; i < e->count && vouch_episode_done(e); i++)
        for (int j = 0; j < e->m->J; j++) kept &= vouch_model_promise_holds(e->m, j, e->env[i], here(e)->state);
    return kept;
}

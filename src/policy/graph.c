/* policy/graph.c - the graph of a policy: reachable nodes with their probabilities in each environment, and edges.
 *
 * Nodes are rules and, at T, states (THEORY.md, section 2). Before L, and in history policies, the outcomes (s', reward) of an
 * action are distinguished and update the set of possible environments; from L on only s' counts, since the boundary is fixed.
 * If a history policy follows plans, the node of its rule has an action for each plan, and its successors are (time, state, plan).
 * Cost: O(outcomes K) and a binary search per edge. Invariant (graph_check): edges are stored by node and lead one step on.
 */
#include "policy/policy.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"

static const double SAME_LIKELIHOOD = 1e-6; /* tolerance of entries of a likelihood vector; files have 17 digits */

typedef struct graph_maker {
    vouch_policy_graph *f;
    const vouch_model *m;
    const vouch_policy *p;
    vouch_error *error;
    arena memory;               /* of the arrays */
    const policy_rule **sorted; /* [rule_count] by time, state and kind */
    int *node_of_rule;          /* [rule_count], -1: not reached yet */
    int *node_of_state;         /* [S]: at T */
    int *env;                   /* [K] environments with the outcome at hand */
    int env_count;
    double *prob;       /* [K] its probability */
    double *likelihood; /* [K] after the outcome */
} graph_maker;

static int by_place(const void *x, const void *y)
{
    const policy_rule *a = *(const policy_rule *const *)x, *b = *(const policy_rule *const *)y;
    if (a->time != b->time) return a->time < b->time ? -1 : 1;
    return (a->state > b->state) - (a->state < b->state);
}

static bool same_set(const policy_rule *r, const int *env, int count)
{
    return r->env_count == count && memcmp(r->env, env, (size_t)count * sizeof *env) == 0;
}

/* First of the sorted rules at (time, state). */
static size_t first_rule(const graph_maker *k, int time, int state)
{
    size_t low = 0, high = k->p->rule_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const policy_rule *r = k->sorted[middle];
        if (r->time < time || (r->time == time && r->state < state))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The rule at (time, state) after action number `choice` of rule `from` (NULL: the first rule); -1: none. */
static int next_rule(const graph_maker *k, const policy_rule *from, int choice, int time, int state)
{
    if (from && from->kind == VOUCH_RULE_PLAN) return plans_rule(k->p, from->plan, time, state);
    if (from && from->next) return plans_rule(k->p, from->next[choice], time, state);
    bool history = k->p->rules[0].kind == VOUCH_RULE_LIKELIHOOD;
    int best = -1;
    double distance = SAME_LIKELIHOOD;
    for (size_t i = first_rule(k, time, state); i < k->p->rule_count && k->sorted[i]->time == time && k->sorted[i]->state == state;
         i++) {
        const policy_rule *r = k->sorted[i];
        int number = (int)(r - k->p->rules);
        if (history && r->kind == VOUCH_RULE_LIKELIHOOD) {
            double apart = 0;
            for (int e = 0; e < k->p->K; e++) apart = fmax(apart, fabs(r->likelihood[e] - k->likelihood[e]));
            if (apart <= distance) {
                distance = apart;
                best = number;
            }
        } else if (time < k->p->L) {
            if (r->kind == VOUCH_RULE_KNOWLEDGE && same_set(r, k->env, k->env_count)) return number;
        } else if (time == k->p->L) {
            if (r->kind == VOUCH_RULE_BOUNDARY && r->boundary_state == state && same_set(r, k->env, k->env_count)) return number;
        } else if (r->kind == VOUCH_RULE_BOUNDARY && from && r->boundary_state == from->boundary_state &&
                   same_set(r, from->env, from->env_count)) {
            return number;
        }
    }
    return best;
}

/* The node of the rule, or of the state at T; created if new. -1: out of memory. */
static int node_at(graph_maker *k, int time, int state, int rule)
{
    vouch_policy_graph *f = k->f;
    CHECK(rule < 0 ? time == k->p->T : k->p->rules[rule].time == time && k->p->rules[rule].state == state);
    int *known = rule < 0 ? &k->node_of_state[state] : &k->node_of_rule[rule];
    if (*known >= 0) return *known;
    if (mem_reserve((void **)&f->node, &f->node_capacity, f->nodes, sizeof *f->node) ||
        mem_reserve((void **)&f->reach, &f->reach_capacity, (f->nodes + 1) * (size_t)f->K, sizeof *f->reach))
        return -1;
    memset(f->reach + f->nodes * (size_t)f->K, 0, (size_t)f->K * sizeof *f->reach);
    f->node[f->nodes] = (vouch_policy_node){time, state, rule, 0, 0};
    return *known = (int)f->nodes++;
}

/* Adds the edge of an outcome with probabilities k->prob in the environments k->env. */
static vouch_status add_edge(graph_maker *k, int from, int choice, int next_state, double reward)
{
    vouch_policy_graph *f = k->f;
    const policy_rule *r = &k->p->rules[f->node[from].rule];
    const double *prob = k->prob;
    int time = f->node[from].time + 1, rule = -1;
    if (r->kind == VOUCH_RULE_LIKELIHOOD) {
        double largest = 0;
        for (int e = 0; e < f->K; e++) {
            k->likelihood[e] = r->likelihood[e] * prob[e];
            largest = fmax(largest, k->likelihood[e]);
        }
        if (!(largest > 0)) return VOUCH_OK;
        for (int e = 0; e < f->K; e++) k->likelihood[e] /= largest;
    }
    double mass = 0;
    for (int e = 0; e < f->K; e++) mass += prob[e] * f->reach[(size_t)from * (size_t)f->K + (size_t)e];
    if (!(mass > 0)) return VOUCH_OK;
    if (time < k->p->T) {
        rule = next_rule(k, r, choice, time, next_state);
        if (rule < 0) return rules_missing(k->m, time, next_state, k->error);
    }
    int to = node_at(k, time, next_state, rule);
    if (to < 0 || mem_reserve((void **)&f->edge, &f->edge_capacity, f->edges, sizeof *f->edge) ||
        mem_reserve((void **)&f->prob, &f->prob_capacity, (f->edges + 1) * (size_t)f->K, sizeof *f->prob))
        return error_memory(k->error);
    CHECK_COMPARE(f->node[to].time, ==, f->node[from].time + 1);
    CHECK_COMPARE(from, <, to);
    CHECK_COMPARE(choice, <, r->do_count);
    f->edge[f->edges] = (vouch_policy_edge){from, to, choice, reward};
    MEM_COPY(f->prob + f->edges * (size_t)f->K, prob, f->K);
    f->edges++;
    for (int e = 0; e < f->K; e++)
        f->reach[(size_t)to * (size_t)f->K + (size_t)e] +=
            f->reach[(size_t)from * (size_t)f->K + (size_t)e] * r->prob[choice] * prob[e];
    return VOUCH_OK;
}

/* True if environment e is possible at the node of the rule. */
static bool is_here(const policy_rule *r, int e)
{
    if (r->kind == VOUCH_RULE_LIKELIHOOD) return r->likelihood[e] > 0;
    if (r->kind == VOUCH_RULE_PLAN) return true;
    for (int i = 0; i < r->env_count; i++)
        if (r->env[i] == e) return true;
    return false;
}

/* Sets k->env and k->prob for outcome o of pair q in environment `lead` at the node of rule r. False: treated before, for a smaller
 * environment. */
static bool find_producers(graph_maker *k, const policy_rule *r, int q, int lead, int o)
{
    const mdp *first = &k->m->env[lead];
    bool observed = r->kind == VOUCH_RULE_LIKELIHOOD || r->kind == VOUCH_RULE_PLAN || r->time < k->p->L;
    k->env_count = 0;
    for (int e = 0; e < k->m->K; e++) {
        const mdp *env = &k->m->env[e];
        int x = is_here(r, e) ? mdp_outcome(env, q, first->next[o]) : -1;
        k->prob[e] = 0;
        if (x < 0 || (observed && env->seen[x] != first->seen[o])) continue;
        if (e < lead) return false;
        k->prob[e] = env->prob[x];
        k->env[k->env_count++] = e;
    }
    return true;
}

static vouch_status follow_action(graph_maker *k, int from, int choice)
{
    const vouch_model *m = k->m;
    const policy_rule *r = &k->p->rules[k->f->node[from].rule];
    int q = model_pair(m, r->state, r->action[choice]);
    if (q < 0) return error_set(k->error, VOUCH_ERROR_INPUT, "the action of a rule is not available in its state");
    for (int lead = 0; lead < m->K; lead++) {
        const mdp *env = &m->env[lead];
        for (int o = env->start[q]; is_here(r, lead) && o < env->start[q + 1]; o++) {
            if (!find_producers(k, r, q, lead, o)) continue;
            vouch_status status = add_edge(k, from, choice, env->next[o], env->reward[o]);
            if (status) return status;
        }
    }
    return VOUCH_OK;
}

static vouch_status make(graph_maker *k)
{
    vouch_policy_graph *f = k->f;
    const vouch_policy *p = k->p;
    k->env_count = p->K;
    for (int e = 0; e < p->K; e++) {
        k->env[e] = e;
        k->likelihood[e] = 1;
    }
    int rule = next_rule(k, NULL, 0, 0, k->m->s0);
    if (rule < 0) return rules_missing(k->m, 0, k->m->s0, k->error);
    if (node_at(k, 0, k->m->s0, rule) < 0) return error_memory(k->error);
    for (int e = 0; e < p->K; e++) f->reach[e] = 1;
    /* nodes are created in the order of time, so reach is complete when a node is expanded */
    for (size_t n = 0; n < f->nodes; n++) {
        CHECK(n == 0 || f->node[n - 1].time <= f->node[n].time);
        f->node[n].first_edge = (int)f->edges;
        for (int c = 0; f->node[n].rule >= 0 && c < p->rules[f->node[n].rule].do_count; c++) {
            vouch_status status = follow_action(k, (int)n, c);
            if (status) return status;
        }
        f->node[n].edges = (int)f->edges - f->node[n].first_edge;
    }
    return VOUCH_OK;
}

static vouch_status graph_make(vouch_policy_graph *f, const vouch_model *m, const vouch_policy *p, vouch_error *error)
{
    graph_maker k = {.f = f, .m = m, .p = p, .error = error};
    CHECK(p->K == m->K && p->T == m->T && p->rule_count > 0);
    f->K = p->K;
    arena *a = &k.memory;
    k.sorted = ARENA_NEW(a, const policy_rule *, p->rule_count);
    k.node_of_rule = ARENA_NEW(a, int, p->rule_count);
    k.node_of_state = ARENA_NEW(a, int, m->S);
    k.env = ARENA_NEW(a, int, p->K);
    k.prob = ARENA_NEW(a, double, p->K);
    k.likelihood = ARENA_NEW(a, double, p->K);
    vouch_status status = a->failed ? error_memory(error) : VOUCH_OK;
    if (!status) {
        for (size_t i = 0; i < p->rule_count; i++) {
            k.sorted[i] = &p->rules[i];
            k.node_of_rule[i] = -1;
        }
        for (int s = 0; s < m->S; s++) k.node_of_state[s] = -1;
        qsort(k.sorted, p->rule_count, sizeof *k.sorted, by_place);
        status = make(&k);
    }
    arena_free(a);
    return status;
}

vouch_status vouch_policy_graph_new(vouch_policy_graph **out, const vouch_policy *p, const vouch_model *m, vouch_error *error)
{
    if (!out || !p) return error_set(error, VOUCH_ERROR_ARGUMENT, "there is no policy, or no place for the graph");
    *out = NULL;
    vouch_status status = check_model(m, error);
    if (!status) status = check_policy(p, m, error);
    if (status) return status;
    vouch_policy_graph *f = MEM_ZERO(vouch_policy_graph, 1);
    if (!f) return error_memory(error);
    status = graph_make(f, m, p, error);
    if (status)
        vouch_policy_graph_free(f);
    else
        *out = f;
    return status;
}

void vouch_policy_graph_free(vouch_policy_graph *f)
{
    if (!f) return;
    MEM_FREE_ALL(f->node, f->reach, f->edge, f->prob, f);
}

static void graph_check(const vouch_policy_graph *f)
{
    if (!CHECKING) return;
    size_t K = (size_t)f->K, edges = 0;
    for (size_t n = 0; n < f->nodes; n++) {
        const vouch_policy_node *node = &f->node[n];
        CHECK_COMPARE((size_t)node->first_edge, ==, edges);
        edges += (size_t)node->edges;
        for (size_t k = 0; k < K; k++) CHECK_COMPARE(f->reach[n * K + k], <=, 1 + SAME_LIKELIHOOD);
        for (int e = node->first_edge; e < node->first_edge + node->edges; e++) {
            CHECK_COMPARE((size_t)f->edge[e].from, ==, n);
            CHECK_COMPARE((size_t)f->edge[e].to, <, f->nodes);
        }
    }
    CHECK_COMPARE(edges, ==, f->edges);
}

void vouch_policy_graph_view(const vouch_policy_graph *f, vouch_policy_graph_data *data)
{
    if (data) *data = (vouch_policy_graph_data){0};
    if (!f || !data) return;
    CHECK_COMPARE(f->nodes, >, 0);
    CHECK(f->nodes <= INT_MAX && f->edges <= INT_MAX);
    graph_check(f);
    *data = (vouch_policy_graph_data){f->K, (int)f->nodes, (int)f->edges, f->node, f->reach, f->edge, f->prob};
}

/* plan/heuristic/initial.c - first incumbents from Markov and given policies.
 *
 * Environment k alone gives pi_k = argmax { U(k) : Pr(k) >= p(k) }, a constrained MDP (mdp/dp.h: a few backward inductions); its
 * most probable action at every policy node is the start of a local search. Exact figures decide whether it becomes the incumbent.
 *
 * Lifting a policy traverses both graphs at once, in the order of time, along the policy's choices. origin[n] is the node of `from`
 * whose choice node n of `to` adopts. An edge of `to` (successor row, child) corresponds to the edge of `from` with the same row
 * and, while nodes are whole knowledge, the same set of environments. The first origin of a node stays; with a second one the
 * policy is not whole (whether both behave alike is not tested). O(edges of the policy).
 */
#include "plan/heuristic/initial.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"

/* pick [nodes of g]: the most probable choice, -1 where prob [choices] sums to 0. */
static void heaviest(const know_graph *g, const double prob[], int pick[])
{
    for (int n = 0; n < g->nodes; n++) {
        double most = 0;
        pick[n] = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            if (prob[c] <= most) continue;
            most = prob[c];
            pick[n] = g->choice_twin[c];
            CHECK(pick[n] >= g->choice_start[n] && pick[n] <= c);
        }
    }
}

static void offer_heaviest(incumbent *inc, const double prob[])
{
    heaviest(inc->space->g, prob, inc->pick);
    local_search_offer(inc, inc->pick, OFFER_PASSES);
}

void initial_markov(incumbent *inc, const double table[])
{
    space_spread(inc->space->g, table, inc->prob);
    offer_heaviest(inc, inc->prob);
}

void initial_feasible(incumbent *inc) { local_search_feasible(inc, FEASIBLE_ROUNDS, OFFER_PASSES); }

/* Computes out->most [K]; T once time is out, since rewards are at most 1. */
static vouch_status find_most(const vouch_model *m, const deadline *limit, initial_policy *out)
{
    out->most = MEM_NEW(double, m->K);
    if (!out->most) return VOUCH_ERROR_MEMORY;
    bool large = !feasibility_is_short(m);
    for (int k = 0; k < m->K; k++) {
        bool over = large && limit && deadline_expired(limit);
        out->most[k] = k % m->group > 0 ? out->most[k - 1] : over ? m->T : dp_most_value(m, k);
        if (isnan(out->most[k])) return VOUCH_ERROR_MEMORY;
    }
    return VOUCH_OK;
}

vouch_status initial_first(const vouch_model *m, const space_options *so, const deadline *limit, bool few, initial_policy *out)
{
    size_t cells = (size_t)m->T * (size_t)m->S, pairs = (size_t)m->pairs;
    bool again = out->table != NULL;
    arena a = {0};
    double *p = ARENA_NEW(&a, double, m->K), regret = -INFINITY;
    feasibility first = {.p = p,
                         .tolerance = so->tolerance,
                         .limit = limit,
                         .rounds = again ? 1 : FEASIBLE_ROUNDS,
                         .passes = again ? 0 : OFFER_PASSES};
    first.few = few;
    first.choice = ARENA_NEW(&a, int, cells);
    first.U = ARENA_NEW(&a, double, m->K);
    first.Pr = ARENA_NEW(&a, double, m->K);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (int k = 0; k < m->K && !status; k++) p[k] = so->p ? so->p[k] : m->env[k].p;
    if (!status) status = feasible_markov(m, &first);
    bool kept = !status && first.kept;
    if (kept && !again) status = find_most(m, limit, out);
    if (kept && !again && !status && !(out->table = MEM_NEW(double, (size_t)m->T *pairs))) status = VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && kept && !status; k++) regret = fmax(regret, out->most[k] - first.U[k]);
    if (kept && !status && (!again || regret < out->regret)) {
        out->regret = regret;
        memset(out->table, 0, (size_t)m->T * pairs * sizeof *out->table);
        for (size_t i = 0; i < cells; i++)
            if (first.choice[i] >= 0) out->table[i / (size_t)m->S * pairs + (size_t)first.choice[i]] = 1;
    }
    arena_free(&a);
    return status;
}

void initial_policy_free(initial_policy *policy)
{
    mem_free(policy->table);
    mem_free(policy->most);
    *policy = (initial_policy){0};
}

vouch_status initial_single_environments(incumbent *inc, int most, const deadline *limit)
{
    const vouch_model *m = inc->space->m;
    if (most == 0) return VOUCH_OK;
    double *table = MEM_NEW(double, (size_t)m->T *(size_t)m->pairs);
    vouch_status status = table ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    int step = (m->K + most - 1) / most;
    for (int k = 0; k < m->K && !status && !deadline_expired(limit); k += step) {
        status = space_alone(inc->space, k, table);
        if (!status) initial_markov(inc, table);
    }
    mem_free(table);
    return status;
}

typedef struct lifting {
    const know_graph *from, *to;
    const int *policy; /* [nodes of from] */
    int *pick, *origin;
    bool whole;
} lifting;

static bool same_set(const know_graph *a, int n, const know_graph *b, int m)
{
    return memcmp(intern_key(&a->sets, a->set[n]), intern_key(&b->sets, b->set[m]), (size_t)a->sets.words * sizeof(uint64_t)) == 0;
}

/* -1: node n has no choice with this pair. */
static int choice_of(const know_graph *g, int n, int pair)
{
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
        if (g->choice_pair[c] == pair) return c;
    return -1;
}

/* The child of choice c in `from` that belongs to edge e in `to`, which ends at time t. -1: none. */
static int child_of(const lifting *w, int c, int e, int t)
{
    const know_graph *h = w->from, *g = w->to;
    for (int i = h->edge_start[c]; i < h->edge_start[c + 1]; i++)
        if (h->edge_row[i] == g->edge_row[e] && (t > h->L || same_set(h, h->edge_child[i], g, g->edge_child[e])))
            return h->edge_child[i];
    return -1;
}

static void lift_node(lifting *w, int n, int t)
{
    const know_graph *h = w->from, *g = w->to;
    int c = w->policy[w->origin[n]];
    int mine = c < 0 ? -1 : choice_of(g, n, h->choice_pair[c]);
    w->whole &= mine >= 0;
    if (mine < 0) return;
    w->pick[n] = g->choice_twin[mine];
    for (int e = g->edge_start[mine]; e < g->edge_start[mine + 1]; e++) {
        int child = g->edge_child[e], origin = child_of(w, c, e, t + 1);
        if (origin < 0) continue; /* unreachable: after L sets are unions over histories */
        if (w->origin[child] < 0) w->origin[child] = origin;
        w->whole &= w->origin[child] == origin;
    }
}

vouch_status lift_policy(const know_graph *from, const int policy[], const know_graph *to, int pick[], bool *whole)
{
    CHECK(from->L <= to->L && from->m == to->m);
    lifting w = {.from = from, .to = to, .policy = policy, .pick = pick, .whole = true, .origin = MEM_NEW(int, to->nodes)};
    if (!w.origin) return VOUCH_ERROR_MEMORY;
    for (int n = 0; n < to->nodes; n++) w.pick[n] = w.origin[n] = -1;
    w.origin[0] = 0;
    for (int t = 0; t < to->T; t++)
        for (int n = to->time_start[t]; n < to->time_start[t + 1]; n++)
            if (w.origin[n] >= 0) lift_node(&w, n, t);
    mem_free(w.origin);
    *whole = w.whole;
    return VOUCH_OK;
}

vouch_status lift_offer(incumbent *inc, const incumbent *from)
{
    bool same;
    CHECK(from->found);
    vouch_status status = lift_policy(from->space->g, from->best, inc->space->g, inc->pick, &same);
    if (!status) local_search_offer(inc, inc->pick, OFFER_PASSES);
    return status;
}

/* Offers the Markov policy of `from` (a space of L = 0) to inc. */
static vouch_status offer_markov(incumbent *inc, const incumbent *from)
{
    const know_graph *h = from->space->g;
    CHECK(h->L == 0 && from->found && h->T == inc->space->g->T);
    double *table = MEM_ZERO(double, (size_t)h->T *(size_t)h->m->pairs);
    if (!table) return VOUCH_ERROR_MEMORY;
    for (int t = 0; t < h->T; t++)
        for (int n = h->time_start[t]; n < h->time_start[t + 1]; n++)
            if (from->best[n] >= 0) table[(size_t)t * (size_t)h->m->pairs + (size_t)h->choice_pair[from->best[n]]] = 1;
    initial_markov(inc, table);
    mem_free(table);
    return VOUCH_OK;
}

vouch_status initial_from_markov(incumbent *inc, const deadline *limit)
{
    policy_space space = {0};
    incumbent *markov = NULL;
    space_options so = space_options_for(0);
    so.classes = 0;
    so.p = inc->space->p;
    so.averages = &inc->space->averages;
    so.floor = inc->space->floor;
    so.tolerance = inc->space->tolerance;
    so.objective = inc->space->objective;
    so.weights = inc->space->weights;
    so.alike = inc->space;
    so.limit = limit;
    vouch_status status = space_make(inc->space->m, &so, &space, NULL);
    if (!status) status = incumbent_new(&space, &markov);
    if (!status) {
        markov->limit = limit;
        status = initial_single_environments(markov, INITIAL_ENVIRONMENTS, limit);
    }
    if (!status && markov->found) status = offer_markov(inc, markov);
    incumbent_free(markov);
    space_free(&space);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status; /* no Markov policies then */
}

/* Rules of a Markov policy at every policy node: prob [choices]. */
static vouch_status spread_rules(const know_graph *g, const vouch_policy *start, double prob[], vouch_error *error)
{
    const vouch_model *m = g->m;
    double *table = MEM_ZERO(double, (size_t)m->T *(size_t)m->pairs);
    if (!table) return error_memory(error);
    for (size_t i = 0; i < start->rule_count; i++) {
        const policy_rule *r = &start->rules[i];
        for (int j = 0; j < r->do_count; j++) {
            int q = model_pair(m, r->state, r->action[j]);
            if (q >= 0) table[(size_t)r->time * (size_t)m->pairs + (size_t)q] = r->prob[j];
        }
    }
    space_spread(g, table, prob);
    mem_free(table);
    return VOUCH_OK;
}

/* Its environments are the rows, or the groups of rows. */
static bool for_this_model(const know_graph *g, const vouch_policy *start)
{
    return (start->K == g->K || start->K * g->m->group == g->K) && start->T == g->T && start->rule_count > 0;
}

vouch_status initial_choices(const know_graph *g, const vouch_policy *start, double prob[], vouch_error *error)
{
    if (!for_this_model(g, start))
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy is for another model (%d environments, horizon %d)",
                         start->K, start->T);
    if (start->rules[0].kind == VOUCH_RULE_LIKELIHOOD)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy looks at the whole history; expected one with L = %d%s",
                         g->L, g->L ? " or L = 0" : "");
    if (start->L == g->L) return rules_to_nodes(start, g, prob, error);
    if (start->L == 0) return spread_rules(g, start, prob, error);
    return error_set(error, VOUCH_ERROR_INPUT, "the starting policy has L = %d; expected L = %d%s", start->L, g->L,
                     g->L ? " or L = 0" : "");
}

/* Lifts and offers a policy of smaller L. */
static vouch_status offer_lifted(incumbent *inc, const vouch_policy *start, bool *whole, vouch_error *error)
{
    know_graph *from;
    vouch_status status = know_graph_new(inc->space->m, start->L, NULL, &from, error);
    if (status) return status;
    double *prob = MEM_ZERO(double, from->choices);
    int *pick = MEM_NEW(int, from->nodes);
    status = prob && pick ? rules_to_nodes(start, from, prob, error) : error_memory(error);
    if (!status) {
        heaviest(from, prob, pick);
        if (lift_policy(from, pick, inc->space->g, inc->pick, whole)) status = error_memory(error);
    }
    if (!status) local_search_offer(inc, inc->pick, OFFER_PASSES);
    mem_free(prob);
    mem_free(pick);
    know_graph_free(from);
    return status;
}

vouch_status initial_given(incumbent *inc, const vouch_policy *start, bool *whole, vouch_error *error)
{
    const know_graph *g = inc->space->g;
    bool fewer = start->L > 0 && start->L < g->L && for_this_model(g, start) && start->rules[0].kind != VOUCH_RULE_LIKELIHOOD;
    *whole = true;
    vouch_status status = fewer ? VOUCH_OK : initial_choices(g, start, inc->prob, error);
    for (size_t i = 0; i < start->rule_count && !status; i++)
        if (start->rules[i].do_count != 1)
            status =
                error_set(error, VOUCH_ERROR_INPUT, "the starting policy is not deterministic at time %d", start->rules[i].time);
    if (!status && fewer) return offer_lifted(inc, start, whole, error);
    if (!status) offer_heaviest(inc, inc->prob);
    return status;
}

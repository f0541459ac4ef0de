/* plan/bnb/initial.c - see initial.h.
 *
 * Environment k alone gives pi_k = argmax { U(k) : Pr(k) >= p(k) }, a constrained MDP (mdp/dp.h: a few backward inductions); its heaviest actions, taken to every
 * policy node, are a start for plan/bnb/local_search.h. A policy becomes the incumbent by its exact figures only.
 */
#include "plan/bnb/initial.h"

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mdp/dp.h"
#include "plan/bnb/local_search.h"
#include "policy/rules.h"

static const int PASSES = 20; /* slice passes per offered policy; local search mostly ends before */

static void offer_markov(incumbent *inc, const double prob[], int pick[])
{
    const know_graph *g = inc->space->g;
    size_t pairs = (size_t)inc->space->m->pairs;
    for (int n = 0; n < g->nodes; n++) pick[n] = -1;
    for (int t = 0; t < g->T; t++)
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++) {
            double most = 0;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
                double x = prob[(size_t)t * pairs + (size_t)g->choice_pair[c]];
                if (x <= most) continue;
                most = x;
                pick[n] = g->choice_twin[c];
                CHECK(pick[n] >= g->choice_start[n] && pick[n] <= c);
            }
        }
    local_search_offer(inc, pick, PASSES);
}

vouch_status initial_markov(incumbent *inc, const double prob[])
{
    int *pick = MEM_NEW(int, inc->space->g->nodes);
    if (!pick) return VOUCH_ERROR_MEMORY;
    offer_markov(inc, prob, pick);
    mem_free(pick);
    return VOUCH_OK;
}

vouch_status initial_single_environments(incumbent *inc, const deadline *limit)
{
    const know_graph *g = inc->space->g;
    const vouch_model *m = inc->space->m;
    double *prob = MEM_NEW(double, (size_t)m->T *(size_t)m->pairs);
    int *pick = MEM_NEW(int, g->nodes);
    vouch_status status = prob && pick ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status && !deadline_expired(limit); k++) {
        double value;
        status = dp_constrained(m, k, inc->space->p[k], &value, prob);
        if (status) break;
        offer_markov(inc, prob, pick);
    }
    mem_free(prob);
    mem_free(pick);
    return status;
}

/* The Markov policy of `from` (a space of L = 0) at every node of inc's space. */
static vouch_status lift(incumbent *inc, const incumbent *from)
{
    const know_graph *g = inc->space->g, *h = from->space->g;
    int S = g->m->S;
    CHECK(h->L == 0 && from->found && h->T == g->T);
    int *pair = MEM_NEW(int, S), *pick = MEM_NEW(int, g->nodes);
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (!pair || !pick) goto done;
    status = VOUCH_OK;
    for (int n = 0; n < g->nodes; n++) pick[n] = -1;
    for (int t = 0; t < g->T; t++) {
        for (int s = 0; s < S; s++) pair[s] = -1;
        for (int n = h->time_start[t]; n < h->time_start[t + 1]; n++)
            if (from->best[n] >= 0) pair[h->state[n]] = h->choice_pair[from->best[n]];
        for (int n = g->time_start[t]; n < g->time_start[t + 1]; n++)
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                if (g->choice_pair[c] == pair[g->state[n]]) pick[n] = g->choice_twin[c];
    }
    local_search_offer(inc, pick, PASSES);
done:
    mem_free(pair);
    mem_free(pick);
    return status;
}

vouch_status initial_from_markov(incumbent *inc, const deadline *limit)
{
    policy_space space = {0};
    incumbent *markov = NULL;
    space_options so;
    space_options_init(&so);
    so.L = 0;
    so.classes = 0;
    so.pareto_cap = 0;
    so.p = inc->space->p;
    so.floor = inc->space->floor;
    so.tolerance = inc->space->tolerance;
    vouch_status status = space_make(inc->space->m, &so, &space, NULL);
    if (!status) status = incumbent_new(&space, &markov);
    if (!status) {
        markov->limit = limit;
        status = initial_single_environments(markov, limit);
    }
    if (!status && markov->found) status = lift(inc, markov);
    incumbent_free(markov);
    space_free(&space);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status; /* no Markov policies then */
}

static vouch_status check_given(const know_graph *g, const vouch_policy *start, bool deterministic, vouch_error *error)
{
    if (start->K != g->K || start->T != g->T || start->rule_count == 0)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy is for another model (%d environments, horizon %d)",
                         start->K, start->T);
    if (start->rules[0].kind == VOUCH_RULE_LIKELIHOOD)
        return error_set(error, VOUCH_ERROR_INPUT,
                         "the starting policy looks at the whole history; expected one with L = %d or L = 0", g->L);
    if (start->L != g->L && start->L != 0)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy has L = %d; expected L = %d or L = 0", start->L, g->L);
    for (size_t i = 0; i < start->rule_count && deterministic; i++)
        if (start->rules[i].do_count != 1)
            return error_set(error, VOUCH_ERROR_INPUT, "the starting policy is not deterministic at time %d", start->rules[i].time);
    return VOUCH_OK;
}

/* Rules of a Markov policy as a table over time and pairs, owned by the caller; NULL: memory. */
static double *markov_table(const vouch_model *m, const vouch_policy *start)
{
    double *prob = MEM_ZERO(double, (size_t)m->T *(size_t)m->pairs);
    for (size_t i = 0; i < start->rule_count && prob; i++) {
        const policy_rule *r = &start->rules[i];
        for (int j = 0; j < r->do_count; j++) {
            int q = model_pair(m, r->state, r->action[j]);
            if (q >= 0) prob[(size_t)r->time * (size_t)m->pairs + (size_t)q] = r->prob[j];
        }
    }
    return prob;
}

vouch_status initial_given(incumbent *inc, const vouch_policy *start, vouch_error *error)
{
    const know_graph *g = inc->space->g;
    vouch_status status = check_given(g, start, true, error);
    if (status) return status;
    if (start->L != g->L) {
        double *table = markov_table(inc->space->m, start);
        status = table ? initial_markov(inc, table) : VOUCH_ERROR_MEMORY;
        mem_free(table);
        return status ? error_memory(error) : VOUCH_OK;
    }
    double *prob = MEM_NEW(double, g->choices);
    int *pick = MEM_NEW(int, g->nodes);
    status = prob && pick ? rules_to_nodes(start, g, prob, error) : error_memory(error);
    if (!status) {
        for (int n = 0; n < g->nodes; n++) {
            pick[n] = -1;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                if (prob[c] > 0) pick[n] = g->choice_twin[c];
        }
        local_search_offer(inc, pick, PASSES);
    }
    mem_free(prob);
    mem_free(pick);
    return status;
}

vouch_status initial_given_choices(const policy_space *space, const vouch_policy *start, double prob[], vouch_error *error)
{
    const know_graph *g = space->g;
    vouch_status status = check_given(g, start, false, error);
    if (status) return status;
    if (start->L == g->L) return rules_to_nodes(start, g, prob, error);
    double *table = markov_table(space->m, start);
    if (!table) return error_memory(error);
    space_spread(space, table, prob);
    mem_free(table);
    return VOUCH_OK;
}

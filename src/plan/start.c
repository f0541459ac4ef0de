/* plan/start.c - see start.h. */
#include "plan/start.h"

#include "base/error.h"
#include "base/memory.h"
#include "policy/rules.h"
#include "plan/bnb/initial.h"

static const int PASSES = 20; /* slice passes of local search, as for every other seed */

static vouch_status check(const know_graph *g, const vouch_policy *start, bool deterministic, vouch_error *error)
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

vouch_status start_policy(incumbent *inc, const vouch_policy *start, vouch_error *error)
{
    const know_graph *g = inc->space->g;
    vouch_status status = check(g, start, true, error);
    if (status) return status;
    if (start->L != g->L) {
        double *table = markov_table(inc->space->m, start);
        status = table ? seed_policy(inc, table) : VOUCH_ERROR_MEMORY;
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
        incumbent_offer(inc, pick, PASSES);
    }
    mem_free(prob);
    mem_free(pick);
    return status;
}

vouch_status start_choices(const policy_space *space, const vouch_policy *start, double prob[], vouch_error *error)
{
    const know_graph *g = space->g;
    vouch_status status = check(g, start, false, error);
    if (status) return status;
    if (start->L == g->L) return rules_to_nodes(start, g, prob, error);
    double *table = markov_table(space->m, start);
    if (!table) return error_memory(error);
    space_spread(space, table, prob);
    mem_free(table);
    return VOUCH_OK;
}

/* plan/start.c - see start.h. */
#include "plan/start.h"

#include "base/error.h"
#include "base/memory.h"
#include "plan/rules.h"
#include "plan/seed.h"

static const int PASSES = 20; /* slice passes of local search, as for every other seed */

static vouch_status check(const know_graph *g, const vouch_policy *start, vouch_error *error)
{
    if (start->K != g->K || start->T != g->T || start->rule_count == 0)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy is for another model (%d environments, horizon %d)", start->K, start->T);
    if (start->rules[0].kind == RULE_LIKELIHOOD)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy looks at the whole history; expected one with L = %d or L = 0", g->L);
    if (start->L != g->L && start->L != 0)
        return error_set(error, VOUCH_ERROR_INPUT, "the starting policy has L = %d; expected L = %d or L = 0", start->L, g->L);
    for (size_t i = 0; i < start->rule_count; i++)
        if (start->rules[i].do_count != 1) return error_set(error, VOUCH_ERROR_INPUT, "the starting policy is not deterministic at time %d", start->rules[i].time);
    return VOUCH_OK;
}

/* Rules of a Markov policy as a table over time and pairs. */
static vouch_status offer_markov(incumbent *inc, const vouch_policy *start)
{
    const vouch_model *m = inc->space->m;
    double *prob = MEM_ZERO(double, (size_t)m->T * (size_t)m->pairs);
    if (!prob) return VOUCH_ERROR_MEMORY;
    for (size_t i = 0; i < start->rule_count; i++) {
        int q = model_pair(m, start->rules[i].state, start->rules[i].action[0]);
        if (q >= 0) prob[(size_t)start->rules[i].time * (size_t)m->pairs + (size_t)q] = 1;
    }
    vouch_status status = seed_policy(inc, prob);
    mem_free(prob);
    return status;
}

vouch_status start_policy(incumbent *inc, const vouch_policy *start, vouch_error *error)
{
    const know_graph *g = inc->space->g;
    vouch_status status = check(g, start, error);
    if (status) return status;
    if (start->L != g->L) {
        status = offer_markov(inc, start);
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

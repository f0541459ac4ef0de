/* plan/bnb/initial.c - see initial.h. */
#include "plan/bnb/initial.h"

#include "base/memory.h"
#include "mdp/dp.h"

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
            }
        }
    incumbent_offer(inc, pick, PASSES);
}

vouch_status seed_policy(incumbent *inc, const double prob[])
{
    int *pick = MEM_NEW(int, inc->space->g->nodes);
    if (!pick) return VOUCH_ERROR_MEMORY;
    offer_markov(inc, prob, pick);
    mem_free(pick);
    return VOUCH_OK;
}

vouch_status seed_single_environments(incumbent *inc, const deadline *limit)
{
    const know_graph *g = inc->space->g;
    const vouch_model *m = inc->space->m;
    double *prob = MEM_NEW(double, (size_t)m->T *(size_t)m->pairs);
    int *pick = MEM_NEW(int, g->nodes);
    vouch_status status = prob && pick ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int k = 0; k < m->K && !status && !deadline_expired(limit); k++) {
        double value;
        status = dp_constrained(m, k, 0, m->s0, inc->space->p[k], &value, prob);
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
    incumbent_offer(inc, pick, PASSES);
done:
    mem_free(pair);
    mem_free(pick);
    return status;
}

vouch_status seed_markov(incumbent *inc, const deadline *limit)
{
    policy_space space = {0};
    incumbent *markov = NULL;
    space_options so;
    space_options_init(&so);
    so.L = 0;
    so.classes = 0;
    so.frontier_cap = 0;
    so.p = inc->space->p;
    so.floor = inc->space->floor;
    so.tolerance = inc->space->tolerance;
    vouch_status status = space_make(inc->space->m, &so, &space, NULL);
    if (!status) status = incumbent_new(&space, &markov);
    if (!status) {
        markov->limit = limit;
        status = seed_single_environments(markov, limit);
    }
    if (!status && markov->found) status = lift(inc, markov);
    incumbent_free(markov);
    space_free(&space);
    return status == VOUCH_ERROR_SIZE ? VOUCH_OK : status; /* no Markov policies then */
}

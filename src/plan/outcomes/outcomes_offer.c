/* plan/outcomes/outcomes_offer.c - offered policies: the choices used most; the best policy with one outcome exchanged, by the
 * first or the last way to it; and a walk from there. Many policies have nearly the same value, and the search ends soon only if
 * the best is known. The walk is threshold accepting (G. Dueck and T. Scheuer, J. Comput. Phys. 90, 1990). Cost of an exchange or a
 * draw: a local search. */
#include <math.h>

#include "base/memory.h"
#include "plan/outcomes/outcomes_state.h"
#include "plan/heuristic/local_search.h"
#include "policy/parameters.h"

/* The allowed choice used most; -1: none. */
static int heaviest_of(const outcomes_state *s, const unsigned char allowed[], int first, int count)
{
    int best = -1;
    for (int o = first; o < first + count; o++)
        if (allowed[o] && s->mass[o] > (best < 0 ? 0 : s->mass[best])) best = o;
    return best;
}

/* The choice at node n on the way to an outcome, whose mass passes to the next node. */
static int choice_to(outcomes_state *s, int n, int outcome, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        int m = allowed[c] ? e->next[c] : -1;
        for (int i = 1; m >= 0 && i < e->count[m]; i++) {
            if (!allowed[e->first[m] + i] || e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] != outcome) continue;
            s->mass[e->first[m] + i] += s->mass[outcome];
            return c;
        }
    }
    return -1;
}

void outcomes_offer(outcomes_state *s, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int n = 0; n < g->nodes; n++) s->pick[n] = s->inc->best[n];
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        int outcome = heaviest_of(s, allowed, s->e->first[n] + 1, s->e->count[n] - 1), c = heaviest_of(s, allowed, first, count);
        if (outcome >= 0 && (c < 0 || s->mass[outcome] > s->mass[c])) c = choice_to(s, n, outcome, allowed);
        for (int o = first; o < first + count && c < 0; o++)
            if (allowed[o] && (o == s->pick[n] || outcomes_allowed_of(allowed, first, count) == 1)) c = o;
        if (c >= 0) s->pick[n] = c;
    }
    local_search_offer(s->inc, s->pick, OUTCOMES.offered_passes);
    outcomes_set_cutoff(s);
}

/* Writes the first or the last way to an outcome of node n to s->pick; false: none. */
static bool go_to(outcomes_state *s, int n, int outcome, bool last)
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    while (n < g->time_start[g->T]) {
        int way = -1, below = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && (way < 0 || last); c++) {
            int m = e->next[c];
            for (int i = 1; m >= 0 && i < e->count[m]; i++) {
                if (e->link[(size_t)c * OUTCOMES_MOST + (size_t)i] != outcome) continue;
                way = c;
                below = e->first[m] + i;
            }
        }
        if (way < 0) return false;
        s->pick[n] = way;
        n = e->next[way];
        outcome = below;
    }
    return true;
}

/* Improves offered policy i, in parallel to the others. */
static void improve(void *context, int i, int thread)
{
    outcomes_state *s = context;
    outcomes_policy *o = &s->offer[i];
    incumbent *inc = s->room[thread].inc;
    incumbent_copy(inc, s->inc);
    o->better = local_search_offer(inc, o->pick, OUTCOMES.exchanged_passes);
    o->shortfall = inc->now.shortfall;
    o->regret = inc->now.max_regret;
    MEM_COPY(o->pick, o->better ? inc->best : inc->pick, s->space->g->nodes);
}

/* Improves the first `count` offers and adopts better ones. True: any. */
static bool improve_all(outcomes_state *s, int count)
{
    const know_graph *g = s->space->g;
    bool better = false;
    pool_run(s->threads, count, improve, s);
    for (int i = 0; i < count; i++) {
        s->prices.work += (long long)g->edges * g->K;
        if (s->offer[i].better) better = local_search_offer(s->inc, s->offer[i].pick, 0) || better;
    }
    return better;
}

/* Offers the best policy with one outcome exchanged. True: improved. */
static bool exchange_one(outcomes_state *s)
{
    const know_graph *g = s->space->g;
    const know_outcomes *e = s->e;
    bool better = false;
    int count = 0;
    for (int n = 0; n < g->time_start[g->T] && !outcomes_over(s); n++)
        for (int i = 2; i < 2 * e->count[n]; i++) {
            MEM_COPY(s->pick, s->inc->best, g->nodes);
            if (!go_to(s, n, e->first[n] + i / 2, i % 2)) continue;
            MEM_COPY(s->offer[count].pick, s->pick, g->nodes);
            if (++count < OUTCOMES_TOGETHER) continue;
            better = improve_all(s, count) || better;
            count = 0;
        }
    return improve_all(s, count) || better;
}

/* Draws a node, and an outcome or a choice there, into s->pick. */
static void draw(outcomes_state *s, rng *r)
{
    const know_outcomes *e = s->e;
    const know_graph *g = s->space->g;
    int n = (int)rng_below(r, (uint64_t)g->time_start[g->T]), count = g->choice_start[n + 1] - g->choice_start[n];
    if (e->count[n] > 1 && rng_below(r, 2))
        go_to(s, n, e->first[n] + 1 + (int)rng_below(r, (uint64_t)e->count[n] - 1), rng_below(r, 2));
    else
        s->pick[n] = g->choice_twin[g->choice_start[n] + (int)rng_below(r, (uint64_t)count)];
}

/* Threshold accepting from the best policy by such draws, several in parallel. True: improved. */
static bool walk(outcomes_state *s, rng *r)
{
    const know_graph *g = s->space->g;
    double at = incumbent_value(s->inc), begun = at;
    MEM_COPY(s->walk, s->inc->best, g->nodes);
    for (int i = 0; i < OUTCOMES.drawn && !outcomes_over(s); i += OUTCOMES_TOGETHER) {
        double most = OUTCOMES.worse * (1 - (double)i / OUTCOMES.drawn) * fabs(begun);
        for (int k = 0; k < OUTCOMES_TOGETHER; k++) {
            MEM_COPY(s->pick, s->walk, g->nodes);
            for (int j = 0; j < 1 + (i + k) % 3; j++) draw(s, r);
            MEM_COPY(s->offer[k].pick, s->pick, g->nodes);
        }
        improve_all(s, OUTCOMES_TOGETHER);
        for (int k = 0; k < OUTCOMES_TOGETHER; k++) {
            const outcomes_policy *o = &s->offer[k];
            if (o->shortfall > 0 || o->regret > at + most) continue;
            at = o->regret;
            MEM_COPY(s->walk, o->pick, g->nodes);
        }
    }
    return incumbent_value(s->inc) < begun;
}

void outcomes_exchange(outcomes_state *s)
{
    rng r = rng_seed(1);
    long long whole = s->most_work;
    s->most_work = s->prices.work + (long long)(OUTCOMES.exchanging * (double)(whole - s->prices.work));
    while (!outcomes_over(s) && (exchange_one(s) || walk(s, &r))) {}
    s->most_work = whole;
    s->given_up = false;
    outcomes_set_cutoff(s);
}

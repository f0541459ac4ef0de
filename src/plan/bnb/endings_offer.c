/* plan/bnb/endings_offer.c - policies that the search by endings offers: what is used most, and the best one known with one ending exchanged, the first or the last way to it. See
 * endings_search.h. Cost: of an exchange, what local search takes for a policy. */
#include "base/memory.h"
#include "plan/bnb/endings_state.h"
#include "plan/bnb/local_search.h"

/* Slice passes after rounding, and after an exchange. */
enum { OFFERED_PASSES = 20, EXCHANGED_PASSES = 3 };

/* The choice that is used most, of those allowed; -1: none is. */
static int heaviest_of(const endings_state *s, const unsigned char allowed[], int first, int count)
{
    int best = -1;
    for (int o = first; o < first + count; o++)
        if (allowed[o] && s->mass[o] > (best < 0 ? 0 : s->mass[best])) best = o;
    return best;
}

/* The choice at node n on the way to an ending, whose mass the next node takes over. */
static int choice_to(endings_state *s, int n, int ending, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    const know_endings *e = s->e;
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
        int m = allowed[c] ? e->next[c] : -1;
        for (int i = 1; m >= 0 && i < e->count[m]; i++) {
            if (!allowed[e->first[m] + i] || e->link[(size_t)c * ENDINGS_MOST + (size_t)i] != ending) continue;
            s->mass[e->first[m] + i] += s->mass[ending];
            return c;
        }
    }
    return -1;
}

/* Offers the policy that does what is used most. */
void endings_offer(endings_state *s, const unsigned char allowed[])
{
    const know_graph *g = s->space->g;
    for (int n = 0; n < g->nodes; n++) s->pick[n] = s->inc->best[n];
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        int ending = heaviest_of(s, allowed, s->e->first[n] + 1, s->e->count[n] - 1), c = heaviest_of(s, allowed, first, count);
        if (ending >= 0 && (c < 0 || s->mass[ending] > s->mass[c])) c = choice_to(s, n, ending, allowed);
        for (int o = first; o < first + count && c < 0; o++)
            if (allowed[o] && (o == s->pick[n] || endings_allowed_of(allowed, first, count) == 1)) c = o;
        if (c >= 0) s->pick[n] = c;
    }
    local_search_offer(s->inc, s->pick, OFFERED_PASSES);
    endings_set_cutoff(s);
}

/* Takes the way to an ending of node n in s->pick, the first or the last that there is; false: there is none. */
static bool go_to(endings_state *s, int n, int ending, bool last)
{
    const know_graph *g = s->space->g;
    const know_endings *e = s->e;
    while (n < g->time_start[g->T]) {
        int way = -1, below = -1;
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && (way < 0 || last); c++) {
            int m = e->next[c];
            for (int i = 1; m >= 0 && i < e->count[m]; i++) {
                if (e->link[(size_t)c * ENDINGS_MOST + (size_t)i] != ending) continue;
                way = c;
                below = e->first[m] + i;
            }
        }
        if (way < 0) return false;
        s->pick[n] = way;
        n = e->next[way];
        ending = below;
    }
    return true;
}

/* Offers the best policy known with one ending exchanged, until none of these is better. */
void endings_exchange(endings_state *s)
{
    const know_graph *g = s->space->g;
    const know_endings *e = s->e;
    bool better = true;
    while (better && !endings_over(s)) {
        better = false;
        for (int n = 0; n < g->time_start[g->T] && !endings_over(s); n++)
            for (int i = 2; i < 2 * e->count[n]; i++) {
                MEM_COPY(s->pick, s->inc->best, g->nodes);
                if (go_to(s, n, e->first[n] + i / 2, i % 2))
                    better = local_search_offer(s->inc, s->pick, EXCHANGED_PASSES) || better;
                s->priced += (long long)g->edges * g->K;
            }
    }
    endings_set_cutoff(s);
}

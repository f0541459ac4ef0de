/* plan/outcomes/outcomes_rooms.c - rooms for threads that try options or improve policies, and lanes for cases. Each has the sets
 * of an environment and an incumbent. */
#include <math.h>

#include "base/memory.h"

#include "plan/outcomes/outcomes_state.h"

static void make_queue(know_outcomes *e, arena *a)
{
    e->queue = ARENA_NEW(a, int, e->g->nodes);
    e->queued = ARENA_ZERO(a, unsigned char, e->g->nodes);
}

static vouch_status furnish(outcomes_state *s, outcomes_room *room)
{
    arena *a = &s->memory;
    room->e = *s->e;
    make_queue(&room->e, a);
    room->allowed = ARENA_NEW(a, unsigned char, s->e->options);
    prices_make(&room->prices, 2 * s->space->g->nodes, a);
    vouch_status status = pairs_new_trial(s->of[s->hardest], &room->trial);
    if (!status && s->inc) status = incumbent_new(s->space, &room->inc);
    if (!status && s->inc) room->inc->limit = s->inc->limit;
    return status;
}

static vouch_status make_rooms(outcomes_state *s)
{
    arena *a = &s->memory;
    int threads = pool_threads(s->threads);
    vouch_status status = VOUCH_OK;
    s->room = ARENA_ZERO(a, outcomes_room, threads);
    for (s->rooms = 0; s->rooms < threads && !a->failed && !status; s->rooms++) status = furnish(s, &s->room[s->rooms]);
    return !status && a->failed ? VOUCH_ERROR_MEMORY : status;
}

vouch_status outcomes_make_arrays(outcomes_state *s)
{
    arena *a = &s->memory;
    int nodes = s->space->g->nodes, options = s->e->options;
    s->mu = ARENA_ZERO(a, double, s->K);
    prices_make(&s->prices, 2 * nodes, a);
    s->own = ARENA_ZERO(a, double, options);
    s->mass = ARENA_ZERO(a, double, options);
    s->raise = ARENA_NEW(a, double, options);
    s->pick = ARENA_ZERO(a, int, nodes);
    s->walk = ARENA_ZERO(a, int, nodes);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    for (int o = 0; o < options; o++) s->raise[o] = INFINITY;
    return VOUCH_OK;
}

static vouch_status make_lane(outcomes_state *s, outcomes_state *lane)
{
    *lane = *s;
    lane->memory = (arena){0};
    lane->lane = NULL;
    lane->inc = NULL;
    lane->rooms = 0;
    arena *a = &lane->memory;
    lane->e = ARENA_NEW(a, know_outcomes, 1);
    lane->of = ARENA_NEW(a, know_pairs *, s->K);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    *lane->e = *s->e;
    make_queue(lane->e, a);
    MEM_COPY(lane->of, s->of, s->K);
    vouch_status status = outcomes_make_arrays(lane);
    if (!status) status = pairs_new_copy(s->of[s->hardest], &lane->of[s->hardest]);
    if (!status) status = make_rooms(lane);
    if (!status && s->inc) status = incumbent_new(s->space, &lane->inc);
    if (!status && s->inc) lane->inc->limit = s->inc->limit;
    return status;
}

vouch_status outcomes_make_rooms(outcomes_state *s)
{
    arena *a = &s->memory;
    s->offer = ARENA_ZERO(a, outcomes_policy, OUTCOMES_TOGETHER);
    s->lane = ARENA_ZERO(a, outcomes_state, OUTCOMES_LANES);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < OUTCOMES_TOGETHER; i++) s->offer[i].pick = ARENA_ZERO(a, int, s->space->g->nodes);
    vouch_status status = make_rooms(s);
    for (int i = 0; i < OUTCOMES_LANES && !status; i++) status = make_lane(s, &s->lane[i]);
    return status;
}

static void free_rooms(outcomes_state *s)
{
    for (int i = 0; i < s->rooms; i++) {
        pairs_free(s->room[i].trial);
        incumbent_free(s->room[i].inc);
    }
    s->rooms = 0;
}

void outcomes_free_rooms(outcomes_state *s)
{
    free_rooms(s);
    for (int i = 0; i < OUTCOMES_LANES && s->lane; i++) {
        outcomes_state *lane = &s->lane[i];
        free_rooms(lane);
        incumbent_free(lane->inc);
        if (lane->of && lane->of[s->hardest] != s->of[s->hardest]) pairs_free(lane->of[s->hardest]);
        arena_free(&lane->memory);
    }
}

void outcomes_enter(const outcomes_state *s, outcomes_state *lane)
{
    lane->prices.work = lane->of[s->hardest]->pareto_front.work = 0;
    lane->most_work = s->most_work - outcomes_worked(s);
    lane->rows = s->rows;
    lane->target = s->target;
    lane->cutoff = s->cutoff;
    lane->cut = INFINITY;
    lane->given_up = lane->at_ease = false;
    lane->tried = lane->nodes = 0;
    incumbent_copy(lane->inc, s->inc);
}

void outcomes_leave(outcomes_state *s, outcomes_state *lane)
{
    s->prices.work += outcomes_worked(lane);
    s->tried += lane->tried;
    s->nodes += lane->nodes;
    s->cut = fmin(s->cut, lane->cut);
    s->given_up = s->given_up || lane->given_up;
    s->at_ease = s->at_ease || lane->at_ease;
    incumbent_merge(s->inc, lane->inc);
    outcomes_set_cutoff(s);
}

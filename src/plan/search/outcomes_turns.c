/* plan/search/outcomes_turns.c - see outcomes_turns.h. */
#include "plan/search/outcomes_turns.h"

#include <math.h>

#include "base/log.h"
#include "policy/parameters.h"

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options)
{
    *t = (outcomes_turns){.space = space, .options = options, .own.bound = -INFINITY, .at = OUTCOMES_FIRST, .half = -1};
    t->shared = options->outcomes ? options->outcomes : &t->own;
}

void outcomes_beside_end(outcomes_beside *b) { beside_give_up(&b->run); }
void outcomes_turns_end(outcomes_turns *t) { outcomes_beside_end(&t->own); }

/* May there be an answer, where promises may bind? */
static bool wanted(const outcomes_turns *t, const incumbent *inc)
{
    return inc->found && !inc->total && !part_off(t->options->without, VOUCH_PART_OUTCOMES) && !t->space->share &&
           space_may_bind(t->space);
}

static void work_out(void *outcomes, incumbent *inc)
{
    outcomes_beside *b = outcomes;
    b->limits.time = inc->limit;
    b->status = outcomes_search(b->space, inc, b->gap, &b->limits, &b->result);
    pace_tell(&b->run.pace, b->result.work);
}

/* Work of so many of the tree's inductions, as outcomes count it. */
static double as_outcomes(const outcomes_turns *t, double inductions)
{
    return outcomes_rate(t->space->g) * inductions * (double)t->space->c->arcs;
}

/* They may take what the tree will have taken when it has `at` nodes, if it goes on nearly as it did since half of them. */
static vouch_status begin(outcomes_turns *t, const outcomes_moment *now, const incumbent *inc)
{
    outcomes_beside *b = t->shared;
    const search_options *o = t->options;
    long long since = now->nodes - t->half_nodes, left = t->at - now->nodes;
    double each = since > 0 ? (double)(now->inductions - t->half) / (double)since : 0,
           expected = as_outcomes(t, (double)now->inductions + (left > 0 ? OUTCOMES.slower * each * (double)left : 0));
    long long work = outcomes_allowed(&inc->outcomes, expected);
    if (work <= 0) return VOUCH_OK;
    b->space = t->space;
    b->gap = o->gap;
    b->clock = 0;
    b->first = OUTCOMES.lag * expected;
    b->limits = (outcomes_limits){.work = work, .known = now->known, .pace = &b->run.pace};
    return beside_begin(&b->run, inc, o->threads > 1 && o->workers <= 0 && !o->trace, work_out, b);
}

/* Has it ended, and have the trees done their share since? */
static bool is_due(outcomes_beside *b)
{
    return b->clock >= b->first && beside_reached(&b->run, (long long)(b->clock / OUTCOMES.trail));
}

static vouch_status take_answer(outcomes_turns *t, incumbent *inc)
{
    outcomes_beside *b = t->shared;
    double before = incumbent_value(inc);
    incumbent_take(inc, beside_end(&b->run));
    b->result.better = incumbent_value(inc) < before;
    log_line(&t->options->log, VOUCH_LOG_DETAIL, "outcomes: best %.10g, bound %.10g: %lld nodes", incumbent_value(inc),
             b->result.bound, b->result.nodes);
    outcomes_note(&inc->outcomes, &b->result, b->limits.work);
    b->bound = fmax(b->bound, b->result.bound);
    beside_give_up(&b->run);
    return b->status;
}

vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    outcomes_beside *b = t->shared;
    vouch_status status = VOUCH_OK;
    if (t->half < 0 && 2 * now->nodes >= t->at) t->half = now->inductions, t->half_nodes = now->nodes;
    b->clock += as_outcomes(t, (double)(now->inductions - t->counted));
    t->counted = now->inductions;
    if (!wanted(t, inc)) return VOUCH_OK;
    if (beside_begun(&b->run) && is_due(b)) status = take_answer(t, inc);
    if (status || beside_begun(&b->run) || (double)now->nodes < OUTCOMES.ahead * (double)t->at) return status;
    status = begin(t, now, inc);
    t->at = OUTCOMES_AGAIN * (now->nodes > t->at ? now->nodes : t->at);
    t->half = -1;
    return status;
}

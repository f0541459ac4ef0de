/* plan/search/outcomes_turns.c - see outcomes_turns.h. */
#include "plan/search/outcomes_turns.h"

#include <math.h>

#include "base/error.h"
#include "policy/parameters.h"

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options, pool *threads)
{
    *t = (outcomes_turns){.space = space, .options = options, .bound = -INFINITY, .at = OUTCOMES_FIRST, .threads = threads};
}

/* Promises must be able to bind. */
static bool wanted(const outcomes_turns *t, const incumbent *inc)
{
    return inc->found && !inc->total && !part_off(t->options->without, VOUCH_PART_OUTCOMES) && !t->space->share &&
           space_may_bind(t->space);
}

static vouch_status ask(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    const search_options *o = t->options;
    outcomes_result result;
    outcomes_limits limits = {.work = outcomes_allowed(&inc->outcomes, now->inductions * t->space->c->arcs, t->space->g),
                              .known = now->known,
                              .time = inc->limit ? inc->limit : &o->limit,
                              .threads = t->threads};
    if (limits.work <= 0) return VOUCH_OK;
    vouch_status status = outcomes_search(t->space, inc, o->gap, &limits, &result);
    log_line(&o->log, VOUCH_LOG_DETAIL, "outcomes: best %.10g, bound %.10g: %lld nodes", incumbent_value(inc), result.bound,
             result.nodes);
    outcomes_note(&inc->outcomes, &result, limits.work);
    t->bound = fmax(t->bound, result.bound);
    return status;
}

vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    if (now->nodes < t->at) return VOUCH_OK;
    t->at = OUTCOMES_AGAIN * now->nodes;
    return wanted(t, inc) ? ask(t, now, inc) : VOUCH_OK;
}

/* plan/search/outcomes_turns.c - see outcomes_turns.h. */
#include "plan/search/outcomes_turns.h"

#include <math.h>

#include "base/log.h"
#include "policy/parameters.h"

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options)
{
    *t = (outcomes_turns){.space = space, .options = options, .bound = -INFINITY, .at = OUTCOMES_FIRST, .half = -1};
}

void outcomes_turns_end(outcomes_turns *t) { beside_give_up(&t->tree); }

/* Are they asked, where promises may bind? */
static bool wanted(const outcomes_turns *t, const incumbent *inc)
{
    return inc->found && !inc->total && !part_off(t->options->without, VOUCH_PART_OUTCOMES) && !t->space->share &&
           t->limits.work > 0 && space_may_bind(t->space);
}

static void ask(void *turns, incumbent *inc)
{
    outcomes_turns *t = turns;
    outcomes_limits limits = t->limits;
    limits.time = inc->limit ? inc->limit : &t->options->limit;
    t->status = outcomes_search(t->space, inc, t->options->gap, &limits, &t->result);
}

/* What they may take at their turn, if the tree goes on nearly as it did since half of the nodes. They do not begin before it where
 * the inductions allowed end first. */
static vouch_status say_limits(outcomes_turns *t, const outcomes_moment *now, const incumbent *inc)
{
    long long since = now->nodes - t->half_nodes, left = t->at - now->nodes;
    double each = since > 0 ? (double)(now->inductions - t->half) / (double)since : 0,
           expected = (double)now->inductions + (left > 0 ? OUTCOMES.slower * each * (double)left : 0);
    t->said = true;
    t->limits = (outcomes_limits){.work = outcomes_allowed(&inc->outcomes, (long long)expected * t->space->c->arcs, t->space->g),
                                  .known = now->known};
    const search_options *o = t->options;
    bool threads = o->threads > 1 && o->workers <= 0 && !o->trace;
    bool comes = left > 0 && (o->limit.limits.iterations <= 0 || expected <= (double)o->limit.limits.iterations);
    return threads && comes && wanted(t, inc) ? beside_begin(&t->tree, inc, true, ask, t) : VOUCH_OK;
}

/* It is their turn. */
static void take_turn(outcomes_turns *t, incumbent *inc)
{
    if (beside_begun(&t->tree) && beside_from(&t->tree, inc))
        incumbent_copy(inc, beside_end(&t->tree));
    else {
        beside_give_up(&t->tree);
        ask(t, inc);
    }
    log_line(&t->options->log, VOUCH_LOG_DETAIL, "outcomes: best %.10g, bound %.10g: %lld nodes", incumbent_value(inc),
             t->result.bound, t->result.nodes);
    outcomes_note(&inc->outcomes, &t->result, t->limits.work);
    t->bound = fmax(t->bound, t->result.bound);
}

vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    vouch_status status = VOUCH_OK;
    if (t->half < 0 && 2 * now->nodes >= t->at) t->half = now->inductions, t->half_nodes = now->nodes;
    if (!t->said && (double)now->nodes >= OUTCOMES.ahead * (double)t->at) status = say_limits(t, now, inc);
    if (status || now->nodes < t->at) return status;
    t->status = VOUCH_OK;
    if (wanted(t, inc)) take_turn(t, inc);
    beside_give_up(&t->tree);
    t->at = OUTCOMES_AGAIN * now->nodes;
    t->half = now->inductions, t->half_nodes = now->nodes;
    t->said = false;
    return t->status;
}

/* plan/heuristic/beside.c - see beside.h. */
#include "plan/heuristic/beside.h"

#include "base/check.h"

static void run(void *context)
{
    beside *b = context;
    b->work(b->context, b->inc);
}

vouch_status beside_begin(beside *b, const incumbent *inc, bool thread, beside_work work, void *context)
{
    CHECK(!beside_begun(b) && work);
    *b = (beside){.work = work, .context = context};
    vouch_status status = incumbent_new(inc->space, &b->inc);
    if (status) {
        beside_give_up(b);
        return status;
    }
    atomic_init(&b->given_up, false);
    if (inc->limit) b->limit = *inc->limit;
    b->limit.given_up = &b->given_up;
    incumbent_copy(b->inc, inc);
    b->inc->limit = &b->limit;
    if (thread) b->run = aside_begin(run, b);
    return VOUCH_OK;
}

const incumbent *beside_end(beside *b)
{
    CHECK(beside_begun(b));
    if (!b->run) run(b);
    aside_end(b->run);
    b->run = NULL;
    return b->inc;
}

void beside_give_up(beside *b)
{
    if (b->run) atomic_store(&b->given_up, true);
    aside_end(b->run);
    incumbent_free(b->inc);
    *b = (beside){.inc = NULL};
}

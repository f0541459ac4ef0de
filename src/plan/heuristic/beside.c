/* plan/heuristic/beside.c - see beside.h. */
#include "plan/heuristic/beside.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"

static void run(void *context)
{
    beside *b = context;
    b->work(b->context, b->inc);
}

vouch_status beside_begin(beside *b, const incumbent *inc, bool thread, beside_work work, void *context)
{
    CHECK(!beside_begun(b) && work);
    *b = (beside){.work = work, .context = context, .from = MEM_NEW(int, inc->space->g->nodes)};
    vouch_status status = b->from ? incumbent_new(inc->space, &b->inc) : VOUCH_ERROR_MEMORY;
    if (status) {
        beside_give_up(b);
        return status;
    }
    atomic_init(&b->given_up, false);
    if (inc->limit) b->limit = *inc->limit;
    b->limit.given_up = &b->given_up;
    MEM_COPY(b->from, inc->best, inc->space->g->nodes);
    incumbent_copy(b->inc, inc);
    b->inc->limit = &b->limit;
    if (thread) b->run = aside_begin(run, b);
    return VOUCH_OK;
}

bool beside_from(const beside *b, const incumbent *inc)
{
    return memcmp(b->from, inc->best, (size_t)inc->space->g->nodes * sizeof *b->from) == 0;
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
    mem_free(b->from);
    *b = (beside){.inc = NULL};
}

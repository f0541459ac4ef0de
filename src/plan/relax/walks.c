/* plan/relax/walks.c - see walks.h. */
#include "plan/relax/walks.h"

#include <math.h>

#include "base/check.h"
#include "policy/parameters.h"

void walks_init(walks *w, uint64_t seed)
{
    *w = (walks){.share = 1, .walked = INFINITY};
    for (int i = 0; i < CHAINS; i++) w->chain[i].at.random = rng_seed(seed + (uint64_t)i);
}

static void walk(void *context, incumbent *inc)
{
    walk_chain *w = context;
    w->better = threshold_accepting_run(&w->next, inc, w->work);
}

vouch_status walks_begin(walks *w, const incumbent *inc, bool threads, double work)
{
    vouch_status status = VOUCH_OK;
    if (incumbent_value(inc) < w->walked) w->share = 1;
    for (int i = 0; i < CHAINS && !status; i++) {
        walk_chain *one = &w->chain[i];
        one->next = one->at;
        one->work = w->share * work / CHAINS;
        status = beside_begin(&one->run, inc, threads, walk, one);
    }
    return status;
}

bool walks_begun(const walks *w) { return beside_begun(&w->chain[0].run); }

bool walks_end(walks *w, incumbent *inc)
{
    bool better = false;
    CHECK(walks_begun(w));
    for (int i = 0; i < CHAINS; i++) {
        walk_chain *one = &w->chain[i];
        incumbent_take(inc, beside_end(&one->run));
        one->at = one->next;
        better = better || one->better;
    }
    w->share *= better ? 1 : RELAX.vain;
    w->walked = incumbent_value(inc);
    walks_give_up(w);
    return better;
}

int walks_count(const walks *w)
{
    int count = 0;
    for (int i = 0; i < CHAINS; i++) count += w->chain[i].at.walks;
    return count;
}

void walks_give_up(walks *w)
{
    for (int i = 0; i < CHAINS; i++) beside_give_up(&w->chain[i].run);
}

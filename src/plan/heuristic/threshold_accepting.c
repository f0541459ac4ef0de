/* plan/heuristic/threshold_accepting.c - see local_search.h. Invariant: the policy is evaluated again after each pass, so
 * rounding errors do not accumulate. */

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"
#include "policy/parameters.h"

/* Initial thresholds of successive walks, as shares of the regret. The first leaves the local optimum: without it 19 of 38 small
 * dense models are solved (tests/test_plan_heuristic_threshold_accepting.c), with it 28. */
static const double THRESHOLD[] = {.1, .01, .003, .001};
enum { THRESHOLDS = sizeof THRESHOLD / sizeof *THRESHOLD };

static double raised(double x)
{
    for (int i = 0; i < HEURISTIC.squares; i++) x *= x;
    return x;
}

/* The smoothed maximum, in regrets of `unit`, and the shortfall of the promises after a change by d [2K] (dU, then dPr). */
static double rounded_maximum(const incumbent *inc, const double d[], double unit, double *shortfall)
{
    const policy_space *space = inc->space;
    double sum = 0;
    *shortfall = 0;
    for (int k = 0; k < space->K; k++) {
        double regret = fmax(0, space->optimal[k] - inc->now.U[k] - d[k]) / unit;
        sum += space->share ? space->share[k] * regret : raised(regret);
        *shortfall += space_missing(space, k, inc->now.U[k] + d[k], inc->now.Pr[k] + d[space->K + k]);
    }
    *shortfall += space_missing_on_average(space, inc->now.Pr, d + space->K);
    return sum;
}

/* One pass; accepts changes that raise the smoothed maximum by at most this factor. */
static void walk_pass(incumbent *inc, rng *r, double factor, double unit)
{
    const know_graph *g = inc->space->g;
    double *d = inc->delta, shortfall, missing;
    memset(d, 0, 2 * (size_t)g->K * sizeof *d);
    double now = rounded_maximum(inc, d, unit, &shortfall);
    local_begin(inc);
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) {
        int first = g->choice_start[n], count = g->choice_start[n + 1] - first;
        if (!local_enter(inc, n) || count < 2) continue;
        int c = g->choice_twin[first + (int)rng_below(r, (uint64_t)count)];
        if (c == inc->pick[n]) continue;
        local_change(inc, n, c, d);
        double then = rounded_maximum(inc, d, unit, &missing);
        if (missing > shortfall || then > now * factor) continue;
        local_switch(inc, n, c, d);
        now = then;
        shortfall = missing;
    }
    local_evaluate(inc);
}

/* One walk, with a threshold that decreases from `first` to 0. */
static bool walk(incumbent *inc, rng *r, int passes, double first)
{
    double unit = fmax(incumbent_value(inc), inc->space->rounding);
    if (inc->pick != inc->best) MEM_COPY(inc->pick, inc->best, inc->space->g->nodes);
    local_evaluate(inc);
    for (int i = 0; i < passes && !(inc->limit && deadline_expired(inc->limit)); i++) {
        double factor = 1 + first * (1 - (double)i / passes);
        walk_pass(inc, r, inc->space->share ? factor : raised(factor), unit);
    }
    return local_search_offer(inc, inc->pick, HEURISTIC.walk_passes);
}

bool threshold_accepting_run(threshold_accepting *w, incumbent *inc, double work)
{
    const know_graph *g = inc->space->g;
    bool better = false;
    CHECK(inc->found && !inc->total);
    w->left += work;
    while (w->left > 0 && !(inc->limit && deadline_expired(inc->limit))) {
        int turn = w->walks / THRESHOLDS, longer = turn < HEURISTIC.most_turns ? turn : HEURISTIC.most_turns;
        int passes = (int)(HEURISTIC.first_passes * pow(HEURISTIC.longer, longer));
        better = walk(inc, &w->random, passes, THRESHOLD[w->walks++ % THRESHOLDS]) || better;
        w->left -= HEURISTIC.pass_work * passes * g->edges * g->K;
    }
    return better;
}

/* ---- chains ---- */

void walks_init(walks *w, uint64_t seed)
{
    *w = (walks){.share = 1, .walked = INFINITY};
    for (int i = 0; i < CHAINS; i++) w->chain[i].at.random = rng_seed(seed + (uint64_t)i);
}

static void run(void *context)
{
    walk_chain *chain = context;
    chain->better = threshold_accepting_run(&chain->next, chain->inc, chain->work);
}

static vouch_status chain_begin(walk_chain *chain, const incumbent *inc, bool threads, double work)
{
    vouch_status status = incumbent_new(inc->space, &chain->inc);
    if (status) return status;
    chain->next = chain->at;
    chain->work = work;
    chain->limit = inc->limit ? *inc->limit : (deadline){0};
    atomic_init(&chain->aborted, false);
    chain->limit.given_up = &chain->aborted;
    incumbent_copy(chain->inc, inc);
    chain->inc->limit = &chain->limit;
    if (threads) chain->thread = aside_begin(run, chain);
    return VOUCH_OK;
}

vouch_status walks_begin(walks *w, const incumbent *inc, bool threads, double work)
{
    vouch_status status = VOUCH_OK;
    CHECK(!walks_begun(w));
    if (incumbent_value(inc) < w->walked) w->share = 1;
    for (int i = 0; i < CHAINS && !status; i++) status = chain_begin(&w->chain[i], inc, threads, w->share * work / CHAINS);
    return status;
}

bool walks_end(walks *w, incumbent *inc)
{
    bool better = false;
    CHECK(walks_begun(w));
    for (int i = 0; i < CHAINS; i++) {
        walk_chain *chain = &w->chain[i];
        if (!chain->thread) run(chain);
        aside_end(chain->thread);
        chain->thread = NULL;
        incumbent_merge(inc, chain->inc);
        chain->at = chain->next;
        better = better || chain->better;
    }
    w->share *= better ? 1 : RELAX.vain;
    w->walked = incumbent_value(inc);
    walks_abort(w);
    return better;
}

int walks_count(const walks *w)
{
    int count = 0;
    for (int i = 0; i < CHAINS; i++) count += w->chain[i].at.walks;
    return count;
}

void walks_abort(walks *w)
{
    for (int i = 0; i < CHAINS; i++) {
        walk_chain *chain = &w->chain[i];
        if (chain->thread) atomic_store(&chain->aborted, true);
        aside_end(chain->thread);
        incumbent_free(chain->inc);
        chain->thread = NULL;
        chain->inc = NULL;
    }
}

/* plan/heuristic/threshold_accepting.c - see threshold_accepting.h. Invariant: after each pass the policy is evaluated anew, so
 * that rounding does not add up. */
#include "plan/heuristic/threshold_accepting.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_moves.h"
#include "plan/heuristic/local_search.h"
#include "policy/parameters.h"

/* Thresholds that walks begin with, in turn, as shares of the regret. The first leaves where the best policy is: without it 19 of
 * 38 small dense models are solved (tests/test_plan_heuristic_threshold_accepting.c), with it 28. */
static const double THRESHOLD[] = {.1, .01, .003, .001};
enum { THRESHOLDS = sizeof THRESHOLD / sizeof *THRESHOLD };

static double raised(double x)
{
    for (int i = 0; i < HEURISTIC.squares; i++) x *= x;
    return x;
}

/* What d [2 K] makes of the policy at hand: the sum of powers, by regrets in units, and what the promises lack. */
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

/* A pass that takes what is worse by this factor at most. */
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
        local_take(inc, n, c, d);
        now = then;
        shortfall = missing;
    }
    local_evaluate(inc);
}

/* One walk, whose threshold falls from `first`. */
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

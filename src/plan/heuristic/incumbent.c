/* plan/heuristic/incumbent.c - see incumbent.h. Differences within BETTER and the rounding of values are ignored, or local search
 * would follow rounding errors. Stage two compares totals under
 *
 *     cap = max regret + min(tie, max(rounding, left)),     bounds use  max regret + tie:
 *
 * policies that are equal in the given rewards must stay comparable (THEORY.md, 8). O(nodes) to adopt a policy.
 */
#include "plan/heuristic/incumbent.h"

#include "base/check.h"
#include "base/memory.h"

/* Least decrease of a shortfall that counts, unless it reaches 0. */
static const double BETTER = 1e-10;
/* A cutoff that every bound reaches. */
static const double BELOW_ALL = -1;

vouch_status incumbent_new(const policy_space *space, incumbent **out)
{
    *out = NULL;
    incumbent *inc = MEM_ZERO(incumbent, 1);
    if (!inc) return VOUCH_ERROR_MEMORY;
    size_t nodes = (size_t)space->g->nodes, K = (size_t)space->K;
    arena *a = &inc->memory;
    inc->space = space;
    inc->best = ARENA_NEW(a, int, nodes);
    inc->pick = ARENA_NEW(a, int, nodes);
    inc->value.U = ARENA_NEW(a, double, K);
    inc->value.Pr = ARENA_NEW(a, double, K);
    inc->now.U = ARENA_NEW(a, double, K);
    inc->now.Pr = ARENA_NEW(a, double, K);
    inc->prob = ARENA_NEW(a, double, space->g->choices);
    inc->reach = ARENA_NEW(a, double, nodes *K);
    inc->gain = ARENA_NEW(a, double, nodes *K);
    inc->keep = ARENA_NEW(a, double, nodes *K);
    inc->delta = ARENA_NEW(a, double, 4 * K);
    inc->worth = ARENA_NEW(a, double, 2 * K);
    inc->best_worth = ARENA_NEW(a, double, 2 * K);
    if (a->failed) {
        incumbent_free(inc);
        return VOUCH_ERROR_MEMORY;
    }
    for (size_t n = 0; n < nodes; n++) inc->best[n] = inc->pick[n] = -1; /* those of the horizon stay, and are sent in tasks */
    *out = inc;
    return VOUCH_OK;
}

void incumbent_free(incumbent *inc) { ARENA_FREE(inc); }

void incumbent_seek_total(incumbent *inc, double left)
{
    const policy_space *space = inc->space;
    CHECK(inc->found && !inc->total);
    inc->total = true;
    inc->cap = inc->value.max_regret + fmin(space->tie, fmax(space->rounding, left));
    inc->bound_cap = inc->value.max_regret + space->tie;
}

double incumbent_value(const incumbent *inc)
{
    if (!inc->found) return INFINITY;
    return inc->total ? inc->value.total_regret : inc->value.max_regret;
}

double incumbent_cutoff(const incumbent *inc, double gap)
{
    const policy_space *space = inc->space;
    double cutoff = inc->found ? incumbent_value(inc) - gap : INFINITY;
    if (inc->total) return cutoff;
    if (inc->found && space->enough > 0 && inc->value.max_regret <= space->enough) return BELOW_ALL;
    return space->cutoff > 0 ? fmin(cutoff, space->cutoff) : cutoff;
}

merit incumbent_merit(const incumbent *inc, double shortfall, double max_regret, double total)
{
    CHECK_COMPARE(shortfall, >=, 0);
    double excess = max_regret - inc->cap <= inc->space->rounding
                        ? 0
                        : max_regret - inc->cap; /* or rounding would accumulate over improvements */
    return (merit){shortfall, inc->total ? excess : max_regret, total};
}

static int compare(double a, double b, double margin) { return a < b - margin ? -1 : a > b + margin ? 1 : 0; }

bool incumbent_better(const incumbent *inc, const merit *a, const merit *b)
{
    const policy_space *space = inc->space;
    if ((a->shortfall > 0) != (b->shortfall > 0)) return !(a->shortfall > 0);
    int order = compare(a->shortfall, b->shortfall, BETTER);
    if (!order) order = compare(a->regret, b->regret, space->rounding);
    if (!order) order = compare(a->total, b->total, space->K * space->rounding);
    return order < 0;
}

static void adopt(incumbent *inc, const int pick[], const figures *f)
{
    if (pick != inc->best) MEM_COPY(inc->best, pick, inc->space->g->nodes);
    MEM_COPY(inc->value.U, f->U, inc->space->K);
    MEM_COPY(inc->value.Pr, f->Pr, inc->space->K);
    inc->value.shortfall = 0;
    inc->value.max_regret = f->max_regret;
    inc->value.total_regret = f->total_regret;
    inc->found = true;
    CHECK(space_kept(inc->space, inc->value.Pr, NULL));
}

bool incumbent_consider(incumbent *inc, const int pick[], const figures *f)
{
    merit now = incumbent_merit(inc, 0, f->max_regret, f->total_regret);
    merit old = incumbent_merit(inc, 0, inc->value.max_regret, inc->value.total_regret);
    if (f->shortfall > 0 || (inc->found && !incumbent_better(inc, &now, &old))) return false;
    adopt(inc, pick, f);
    return true;
}

void incumbent_copy(incumbent *to, const incumbent *from)
{
    CHECK(to->space->g == from->space->g);
    to->found = from->found;
    to->total = from->total;
    to->cap = from->cap;
    to->bound_cap = from->bound_cap;
    MEM_COPY(to->best, from->best, from->space->g->nodes);
    if (from->found) adopt(to, from->best, &from->value);
}

void incumbent_merge(incumbent *inc, const incumbent *from)
{
    CHECK(inc->space->g == from->space->g);
    if (from->found) incumbent_consider(inc, from->best, &from->value);
}

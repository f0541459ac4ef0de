/* plan/node/debug_policy.c - see debug_policy.h. */
#include "plan/node/debug_policy.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "know/graph.h"

/* A bound may exceed the value by the rounding of its induction, relative to 1 + value. */
static const double EXCESS = 1e-7;
/* Several times the tolerance within which Pareto sets drop dominated vectors. */
static const double DOMINATES = 1e-9;

vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out)
{
    const know_graph *g = space->g;
    size_t nodes = (size_t)g->nodes, K = (size_t)g->K;
    debug_policy *w = *out = MEM_ZERO(debug_policy, 1);
    if (!w) return VOUCH_ERROR_MEMORY;
    arena *a = &w->memory;
    w->space = space;
    w->pick = ARENA_NEW(a, int, nodes);
    w->gain = ARENA_NEW(a, double, nodes *K);
    w->keep = ARENA_NEW(a, double, nodes *K);
    w->reach = ARENA_NEW(a, double, nodes *K);
    w->prob = ARENA_NEW(a, double, g->choices);
    w->U = ARENA_NEW(a, double, 2 * K);
    if (a->failed) {
        debug_policy_free(w);
        *out = NULL;
        return VOUCH_ERROR_MEMORY;
    }
    debug_policy_set(w, pick);
    return VOUCH_OK;
}

void debug_policy_free(debug_policy *w)
{
    if (!w) return;
    arena_free(&w->memory);
    mem_free(w);
}

void debug_policy_set(debug_policy *w, const int pick[])
{
    const policy_space *space = w->space;
    const know_graph *g = space->g;
    int K = g->K;
    figures f = {.U = w->U, .Pr = w->U + K};
    propagate_pick(g, pick, w->prob);
    propagate_forward(g, w->prob, w->reach, f.U, f.Pr);
    propagate_backward(g, w->prob, w->gain, w->keep);
    for (int n = 0; n < g->nodes; n++) {
        double most = 0;
        bool chooses = g->choice_start[n] < g->choice_start[n + 1]; /* picks at the horizon are meaningless */
        for (int k = 0; k < K; k++) most = fmax(most, w->reach[(size_t)n * (size_t)K + (size_t)k]);
        w->pick[n] = chooses && most > 0 && pick[n] >= 0 ? g->choice_twin[pick[n]] : -1;
    }
    figures_derive(space, &f);
    w->max_regret = f.max_regret;
    w->total_regret = f.total_regret;
    w->kept = space_kept(space, f.Pr, NULL);
    for (int k = 0; k < K && space->floor; k++) w->kept = w->kept && f.U[k] >= space->floor[k];
}

/* Is a vector allowed at node n that is no worse than the policy from there on? */
static bool vector_allowed(const debug_policy *w, int n, option_range at, const unsigned char allowed[])
{
    const policy_space *space = w->space;
    size_t K = (size_t)space->K;
    for (int o = at.first; o < at.last; o++) {
        const double *x = space->f->value + (size_t)(o - space->g->choices) * 2 * K;
        bool worse = !allowed[o];
        for (size_t k = 0; k < K && !worse; k++) {
            double u = w->gain[(size_t)n * K + k], pr = w->keep[(size_t)n * K + k];
            worse = x[k] < u - DOMINATES * (1 + fabs(u)) || x[K + k] < pr - DOMINATES;
        }
        if (!worse) return true;
    }
    return false;
}

static bool contains(const debug_policy *w, const unsigned char allowed[])
{
    const know_graph *g = w->space->g;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (w->pick[n] < 0) continue;
        option_range at = options_of(w->space, n);
        if (at.vectors ? !vector_allowed(w, n, at, allowed) : !allowed[w->pick[n]]) return false;
    }
    return true;
}

/* The policy's value for the goal; INFINITY if it is not tested. */
static double value_of(const debug_policy *w, const colgen *cg)
{
    if (!w || !w->kept) return INFINITY;
    bool total = cg->goal == MASTER_TOTAL_REGRET;
    if (total && w->max_regret > cg->cap) return INFINITY;
    return total ? w->total_regret : w->max_regret;
}

void debug_bound_check(double bound, double value)
{
    if (isfinite(value)) CHECK_COMPARE(bound, <=, value + EXCESS * (1 + fabs(value)));
}

void debug_policy_check(const debug_policy *w, const colgen *cg, double bound)
{
    double value = value_of(w, cg);
    if (value < INFINITY && contains(w, cg->allowed)) debug_bound_check(bound, value);
}

bool debug_policy_holds(const debug_policy *w, const colgen *cg, double cutoff)
{
    return value_of(w, cg) < cutoff && contains(w, cg->allowed);
}

/* plan/bnb/debug_policy.c - see debug_policy.h. At a node with a Pareto set the policy's continuation is there as a vector that is no worse. */
#include "plan/bnb/debug_policy.h"

#include <assert.h>
#include <math.h>

#include "base/memory.h"
#include "know/propagate.h"

/* A bound may exceed the value by the rounding of its induction, relative to 1 + value. */
static const double EXCESS = 1e-7;
/* A Pareto set drops vectors that another one dominates within its own tolerance; several times that. */
static const double DOMINATES = 1e-9;

vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out)
{
    const know_graph *g = space->g;
    size_t nodes = (size_t)g->nodes, K = (size_t)g->K;
    *out = NULL;
    debug_policy *w = MEM_ZERO(debug_policy, 1);
    double *prob = MEM_NEW(double, g->choices), *reach = MEM_NEW(double, nodes *K), *U = MEM_NEW(double, 2 * K);
    if (w) {
        w->pick = MEM_NEW(int, nodes);
        w->gain = MEM_NEW(double, nodes *K);
        w->keep = MEM_NEW(double, nodes *K);
    }
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (!w || !w->pick || !w->gain || !w->keep || !prob || !reach || !U) goto done;
    w->space = space;
    propagate_pick(g, pick, prob);
    propagate_forward(g, prob, reach, U, U + K);
    propagate_backward(g, prob, w->gain, w->keep);
    for (size_t n = 0; n < nodes; n++) {
        double most = 0;
        for (size_t k = 0; k < K; k++) most = fmax(most, reach[n * K + k]);
        w->pick[n] = most > 0 && pick[n] >= 0 ? g->choice_twin[pick[n]] : -1;
    }
    w->kept = true;
    w->max_regret = -INFINITY;
    for (size_t k = 0; k < K; k++) {
        w->max_regret = fmax(w->max_regret, space->optimal[k] - U[k]);
        w->total_regret += space->optimal[k] - U[k];
        if (!commitment_kept_within(U[K + k], space->p[k], space->tolerance)) w->kept = false;
        if (space->floor && U[k] < space->floor[k]) w->kept = false;
    }
    status = VOUCH_OK;
done:
    mem_free(prob);
    mem_free(reach);
    mem_free(U);
    if (status)
        debug_policy_free(w);
    else
        *out = w;
    return status;
}

void debug_policy_free(debug_policy *w)
{
    if (!w) return;
    mem_free(w->pick);
    mem_free(w->gain);
    mem_free(w->keep);
    mem_free(w);
}

/* Is a vector allowed at node n that is no worse than the policy from there on? */
static bool vector_allowed(const debug_policy *w, int n, const unsigned char allowed[])
{
    const pareto_sets *f = w->space->f;
    size_t K = (size_t)w->space->K;
    for (int v = f->start[n]; v < f->start[n] + f->count[n]; v++) {
        const double *x = f->value + (size_t)v * 2 * K;
        bool worse = !allowed[w->space->g->choices + v];
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
    const pareto_sets *f = w->space->f;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        if (w->pick[n] < 0) continue;
        bool ends = f && n < g->time_start[g->L + 1] && f->count[n] >= 0;
        if (ends ? !vector_allowed(w, n, allowed) : !allowed[w->pick[n]]) return false;
    }
    return true;
}

/* What the policy is worth to the search; INFINITY where it does not count. */
static double value_of(const debug_policy *w, const colgen *r)
{
    if (!w || !w->kept) return INFINITY;
    bool total = r->goal == MASTER_TOTAL_REGRET;
    if (total && w->max_regret > r->cap) return INFINITY;
    return total ? w->total_regret : w->max_regret;
}

void debug_policy_check(const debug_policy *w, const colgen *r, double bound)
{
    double value = value_of(w, r);
    if (value < INFINITY && bound > value + EXCESS * (1 + fabs(value))) assert(!contains(w, r->allowed));
}

bool debug_policy_holds(const debug_policy *w, const colgen *r, double cutoff)
{
    return value_of(w, r) < cutoff && contains(w, r->allowed);
}

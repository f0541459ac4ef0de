/* lp/primal.c - the primal simplex method with bounds.
 *
 * Phase 1 minimises the sum of bound violations of the basic variables, f = sum of c_p x_p with c_p = -1 below, +1 above, 0 within;
 * when a step changes some c_p, reduced costs change by the row (delta c)' B^-1 [A, -I]. Phase 2 minimises the working costs. Both:
 * choose column q, compute the column of the tableau, find the blocking row, compute that row, update reduced
 * costs and weights, exchange. Degeneracy ends by random widening of the bounds of basic variables; the caller removes it and the
 * dual repairs the infeasibilities. Source of widening: P. E. Gill, W. Murray, M. A. Saunders and M. H. Wright, Mathematical
 * Programming 45 (1989). */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

enum { DEGENERATE_PATIENCE = 30 };
static const double WIDENING_GROWTH = 1.5;
enum { TROUBLE_MOST = 30 };
/* Relative difference of the stored and the computed reduced cost that needs new factors. */
static const double REDUCED_DISAGREE = 1e-6;

static double violation_sign(const simplex *s, int p)
{
    if (s->xb[p] < s->lb[p] - s->feasibility_tol) return -1;
    if (s->xb[p] > s->ub[p] + s->feasibility_tol) return 1;
    return 0;
}

/* Fresh vectors, and the phase (1 or 2). In phase 1 s->pricing.infeasible holds the costs c_p. As simplex_factor. */
static run_end primal_rebuild(simplex *s, rebuild_reason reason, int *phase)
{
    if (!s->factored || (simplex_wants_factors(s, reason) && basis_updates(s->factors) > 0)) {
        run_end end = simplex_factor(s);
        if (end) return end;
    }
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    *phase = 2;
    for (int p = 0; p < s->m; p++) {
        s->pricing.infeasible[p] = violation_sign(s, p);
        if (s->pricing.infeasible[p] != 0) *phase = 1;
    }
    if (*phase == 1)
        simplex_compute_dual(s, s->pricing.infeasible);
    else if (s->dual_trust != FRESH)
        simplex_compute_dual(s, NULL);
    return RUN_ON;
}

static double widening(simplex *s, double bound) { return s->work.widening * (1 + fabs(bound)) * (1 + rng_unit(&s->random)); }

/* s->flip := changes of the costs of phase 1 by a step. True: there are any. */
static bool collect_changes(simplex *s)
{
    vector_clear(&s->flip);
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        double now = violation_sign(s, p);
        if (now == s->pricing.infeasible[p]) continue;
        vector_add(&s->flip, p, now - s->pricing.infeasible[p]);
        s->pricing.infeasible[p] = now;
    }
    return s->flip.count > 0;
}

/* Updates reduced costs after the costs of basic variables changed by s->flip. */
static void follow_changes(simplex *s)
{
    simplex_btran(s, &s->flip, LU_FLIP, false);
    price_row(s, &s->flip, &s->pivot_row);
    for (int k = 0; k < s->pivot_row.count; k++) {
        int v = s->pivot_row.index[k];
        s->reduced[v] -= s->pivot_row.value[v];
    }
}

static void shift_basic(simplex *s, double amount)
{
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        s->xb[p] -= amount * s->col.value[p];
    }
}

/* c_q - c_B' B^-1 a_q from the current column. */
static double reduced_from_column(const simplex *s, int q, int phase)
{
    double sum = phase == 1 ? 0 : s->work.cost[q];
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        sum -= (phase == 1 ? s->pricing.infeasible[p] : s->work.cost[s->head[p]]) * s->col.value[p];
    }
    return sum;
}

/* Iterations after which the dual is tried. */
static long long stall_limit(const simplex *s, int phase) { return phase == 1 ? 1000 + 4LL * s->m : 5000 + 10LL * s->vars; }

/* ---- the method ------------------------------------------------------------------------------------------------------------ */

typedef struct primal_state {
    const primal_pricing *rule;
    int phase;
    int mishaps;
    long long begun; /* iterations before this run */
} primal_state;

static run_end between_iterations(simplex *s, primal_state *d)
{
    run_end end = simplex_stop(s);
    if (end) return end;
    if ((!s->factored || basis_due(s->factors)) && (end = primal_rebuild(s, REBUILD_DUE, &d->phase))) return end;
    if (d->mishaps > TROUBLE_MOST) return RUN_TROUBLE;
    CHECK(!s->factored || s->allocations == mem_calls_here()); /* nothing is allocated between factorisations */
    simplex_report(s, "primal", d->phase);
    if (s->iterations - d->begun > (s->polishing ? simplex_polish_limit(s) : stall_limit(s, d->phase))) return RUN_STALLED;
    if (!s->perturb || s->degenerate <= DEGENERATE_PATIENCE) return RUN_ON;
    /* Widens the finite bounds of basic variables, each by a random amount. Bounds of nonbasic ones stay, and so does the point:
     * otherwise basic values would change by more than their own widening, and phase 1 restart (dfl001 after its dual: 5 587 pivots
     * instead of 816). */
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        if (!isinf(s->lb[p])) s->lb[p] = s->work.lower[v] -= widening(s, s->lower[v]);
        if (!isinf(s->ub[p])) s->ub[p] = s->work.upper[v] += widening(s, s->upper[v]);
    }
    s->work.widening *= WIDENING_GROWTH;
    s->work.bounds_shifted = true;
    s->degenerate = 0;
    return d->phase == 1 ? primal_rebuild(s, REBUILD_WIDENED, &d->phase) : RUN_ON;
}

static run_end end_or_rebuild(simplex *s, primal_state *d)
{
    if (simplex_wants_factors(s, REBUILD_END) || s->primal_trust != FRESH || (d->phase == 2 && s->dual_trust != FRESH)) {
        s->primal_trust = s->dual_trust = INVALID;
        run_end end = primal_rebuild(s, REBUILD_END, &d->phase);
        if (end) return end;
        if (d->rule->choose(s) >= 0) return RUN_ON;
    }
    CHECK(s->primal_trust == FRESH && (d->phase == 1 || s->dual_trust == FRESH));
    return d->phase == 1 ? RUN_INFEASIBLE : RUN_OPTIMAL;
}

static run_end unbounded_or_rebuild(simplex *s, primal_state *d, int q, double direction)
{
    if (basis_updates(s->factors) > 0) {
        s->primal_trust = s->dual_trust = INVALID;
        return primal_rebuild(s, REBUILD_RAY, &d->phase);
    }
    if (d->phase == 1) { /* numerics: phase 1 is bounded */
        d->mishaps++;
        s->reduced[q] = 0;
        return RUN_ON;
    }
    CHECK(basis_updates(s->factors) == 0);
    memset(s->ray_primal, 0, (size_t)s->vars * sizeof(double));
    s->ray_primal[q] = direction;
    for (int k = 0; k < s->col.count; k++) s->ray_primal[s->head[s->col.index[k]]] = -direction * s->col.value[s->col.index[k]];
    return RUN_UNBOUNDED;
}

static void flip(simplex *s, int q, double change, int phase)
{
    CHECK(s->move[q] != 0);
    shift_basic(s, change);
    s->move[q] = (signed char)-s->move[q];
    simplex_place(s, q);
    s->iterations++;
    s->primal_trust = UPDATED;
    if (phase == 1 && collect_changes(s)) follow_changes(s);
    if (s->trace) record_pivot(s, &(pivot_record){"primal", phase, q, q, 0, change, fabs(change)});
}

/* The row and the column of the tableau disagree about the pivot: q waits until reduced costs are recomputed. */
static run_end refuse_pivot(simplex *s, primal_state *d, int q)
{
    s->trouble++;
    if (basis_updates(s->factors) > 0) return primal_rebuild(s, REBUILD_PIVOT, &d->phase);
    d->mishaps++;
    s->reduced[q] = 0;
    return RUN_ON;
}

/* Final value of the variable of position p: in phase 2 a slightly infeasible one stays, and its bound moves. */
static double stopping_bound(simplex *s, const primal_step *step, int phase)
{
    int p = step->position, out = s->head[p];
    double bound = step->at_upper ? s->ub[p] : s->lb[p];
    if (phase == 1 || step->length != 0 || s->xb[p] == bound) return bound;
    bound = s->xb[p];
    if (step->at_upper)
        s->work.upper[out] = bound;
    else
        s->work.lower[out] = bound;
    s->work.bounds_shifted = true;
    return bound;
}

/* Exchanges q, which moves in the direction, with the blocking variable. */
static void primal_exchange(simplex *s, const primal_state *d, int q, double direction, const primal_step *step)
{
    int p = step->position, out = s->head[p], phase = d->phase;
    CHECK(s->col.value[p] != 0);
    double bound = stopping_bound(s, step, phase);
    double length = phase == 2 ? step->length : direction * (s->xb[p] - bound) / s->col.value[p];
    s->degenerate = length > TOL_STEP ? 0 : s->degenerate + 1;
    double entering = s->value[q] + direction * length;
    shift_basic(s, direction * length);
    d->rule->update(s, p, q);
    simplex_update_reduced(s, p, q, s->reduced[q] / s->col.value[p]);
    double left = s->pricing.infeasible[p];
    signed char move = s->work.lower[out] == s->work.upper[out] ? 0 : step->at_upper ? -1 : 1;
    s->pricing.infeasible[p] = 0;
    bool exchanged = simplex_exchange(s, p, q, entering, bound, move);
    s->pricing.infeasible[p] = 0;
    if (phase == 1) {
        s->reduced[out] -= left;
        if (!exchanged) return; /* factors and vectors are recomputed */
        if (collect_changes(s)) follow_changes(s);
    }
}

static run_end primal_iterate(simplex *s, primal_state *d)
{
    bool fresh = basis_updates(s->factors) == 0;
    int q = d->rule->choose(s), phase = d->phase;
    if (q < 0) return end_or_rebuild(s, d);
    CHECK(s->where[q] < 0);
    simplex_column(s, q, true);
    double exact = reduced_from_column(s, q, phase), kept = s->reduced[q];
    if (fabs(exact - kept) > REDUCED_DISAGREE * (1 + fabs(kept)) && !fresh) return primal_rebuild(s, REBUILD_REDUCED, &d->phase);
    s->reduced[q] = exact;
    if (fabs(exact) <= s->optimality_tol || exact * kept < 0) return RUN_ON;

    double direction = exact < 0 ? 1 : -1, range = s->work.upper[q] - s->work.lower[q];
    double since = trace_start(s->trace);
    primal_step step = phase == 1 ? ratio_infeasible(s, direction, range, fabs(exact)) : ratio_primal(s, direction, range);
    trace_stop(s->trace, KERNEL_ratio, since);
    CHECK_COMPARE(step.position, <, s->m);
    if (step.position < 0 && !step.flip) return unbounded_or_rebuild(s, d, q, direction);
    if (step.flip) {
        flip(s, q, direction * step.length, phase);
        return RUN_ON;
    }
    if (fabs(s->col.value[step.position]) < TOL_PIVOT_SMALL && !fresh) return primal_rebuild(s, REBUILD_PIVOT, &d->phase);
    simplex_row(s, step.position);
    price_row(s, &s->row, &s->pivot_row);
    if (!simplex_accepts_pivot(s, step.position, q)) return refuse_pivot(s, d, q);
    double pivot = s->col.value[step.position], before = s->value[q];
    int out = s->head[step.position];
    primal_exchange(s, d, q, direction, &step);
    if (s->trace) record_pivot(s, &(pivot_record){"primal", phase, q, out, pivot, s->xb[step.position] - before, step.length});
    return RUN_ON;
}

run_end primal_run(simplex *s)
{
    primal_state d = {.rule = pricing_primal(s), .begun = s->iterations};
    if (price_prepare(s)) return RUN_MEMORY;
    s->allocations = mem_calls_here();
    run_end end = primal_rebuild(s, REBUILD_START, &d.phase);
    if (end) return end;
    d.rule->start(s);
    s->degenerate = 0;
    s->pricing.edge_valid = false;
    s->work.widening = PERTURB_BOUND;
    record_run(s, "primal", d.phase);
    while (!(end = between_iterations(s, &d)) && !(end = primal_iterate(s, &d))) continue;
    return end;
}

/* lp/dual.c - the dual simplex method with bounds.
 *
 * Keeps every reduced cost of the right sign and moves one basic variable at a time to its violated bound: choose row p
 * (ratio.c), compute the row of the tableau, choose column q, compute the column of the tableau, flip passed boxed
 * variables, step, update weights, exchange p and q. Source: A. Koberstein, dissertation, Paderborn (2005). Deviation: a start that
 * is not dual feasible becomes so by flipping boxed variables and shifting the other costs; the primal then finishes for the true
 * costs. */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

/* Steps without progress before the first perturbation of costs, and before another one, as shifts may have consumed the first. */
enum { DEGENERATE_PATIENCE = 50, DEGENERATE_AGAIN = 1000 };
/* Numerical mishaps that end a run. */
enum { TROUBLE_MOST = 30 };
/* Iterations, relative to all variables, that end a run; far above the need of any problem. */
static const long long STALL_FACTOR = 20;

static double squared_violation(const simplex *s, int p)
{
    double off = larger(s->lb[p] - s->xb[p], s->xb[p] - s->ub[p]);
    return off > s->feasibility_tol ? off * off : 0;
}

static void set_infeasible(simplex *s, int p, double squared)
{
    s->pricing.infeasible[p] = squared;
    pricing_changed(s, p);
}

/* Moves nonbasic costs away from reduced cost 0 by random amounts, relative to the cost and `unit`. */
static void perturb_costs(simplex *s, double part, double unit)
{
    for (int v = s->m; v < s->vars; v++) {
        if (s->where[v] >= 0 || s->move[v] == 0) continue;
        double amount = part * (unit + fabs(s->work.cost[v])) * (1 + rng_unit(&s->random)) * s->move[v];
        s->work.cost[v] += amount;
        s->reduced[v] += amount;
    }
    s->work.costs_shifted = true;
    s->work.perturbed = true;
    s->degenerate = 0;
}

/* Scale of the perturbation: grows with large costs, but less than proportionally. */
static double cost_size(const simplex *s)
{
    double largest = 0;
    for (int v = s->m; v < s->vars; v++) largest = larger(largest, fabs(s->work.cost[v]));
    return largest > 100 ? sqrt(sqrt(largest)) : 1;
}

/* As much as avoids ties at a start, but little relative to costs with a small mean. */
static void perturb_start(simplex *s)
{
    double sum = 0;
    int count = 0;
    for (int v = s->m; v < s->vars; v++) {
        sum += fabs(s->work.cost[v]);
        count += s->work.cost[v] != 0;
    }
    perturb_costs(s, PERTURB_START * cost_size(s), count ? smaller(sum / count, 1) : 1);
}

/* New factors if the reason needs them, dual feasibility, basic values, violations. */
static run_end dual_rebuild(simplex *s, rebuild_reason reason)
{
    run_end end = simplex_refresh(s, simplex_wants_factors(s, reason));
    if (end) return end;
    /* Repairs reduced costs of wrong sign: flips boxed variables, shifts other costs. */
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0 || s->work.lower[v] == s->work.upper[v]) continue;
        double d = s->reduced[v];
        if (s->move[v] != 0 && s->move[v] * d >= -s->optimality_tol) continue;
        if (s->move[v] == 0 && fabs(d) <= s->optimality_tol) continue;
        if (!isinf(s->work.lower[v]) && !isinf(s->work.upper[v])) {
            s->move[v] = (signed char)-s->move[v];
            simplex_place(s, v);
            s->primal_trust = INVALID;
            continue;
        }
        double wanted = s->move[v] * s->optimality_tol * rng_unit(&s->random);
        s->work.cost[v] += wanted - d;
        s->reduced[v] = wanted;
        s->work.costs_shifted = true;
    }
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    for (int p = 0; p < s->m; p++) s->pricing.infeasible[p] = squared_violation(s, p);
    pricing_all_changed(s);
    s->work.objective = simplex_objective(s);
    return RUN_ON;
}

static void flip_passed(simplex *s, int flips)
{
    for (int k = 0; k < flips; k++) CHECK(isfinite(s->work.upper[s->candidate[k]] - s->work.lower[s->candidate[k]]));
    vector_clear(&s->flip);
    for (int k = 0; k < flips; k++) {
        int v = s->candidate[k];
        double old = s->value[v];
        s->move[v] = (signed char)-s->move[v];
        simplex_place(s, v);
        simplex_add_column(s, v, s->value[v] - old, &s->flip);
        s->work.objective += s->reduced[v] * (s->value[v] - old);
    }
    simplex_ftran(s, &s->flip, LU_FLIP, false);
    for (int k = 0; k < s->flip.count; k++) {
        int p = s->flip.index[k];
        s->xb[p] -= s->flip.value[p];
        set_infeasible(s, p, squared_violation(s, p));
    }
}

/* ---- the method ------------------------------------------------------------------------------------------------------------ */

typedef struct dual_state {
    const dual_pricing *rule;
    int mishaps;
    int banned;      /* rows excluded until the next factorisation */
    long long begun; /* iterations before this run */
} dual_state;

/* The chosen row; its basic variable moves to the violated bound. */
typedef struct leaving {
    int p;
    bool below;
    double sign, off; /* -1 below, 1 above; amount of the violation */
} leaving;

static run_end stop_at_cutoff(simplex *s)
{
    if (!(s->work.objective > s->cutoff) || s->work.costs_shifted) return RUN_ON;
    if (s->dual_trust == FRESH && s->primal_trust == FRESH) return RUN_CUTOFF;
    run_end end = dual_rebuild(s, REBUILD_CUTOFF);
    if (end) return end;
    return s->work.objective > s->cutoff && !s->work.costs_shifted ? RUN_CUTOFF : RUN_ON;
}

static run_end between_iterations(simplex *s, dual_state *d)
{
    run_end end = simplex_stop(s);
    if (end) return end;
    if (!s->factored || basis_due(s->factors)) {
        if ((end = dual_rebuild(s, REBUILD_DUE))) return end;
        d->banned = 0;
    }
    if (d->mishaps > TROUBLE_MOST) return RUN_TROUBLE;
    if (s->iterations - d->begun > (s->polishing ? simplex_polish_limit(s) : STALL_FACTOR * s->vars)) return RUN_STALLED;
    CHECK(!s->factored || s->allocations == mem_calls_here()); /* nothing is allocated between factorisations */
    simplex_report(s, "dual", s->work.boxed ? 1 : 2);
    if (s->perturb && s->degenerate > (s->work.perturbed ? DEGENERATE_AGAIN : DEGENERATE_PATIENCE))
        perturb_costs(s, PERTURB_COST * cost_size(s), 1);
    return stop_at_cutoff(s);
}

static run_end end_or_rebuild(simplex *s, const dual_state *d)
{
    if (d->banned) return RUN_TROUBLE;
    return s->primal_trust == FRESH ? RUN_OPTIMAL : dual_rebuild(s, s->work.bounds_shifted ? REBUILD_BOXED : REBUILD_END);
}

/* No column may enter, which proves infeasibility. */
static run_end infeasible_or_rebuild(simplex *s, double sign)
{
    if (simplex_wants_factors(s, REBUILD_END)) return dual_rebuild(s, REBUILD_END);
    for (int i = 0; i < s->m; i++) s->ray_dual[i] = sign * s->row.value[i];
    return RUN_INFEASIBLE;
}

/* The row and the column of the tableau disagree about their pivot, or it is small. */
static run_end refuse_pivot(simplex *s, dual_state *d, int p)
{
    if (basis_updates(s->factors) > 0) return dual_rebuild(s, REBUILD_PIVOT);
    d->mishaps++;
    s->trouble++;
    set_infeasible(s, p, 0);
    d->banned++;
    return RUN_ON;
}

/* Exchanges l->p with q; a reduced cost of wrong sign is shifted to zero. */
static void dual_step(simplex *s, const dual_state *d, const leaving *l, int q, int flips)
{
    int p = l->p;
    double pivot = s->col.value[p], reduced = s->reduced[q];
    if (reduced * s->pivot_row.value[q] * l->sign < 0) {
        s->work.cost[q] -= reduced;
        s->work.costs_shifted = true;
        reduced = s->reduced[q] = 0;
    }
    double theta = reduced / pivot, before = s->work.objective;
    if (flips) flip_passed(s, flips);
    d->rule->update(s, p);
    double bound = l->below ? s->lb[p] : s->ub[p];
    double step = (s->xb[p] - bound) / pivot;
    s->work.objective += step * reduced;
    /* A long step may be flat: only a gain of the objective is progress. */
    bool progress = fabs(theta) > TOL_STEP && s->work.objective - before > TOL_STEP * (1 + fabs(before));
    s->degenerate = progress ? 0 : s->degenerate + 1;
    for (int k = 0; k < s->col.count; k++) {
        int i = s->col.index[k];
        s->xb[i] -= step * s->col.value[i];
        set_infeasible(s, i, squared_violation(s, i));
    }
    simplex_update_reduced(s, p, q, theta);
    signed char move = s->lb[p] == s->ub[p] ? 0 : l->below ? 1 : -1;
    int out = s->head[p];
    simplex_exchange(s, p, q, s->value[q] + step, bound, move);
    set_infeasible(s, p, squared_violation(s, p));
    if (s->trace) record_pivot(s, &(pivot_record){"dual", s->work.boxed ? 1 : 2, q, out, pivot, step, fabs(theta)});
}

static run_end dual_iterate(simplex *s, dual_state *d)
{
    int p = d->rule->choose(s), flips;
    if (p < 0) return end_or_rebuild(s, d);
    simplex_row(s, p);
    if (!d->rule->accept(s, p)) return RUN_ON; /* choose again */
    bool below = s->xb[p] < s->lb[p];
    leaving l = {p, below, below ? -1 : 1, below ? s->lb[p] - s->xb[p] : s->xb[p] - s->ub[p]};
    CHECK_COMPARE(l.off, >, 0);
    price_row(s, &s->row, &s->pivot_row);
    double since = trace_start(s->trace);
    int q = ratio_dual(s, l.off, l.sign, sqrt(vector_square(&s->row)), &flips);
    trace_stop(s->trace, KERNEL_ratio, since);
    if (q < 0) return infeasible_or_rebuild(s, l.sign);
    CHECK(s->where[q] < 0);
    simplex_column(s, q, true);
    if (!simplex_accepts_pivot(s, p, q)) return refuse_pivot(s, d, p);
    dual_step(s, d, &l, q, flips);
    return RUN_ON;
}

run_end dual_run(simplex *s)
{
    dual_state d = {.rule = pricing_dual(s), .begun = s->iterations};
    if (price_prepare(s)) return RUN_MEMORY;
    s->allocations = mem_calls_here();
    run_end end = dual_rebuild(s, REBUILD_START);
    if (end) return end;
    d.rule->start(s);
    if (s->work.perturb_first) perturb_start(s);
    s->work.perturb_first = false;
    s->degenerate = 0;
    record_run(s, "dual", s->work.boxed ? 1 : 2);
    while (!(end = between_iterations(s, &d)) && !(end = dual_iterate(s, &d))) continue;
    return end;
}

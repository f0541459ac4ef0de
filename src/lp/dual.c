/* lp/dual.c - the dual simplex method, bounded, with steepest edge pricing.
 *
 * Keeps every reduced cost of the right sign and moves one basic variable at a time onto the bound it violates:
 *     choose row p (most infeasible for its edge length)  ->  row of the tableau  ->  choose column q (ratio.c)
 *     ->  column of the tableau  ->  flip passed boxed variables, step, update weights, exchange p and q.
 * Edge weights w_p = |e_p' B^-1|^2 are exact from a slack start; a weight found wrong when its row is computed is
 * corrected and the row chosen again.
 * Sources: J. J. Forrest and D. Goldfarb, Mathematical Programming 57 (1992), dual algorithm 1; A. Koberstein,
 * dissertation, Paderborn (2005). Deviations: a start that is not dual feasible is made so by flipping boxed variables and
 * shifting the other costs; the primal then finishes for the true costs.
 */
#include <math.h>

#include <string.h>

#include "base/memory.h"
#include "lp/ratio.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

/* A stored weight below this part of the true one sends us back to choose the row again. */
#define WEIGHT_ACCEPT 0.25
/* Steps without progress after which costs are perturbed, and after which again: shifts may have used the first one up. */
#define DEGENERATE_PATIENCE 50
#define DEGENERATE_AGAIN    1000
/* Mishaps in one run after which it gives up. */
#define TROUBLE_MOST 30
/* Iterations of one run after which the primal is thought to do better: far beyond what any problem should need. */
#define STALL_FACTOR 20LL

static double squared_violation(const simplex *s, int p)
{
    double off = larger(s->lb[p] - s->xb[p], s->xb[p] - s->ub[p]);
    return off > s->feasibility_tol ? off * off : 0;
}

static void list_infeasible(simplex *s)
{
    for (int p = 0; p < s->m; p++) s->infeasible[p] = squared_violation(s, p);
}

static int choose_row(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int p = 0; p < s->m; p++) {
        if (s->infeasible[p] > most * s->edge[p]) {
            most = s->infeasible[p] / s->edge[p];
            best = p;
        }
    }
    return best;
}

/* Reduced costs of wrong sign: boxed variables change sides, costs of others are shifted. */
static void make_dual_feasible(simplex *s)
{
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0 || s->work_lower[v] == s->work_upper[v]) continue;
        double d = s->reduced[v];
        if (s->move[v] != 0 && s->move[v] * d >= -s->optimality_tol) continue;
        if (s->move[v] == 0 && fabs(d) <= s->optimality_tol) continue;
        if (!isinf(s->work_lower[v]) && !isinf(s->work_upper[v])) {
            s->move[v] = (signed char)-s->move[v];
            simplex_place(s, v);
            s->primal_trust = INVALID;
            continue;
        }
        double wanted = s->move[v] * s->optimality_tol * rng_unit(&s->random);
        s->work_cost[v] += wanted - d;
        s->reduced[v] = wanted;
        s->costs_shifted = true;
    }
}

/* Nonbasic costs move away from zero reduced cost, each by a different amount. */
static void perturb_costs(simplex *s)
{
    double largest = 0;
    for (int v = s->m; v < s->vars; v++) largest = larger(largest, fabs(s->work_cost[v]));
    double base = PERTURB_COST * (largest > 100 ? sqrt(sqrt(largest)) : 1);
    for (int v = s->m; v < s->vars; v++) {
        if (s->where[v] >= 0 || s->move[v] == 0) continue;
        double amount = base * (1 + fabs(s->work_cost[v])) * (1 + rng_unit(&s->random)) * s->move[v];
        s->work_cost[v] += amount;
        s->reduced[v] += amount;
    }
    s->costs_shifted = true;
    s->perturbed = true;
    s->degenerate = 0;
}

/* Fresh factors, dual feasibility, basic values, violations. */
static run_end dual_refresh(simplex *s, bool refactor)
{
    run_end end = simplex_refresh(s, refactor);
    if (end) return end;
    make_dual_feasible(s);
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    list_infeasible(s);
    s->objective = simplex_objective(s);
    return RUN_ON;
}

static void flip_passed(simplex *s, int flips)
{
    vector_clear(&s->flip);
    for (int k = 0; k < flips; k++) {
        int v = s->candidate[k];
        double old = s->value[v];
        s->move[v] = (signed char)-s->move[v];
        simplex_place(s, v);
        simplex_add_column(s, v, s->value[v] - old, &s->flip);
        s->objective += s->reduced[v] * (s->value[v] - old);
    }
    basis_ftran(s->factors, &s->flip, LU_FLIP, false);
    for (int k = 0; k < s->flip.count; k++) {
        int p = s->flip.index[k];
        s->xb[p] -= s->flip.value[p];
        s->infeasible[p] = squared_violation(s, p);
    }
}

static void update_edges(simplex *s, int p)
{
    double pivot = s->col.value[p], old = s->edge[p];
    vector_copy(&s->tau, &s->row);
    basis_ftran(s->factors, &s->tau, LU_EDGE, false);
    for (int k = 0; k < s->col.count; k++) {
        int i = s->col.index[k];
        if (i == p) continue;
        double part = s->col.value[i] / pivot;
        double weight = s->edge[i] + part * (part * old - 2 * s->tau.value[i]);
        s->edge[i] = larger(weight, WEIGHT_LEAST);
    }
    s->edge[p] = larger(old / (pivot * pivot), WEIGHT_LEAST);
}

static void update_reduced(simplex *s, int p, int q, double theta)
{
    const vector *row = &s->pivot_row;
    if (theta != 0) {
        for (int k = 0; k < row->count; k++) s->reduced[row->index[k]] -= theta * row->value[row->index[k]];
    }
    s->reduced[q] = 0;
    s->reduced[s->head[p]] = -theta;
}

run_end dual_run(simplex *s)
{
    if (price_prepare(s)) return RUN_MEMORY;
    s->allocations = mem_calls();
    int mishaps = 0, banned = 0;
    run_end end;
    long long begun = s->iterations;
    if ((end = dual_refresh(s, false))) return end;
    if (!s->edge_valid) {
        if (!basis_row_squares(s->factors, s->edge)) {
            for (int p = 0; p < s->m; p++) s->edge[p] = 1;
        }
        s->edge_valid = true;
    }
    s->degenerate = 0;
    for (;;) {
        if ((end = simplex_stop(s))) return end;
        if (!s->factored || basis_due(s->factors)) {
            if ((end = dual_refresh(s, true))) return end;
            banned = 0;
        }
        if (mishaps > TROUBLE_MOST) return RUN_TROUBLE;
        if (s->iterations - begun > (s->polishing ? simplex_polish_limit(s) : STALL_FACTOR * s->vars)) return RUN_STALLED;
        check_no_allocation(s);
        simplex_report(s, "dual", s->boxed ? 1 : 2);
        if (s->perturb && s->degenerate > (s->perturbed ? DEGENERATE_AGAIN : DEGENERATE_PATIENCE)) perturb_costs(s);
        if (s->objective > s->cutoff && !s->costs_shifted) {
            if (s->dual_trust == FRESH && s->primal_trust == FRESH) return RUN_CUTOFF;
            if ((end = dual_refresh(s, true))) return end;
            if (s->objective > s->cutoff && !s->costs_shifted) return RUN_CUTOFF;
        }

        int p = choose_row(s);
        if (p < 0) {
            if (banned) return RUN_TROUBLE;
            if (s->primal_trust == FRESH) return RUN_OPTIMAL;
            if ((end = dual_refresh(s, simplex_refactor_at_end(s)))) return end;
            continue;
        }
        basis_row(s->factors, p, &s->row);
        double weight = vector_square(&s->row), stored = s->edge[p];
        s->edge[p] = larger(weight, WEIGHT_LEAST);
        if (stored < WEIGHT_ACCEPT * weight) continue;

        bool below = s->xb[p] < s->lb[p];
        double sign = below ? -1 : 1, off = below ? s->lb[p] - s->xb[p] : s->xb[p] - s->ub[p];
        price_row(s, &s->row, &s->pivot_row);
        int flips, q = ratio_dual(s, off, sign, sqrt(weight), &flips);
        bool fresh = basis_updates(s->factors) == 0;
        if (q < 0) {
            if (simplex_refactor_at_end(s)) {
                if ((end = dual_refresh(s, true))) return end;
                continue;
            }
            for (int i = 0; i < s->m; i++) s->ray_dual[i] = sign * s->row.value[i];
            return RUN_INFEASIBLE;
        }
        simplex_column(s, q, true);
        double pivot = s->col.value[p], other = s->pivot_row.value[q];
        double apart = fabs(pivot - other) / larger(smaller(fabs(pivot), fabs(other)), TOL_DROP);
        if (!(apart <= (fresh ? TOL_PIVOT_DISAGREE : TOL_PIVOT_DRIFT)) || (!fresh && fabs(pivot) < TOL_PIVOT_SMALL)) {
            if (!fresh) {
                if ((end = dual_refresh(s, true))) return end;
                continue;
            }
            mishaps++;
            s->trouble++;
            s->infeasible[p] = 0; /* not this row, until the next factorisation */
            banned++;
            continue;
        }

        /* Dual step; a reduced cost already of wrong sign is shifted to zero. */
        double d = s->reduced[q];
        if (d * other * sign < 0) {
            s->work_cost[q] -= d;
            s->costs_shifted = true;
            d = s->reduced[q] = 0;
        }
        double theta = d / pivot;
        double before = s->objective;

        if (flips) flip_passed(s, flips);
        update_edges(s, p);
        double bound = below ? s->lb[p] : s->ub[p];
        double step = (s->xb[p] - bound) / pivot;
        s->objective += step * d;
        /* A long step may be flat: only what the objective gains is progress. */
        bool progress = fabs(theta) > TOL_STEP && s->objective - before > TOL_STEP * (1 + fabs(before));
        s->degenerate = progress ? 0 : s->degenerate + 1;
        for (int k = 0; k < s->col.count; k++) {
            int i = s->col.index[k];
            s->xb[i] -= step * s->col.value[i];
            s->infeasible[i] = squared_violation(s, i);
        }
        update_reduced(s, p, q, theta);
        signed char move = s->lb[p] == s->ub[p] ? 0 : below ? 1 : -1;
        simplex_exchange(s, p, q, s->value[q] + step, bound, move);
        s->infeasible[p] = squared_violation(s, p);
    }
}

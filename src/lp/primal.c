/* lp/primal.c - the primal simplex method, bounded, with devex pricing.
 *
 * Phase 1 minimises the sum of bound violations of the basic variables, f = sum of c_p x_p with c_p = -1 below, +1 above,
 * 0 within; when a step changes some c_p, the reduced costs change by the row (delta c)' B^-1 [A, -I]. Phase 2 minimises the
 * working costs. Both follow: choose column q (largest d_q^2 / w_q) -> column of the tableau -> what blocks (ratio.c)
 * -> row of the tableau -> update reduced costs and weights, exchange.
 * Degenerate stretches are left by widening the bounds of the basic variables a little, each differently; the caller takes
 * this back and lets the dual repair what became infeasible.
 * Sources: P. M. J. Harris, Mathematical Programming 5 (1973) for devex; P. E. Gill, W. Murray, M. A. Saunders and
 * M. H. Wright, Mathematical Programming 45 (1989) for the idea of widening.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lp/ratio.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

#define DEGENERATE_PATIENCE 30
/* Each widening of the bounds is larger than the one before. */
#define WIDENING_GROWTH 1.5
#define TROUBLE_MOST    30
/* Devex weights this large are far from their reference framework: start a new one. */
#define DEVEX_MOST 1e7
/* The reduced cost from the column and the one kept must agree to this part. */
#define REDUCED_DISAGREE 1e-6

/* ---- phases ---------------------------------------------------------------------------------------------------- */

static double violation_sign(const simplex *s, int p)
{
    if (s->xb[p] < s->lb[p] - s->feasibility_tol) return -1;
    if (s->xb[p] > s->ub[p] + s->feasibility_tol) return 1;
    return 0;
}

/* Fresh everything, and the phase (1 or 2). In phase 1 s->infeasible holds the costs c_p. As simplex_factor. */
static run_end primal_refresh(simplex *s, bool refactor, int *phase)
{
    if (!s->factored || (refactor && basis_updates(s->factors) > 0)) {
        run_end end = simplex_factor(s);
        if (end) return end;
    }
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    *phase = 2;
    for (int p = 0; p < s->m; p++) {
        s->infeasible[p] = violation_sign(s, p);
        if (s->infeasible[p] != 0) *phase = 1;
    }
    if (*phase == 1)
        simplex_compute_dual(s, s->infeasible);
    else if (s->dual_trust != FRESH)
        simplex_compute_dual(s, NULL);
    return RUN_ON;
}

static void reset_devex(simplex *s)
{
    for (int v = 0; v < s->vars; v++) s->devex[v] = 1;
}

static int choose_column(const simplex *s)
{
    int best = -1;
    double most = 0;
    for (int v = 0; v < s->vars; v++) {
        double d = s->reduced[v];
        if (fabs(d) <= s->optimality_tol || s->where[v] >= 0) continue;
        if (s->move[v] == 0) {
            if (s->work_lower[v] == s->work_upper[v]) continue;
        } else if (s->move[v] * d >= 0) {
            continue;
        }
        if (d * d > most * s->devex[v]) {
            most = d * d / s->devex[v];
            best = v;
        }
    }
    return best;
}

static double widening(simplex *s, double bound) { return s->widening * (1 + fabs(bound)) * (1 + rng_unit(&s->random)); }

/* Every finite bound moves outwards, each by its own amount; equal bounds of nonbasic variables stay equal. */
static void widen_bounds(simplex *s)
{
    for (int v = 0; v < s->vars; v++) {
        bool basic = s->where[v] >= 0;
        if (!basic && s->work_lower[v] == s->work_upper[v]) continue;
        if (!isinf(s->work_lower[v])) s->work_lower[v] -= widening(s, s->lower[v]);
        if (!isinf(s->work_upper[v])) s->work_upper[v] += widening(s, s->upper[v]);
        if (!basic) simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->widening *= WIDENING_GROWTH;
    s->bounds_shifted = true;
    s->primal_trust = INVALID;
}

/* ---- updates ---------------------------------------------------------------------------------------------------- */

/* Violations that a step changed: packs delta c into s->flip, returns whether there are any. */
static bool collect_changes(simplex *s)
{
    vector_clear(&s->flip);
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        double now = violation_sign(s, p);
        if (now == s->infeasible[p]) continue;
        vector_add(&s->flip, p, now - s->infeasible[p]);
        s->infeasible[p] = now;
    }
    return s->flip.count > 0;
}

/* Reduced costs after the costs of basic variables changed by s->flip. */
static void follow_changes(simplex *s)
{
    basis_btran(s->factors, &s->flip, LU_FLIP, false);
    price_row(s, &s->flip, &s->pivot_row);
    for (int k = 0; k < s->pivot_row.count; k++) {
        int v = s->pivot_row.index[k];
        s->reduced[v] -= s->pivot_row.value[v];
    }
}

static void update_reduced(simplex *s, int p, int q)
{
    const vector *row = &s->pivot_row;
    double pivot = s->col.value[p], theta = s->reduced[q] / pivot, weight = s->devex[q] / (pivot * pivot);
    for (int k = 0; k < row->count; k++) {
        int v = row->index[k];
        double a = row->value[v];
        s->reduced[v] -= theta * a;
        double w = a * a * weight;
        if (w > s->devex[v]) s->devex[v] = w;
    }
    s->reduced[q] = 0;
    s->reduced[s->head[p]] = -theta;
    s->devex[s->head[p]] = larger(weight, 1);
}

static void shift_basic(simplex *s, double amount)
{
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        s->xb[p] -= amount * s->col.value[p];
    }
}

/* c_q - c_B' B^-1 a_q, from the column just computed. */
static double reduced_from_column(const simplex *s, int q, int phase)
{
    double sum = phase == 1 ? 0 : s->work_cost[q];
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        sum -= (phase == 1 ? s->infeasible[p] : s->work_cost[s->head[p]]) * s->col.value[p];
    }
    return sum;
}

static void keep_ray(simplex *s, int q, double direction)
{
    memset(s->ray_primal, 0, (size_t)s->vars * sizeof(double));
    s->ray_primal[q] = direction;
    for (int k = 0; k < s->col.count; k++) s->ray_primal[s->head[s->col.index[k]]] = -direction * s->col.value[s->col.index[k]];
}

/* Iterations after which the dual is thought to be the better method for this problem. */
static long long stall_limit(const simplex *s, int phase) { return phase == 1 ? 1000 + 4LL * s->m : 5000 + 10LL * s->vars; }

run_end primal_run(simplex *s)
{
    if (price_prepare(s)) return RUN_MEMORY;
    s->allocations = mem_calls();
    int mishaps = 0;
    long long begun = s->iterations;
    int phase;
    run_end end = primal_refresh(s, false, &phase);
    if (end) return end;
    reset_devex(s);
    s->degenerate = 0;
    s->edge_valid = false;
    s->widening = PERTURB_BOUND;
    for (;;) {
        if ((end = simplex_stop(s))) return end;
        if (!s->factored || basis_due(s->factors)) {
            if ((end = primal_refresh(s, true, &phase))) return end;
        }
        if (mishaps > TROUBLE_MOST) return RUN_TROUBLE;
        check_no_allocation(s);
        simplex_report(s, "primal", phase);
        if (s->iterations - begun > (s->polishing ? simplex_polish_limit(s) : stall_limit(s, phase))) return RUN_STALLED;
        if (s->perturb && s->degenerate > DEGENERATE_PATIENCE) {
            widen_bounds(s);
            s->degenerate = 0;
            if ((end = primal_refresh(s, false, &phase))) return end;
        }

        bool fresh = basis_updates(s->factors) == 0;
        int q = choose_column(s);
        if (q < 0) {
            bool refactor = simplex_refactor_at_end(s);
            if (refactor || s->primal_trust != FRESH || (phase == 2 && s->dual_trust != FRESH)) {
                s->primal_trust = s->dual_trust = INVALID;
                if ((end = primal_refresh(s, refactor, &phase))) return end;
                if (choose_column(s) >= 0) continue;
            }
            return phase == 1 ? RUN_INFEASIBLE : RUN_OPTIMAL;
        }
        simplex_column(s, q, true);
        double exact = reduced_from_column(s, q, phase), kept = s->reduced[q];
        if (fabs(exact - kept) > REDUCED_DISAGREE * (1 + fabs(kept)) && !fresh) {
            if ((end = primal_refresh(s, true, &phase))) return end;
            continue;
        }
        s->reduced[q] = exact;
        if (fabs(exact) <= s->optimality_tol || exact * kept < 0) continue;

        double direction = exact < 0 ? 1 : -1, range = s->work_upper[q] - s->work_lower[q];
        primal_step step = phase == 1 ? ratio_infeasible(s, direction, range, fabs(exact)) : ratio_primal(s, direction, range);
        if (step.position < 0 && !step.flip) {
            if (!fresh) {
                s->primal_trust = s->dual_trust = INVALID;
                if ((end = primal_refresh(s, true, &phase))) return end;
                continue;
            }
            if (phase == 1) { /* cannot be: a bounded function falls for ever */
                mishaps++;
                s->reduced[q] = 0;
                continue;
            }
            keep_ray(s, q, direction);
            return RUN_UNBOUNDED;
        }
        if (step.flip) {
            shift_basic(s, direction * step.length);
            s->move[q] = (signed char)-s->move[q];
            simplex_place(s, q);
            s->iterations++;
            s->primal_trust = UPDATED;
            if (phase == 1 && collect_changes(s)) follow_changes(s);
            continue;
        }

        int p = step.position, out = s->head[p];
        double pivot = s->col.value[p];
        if (fabs(pivot) < TOL_PIVOT_SMALL && !fresh) {
            if ((end = primal_refresh(s, true, &phase))) return end;
            continue;
        }
        basis_row(s->factors, p, &s->row);
        price_row(s, &s->row, &s->pivot_row);
        double other = s->pivot_row.value[q];
        double apart = fabs(pivot - other) / larger(smaller(fabs(pivot), fabs(other)), TOL_DROP);
        if (!(apart <= (fresh ? TOL_PIVOT_DISAGREE : TOL_PIVOT_DRIFT))) {
            s->trouble++;
            if (fresh) {
                mishaps++;
                s->reduced[q] = 0; /* not this column, until reduced costs are computed again */
            } else if ((end = primal_refresh(s, true, &phase))) {
                return end;
            }
            continue;
        }

        /* In phase 2 a basic variable slightly outside stops where it is: its bound moves there. */
        double bound = step.at_upper ? s->ub[p] : s->lb[p];
        if (phase == 2 && step.length == 0 && s->xb[p] != bound) {
            bound = s->xb[p];
            if (step.at_upper)
                s->work_upper[out] = bound;
            else
                s->work_lower[out] = bound;
            s->bounds_shifted = true;
        }
        double length = phase == 2 ? step.length : direction * (s->xb[p] - bound) / pivot;
        s->degenerate = length > TOL_STEP ? 0 : s->degenerate + 1;
        double entering = s->value[q] + direction * length;
        shift_basic(s, direction * length);
        update_reduced(s, p, q);

        double left = s->infeasible[p];
        signed char move = s->work_lower[out] == s->work_upper[out] ? 0 : step.at_upper ? -1 : 1;
        s->infeasible[p] = 0;
        bool exchanged = simplex_exchange(s, p, q, entering, bound, move);
        s->infeasible[p] = 0;
        if (phase == 1) {
            s->reduced[out] -= left;
            if (!exchanged) continue; /* factors and everything else are made anew */
            if (collect_changes(s)) follow_changes(s);
        }
        if (s->devex[out] > DEVEX_MOST) reset_devex(s);
    }
}

/* lp/drive.c - which simplex method next, and when it is over.
 *
 * A basis that is primal feasible goes to the primal, any other to the dual (whose start shifts or flips what is not dual
 * feasible). Each method works with shifted costs or bounds if it must; when it reports an optimum the shifts are taken
 * back and what is left infeasible, usually little, goes to the other method. A round that changed nothing but numerics
 * makes the pivoting stricter; perturbation is left out after several rounds, so that the alternation ends.
 */
#include <math.h>

#include "base/log.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

enum { ROUNDS_MOST = 30, ROUNDS_PERTURBED = 6 };
/* Rounds after the first tighten the tolerances by this factor: few iterations buy an objective exact to many more digits. After
 * some rounds the caller's own must do. */
static const double POLISH = 1e-3;
enum { ROUNDS_POLISHED = 5 };
/* Box of free variables in phase 1 of the dual: large against 1, the range of others, so that they enter first. */
static const double FREE_BOX = 1000.0;

static const char *end_text(run_end end)
{
    static const char *const text[] = {"not ended", "optimal",     "infeasible", "unbounded", "cutoff",
                                       "limit",     "interrupted", "stalled",    "trouble",   "memory"};
    return text[end];
}

/* Reduced costs of the wrong sign that flipping to the other bound does not cure. */
static int unboxed_infeasible(const simplex *s)
{
    int count = 0;
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0 || (!isinf(s->lower[v]) && !isinf(s->upper[v]))) continue;
        double d = s->reduced[v];
        if (s->move[v] == 0 ? fabs(d) > s->optimality_tol : s->move[v] * d < -s->optimality_tol) count++;
    }
    return count;
}

/* Phase 1 of the dual: in place of the true bounds each variable gets a box that holds it where its reduced cost is feasible,
 * so that the optimum is 0 exactly when all reduced costs can be made feasible. Leaves the true bounds in place; whatever is
 * still infeasible then is left to the start of phase 2.
 * Source: A. Koberstein and U. H. Suhl, Comput. Optim. Appl. 37 (2007), the subproblem approach. */
static run_end phase_one(simplex *s)
{
    for (int v = 0; v < s->vars; v++) {
        bool low = !isinf(s->lower[v]), high = !isinf(s->upper[v]);
        s->work_lower[v] = low ? 0 : high ? -1 : -FREE_BOX;
        s->work_upper[v] = high ? 0 : low ? 1 : FREE_BOX;
        if (s->where[v] >= 0) continue;
        s->move[v] = s->reduced[v] < 0 ? -1 : 1;
        simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->primal_trust = INVALID;
    s->bounds_shifted = true;
    double cutoff = s->cutoff;
    s->cutoff = INFINITY;
    s->boxed = true;
    run_end end = dual_run(s);
    s->boxed = false;
    s->cutoff = cutoff;
    log_line(s->log, VOUCH_LOG_DETAIL, "dual phase 1: %s after %lld iterations", end_text(end), s->iterations);
    for (int v = 0; v < s->vars; v++) {
        s->work_lower[v] = s->lower[v];
        s->work_upper[v] = s->upper[v];
        if (s->where[v] >= 0) continue;
        s->move[v] = s->reduced[v] < 0 ? -1 : 1;
        simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->bounds_shifted = false;
    s->primal_trust = INVALID;
    if (end == RUN_TROUBLE || end == RUN_STALLED || end == RUN_INFEASIBLE) return RUN_OPTIMAL; /* phase 2 copes */
    return end;
}

run_end simplex_solve(simplex *s, vouch_lp_method method)
{
    bool allowed = s->perturb, cold = s->iterations == 0 && simplex_is_slack(s);
    s->perturbed = false;
    s->trouble = 0;
    s->iterations_before = s->iterations;
    basis_be_strict(s->factors, false);
    double feasibility_tol = s->feasibility_tol, optimality_tol = s->optimality_tol;
    run_end end = RUN_TROUBLE;
    bool handed_over = false; /* the other method failed: the one in `method` is next, whatever the basis suggests */
    simplex_reset_work(s);
    for (int round = 0; round < ROUNDS_MOST; round++) {
        s->perturb = allowed && round < ROUNDS_PERTURBED;
        s->feasibility_tol = feasibility_tol;
        s->optimality_tol = optimality_tol;
        s->polishing = false;
        if (!s->factored && (end = simplex_factor(s))) break;
        if (s->primal_trust != FRESH) simplex_compute_primal(s);
        if (s->dual_trust != FRESH) simplex_compute_dual(s, NULL);
        int primal_off, dual_off;
        double primal_sum = simplex_primal_infeasibility(s, &primal_off);
        double dual_sum = simplex_dual_infeasibility(s, &dual_off);
        log_line(s->log, VOUCH_LOG_DETAIL, "round %d: infeasible %g (%d) primal, %g (%d) dual", round, primal_sum, primal_off,
                 dual_sum, dual_off);
        if (!primal_off && !dual_off && round > 0 && round < ROUNDS_POLISHED) {
            s->feasibility_tol *= POLISH;
            s->optimality_tol *= POLISH;
            s->polishing = true;
            s->perturb = false;
            simplex_primal_infeasibility(s, &primal_off);
            simplex_dual_infeasibility(s, &dual_off);
        }
        if (!primal_off && !dual_off) {
            end = RUN_OPTIMAL;
            break;
        }
        int unboxed = dual_off ? unboxed_infeasible(s) : 0;
        bool primal = !primal_off || (method == VOUCH_LP_PRIMAL && (dual_off || round == 0));
        if (cold && round == 0 && method != VOUCH_LP_PRIMAL && !unboxed) primal = false;
        if (handed_over) primal = method == VOUCH_LP_PRIMAL;
        handed_over = false;
        if (!primal && cold && round == 0 && unboxed) {
            end = phase_one(s);
            if (end != RUN_OPTIMAL) break;
        }
        end = primal ? primal_run(s) : dual_run(s);
        log_line(s->log, VOUCH_LOG_DETAIL, "%s: %s after %lld iterations, %lld factorizations%s%s", primal ? "primal" : "dual",
                 end_text(end), s->iterations, s->factorizations, s->costs_shifted ? ", costs shifted" : "",
                 s->bounds_shifted ? ", bounds shifted" : "");
        bool shifted = s->costs_shifted || s->bounds_shifted;
        if (end == RUN_STALLED && s->polishing) round = ROUNDS_POLISHED; /* good enough as it was */
        if (end == RUN_OPTIMAL || (end == RUN_UNBOUNDED && shifted) || (end == RUN_STALLED && s->polishing)) {
            simplex_reset_work(s);
            continue;
        }
        if (end == RUN_INFEASIBLE && s->bounds_shifted) {
            simplex_reset_work(s);
            continue;
        }
        if (end == RUN_TROUBLE || end == RUN_STALLED) {
            basis_be_strict(s->factors, end == RUN_TROUBLE);
            s->factored = false;
            simplex_reset_work(s);
            if (end == RUN_STALLED && cold) simplex_slack_basis(s); /* the other method does better from the start it likes */
            method = primal ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
            handed_over = true;
            continue;
        }
        break;
    }
    s->perturb = allowed;
    s->feasibility_tol = feasibility_tol;
    s->optimality_tol = optimality_tol;
    if (end != RUN_MEMORY) simplex_reset_work(s);
    return end;
}

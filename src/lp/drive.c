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

#define ROUNDS_MOST 30
#define ROUNDS_PERTURBED 6

run_end simplex_solve(simplex *s, vouch_lp_method method)
{
    bool allowed = s->perturb;
    s->perturbed = false;
    s->trouble = 0;
    s->iterations_before = s->iterations;
    basis_be_strict(s->factors, false);
    run_end end = RUN_TROUBLE;
    simplex_reset_work(s);
    for (int round = 0; round < ROUNDS_MOST; round++) {
        s->perturb = allowed && round < ROUNDS_PERTURBED;
        if (!s->factored && simplex_factor(s)) {
            end = RUN_MEMORY;
            break;
        }
        if (s->primal_trust != FRESH) simplex_compute_primal(s);
        if (s->dual_trust != FRESH) simplex_compute_dual(s, NULL);
        int primal_off, dual_off;
        simplex_primal_infeasibility(s, &primal_off);
        simplex_dual_infeasibility(s, &dual_off);
        if (!primal_off && !dual_off) {
            end = RUN_OPTIMAL;
            break;
        }
        bool primal = !primal_off || (method == VOUCH_LP_PRIMAL && dual_off);
        end = primal ? primal_run(s) : dual_run(s);
        bool shifted = s->costs_shifted || s->bounds_shifted;
        if (end == RUN_OPTIMAL || (end == RUN_UNBOUNDED && shifted)) {
            simplex_reset_work(s);
            continue;
        }
        if (end == RUN_INFEASIBLE && s->bounds_shifted) {
            simplex_reset_work(s);
            continue;
        }
        if (end == RUN_TROUBLE || end == RUN_STALLED) {
            basis_be_strict(s->factors, true);
            s->factored = false;
            simplex_reset_work(s);
            method = primal ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
            continue;
        }
        break;
    }
    s->perturb = allowed;
    if (end != RUN_MEMORY) simplex_reset_work(s);
    return end;
}

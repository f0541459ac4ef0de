/* lp/drive.c - which simplex method next, and when it is over.
 *
 * A basis that is primal feasible goes to the primal, any other to the dual (whose start shifts or flips what is not dual
 * feasible). Each method works with shifted costs or bounds if it must; when it reports an optimum the shifts are taken
 * back and what is left infeasible, usually little, goes to the other method. A round that changed nothing but numerics
 * makes the pivoting stricter; perturbation is left out after several rounds, so that the alternation ends.
 *
 * Tried, and no better. A slack basis that rows allow and flips make dual feasible, given to the primal: grow22 1 495 iterations
 * (the dual 1 903), but fit2d 8 969 (124). Costs shifted where reduced costs are wrong and no bound is implied: greenbea 10 256.
 * What is left on covering programs and qap is no matter of the dual (covering-800: 3 695 iterations, clp's dual 3 697) but of the
 * start: crash.h. Costs perturbed at the start by 2e-6 to 5e-4, of the cost or of the mean: the same iterations within chance on 30
 * problems, but cycle (unit 1: 1 793, the mean: 796) and dfl001 (19 899 and 25 981). Projected steepest edge in the primal, exact
 * weights in a reference framework: truss 6 334 iterations and 1.2 s (devex 13 901 and 2.0, the dual 17 535), 18 problems 7 % less
 * time with --primal, but transport-1000 11.3 s (6.5); and nothing at the start tells truss (88 of 1 000 rows violated, no reduced
 * cost wrong) from d6cube (14 of 402, none), dual 383 iterations, primal 12 147. A dual that is long and has 8 columns a row or
 * more, left for the primal with such weights from the slack basis: truss 1.2 s after 1.5 m iterations (2.6 by the dual alone), 1.8
 * after 6 m, but trusses of 20 x 20 and 26 x 26 nodes 4.5 s (1.2) and, after 6 m, 22.7 (4.0).
 */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
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

/* Nonbasic variables go where their reduced costs want them in new working bounds. */
static void place_all(simplex *s)
{
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0) continue;
        s->move[v] = s->reduced[v] < 0 ? -1 : 1;
        simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->primal_trust = INVALID;
}

/* Phase 1 of the dual: in place of the true bounds each variable gets a box that holds it where its reduced cost is feasible,
 * so that the optimum is 0 exactly when all reduced costs can be made feasible. Leaves the true bounds in place; whatever is
 * still infeasible then is left to the start of phase 2.
 * Source: A. Koberstein and U. H. Suhl, Comput. Optim. Appl. 37 (2007), the subproblem approach. */
static run_end phase_one(simplex *s)
{
    for (int v = 0; v < s->vars; v++) {
        bool low = !isinf(s->lower[v]), high = !isinf(s->upper[v]);
        s->work.lower[v] = low ? 0 : high ? -1 : -FREE_BOX;
        s->work.upper[v] = high ? 0 : low ? 1 : FREE_BOX;
    }
    place_all(s);
    s->work.bounds_shifted = true;
    double cutoff = s->cutoff;
    s->cutoff = INFINITY;
    s->work.boxed = true;
    run_end end = dual_run(s);
    s->work.boxed = false;
    s->cutoff = cutoff;
    log_line(s->log, VOUCH_LOG_DETAIL, "dual phase 1: %s after %lld iterations", end_text(end), s->iterations);
    MEM_COPY(s->work.lower, s->lower, s->vars);
    MEM_COPY(s->work.upper, s->upper, s->vars);
    place_all(s);
    s->work.bounds_shifted = false;
    if (end == RUN_TROUBLE || end == RUN_STALLED || end == RUN_INFEASIBLE) return RUN_OPTIMAL; /* phase 2 copes */
    return end;
}

/* A cold start with this part of reduced costs wrong, of the rows, begins with phase 2 of the dual even where rows imply no bound,
 * and so does any of a program that is solved once. */
static const double BOXED_PART = 0.1;

/* One solve, as it goes back and forth between the methods. */
typedef struct alternation {
    vouch_lp_method method;
    bool cold;        /* from the slack basis, with nothing done yet */
    bool handed_over; /* the other method failed: the one in `method` is next, whatever the basis suggests */
    bool perturb;     /* as the caller wants it, and the tolerances too */
    double feasibility_tol, optimality_tol;
    int round;
    int primal_off, dual_off; /* infeasible variables at the start of the round */
    int unboxed;              /* of dual_off, what neither flipping nor a working bound cures; a cold start's first round */
} alternation;

static void restore_options(simplex *s, const alternation *a)
{
    s->perturb = a->perturb;
    s->feasibility_tol = a->feasibility_tol;
    s->optimality_tol = a->optimality_tol;
}

/* Fresh vectors and what is infeasible by them; where nothing is, by tighter tolerances. As simplex_factor. */
static run_end start_round(simplex *s, alternation *a)
{
    restore_options(s, a);
    s->perturb = a->perturb && a->round < ROUNDS_PERTURBED;
    s->polishing = false;
    run_end end = simplex_refresh(s, false);
    if (end) return end;
    CHECK(s->factored && s->primal_trust == FRESH && s->dual_trust == FRESH);
    double primal_sum = simplex_primal_infeasibility(s, &a->primal_off), dual_sum = simplex_dual_infeasibility(s, &a->dual_off);
    log_line(s->log, VOUCH_LOG_DETAIL, "round %d: infeasible %g (%d) primal, %g (%d) dual", a->round, primal_sum, a->primal_off,
             dual_sum, a->dual_off);
    if (a->primal_off || a->dual_off || a->round == 0 || a->round >= ROUNDS_POLISHED) return RUN_ON;
    s->feasibility_tol *= POLISH;
    s->optimality_tol *= POLISH;
    s->polishing = true;
    s->perturb = false;
    simplex_primal_infeasibility(s, &a->primal_off);
    simplex_dual_infeasibility(s, &a->dual_off);
    return RUN_ON;
}

/* Gives working bounds to what reduced costs want beyond all bounds, where that is better than phase 1. -1: memory */
static int box_unbounded(simplex *s, alternation *a)
{
    a->unboxed = a->cold && a->round == 0 && a->dual_off ? unboxed_infeasible(s) : 0;
    if (!a->unboxed || s->no_boxes || a->method == VOUCH_LP_PRIMAL) return 0;
    if (!isinf(s->cutoff)) return 0; /* an objective within boxes bounds nothing */
    int left = simplex_box(s);
    if (left < 0) return -1;
    if (left && !s->solved_once && a->unboxed < BOXED_PART * s->m) {
        simplex_reset_work(s);
        return 0;
    }
    place_all(s);
    log_line(s->log, VOUCH_LOG_DETAIL, "dual start: %d variables in boxes, of %d no row implies one", a->unboxed, left);
    a->unboxed = 0;
    return 0;
}

/* The primal method in this round, or the dual? */
static bool primal_is_next(const alternation *a)
{
    if (a->handed_over) return a->method == VOUCH_LP_PRIMAL;
    if (a->cold && a->round == 0 && a->method != VOUCH_LP_PRIMAL && !a->unboxed) return false;
    return !a->primal_off || (a->method == VOUCH_LP_PRIMAL && (a->dual_off || a->round == 0));
}

static run_end run_method(simplex *s, const alternation *a, bool primal)
{
    /* No cutoff may ask for the objective: that of shifted costs bounds nothing. */
    s->work.perturb_first = s->perturb_start && a->cold && a->round == 0 && isinf(s->cutoff);
    if (!primal && a->unboxed) {
        run_end end = phase_one(s);
        if (end != RUN_OPTIMAL) return end;
    }
    run_end end = primal ? primal_run(s) : dual_run(s);
    log_line(s->log, VOUCH_LOG_DETAIL, "%s: %s after %lld iterations, %lld factorizations%s%s", primal ? "primal" : "dual",
             end_text(end), s->iterations, s->factorizations, s->work.costs_shifted ? ", costs shifted" : "",
             s->work.bounds_shifted ? ", bounds shifted" : "");
    return end;
}

/* An end that only the shifts may have made. */
static bool rests_on_shifts(const simplex *s, run_end end)
{
    if (end == RUN_UNBOUNDED) return s->work.costs_shifted || s->work.bounds_shifted;
    return end == RUN_OPTIMAL || (end == RUN_INFEASIBLE && s->work.bounds_shifted);
}

/* Is there another round after a run that ended so? Takes the shifts back if there is. */
static bool another_round(simplex *s, alternation *a, run_end end, bool primal)
{
    if (end == RUN_STALLED && s->polishing) {
        a->round = ROUNDS_POLISHED; /* good enough as it was */
    } else if (end == RUN_TROUBLE || end == RUN_STALLED) {
        basis_be_strict(s->factors, end == RUN_TROUBLE);
        s->factored = false;
        a->method = primal ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
        a->handed_over = true;
    } else if (!rests_on_shifts(s, end)) {
        return false;
    }
    simplex_reset_work(s);
    /* The other method does better from the start it likes. */
    if (a->handed_over && end == RUN_STALLED && a->cold) simplex_slack_basis(s);
    return true;
}

run_end simplex_solve(simplex *s, vouch_lp_method method)
{
    alternation a = {.method = method,
                     .cold = (s->iterations == 0 || s->no_boxes) && simplex_is_slack(s),
                     .perturb = s->perturb,
                     .feasibility_tol = s->feasibility_tol,
                     .optimality_tol = s->optimality_tol};
    run_end end = RUN_TROUBLE;
    s->work.perturbed = false;
    s->trouble = 0;
    s->iterations_before = s->iterations;
    basis_be_strict(s->factors, false);
    simplex_reset_work(s);
    for (; a.round < ROUNDS_MOST; a.round++) {
        run_end stopped = start_round(s, &a);
        if (stopped) {
            end = stopped;
            break;
        }
        if (!a.primal_off && !a.dual_off) {
            CHECK(!s->work.costs_shifted && !s->work.bounds_shifted);
            end = RUN_OPTIMAL;
            break;
        }
        if (box_unbounded(s, &a)) {
            end = RUN_MEMORY;
            break;
        }
        bool primal = primal_is_next(&a);
        a.handed_over = false;
        end = run_method(s, &a, primal);
        if (!another_round(s, &a, end, primal)) break;
    }
    restore_options(s, &a);
    if (end != RUN_MEMORY) simplex_reset_work(s);
    return end;
}

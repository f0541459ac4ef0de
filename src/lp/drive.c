/* lp/drive.c - the choice of simplex methods, and working bounds for a dual start.
 *
 * Working bounds: if a reduced cost of wrong sign needs an absent bound, a box replaces it, and so does any bound implied by rows
 * in programs that are solved once. Row i requires l_i <= sum over j of a_ij x_j <= u_i, hence for a_ij > 0
 *     x_j  <=  (u_i - the minimum of the sum over the others) / a_ij,
 * and so on. The box is wider by a margin, so no feasible point reaches it and its removal changes nothing. Without an implied
 * bound the box is wide, and the methods continue from the optimum within it. So the dual starts in phase 2, without the pivots of
 * phase 1. A variable with a correct reduced cost, mostly 0, ends a dual step if it has only one bound; with an implied bound it
 * flips, and the step continues (greenbea, 8 wrong reduced costs and most of them 0: 3 146 iterations without such boxes, 2 350
 * with them). Source of the bounds: A. L. Brearley, G. Mitra and H. P. Williams, Mathematical Programming 8 (1975). Only infinite
 * bounds are replaced, in a few passes. */
#include "lp/simplex.h"

#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

enum { PASSES = 5 };
/* Margin of an implied bound relative to itself and 1 (dfl001 20 886 iterations with 0.1, 18 080 with 0.01, 17 460 with 0.001), and
 * largest useful one, scaled. Indexed by solved_once. */
static const double MARGIN[] = {0.1, 0.01}, FARTHEST[] = {1e6, 1e8};
/* Size of a box without implied bound, scaled: greenbea 8 866 iterations with 1e5, 3 446 with 1e6, 3 146 with 1e7, 3 525 by phase 1
 * of the dual. Smaller if not solved once: trees of integer programs would begin at other vertices. */
static const double WIDE[] = {1e5, 1e7};
/* Smallest entry that implies a bound. */
static const double ENTRY_LEAST = 1e-3;

/* Minimum or maximum of a row: the finite sum, and the number of infinite terms. */
typedef struct row_end {
    double sum;
    int infinite;
} row_end;

static void add(row_end *e, double entry, double bound)
{
    if (isinf(bound))
        e->infinite++;
    else
        e->sum += entry * bound;
}

typedef struct implied {
    simplex *s;
    double *lower, *upper;
    row_end *least, *most; /* [m] */
} implied;

static void measure_rows(const implied *d)
{
    const simplex *s = d->s;
    for (int i = 0; i < s->m; i++) d->least[i] = d->most[i] = (row_end){0, 0};
    for (int j = 0; j < s->n; j++) {
        double l = d->lower[s->m + j], u = d->upper[s->m + j];
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
            double entry = s->a.value[e];
            int i = s->a.index[e];
            add(&d->least[i], entry, entry > 0 ? l : u);
            add(&d->most[i], entry, entry > 0 ? u : l);
        }
    }
}

/* The limit that `bound` of a row implies for a variable, by its entry; its own bound is a term of the sum. NAN: none. */
static double rest(const row_end *e, double bound, double entry, double own)
{
    bool alone = isinf(own);
    if (isinf(bound) || e->infinite > (alone ? 1 : 0)) return NAN;
    return (bound - (alone ? e->sum : e->sum - entry * own)) / entry;
}

/* The tightest upper (or lower) bound that rows imply for column j; INFINITY or -INFINITY: none. */
static double nearest(const implied *d, int j, bool upper)
{
    const simplex *s = d->s;
    double own = upper ? d->lower[s->m + j] : d->upper[s->m + j], best = upper ? INFINITY : -INFINITY;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
        double entry = s->a.value[e];
        int i = s->a.index[e];
        if (fabs(entry) < ENTRY_LEAST) continue;
        bool by_most = (entry > 0) != upper; /* the row's lower bound and the maximum of the others */
        double now = by_most ? rest(&d->most[i], s->lower[i], entry, own) : rest(&d->least[i], s->upper[i], entry, own);
        if (upper ? now < best : now > best) best = now;
    }
    return fabs(best) <= FARTHEST[s->solved_once] ? best : upper ? INFINITY : -INFINITY;
}

static void find(const implied *d)
{
    const simplex *s = d->s;
    MEM_COPY(d->lower, s->lower, s->vars);
    MEM_COPY(d->upper, s->upper, s->vars);
    bool changed = true;
    for (int pass = 0; pass < PASSES && changed; pass++) {
        changed = false;
        measure_rows(d);
        for (int j = 0; j < s->n; j++) {
            double *l = &d->lower[s->m + j], *u = &d->upper[s->m + j];
            double low = isinf(*l) ? nearest(d, j, false) : *l, high = isinf(*u) ? nearest(d, j, true) : *u;
            changed = changed || low != *l || high != *u;
            *l = low;
            *u = high;
        }
    }
}

static double wall(const simplex *s, double bound, double side, int *left)
{
    bool none = isinf(bound);
    *left += none;
    return none ? side * WIDE[s->solved_once] : bound + side * MARGIN[s->solved_once] * (1 + fabs(bound));
}

int simplex_box(simplex *s)
{
    implied d = {s, s->ratio, s->breakpoint, MEM_NEW(row_end, s->m), MEM_NEW(row_end, s->m)};
    int left = -1;
    if (d.least && d.most) {
        left = 0;
        find(&d);
        for (int v = s->m; v < s->vars; v++) {
            if (s->where[v] >= 0) continue;
            bool up = s->reduced[v] < -s->optimality_tol || (s->solved_once && !isinf(d.upper[v]));
            bool down = s->reduced[v] > s->optimality_tol || (s->solved_once && !isinf(d.lower[v]));
            if (up && isinf(s->work.upper[v])) s->work.upper[v] = wall(s, d.upper[v], 1, &left);
            if (down && isinf(s->work.lower[v])) s->work.lower[v] = wall(s, d.lower[v], -1, &left);
        }
        s->work.bounds_shifted = true;
    }
    mem_free(d.least);
    mem_free(d.most);
    return left;
}

/* ---- the choice of methods --------------------------------------------------------------------------------------------------
 *
 * A primal feasible basis is given to the primal method, any other to the dual (whose start shifts or flips dual infeasibilities).
 * Each method may shift costs or bounds; at its optimum the shifts are removed, and the other method repairs the remaining
 * infeasibility, usually little. A round that changed only numerics makes pivoting stricter; after several rounds there is no
 * perturbation, so the alternation ends. Alternatives that did not pay are in bench/NOTES.md. */

enum { ROUNDS_MOST = 30, ROUNDS_PERTURBED = 6 };
/* Factor on the tolerances after the first round: a few iterations gain many digits of the objective. After ROUNDS_POLISHED the
 * caller's tolerances apply. */
static const double POLISH = 1e-3;
enum { ROUNDS_POLISHED = 5 };
/* Box of free variables in phase 1 of the dual: large relative to 1, the box of others, so that they enter first. */
static const double FREE_BOX = 1000.0;

static const char *end_text(run_end end)
{
    static const char *const text[] = {"not ended", "optimal",     "infeasible", "unbounded", "cutoff",
                                       "limit",     "interrupted", "stalled",    "trouble",   "memory"};
    return text[end];
}

/* Counts reduced costs of wrong sign that flipping cannot repair. */
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

/* Places nonbasic variables in new working bounds by their reduced costs. */
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

/* Phase 1 of the dual: each variable gets a box that holds it where its reduced cost is feasible, so that the optimum is 0 exactly
 * if all reduced costs can be made feasible. Restores the true bounds; phase 2 handles the remaining infeasibilities. Source: A.
 * Koberstein and U. H. Suhl, Comput. Optim. Appl. 37 (2007), the subproblem approach. */
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
    if (end == RUN_TROUBLE || end == RUN_STALLED || end == RUN_INFEASIBLE) return RUN_OPTIMAL; /* phase 2 handles it */
    return end;
}

/* Least fraction of rows, in wrong reduced costs, for boxes without implied bounds in programs that are solved repeatedly. */
static const double BOXED_PART = 0.1;

/* One solve that alternates between the methods. */
typedef struct alternation {
    vouch_lp_method method;
    bool cold;        /* from the slack basis, before any work */
    bool handed_over; /* the other method failed: `method` is next in any case */
    bool perturb;     /* the caller's, as are the tolerances */
    double feasibility_tol, optimality_tol;
    int round;
    int primal_off, dual_off; /* infeasible variables at the start of the round */
    int unboxed;              /* of dual_off in a cold first round: neither flipping nor a box repairs them */
} alternation;

static void restore_options(simplex *s, const alternation *a)
{
    s->perturb = a->perturb;
    s->feasibility_tol = a->feasibility_tol;
    s->optimality_tol = a->optimality_tol;
}

/* Fresh vectors and the number of infeasibilities; if none, by tighter tolerances. As simplex_factor. */
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

/* Boxes for reduced costs that need absent bounds, if better than phase 1. -1: memory */
static int box_unbounded(simplex *s, alternation *a)
{
    a->unboxed = a->cold && a->round == 0 && a->dual_off ? unboxed_infeasible(s) : 0;
    if (!a->unboxed || s->no_boxes || a->method == VOUCH_LP_PRIMAL) return 0;
    if (!isinf(s->cutoff)) return 0; /* an objective within boxes proves no bound */
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

static bool primal_is_next(const alternation *a)
{
    if (a->handed_over) return a->method == VOUCH_LP_PRIMAL;
    if (a->cold && a->round == 0 && a->method != VOUCH_LP_PRIMAL && !a->unboxed) return false;
    return !a->primal_off || (a->method == VOUCH_LP_PRIMAL && (a->dual_off || a->round == 0));
}

static run_end run_method(simplex *s, const alternation *a, bool primal)
{
    /* With a cutoff the objective matters, and shifted costs prove no bound. */
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

/* May this end be due to shifts only? */
static bool rests_on_shifts(const simplex *s, run_end end)
{
    if (end == RUN_UNBOUNDED) return s->work.costs_shifted || s->work.bounds_shifted;
    return end == RUN_OPTIMAL || (end == RUN_INFEASIBLE && s->work.bounds_shifted);
}

/* Is there another round? Then removes the shifts. */
static bool another_round(simplex *s, alternation *a, run_end end, bool primal)
{
    if (end == RUN_STALLED && s->polishing) {
        a->round = ROUNDS_POLISHED; /* good enough before */
    } else if (end == RUN_TROUBLE || end == RUN_STALLED) {
        basis_be_strict(s->factors, end == RUN_TROUBLE);
        s->factored = false;
        a->method = primal ? VOUCH_LP_DUAL : VOUCH_LP_PRIMAL;
        a->handed_over = true;
    } else if (!rests_on_shifts(s, end)) {
        return false;
    }
    simplex_reset_work(s);
    /* The slack basis suits the other method better. */
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

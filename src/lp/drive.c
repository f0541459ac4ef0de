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
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/simplex.h"
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
    MEM_FREE_ALL(d.least, d.most);
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

/* ---- crash ---------------------------------------------------------------------------------------------------------------------
 *
 * A start near the optimum, for programs with a long way from the slack basis: a nearly optimal point with
 * multipliers, a basis of the variables away from their bounds there, and the dual simplex method with shifted costs.
 *
 * The point minimises the augmented Lagrangian of the rows by coordinate descent. With r = [rl, ru] and dist the distance to an
 * interval, repeat
 *     x := approximate minimum of   c'x + 1/(2 u) sum over i of dist(a_i x - u y_i, r_i)^2   over l <= x <= u
 *     y_i := (distance of a_i x - u y_i from r_i, signed) / u: the slope of its term, 0 within r_i
 * where each column in turn moves to the minimum of a parabola that touches the function from above (with the curvature of all rows
 * of the column). A sweep is a pass over the matrix; most sweeps include only columns that moved or are away from their bounds. y
 * bounds the optimum from below, x nearly from above: the gap measures the distance.
 *
 * Sources: M. R. Hestenes, J. Optim. Theory Appl. 4 (1969), and R. T. Rockafellar, Math. Programming 5 (1973), for inequalities;
 * the idea is J. J. Forrest's "Idiot" crash as described by I. L. Galabova and J. A. J. Hall, Optim. Methods Softw. 35 (2020).
 * Deviation: multipliers are updated with a constant weight, where theirs grows; so the point is sharp enough to read a basis from,
 * and y serves the dual method. */

/* A point of the scaled problem. */
typedef struct crash_point {
    double *x;       /* [vars] activities of rows, then columns, within their bounds */
    double *price;   /* [m] multipliers y; > 0: of the lower bound of the row, < 0: of the upper */
    double *reduced; /* [vars] of y, as in simplex.h */
    double unit;     /* of x per unit of a multiplier: 1 / the weight of the penalty */
    double infeasible;
    double gap; /* relative gap of the two objectives */
} crash_point;

/* Steps of the multipliers; sweeps a step, every FULL_SWEEP-th over all columns; a sweep without moves above STILL units is the
 * last. More steps are better than more sweeps: qap-2000 1820 pivots after 60 steps of 10 sweeps, 1736 after 120 of 5. */
enum { STEPS_LEAST = 60, STEPS_MOST = 120, ROWS_A_STEP = 16, SWEEPS = 5, FULL_SWEEP = 5 };
static const double STILL = 1e-3;
/* The unit relative to mean side / mean cost. qap-2000: 5 to 20 need the same pivots within 10 %, 1 needs 50 % more. */
static const double UNIT = 10;
/* Violations are tested after these steps, and at doubled intervals: if they have not fallen to this fraction, the program is
 * infeasible or unsuited to coordinate descent. From 5 to 10: truss 0.9, d2q06c 0.7, 25fv47 0.65; qap and dense rows below 0.6,
 * staircases and fit2p 0.3, covering 0.2. */
enum { FIRST_LOOK = 5, LAST_LOOK = 20 };
/* The patient search: its steps, and its last test. truss: violations of 364 after 20, 68 after 256. */
enum { PATIENT_STEPS = 400, PATIENT_LOOK = 160 };
static const double FALLEN = 0.6;
/* Largest relative gap of a start, and at the last test (pilots 0.1 to 0.9; staircases, fit2p, sparse rows below 0.05). */
static const double GAP_MOST = 0.05, GAP_LOOK = 0.1;
/* In the patient search: truss from a gap of 0.2 takes 2532 pivots instead of 17535. */
static const double GAP_PATIENT = 0.25;

typedef struct descent {
    const simplex *s;
    crash_point *c;
    double weight;     /* of the penalty: 1 / unit */
    double *curvature; /* [n] sum of the squares of a column */
    double *slope;     /* [m] of a row's term, its next multiplier; follows x and the multipliers */
    int *moving;       /* [n] columns that moved in the last full sweep or are away from their bounds */
    int count;
} descent;

static inline double slope_of_row(const descent *d, int i)
{
    double x = d->c->x[i], y = d->c->price[i], low = y + (d->s->lower[i] - x) * d->weight,
           high = y + (d->s->upper[i] - x) * d->weight;
    return low > 0 ? low : high < 0 ? high : 0;
}

/* Moves column v to its minimum with the others fixed. Returns the distance. */
static double descend(const descent *d, int v)
{
    const simplex *s = d->s;
    double *x = d->c->x, slope = s->cost[v], curvature = d->curvature[v - s->m];
    int64_t first = s->a.start[v - s->m], end = s->a.start[v - s->m + 1];
    for (int64_t e = first; e < end; e++) slope -= s->a.value[e] * d->slope[s->a.index[e]];
    double old = x[v];
    double now = curvature > 0 ? smaller(larger(old - slope * d->c->unit / curvature, s->lower[v]), s->upper[v]) : old;
    if (now == old) return 0;
    x[v] = now;
    for (int64_t e = first; e < end; e++) {
        int i = s->a.index[e];
        x[i] += s->a.value[e] * (now - old);
        d->slope[i] = slope_of_row(d, i);
    }
    return fabs(now - old);
}

/* Both return the largest move of a column. */
static double sweep_all(descent *d)
{
    const simplex *s = d->s;
    double most = 0;
    d->count = 0;
    for (int v = s->m; v < s->vars; v++) {
        double moved = descend(d, v);
        most = larger(most, moved);
        if (moved > 0 || (d->c->x[v] > s->lower[v] && d->c->x[v] < s->upper[v])) d->moving[d->count++] = v;
    }
    return most;
}

static double sweep_moving(const descent *d)
{
    double most = 0;
    for (int k = 0; k < d->count; k++) most = larger(most, descend(d, d->moving[k]));
    return most;
}

/* Larger programs gain more from a sharper point: qap-2000 2682 pivots after 60 steps, 1736 after 120; qap8 of 912 rows 1588 and
 * 1862. */
static int steps_of(const simplex *s)
{
    int steps = s->m / ROWS_A_STEP;
    return steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : steps;
}

/* Recomputes activities, free of accumulated rounding, and slopes. */
static void refresh_rows(const descent *d)
{
    const simplex *s = d->s;
    for (int i = 0; i < s->m; i++) d->c->x[i] = 0;
    for (int j = 0; j < s->n; j++) {
        double x = d->c->x[s->m + j];
        for (int64_t e = s->a.start[j]; x != 0 && e < s->a.start[j + 1]; e++) d->c->x[s->a.index[e]] += s->a.value[e] * x;
    }
    for (int i = 0; i < s->m; i++) d->slope[i] = slope_of_row(d, i);
}

/* Reduced costs, violations and gap. A reduced cost that needs an absent bound is ignored: if it matters, the gap does not close.
 */
static void measure(const descent *d)
{
    const simplex *s = d->s;
    crash_point *c = d->c;
    double primal = 0, dual = 0;
    c->infeasible = 0;
    for (int v = 0; v < s->vars; v++) {
        double r = s->cost[v];
        if (v < s->m) {
            r += c->price[v];
            c->infeasible += larger(0, larger(s->lower[v] - c->x[v], c->x[v] - s->upper[v]));
        } else {
            for (int64_t e = s->a.start[v - s->m]; e < s->a.start[v - s->m + 1]; e++) r -= s->a.value[e] * c->price[s->a.index[e]];
        }
        c->reduced[v] = r;
        primal += s->cost[v] * c->x[v];
        double bound = r > 0 ? s->lower[v] : s->upper[v];
        if (r != 0 && !isinf(bound)) dual += r * bound;
    }
    c->gap = fabs(primal - dual) / (1 + fabs(primal) + fabs(dual));
}

/* Do violations fall as fast as in programs that reach a start? */
static bool is_falling(const descent *d, bool patient, int steps, double *before)
{
    if (patient) {
        if (steps != LAST_LOOK && steps != PATIENT_LOOK) return true;
        measure(d);
        if (steps == LAST_LOOK) *before = d->c->infeasible;
        return steps == LAST_LOOK || d->c->infeasible <= FALLEN * *before;
    }
    if (steps != FIRST_LOOK && steps != 2 * FIRST_LOOK && steps != LAST_LOOK) return true;
    measure(d);
    bool falling = d->c->infeasible <= FALLEN * *before && (steps < LAST_LOOK || d->c->gap <= GAP_LOOK);
    *before = d->c->infeasible;
    return falling;
}

/* The initial point, curvatures, and the unit. */
static void begin(descent *d)
{
    const simplex *s = d->s;
    double sides = 0, costs = 0;
    for (int i = 0; i < s->m; i++) {
        double side = smaller(fabs(s->lower[i]), fabs(s->upper[i]));
        if (!isinf(side)) sides += side;
    }
    for (int v = s->m; v < s->vars; v++) {
        d->c->x[v] = !isinf(s->lower[v]) ? s->lower[v] : !isinf(s->upper[v]) ? s->upper[v] : 0;
        costs += fabs(s->cost[v]);
        for (int64_t e = s->a.start[v - s->m]; e < s->a.start[v - s->m + 1]; e++)
            d->curvature[v - s->m] += s->a.value[e] * s->a.value[e];
    }
    d->c->unit = UNIT * sides / costs;
    d->weight = 1 / d->c->unit;
}

/* Searches for a point; its arrays are in a. RUN_OPTIMAL: near the optimum; RUN_STALLED: not; or a reason to stop. */
static run_end crash_find(const simplex *s, bool patient, arena *a, crash_point *c)
{
    *c = (crash_point){
        .x = ARENA_ZERO(a, double, s->vars), .price = ARENA_ZERO(a, double, s->m), .reduced = ARENA_NEW(a, double, s->vars)};
    descent d = {.s = s,
                 .c = c,
                 .curvature = ARENA_ZERO(a, double, s->n),
                 .slope = ARENA_NEW(a, double, s->m),
                 .moving = ARENA_NEW(a, int, s->n)};
    if (a->failed) return RUN_MEMORY;
    begin(&d);
    if (!(c->unit > 0) || isinf(c->unit)) return RUN_STALLED; /* no costs or no sides, hence no unit */
    refresh_rows(&d);
    double violation = INFINITY;
    bool falling = true;
    int step = 0, steps = patient ? PATIENT_STEPS : steps_of(s);
    while (step < steps && falling) {
        run_end end = simplex_stop(s);
        if (end) return end;
        double moved = INFINITY;
        for (int k = 0; k < SWEEPS && moved > STILL * c->unit; k++) moved = k % FULL_SWEEP == 0 ? sweep_all(&d) : sweep_moving(&d);
        refresh_rows(&d);
        for (int i = 0; i < d.s->m; i++) {
            d.c->price[i] = d.slope[i];
            d.slope[i] = slope_of_row(&d, i);
        }
        falling = is_falling(&d, patient, ++step, &violation);
    }
    measure(&d);
    bool near = falling && c->gap <= (patient ? GAP_PATIENT : GAP_MOST);
    log_line(s->log, VOUCH_LOG_INFO, "start: %s; %d steps of multipliers, rows violated by %.3g in all, gap of the objectives %.2g",
             near ? "a point near the optimum" : "no point near the optimum", step, c->infeasible, c->gap);
    return near ? RUN_OPTIMAL : RUN_STALLED;
}

/* ---- a basis from the point -------------------------------------------------------------------------------------------------
 *
 * A variable at distance t from its nearest bound, with reduced cost d, has the score t / (u |d|), u the unit of the point: from 1
 * on its complementary pair indicates a basic variable. These columns get rows by a maximum matching and are factorised together.
 * If they are dependent, which a factorisation would resolve in its own order, they enter one by one instead, by descending score,
 * each for a logical that should be nonbasic; so do, last, columns at a bound, by ascending reduced cost, until no such logical
 * remains: their costs need little change for an optimal basis. Sources: I. S. Duff, ACM Trans. Math. Softw. 7 (1981), for the
 * matching; R. E. Bixby and M. J. Saltzman, Oper. Res. Lett. 15 (1994), for bases from points near the optimum. */

/* Added to distance and reduced cost of 0. */
static const double NO_DISTANCE = 1e-12, NO_COST = 1e-9;
/* Least pivot relative to its column; relative size from which the score decides. */
static const double PIVOT_PART = 1e-3, PIVOT_GOOD = 0.1;
/* Largest distance of basic variables from the point, relative to 1 and their size, before columns count as dependent: staircases
 * of 2000 and 4000 rows 7e15 and 2e9; other programs below 3e3. */
static const double STRAY_MOST = 1e6;

typedef struct ranked {
    double score;
    int v;
} ranked;

typedef struct choice {
    simplex *s;
    const crash_point *c;
    double *score; /* [vars] */
    ranked *order; /* [n] columns, descending */
    int misplaced; /* basic logicals that should be nonbasic */
} choice;

static int by_score(const void *left, const void *right)
{
    const ranked *l = left, *r = right;
    return l->score > r->score ? -1 : l->score < r->score ? 1 : (l->v > r->v) - (l->v < r->v);
}

static double score_of(const simplex *s, const crash_point *c, int v)
{
    double room = larger(0, smaller(c->x[v] - s->lower[v], s->upper[v] - c->x[v]));
    return (room + NO_DISTANCE) / (c->unit * fabs(c->reduced[v]) + NO_COST);
}

static bool is_basic_by(const choice *h, int v) { return h->score[v] >= 1; }

static bool is_misplaced(const choice *h, int v) { return v < h->s->m && !is_basic_by(h, v); }

static void place_near(const choice *h, int v)
{
    simplex *s = h->s;
    s->move[v] = s->upper[v] - h->c->x[v] < h->c->x[v] - s->lower[v] ? -1 : 1;
    simplex_place(s, v);
}

static void rank(const choice *h)
{
    const simplex *s = h->s;
    for (int v = 0; v < s->vars; v++) {
        h->score[v] = s->lower[v] == s->upper[v] ? 0 : score_of(s, h->c, v);
        if (v >= s->m) h->order[v - s->m] = (ranked){h->score[v], v};
        if (s->where[v] < 0) place_near(h, v);
    }
    qsort(h->order, (size_t)s->n, sizeof *h->order, by_score);
}

/* ---- all columns together, by a matching ------------------------------------------------------------------------------------ */

enum { ROW_OPEN = -1, ROW_KEPT = -2 };

typedef struct matching {
    const sparse *a;
    int *column_of; /* [m] the row's column, or ROW_ */
    int *row_of;    /* [n] */
    int *seen;      /* [m] last search that visited the row */
    int *path;      /* [m + 1] columns */
    int64_t *next;  /* [n] entry to look at next */
} matching;

static int open_row(const matching *g, int j)
{
    for (int64_t e = g->a->start[j]; e < g->a->start[j + 1]; e++)
        if (g->column_of[g->a->index[e]] == ROW_OPEN) return g->a->index[e];
    return -1;
}

/* The column matched to a row of j that this search has not visited; -1: none. */
static int next_owner(const matching *g, int j, int search)
{
    while (g->next[j] < g->a->start[j + 1]) {
        int i = g->a->index[g->next[j]++];
        if (g->column_of[i] < 0 || g->seen[i] == search) continue;
        g->seen[i] = search;
        return g->column_of[i];
    }
    return -1;
}

/* Matches column `root` along an augmenting path. False: none exists. */
static bool match_column(const matching *g, int root, int search)
{
    int depth = 0;
    g->path[0] = root;
    g->next[root] = g->a->start[root];
    while (depth >= 0) {
        int j = g->path[depth], i = g->next[j] == g->a->start[j] ? open_row(g, j) : -1;
        for (; i >= 0 && depth >= 0; depth--) { /* augment: each column takes the row of the next one */
            int freed = g->row_of[g->path[depth]];
            g->row_of[g->path[depth]] = i;
            g->column_of[i] = g->path[depth];
            i = freed;
            if (depth == 0) return true;
        }
        int owner = next_owner(g, j, search);
        if (owner < 0) {
            depth--;
            continue;
        }
        g->path[++depth] = owner;
        g->next[owner] = g->a->start[owner];
    }
    return false;
}

/* Matched columns of score 1 or more become basic. Returns their number; -1: memory. */
static int enter_matched(const choice *h, arena *a)
{
    simplex *s = h->s;
    matching g = {&s->a,
                  ARENA_NEW(a, int, s->m),
                  ARENA_NEW(a, int, s->n),
                  ARENA_ZERO(a, int, s->m),
                  ARENA_NEW(a, int, s->m + 1),
                  ARENA_NEW(a, int64_t, s->n)};
    if (a->failed) return -1;
    int count = 0;
    for (int i = 0; i < s->m; i++) g.column_of[i] = is_basic_by(h, i) ? ROW_KEPT : ROW_OPEN;
    for (int j = 0; j < s->n; j++) g.row_of[j] = -1;
    for (int k = 0; k < s->n && is_basic_by(h, h->order[k].v); k++) count += match_column(&g, h->order[k].v - s->m, k + 1);
    for (int i = 0; i < s->m; i++) {
        if (g.column_of[i] < 0) continue;
        int v = s->m + g.column_of[i];
        s->where[i] = -1;
        place_near(h, i);
        s->head[i] = v;
        s->where[v] = i;
        s->move[v] = 0;
    }
    s->factored = s->pricing.rows_valid = false;
    return count;
}

/* Are basic variables so far from the point that their columns must be nearly dependent? */
static bool strays(simplex *s, const crash_point *c)
{
    double off = 0, size = 1;
    simplex_compute_primal(s);
    for (int p = 0; p < s->m; p++) {
        off += fabs(s->xb[p] - c->x[s->head[p]]);
        size += fabs(c->x[s->head[p]]);
    }
    return !(off <= STRAY_MOST * size);
}

/* ---- columns one by one ----------------------------------------------------------------------------------------------------- */

/* Position of the misplaced logical of least score with a good pivot in s->col; -1: none. */
static int misplaced_position(const choice *h)
{
    const simplex *s = h->s;
    double most = 0, usable = 0, least = INFINITY;
    int best = -1;
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        double size = fabs(s->col.value[p]);
        most = larger(most, size);
        if (is_misplaced(h, s->head[p])) usable = larger(usable, size);
    }
    if (usable < TOL_PIVOT_SMALL || usable < PIVOT_PART * most) return -1;
    for (int k = 0; k < s->col.count; k++) {
        int p = s->col.index[k];
        if (!is_misplaced(h, s->head[p]) || fabs(s->col.value[p]) < PIVOT_GOOD * usable || h->score[s->head[p]] >= least) continue;
        least = h->score[s->head[p]];
        best = p;
    }
    return best;
}

static run_end enter_singly(choice *h)
{
    simplex *s = h->s;
    h->misplaced = 0;
    for (int p = 0; p < s->m; p++) h->misplaced += is_misplaced(h, s->head[p]);
    for (int k = 0; k < s->n && h->misplaced > 0; k++) {
        int v = h->order[k].v;
        if (s->where[v] >= 0 || s->lower[v] == s->upper[v]) continue;
        run_end end = simplex_stop(s);
        if (!end && (!s->factored || basis_due(s->factors))) end = simplex_factor(s);
        if (end) return end;
        simplex_column(s, v, true);
        int p = misplaced_position(h);
        if (p < 0) continue;
        simplex_row(s, p);
        int out = s->head[p];
        simplex_exchange(s, p, v, h->c->x[v], s->lower[out], 0);
        place_near(h, out);
        s->primal_trust = s->dual_trust = INVALID;
        h->misplaced--;
    }
    return RUN_ON;
}

/* From the slack basis to variables away from their bounds in the point. Factors are new, derived vectors INVALID. RUN_ON, or a
 * reason to stop, without factors. */
static run_end crash_basis(simplex *s, arena *a, const crash_point *c)
{
    choice h = {.s = s, .c = c, .score = ARENA_NEW(a, double, s->vars), .order = ARENA_NEW(a, ranked, s->n)};
    if (a->failed) return RUN_MEMORY;
    CHECK(simplex_is_slack(s));
    rank(&h);
    int matched = enter_matched(&h, a);
    if (matched < 0) return RUN_MEMORY;
    run_end end = simplex_factor(s);
    if (end) return end;
    for (int p = 0; p < s->m; p++) matched -= s->head[p] >= s->m;
    if (matched > 0 || strays(s, c)) { /* dependent, or nearly */
        simplex_slack_basis(s);
        for (int v = 0; v < s->vars; v++)
            if (s->where[v] < 0) place_near(&h, v);
        if ((end = simplex_factor(s))) return end;
    }
    end = enter_singly(&h);
    return end ? end : basis_updates(s->factors) > 0 || !s->factored ? simplex_factor(s) : RUN_ON;
}

/* ---- the start --------------------------------------------------------------------------------------------------------------
 *
 * The basis read from a point with multipliers y is not dual feasible, and y are not its multipliers. But costs c_B := B'y, which
 * change the costs of basic variables by their small reduced costs, make y its multipliers: then the other reduced costs are those
 * of the point, nearly of the right sign. The dual method repairs the rows for these costs, and simplex_solve continues with the
 * true ones. */

/* Least rows, as smaller programs are solved quickly; least entries a column, as sparser ones are nearly triangular (networks). */
enum { ROWS_LEAST = 500, ENTRIES_LEAST = 4 };
/* Least columns a row: with fewer nearly all are basic (degen3: 1.2). */
static const double COLUMNS_LEAST = 1.5;

/* With this many columns a row and entries a column the dual method may be long even if the quick search finds no point: after
 * PIVOTS_FIRST pivots a row, a patient search follows, with PIVOTS_NEAR pivots a row before the dual method resumes. truss has 17.5
 * pivots a row from the slack basis, 1.4 from near the optimum; trusses on grids with one load 4 to 8, with no gain from such a
 * start. */
enum { LONG_COLUMNS = 5, LONG_ENTRIES = 3, PIVOTS_FIRST = 6, PIVOTS_NEAR = 2 };

static bool is_bounded(const simplex *s)
{
    for (int v = s->m; v < s->vars; v++)
        if (isinf(s->lower[v]) && isinf(s->upper[v])) return false;
    return true;
}

static bool is_large(const simplex *s, double columns, int entries)
{
    return s->m >= ROWS_LEAST && s->n >= columns * s->m && s->a.start[s->n] >= (int64_t)entries * s->n && simplex_is_slack(s) &&
           s->iterations == 0 && is_bounded(s);
}

static int basic_columns(const simplex *s)
{
    int count = 0;
    for (int p = 0; p < s->m; p++) count += s->head[p] >= s->m;
    return count;
}

static run_end go_on_from(simplex *s, arena *a, const crash_point *c)
{
    run_end end = crash_basis(s, a, c);
    if (end) return end;
    log_line(s->log, VOUCH_LOG_INFO, "start: a basis with %d columns, %lld exchanges", basic_columns(s), s->iterations);
    s->iterations_before = s->iterations;
    /* Shifts costs so that the point's multipliers belong to the basis. Basic logicals of equations belong to dependent rows, whose
     * multipliers are arbitrary. */
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        if (v >= s->m || s->lower[v] != s->upper[v]) s->work.cost[v] -= c->reduced[v];
    }
    s->work.costs_shifted = true;
    s->dual_trust = INVALID;
    s->pricing.edge_valid = false;
    end = dual_run(s);
    simplex_reset_work(s);
    return end;
}

/* Finds a point and its basis, and applies the dual method with shifted costs. Basis and bounds are then valid for simplex_solve.
 * RUN_ON, or a reason to stop. */
static run_end start_near(simplex *s, bool patient)
{
    arena a = {0};
    crash_point c;
    run_end end = crash_find(s, patient, &a, &c);
    if (end == RUN_OPTIMAL) end = go_on_from(s, &a, &c);
    arena_free(&a);
    if (end == RUN_MEMORY || end == RUN_LIMIT || end == RUN_INTERRUPTED) return end;
    if ((end == RUN_STALLED || end == RUN_TROUBLE) && !simplex_is_slack(s)) simplex_slack_basis(s);
    return RUN_ON;
}

/* Solves within `pivots` a row, from the current basis or from near the optimum. *over: they did not suffice. RUN_ON: no point near
 * the optimum. */
static run_end solve_within(simplex *s, bool near, int pivots, bool *over)
{
    long long given = s->iteration_limit, end_at = s->iterations + (long long)pivots * s->m;
    bool shorter = given == 0 || end_at < given;
    if (shorter) s->iteration_limit = end_at;
    run_end end = near ? start_near(s, true) : RUN_ON;
    if (!end && !(near && simplex_is_slack(s))) end = simplex_solve(s, VOUCH_LP_AUTO);
    s->iteration_limit = given;
    *over = end == RUN_LIMIT && shorter && s->iterations >= end_at;
    return end;
}

/* A basis to return to. */
typedef struct kept_basis {
    unsigned char *status; /* [vars] */
    double *weight;        /* [vars] of basic variables, for the dual */
    bool weighed;          /* they are right */
} kept_basis;

static bool keep_basis(const simplex *s, arena *a, kept_basis *k)
{
    *k = (kept_basis){ARENA_NEW(a, unsigned char, s->vars), ARENA_ZERO(a, double, s->vars), s->pricing.edge_valid};
    if (a->failed) return false;
    for (int v = 0; v < s->vars; v++) k->status[v] = simplex_status(s, v);
    for (int p = 0; p < s->m; p++) k->weight[s->head[p]] = s->pricing.edge[p];
    return true;
}

static void return_to(simplex *s, const kept_basis *k)
{
    simplex_set_basis(s, k->status);
    simplex_reset_work(s);
    for (int p = 0; p < s->m; p++) s->pricing.edge[p] = k->weight[s->head[p]];
    s->pricing.edge_valid = k->weighed;
}

static run_end try_near(simplex *s)
{
    arena a = {0};
    kept_basis before;
    bool over = false;
    if (!keep_basis(s, &a, &before)) {
        arena_free(&a);
        return RUN_MEMORY;
    }
    simplex_slack_basis(s);
    run_end end = solve_within(s, true, PIVOTS_NEAR, &over);
    bool back = over || !end;
    if (back) return_to(s, &before);
    arena_free(&a);
    return back ? simplex_solve(s, VOUCH_LP_AUTO) : end;
}

run_end crash_solve(simplex *s)
{
    bool over, later = is_large(s, LONG_COLUMNS, LONG_ENTRIES);
    /* the first steps of the search, cheap relative to these pivots, show whether it succeeds */
    run_end end = is_large(s, COLUMNS_LEAST, ENTRIES_LEAST) ? start_near(s, false) : RUN_ON;
    if (end) return end;
    if (!later || !simplex_is_slack(s)) return simplex_solve(s, VOUCH_LP_AUTO);
    end = solve_within(s, false, PIVOTS_FIRST, &over);
    return over ? try_near(s) : end;
}

/* lp/crash_point.c - a nearly optimal point by the augmented Lagrangian of the rows and descent along coordinates.
 *
 * With r = [rl, ru] and dist the distance to an interval, repeat
 *     x := about the least of   c'x + 1/(2 u) sum over i of dist(a_i x - u y_i, r_i)^2   over l <= x <= u
 *     y_i := what a_i x - u y_i lacks of r_i, over u: the slope of its term, and 0 within r_i
 * where x goes from column to column, each to the least of a parabola that touches the function from above (its curvature that of
 * all rows of the column). A sweep costs a pass over the matrix, and most pass only over the columns that moved or are away from
 * their bounds. The multipliers y bound the optimum from below as x does nearly from above, so both tell how near it is.
 *
 * Sources: M. R. Hestenes, J. Optim. Theory Appl. 4 (1969), and R. T. Rockafellar, Math. Programming 5 (1973), for inequalities;
 * the idea of starting a simplex method so, from J. J. Forrest's "Idiot" crash as I. L. Galabova and J. A. J. Hall describe it,
 * Optim. Methods Softw. 35 (2020). Deviations from that: multipliers are kept and followed, with a weight that stays the same,
 * where theirs grows; hence the point is sharp enough to read a basis from, and y serves the dual method.
 */
#include <math.h>

#include "base/error.h"
#include "lp/crash.h"

/* Steps of the multipliers; sweeps for each, of which one in so many is over all columns; a sweep that moved nothing by more than
 * this part of the unit is the last. More sweeps a step are no better than more steps: qap-2000 1820 pivots after 60 steps of 10
 * sweeps, 1736 after 120 of 5, in less time. */
enum { STEPS_LEAST = 60, STEPS_MOST = 120, ROWS_A_STEP = 16, SWEEPS = 5, FULL_SWEEP = 5 };
static const double STILL = 1e-3;
/* The unit, for the mean of the sides over that of the costs. On qap-2000 5 to 20 need the same pivots within a tenth; 1 needs half
 * as many again. */
static const double UNIT = 10;
/* Looked at after these steps, and twice as often each time: violations not fallen to this part since the last look do not vanish,
 * for the program is infeasible or too crooked for coordinates. From 5 to 10 truss 0.9, d2q06c 0.7, 25fv47 0.65; qap and dense rows
 * below 0.6, staircases and fit2p 0.3, covering 0.2. */
enum { FIRST_LOOK = 5, LAST_LOOK = 20 };
/* Patiently: so many steps, and looks at these. truss: violations of 364 after 20, 68 after 256. */
enum { PATIENT_STEPS = 400, PATIENT_LOOK = 160 };
static const double FALLEN = 0.6;
/* A point with a larger relative gap is no start: coordinate descent has stuck; nor does one come of a larger gap at the last look,
 * as of pilots (0.1 to 0.9; staircases, fit2p, sparse rows below 0.05). */
static const double GAP_MOST = 0.05, GAP_LOOK = 0.1;
/* Where pivots are many, a worse one will do: truss from a gap of 0.2 takes 2532 pivots of 17535. */
static const double GAP_PATIENT = 0.25;

typedef struct descent {
    const simplex *s;
    crash_point *c;
    double weight;     /* of the penalty: 1 / unit */
    double *curvature; /* [n] sum of the squares of a column */
    double *slope;     /* [m] of a row's term, which is its next multiplier; follows x and the multipliers */
    int *moving;       /* [n] columns that moved in the last full sweep, or are away from their bounds */
    int count;
} descent;

static inline double slope_of_row(const descent *d, int i)
{
    double x = d->c->x[i], y = d->c->price[i], low = y + (d->s->lower[i] - x) * d->weight,
           high = y + (d->s->upper[i] - x) * d->weight;
    return low > 0 ? low : high < 0 ? high : 0;
}

/* Column v goes to its minimum, all others held. How far it moved. */
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

/* Both return how far a column moved at most. */
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

/* Of the multipliers, at most. Larger programs save more pivots by a sharper point: qap-2000 2682 after 60, 1736 after 120; qap8 of
 * 912 rows 1588 and 1862. */
static int steps_of(const simplex *s)
{
    int steps = s->m / ROWS_A_STEP;
    return steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : steps;
}

/* Activities, without what many small changes leave of rounding, and slopes. */
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

static void step_prices(const descent *d)
{
    for (int i = 0; i < d->s->m; i++) {
        d->c->price[i] = d->slope[i];
        d->slope[i] = slope_of_row(d, i);
    }
}

/* Reduced costs of the prices, and what the point is worth. A reduced cost that wants a bound there is none of counts for nothing:
 * if it matters, the gap of the rest does not close. */
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

/* After so many steps: are violations falling as they do where this leads somewhere? */
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

/* The point to begin with, curvatures, and the unit. */
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

run_end crash_find(const simplex *s, bool patient, arena *a, crash_point *c)
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
    if (!(c->unit > 0) || isinf(c->unit)) return RUN_STALLED; /* no costs or no sides: nothing tells how far to go */
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
        step_prices(&d);
        falling = is_falling(&d, patient, ++step, &violation);
    }
    measure(&d);
    bool near = falling && c->gap <= (patient ? GAP_PATIENT : GAP_MOST);
    log_line(s->log, VOUCH_LOG_INFO, "start: %s; %d steps of multipliers, rows violated by %.3g in all, gap of the objectives %.2g",
             near ? "a point near the optimum" : "no point near the optimum", step, c->infeasible, c->gap);
    return near ? RUN_OPTIMAL : RUN_STALLED;
}

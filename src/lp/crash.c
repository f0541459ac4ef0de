/* lp/crash.c - a start near the optimum, for programs with a long way from the slack basis: a nearly optimal point with
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
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "lp/simplex.h"
#include "lp/tolerance.h"

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

static void step_prices(const descent *d)
{
    for (int i = 0; i < d->s->m; i++) {
        d->c->price[i] = d->slope[i];
        d->slope[i] = slope_of_row(d, i);
    }
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
        step_prices(&d);
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

static void count_misplaced(choice *h)
{
    h->misplaced = 0;
    for (int p = 0; p < h->s->m; p++) h->misplaced += is_misplaced(h, h->s->head[p]);
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
    for (int64_t e = g->a->start[j]; e < g->a->start[j + 1]; e++) {
        if (g->column_of[g->a->index[e]] == ROW_OPEN) return g->a->index[e];
    }
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
    count_misplaced(h);
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
        for (int v = 0; v < s->vars; v++) {
            if (s->where[v] < 0) place_near(&h, v);
        }
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
    for (int v = s->m; v < s->vars; v++) {
        if (isinf(s->lower[v]) && isinf(s->upper[v])) return false;
    }
    return true;
}

static bool is_large(const simplex *s, double columns, int entries)
{
    return s->m >= ROWS_LEAST && s->n >= columns * s->m && s->a.start[s->n] >= (int64_t)entries * s->n && simplex_is_slack(s) &&
           s->iterations == 0 && is_bounded(s);
}

/* Shifts costs so that the point's multipliers belong to the basis. Basic logicals of equations belong to dependent rows, whose
 * multipliers are arbitrary. */
static void shift_costs(simplex *s, const crash_point *c)
{
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        if (v >= s->m || s->lower[v] != s->upper[v]) s->work.cost[v] -= c->reduced[v];
    }
    s->work.costs_shifted = true;
    s->dual_trust = INVALID;
    s->pricing.edge_valid = false;
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
    shift_costs(s, c);
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

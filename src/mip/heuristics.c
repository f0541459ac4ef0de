/* mip/heuristics.c - see heuristics.h.
 *
 * A dive is a walk down the tree without return: fix one fractional column by a rule, propagate, re-solve, and so on; a dead end
 * turns the last choice round once. Sources: T. Achterberg, Constraint Integer Programming (2007), chapter 9, for the rules; T.
 * Berthold, Primal heuristics for mixed integer programs (2006). */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/rng.h"
#include "mip/search.h"

enum { LEAST_DIVE = 10 };

void heuristic_round(mip_search *s)
{
    if (s->lp.fractions == 0) return;
    double *point = MEM_NEW(double, s->model->n);
    if (!point) return;
    MEM_COPY(point, s->lp.x, s->model->n);
    bool free = true; /* of locks, in some direction */
    for (int k = 0; k < s->lp.fractions && free; k++) {
        int j = s->lp.fractional[k];
        point[j] = s->locks[0][j] == 0 ? floor(s->lp.x[j]) : ceil(s->lp.x[j]);
        free = s->locks[0][j] == 0 || s->locks[1][j] == 0;
    }
    if (free) (void)mip_search_offer(s, point);
    mem_free(point);
}

void heuristic_suggest(mip_search *s)
{
    double value;
    if (!s->owner->suggest || !s->owner->suggest(s->owner->context, s->lp.x, s->point, &value)) return;
    mip_search_adopt(s, s->point, value);
}

typedef struct dive_choice {
    int col;
    bool up;
    double rank; /* least first */
} dive_choice;

static dive_choice rank_column(const mip_search *s, dive_rule rule, int j)
{
    double f = fraction_of(s->lp.x[j]);
    dive_choice c = {.col = j, .up = f >= 0.5};
    CHECK(s->model->integer[j] && f >= 0 && f < 1);
    double distance = c.up ? 1 - f : f;
    switch (rule) {
    case DIVE_LOCKS:
        if (s->locks[0][j] != s->locks[1][j]) c.up = s->locks[1][j] < s->locks[0][j];
        distance = c.up ? 1 - f : f;
        c.rank = (c.up ? s->locks[1][j] : s->locks[0][j]) + distance;
        break;
    case DIVE_PSEUDO: {
        double down = f * pseudo_expect(&s->pseudo, j, false), up = (1 - f) * pseudo_expect(&s->pseudo, j, true);
        c.up = f > 0.7 || (f >= 0.3 && up <= down);
        c.rank = (c.up ? up - down : down - up) + DIVE_TIE * (c.up ? 1 - f : f);
        break;
    }
    case DIVE_GUIDED:
        c.up = s->best.x[j] > s->lp.x[j];
        c.rank = c.up ? 1 - f : f;
        break;
    default: /* up first: a binary at 1 decides its whole group */
        c.rank = s->model->upper[j] - s->model->lower[j] <= 1 ? 1 - f : distance;
        c.up = s->model->upper[j] - s->model->lower[j] <= 1 ? true : c.up;
        break;
    }
    return c;
}

static bool apply(mip_search *s, dive_choice c, double x)
{
    bool alive = c.up ? domain_set_lower(&s->dom, c.col, floor(x) + 1) : domain_set_upper(&s->dom, c.col, floor(x));
    return alive && domain_propagate(&s->dom);
}

/* After a fixing: bounds to the relaxation and a solve. True: s->lp.x is the new point. */
static bool resolve(mip_search *s, long long iterations)
{
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    if (relax_solve(&s->lp.relax, s->best.cutoff, iterations) != RELAX_OPTIMAL) return false;
    mip_search_take_point(s);
    return true;
}

void heuristic_dive(mip_search *s, dive_rule rule, long long iteration_budget)
{
    int n = s->model->n;
    if (s->lp.fractions == 0 || (rule == DIVE_GUIDED && !s->best.found)) return;
    double *x = MEM_NEW(double, 2 * (size_t)n), value = s->lp.value;
    packed_basis *basis = relax_basis(&s->lp.relax);
    size_t mark = domain_mark(&s->dom);
    long long from = s->lp.relax.iterations;
    if (!x || !basis) goto done;
    MEM_COPY(x, s->lp.x, n);
    MEM_COPY(x + n, s->lp.reduced, n);
    for (int depth = 0; /* general integers can go on without end */
         depth < LEAST_DIVE + 2 * n && s->lp.fractions > 0 && s->lp.relax.iterations - from < iteration_budget &&
         !mip_search_must_stop(s);
         depth++) {
        dive_choice best = {.col = -1, .rank = INFINITY};
        for (int k = 0; k < s->lp.fractions; k++) {
            dive_choice c = rank_column(s, rule, s->lp.fractional[k]);
            if (c.rank < best.rank) best = c;
        }
        CHECK(best.col >= 0 && s->model->integer[best.col]);
        size_t before = domain_mark(&s->dom);
        double at = s->lp.x[best.col];
        long long each = iteration_budget;
        if (!apply(s, best, at) || !resolve(s, each)) {
            domain_undo(&s->dom, before);
            best.up = !best.up;
            if (s->end.stopped || !apply(s, best, at) || !resolve(s, each)) break;
        }
        if (s->lp.fractions == 0) {
            (void)mip_search_offer(s, s->lp.x);
            break;
        }
        if (depth % 4 == 3) heuristic_round(s);
    }
    domain_undo(&s->dom, mark);
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    relax_set_basis(&s->lp.relax, basis);
    MEM_COPY(s->lp.x, x, n);
    MEM_COPY(s->lp.reduced, x + n, n);
    s->lp.value = value;
    mip_search_list_fractional(s);
done:
    s->heuristic_iterations += s->lp.relax.iterations - from;
    packed_basis_free(basis);
    mem_free(x);
}

/* ---- feasibility jump -----------------------------------------------------------------------------------------------------------
 *
 * The walk minimises the weighted violation  sum_i w_i max(0, a_i x - ru_i, rl_i - a_i x)  of the rows, one column at a time. In
 * one column x_j it is convex and piecewise linear; its minimum within the bounds other than x_j is the column's jump. The walk
 * makes the best of some columns whose jump gains; where none gains, the violated rows become heavier, and a column of one of them
 * jumps. Source: B. Luteberget, G. Sartor, Feasibility Jump: an LP-free Lagrangian MIP heuristic, Mathematical Programming
 * Computation 15 (2023), algorithms 1 and 2. Deviations: rows are scaled by their largest coefficient; the first walk starts from
 * the relaxation's point; gains of binaries are updated with each row that changes, jumps of other columns are found anew when they
 * are drawn. */

enum {
    SAMPLES = 25, /* columns drawn for a jump */
    WORK = 20     /* of a walk: times the entries, plus a constant */
};

/* Numbers out of 0 .. n - 1 in no order. */
typedef struct index_set {
    int *item, *place; /* [n]; place: of the number in item, -1: not in the set */
    int count;
} index_set;

/* The violation falls until `at` and rises from there, or the other way round; slope: the change. */
typedef struct breakpoint {
    double at, slope;
} breakpoint;

typedef struct jump_walk {
    const mip_model *p;
    const double *lower, *upper;       /* [n] */
    double *x, *jump, *gain;           /* [n] value, where it would jump, by how much the violation would fall */
    double *activity, *weight, *scale; /* [m] scale: 1 / the largest coefficient */
    bool *stale;                       /* [n] jump and gain are of other activities */
    index_set gaining, violated;       /* columns that may gain; rows */
    breakpoint *breaks;                /* [2 * entries of the longest column] */
    rng random;
    long long work; /* entries looked at */
} jump_walk;

static void set_member(index_set *s, int k, bool in)
{
    if (in == (s->place[k] >= 0)) return;
    if (in) {
        s->place[k] = s->count;
        s->item[s->count++] = k;
        return;
    }
    int last = s->item[--s->count];
    s->item[s->place[k]] = last;
    s->place[last] = s->place[k];
    s->place[k] = -1;
}

static bool is_binary(const jump_walk *w, int j) { return w->p->integer[j] && w->lower[j] == 0 && w->upper[j] == 1; }

/* Weighted violation of row i at this activity. */
static double violation(const jump_walk *w, int i, double activity)
{
    double v = fmax(activity - w->p->row_upper[i], w->p->row_lower[i] - activity);
    return v > 0.1 * MIP_FEASIBILITY + MIP_RELATIVE_FEASIBILITY * fabs(activity) ? w->weight[i] * w->scale[i] * v : 0;
}

/* By how much the violation falls when x_j becomes `to`. */
static double gain_of(jump_walk *w, int j, double to)
{
    const mip_model *p = w->p;
    double sum = 0, step = to - w->x[j];
    for (int64_t k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
        int i = p->col_row[k];
        sum += violation(w, i, w->activity[i]) - violation(w, i, w->activity[i] + p->col_value[k] * step);
    }
    w->work += p->col_start[j + 1] - p->col_start[j];
    return sum;
}

static int by_place(const void *a, const void *b)
{
    double x = ((const breakpoint *)a)->at, y = ((const breakpoint *)b)->at;
    return (x > y) - (x < y);
}

/* Where the violation of the rows of column j is least, without regard to whole numbers. */
static double least_violation(jump_walk *w, int j)
{
    const mip_model *p = w->p;
    double slope = 0; /* left of all breakpoints */
    int count = 0;
    for (int64_t k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
        int i = p->col_row[k];
        double a = p->col_value[k], others = w->activity[i] - a * w->x[j], change = w->weight[i] * w->scale[i] * fabs(a);
        for (int upper = 0; upper < 2 && a != 0; upper++) {
            double side = upper ? p->row_upper[i] : p->row_lower[i];
            if (isinf(side)) continue;
            if ((a < 0) == (upper == 1)) slope -= change; /* violated on the left */
            w->breaks[count++] = (breakpoint){(side - others) / a, change};
        }
    }
    w->work += 4 * count;
    qsort(w->breaks, (size_t)count, sizeof *w->breaks, by_place);
    int k = 0;
    while (k < count && slope < 0) slope += w->breaks[k++].slope;
    if (slope < 0) return w->upper[j]; /* an infinite one has no such slope */
    return k > 0 ? w->breaks[k - 1].at : isfinite(w->lower[j]) || count == 0 ? w->lower[j] : w->breaks[0].at;
}

/* The whole number next to v at which column j gains more, other than x_j. */
static double whole_jump(jump_walk *w, int j, double v)
{
    double l = w->lower[j], u = w->upper[j], x = w->x[j], down = fmax(floor(v), l), up = fmin(ceil(v), u);
    if (down == x && up == x) down = fmax(x - 1, l), up = fmin(x + 1, u);
    if (down == x || up == x || down == up) return down == x ? up : down;
    return gain_of(w, j, down) >= gain_of(w, j, up) ? down : up;
}

static void find_jump(jump_walk *w, int j)
{
    double x = w->x[j];
    w->stale[j] = false;
    if (is_binary(w, j)) {
        w->jump[j] = 1 - x;
    } else {
        double v = fmin(fmax(least_violation(w, j), w->lower[j]), w->upper[j]);
        w->jump[j] = !isfinite(v) ? x : w->p->integer[j] ? whole_jump(w, j, v) : v;
    }
    w->gain[j] = w->jump[j] == x ? 0 : gain_of(w, j, w->jump[j]);
}

static void grade(jump_walk *w, int j)
{
    set_member(&w->gaining, j, w->lower[j] < w->upper[j] && (w->stale[j] || w->gain[j] > LEAST_JUMP_GAIN));
}

/* Row i takes another activity and weight; gains of its columns but `moved` follow. */
static void change_row(jump_walk *w, int i, double activity, double weight, int moved)
{
    const mip_model *p = w->p;
    double old = w->activity[i], old_weight = w->weight[i], before = violation(w, i, old), after;
    w->weight[i] = weight;
    after = violation(w, i, activity);
    double factor = old_weight / weight;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        if (j == moved || w->lower[j] == w->upper[j]) continue;
        if (is_binary(w, j)) {
            double step = p->row_value[k] * (w->jump[j] - w->x[j]);
            w->gain[j] += after - violation(w, i, activity + step) - before + factor * violation(w, i, old + step);
        } else {
            w->stale[j] = true;
        }
        grade(w, j);
    }
    w->work += p->row_start[i + 1] - p->row_start[i];
    w->activity[i] = activity;
    set_member(&w->violated, i, after > 0);
}

/* The gain that is kept, as rows changed, is that of a fresh sum. */
static void gain_check(jump_walk *w, int j)
{
    if (!CHECKING) return;
    double kept = w->gain[j], fresh = gain_of(w, j, w->jump[j]);
    CHECK(fabs(kept - fresh) <= KEPT_ACTIVITY * (1 + fabs(kept) + fabs(fresh)));
}

static void jump(jump_walk *w, int j)
{
    const mip_model *p = w->p;
    double step = w->jump[j] - w->x[j];
    gain_check(w, j);
    for (int64_t k = p->col_start[j]; k < p->col_start[j + 1]; k++) {
        int i = p->col_row[k];
        change_row(w, i, w->activity[i] + p->col_value[k] * step, w->weight[i], j);
    }
    w->x[j] = w->jump[j];
    find_jump(w, j);
    grade(w, j);
}

/* x: where the columns start. NULL: at their bounds next to 0. */
static void begin(jump_walk *w, const double *x)
{
    const mip_model *p = w->p;
    w->gaining.count = w->violated.count = 0;
    for (int j = 0; j < p->n; j++) {
        double v = x ? x[j] : 0;
        w->x[j] = fmin(fmax(p->integer[j] ? round(v) : v, w->lower[j]), w->upper[j]);
        w->gaining.place[j] = -1;
    }
    for (int i = 0; i < p->m; i++) {
        double largest = 0;
        w->activity[i] = 0;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            w->activity[i] += p->row_value[k] * w->x[p->row_col[k]];
            largest = fmax(largest, fabs(p->row_value[k]));
        }
        w->scale[i] = largest > 0 ? 1 / largest : 1;
        w->weight[i] = 1;
        w->violated.place[i] = -1;
        set_member(&w->violated, i, violation(w, i, w->activity[i]) > 0);
    }
    for (int j = 0; j < p->n; j++) {
        find_jump(w, j);
        grade(w, j);
    }
}

/* The best of some columns that gain; -1: none of those drawn does. */
static int draw_gaining(jump_walk *w)
{
    int best = -1;
    for (int t = 0; t < SAMPLES && w->gaining.count > 0; t++) {
        int j = w->gaining.item[rng_below(&w->random, (uint64_t)w->gaining.count)];
        if (w->stale[j]) {
            find_jump(w, j);
            grade(w, j);
        }
        if (w->gain[j] > LEAST_JUMP_GAIN && (best < 0 || w->gain[j] > w->gain[best])) best = j;
        w->work++;
    }
    return best;
}

/* No column gains: violated rows become heavier. The column of one of them, some looked at, that loses least; -1: it has none. */
static int draw_from_row(jump_walk *w)
{
    const mip_model *p = w->p;
    for (int k = 0; k < w->violated.count; k++) {
        int i = w->violated.item[k];
        change_row(w, i, w->activity[i], w->weight[i] + 1, -1);
    }
    int i = w->violated.item[rng_below(&w->random, (uint64_t)w->violated.count)], best = -1;
    int64_t from = p->row_start[i], length = p->row_start[i + 1] - from;
    uint64_t first = length > 0 ? rng_below(&w->random, (uint64_t)length) : 0;
    for (int t = 0; t < length && t < SAMPLES; t++) {
        int j = p->row_col[from + (int64_t)((first + (uint64_t)t) % (uint64_t)length)];
        if (w->lower[j] == w->upper[j]) continue;
        if (w->stale[j]) {
            find_jump(w, j);
            grade(w, j);
        }
        if (w->jump[j] != w->x[j] && (best < 0 || w->gain[j] > w->gain[best])) best = j;
    }
    return best;
}

/* True: no row is violated. */
static bool go(jump_walk *w, long long limit)
{
    while (w->violated.count > 0 && w->work < limit) {
        int j = draw_gaining(w);
        if (j < 0 && w->gaining.count > 0) continue; /* those drawn were stale */
        if (j < 0) j = draw_from_row(w);
        if (j >= 0) jump(w, j);
    }
    return w->violated.count == 0;
}

bool heuristic_jump(mip_search *s)
{
    const mip_model *p = s->model;
    arena a = {0};
    size_t n = (size_t)p->n, m = (size_t)p->m;
    int64_t longest = 0;
    for (int j = 0; j < p->n; j++)
        if (p->col_start[j + 1] - p->col_start[j] > longest) longest = p->col_start[j + 1] - p->col_start[j];
    jump_walk w = {.p = p, .lower = s->dom.lower, .upper = s->dom.upper, .random = rng_seed(s->options->seed)};
    double **by_column[] = {&w.x, &w.jump, &w.gain}, **by_row[] = {&w.activity, &w.weight, &w.scale};
    for (int k = 0; k < 3; k++) {
        *by_column[k] = ARENA_NEW(&a, double, n);
        *by_row[k] = ARENA_NEW(&a, double, m);
    }
    w.gaining = (index_set){ARENA_NEW(&a, int, n), ARENA_NEW(&a, int, n), 0};
    w.violated = (index_set){ARENA_NEW(&a, int, m), ARENA_NEW(&a, int, m), 0};
    w.stale = ARENA_ZERO(&a, bool, n);
    w.breaks = ARENA_NEW(&a, breakpoint, 2 * (size_t)longest);
    bool found = false;
    for (int start = 0; start < 2 && !found && !a.failed && !deadline_expired(s->clock); start++) {
        begin(&w, start == 0 ? s->lp.x : NULL);
        found = go(&w, w.work + WORK * (p->col_start[n] + 10000)) && mip_search_offer(s, w.x);
    }
    arena_free(&a);
    return found;
}

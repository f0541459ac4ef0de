/* mip/mir.c - mixed-integer rounding.
 *
 * From  sum_j a_j y_j + sum_k g_k w_k <= b  with integers y >= 0, continuous w >= 0 and a divisor d:
 *     f0 = b/d - floor(b/d),   F(t) = floor(t) + max(0, t - floor(t) - f0) / (1 - f0),
 *     sum_j F(a_j/d) y_j + sum_{g_k < 0} g_k / (d (1 - f0)) w_k <= floor(b/d).
 * The columns become y, w by shifting to or complementing at their bounds, continuous ones also at bounds that depend on an
 * integer column. Of several divisors and complementations the one with the most distant cut wins. Source: H. Marchand, L. A.
 * Wolsey, Aggregation and mixed integer rounding to solve MIPs, Operations Research 49 (2001), section 4. With a row of the
 * simplex tableau, d = 1 and nonbasic columns at their bounds it is Gomory's mixed-integer cut.
 */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "mip/scene.h"

enum { MOST_DIVISORS = 12 };

vouch_status aggregate_init(aggregate *a, cut_scene *c)
{
    arena *m = &c->memory;
    *a = (aggregate){.col = ARENA_ZERO(m, double, c->n),
                     .slack = ARENA_ZERO(m, double, c->m),
                     .cols = ARENA_NEW(m, int, c->n),
                     .slacks = ARENA_NEW(m, int, c->m),
                     .col_in = ARENA_ZERO(m, bool, c->n),
                     .slack_in = ARENA_ZERO(m, bool, c->m),
                     .side = ARENA_ZERO(m, signed char, c->m),
                     .rows = ARENA_NEW(m, int, c->m),
                     .row_in = ARENA_ZERO(m, bool, c->m),
                     .factor = ARENA_ZERO(m, double, c->m)};
    return m->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

void aggregate_clear(aggregate *a)
{
    for (int k = 0; k < a->col_count; k++) a->col[a->cols[k]] = 0, a->col_in[a->cols[k]] = false;
    for (int k = 0; k < a->slack_count; k++) a->slack[a->slacks[k]] = 0, a->slack_in[a->slacks[k]] = false;
    for (int k = 0; k < a->row_count; k++) a->factor[a->rows[k]] = 0, a->row_in[a->rows[k]] = false;
    a->col_count = a->slack_count = a->row_count = 0;
    a->right = a->size = 0;
}

void aggregate_add(aggregate *a, const cut_scene *c, int row, double factor, int side)
{
    double lower = c->row_lower[row], upper = c->row_upper[row];
    CHECK(row >= 0 && row < c->m && (side == 1 || side == -1) && !(isinf(lower) && isinf(upper)));
    if (lower == upper)
        side = 0;
    else if (side > 0 ? isinf(upper) : isinf(lower))
        side = -side;
    for (int64_t k = c->start[row]; k < c->start[row + 1]; k++) {
        int j = c->index[k];
        if (!a->col_in[j]) {
            a->col_in[j] = true;
            a->cols[a->col_count++] = j;
        }
        a->col[j] += factor * c->value[k];
    }
    if (!a->row_in[row]) {
        a->row_in[row] = true;
        a->rows[a->row_count++] = row;
    }
    a->factor[row] += factor;
    a->right += factor * (side < 0 ? lower : upper);
    a->size = fmax(a->size, fabs(factor * (side < 0 ? lower : upper)));
    if (side == 0) return;
    if (!a->slack_in[row]) {
        a->slack_in[row] = true;
        a->slacks[a->slack_count++] = row;
        a->side[row] = (signed char)side;
    }
    a->slack[row] += side > 0 ? factor : -factor;
}

/* An integer of the rounded row: a column (j >= 0) or the slack of row -1 - j. */
typedef struct whole_term {
    int j;
    bool complemented; /* y = upper - x, else y = x - lower */
    double a, y;       /* coefficient; value at the point */
    double range;      /* upper - lower */
} whole_term;

typedef enum substitution { AT_LOWER, AT_UPPER, AT_BELOW, AT_ABOVE } substitution;

/* A continuous column or slack with its coefficient after substitution. */
typedef struct loose_term {
    int j;
    substitution at;
    double g, w;
} loose_term;

typedef struct rounded_row {
    whole_term *whole;
    loose_term *loose;
    int wholes, looses;
    double right, size;     /* size: largest term that was added to right */
    double loose_violation; /* sum over g < 0 of g w */
    variable_bound *bound;  /* those used, with what they were used for */
    double *bound_factor;
    int *upper; /* continuous columns at their upper bounds */
    int bounds, uppers;
    int *touched; /* integer columns that may have a coefficient; one may stand there twice */
    int touches;
    bool tied; /* with variable bounds preferred, or not, it would be another */
} rounded_row;

static double positive(double x) { return x > 0 ? x : 0; }

static void add_right(rounded_row *r, double term)
{
    r->right += term;
    r->size = fmax(r->size, fabs(term));
}

/* The bound of continuous column j that is nearest to the point, of equally near ones the variable or the constant one;
 * *gap: how far. INFINITY: the column is free. */
static substitution nearest_bound(const cut_scene *c, int j, bool prefer_variable, double *gap)
{
    static const substitution order[2][4] = {{AT_LOWER, AT_UPPER, AT_BELOW, AT_ABOVE}, {AT_BELOW, AT_ABOVE, AT_LOWER, AT_UPPER}};
    double x = c->x[j], gaps[4] = {x - c->lower[j], c->upper[j] - x, INFINITY, INFINITY};
    variable_bound below = c->below[j], above = c->above[j];
    if (below.z >= 0) gaps[AT_BELOW] = x - below.factor * c->x[below.z] - below.constant;
    if (above.z >= 0) gaps[AT_ABOVE] = above.factor * c->x[above.z] + above.constant - x;
    substitution best = AT_LOWER;
    *gap = INFINITY;
    for (int q = 0; q < 4; q++) {
        substitution o = order[prefer_variable][q];
        if (gaps[o] < *gap - SAME_DISTANCE) *gap = gaps[o], best = o;
    }
    return best;
}

/* Continuous columns: their variable bounds change coefficients of integer columns. False: one is free. */
static bool substitute_continuous(const cut_scene *c, const aggregate *a, bool prefer_variable, double *integer_part,
                                  rounded_row *r)
{
    for (int k = 0; k < a->col_count; k++) {
        int j = a->cols[k];
        double g = a->col[j], gap;
        if (c->model->integer[j] || fabs(g) <= ZERO_COEFFICIENT) continue;
        substitution other = nearest_bound(c, j, !prefer_variable, &gap), at = nearest_bound(c, j, prefer_variable, &gap);
        if (!(gap < INFINITY)) return false;
        r->tied = r->tied || at != other;
        bool up = at == AT_UPPER || at == AT_ABOVE;
        if (at == AT_LOWER) add_right(r, -g * c->lower[j]);
        if (at == AT_UPPER) add_right(r, -g * c->upper[j]), r->upper[r->uppers++] = j;
        if (at == AT_BELOW || at == AT_ABOVE) {
            variable_bound b = at == AT_BELOW ? c->below[j] : c->above[j];
            integer_part[b.z] += g * b.factor;
            r->touched[r->touches++] = b.z;
            add_right(r, -g * b.constant);
            r->bound_factor[r->bounds] = -g / b.coefficient;
            r->bound[r->bounds++] = b;
        }
        loose_term t = {.j = j, .at = at, .w = positive(gap), .g = up ? -g : g};
        if (t.g >= 0) continue;
        r->loose[r->looses++] = t;
        r->loose_violation += t.g * t.w;
    }
    return true;
}

static int by_column(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Integer columns at the nearer bound. False: one is free. */
static bool substitute_integers(const cut_scene *c, double *integer_part, rounded_row *r)
{
    qsort(r->touched, (size_t)r->touches, sizeof *r->touched, by_column);
    for (int k = 0; k < r->touches; k++) {
        int j = r->touched[k];
        double v = integer_part[j];
        integer_part[j] = 0;
        if (fabs(v) <= ZERO_COEFFICIENT) continue;
        double lower = c->lower[j], upper = c->upper[j], x = c->x[j];
        if (isinf(lower) && isinf(upper)) return false;
        whole_term t = {.j = j, .range = upper - lower};
        t.complemented = isinf(lower) || (isfinite(upper) && upper - x < x - lower);
        t.a = t.complemented ? -v : v;
        t.y = positive(t.complemented ? upper - x : x - lower);
        add_right(r, -v * (t.complemented ? upper : lower));
        r->whole[r->wholes++] = t;
    }
    return true;
}

static void substitute_slacks(const cut_scene *c, const aggregate *a, rounded_row *r)
{
    for (int k = 0; k < a->slack_count; k++) {
        int i = a->slacks[k];
        double v = a->slack[i];
        CHECK(a->side[i] == 1 || a->side[i] == -1);
        if (fabs(v) <= ZERO_COEFFICIENT) continue;
        double s = positive(a->side[i] > 0 ? c->row_upper[i] - c->activity[i] : c->activity[i] - c->row_lower[i]);
        if (c->whole[i]) {
            r->whole[r->wholes++] = (whole_term){.j = -1 - i, .a = v, .y = s, .range = INFINITY};
        } else if (v < 0) {
            r->loose[r->looses++] = (loose_term){.j = -1 - i, .g = v, .w = s};
            r->loose_violation += v * s;
        }
    }
}

/* Chooses bounds for every term. False: a column is free. integer_part: [n] zeros, left so. O(length of the combination) */
static bool substitute(const cut_scene *c, const aggregate *a, bool prefer_variable, double *integer_part, rounded_row *r)
{
    r->wholes = r->looses = r->bounds = r->uppers = r->touches = 0;
    r->tied = false;
    r->right = a->right;
    r->size = a->size;
    r->loose_violation = 0;
    for (int k = 0; k < a->col_count; k++) {
        int j = a->cols[k];
        if (!c->model->integer[j]) continue;
        integer_part[j] += a->col[j];
        r->touched[r->touches++] = j;
    }
    if (!substitute_continuous(c, a, prefer_variable, integer_part, r) || !substitute_integers(c, integer_part, r)) {
        for (int k = 0; k < r->touches; k++) integer_part[r->touched[k]] = 0;
        return false;
    }
    substitute_slacks(c, a, r);
    return true;
}

static double rounded(double t, double f0)
{
    /* no more than the rounding of t: what is added here is multiplied by the range of the column */
    double down = floor(t + 10 * MIP_ROUNDING * fmax(1, fabs(t))), f = t - down;
    return f > f0 ? down + (f - f0) / (1 - f0) : down;
}

/* Distance of the point from the cut with divisor d, about; -INFINITY where d is unusable. */
static double efficacy(const rounded_row *r, double d)
{
    double b = r->right / d, f0 = b - floor(b);
    if (MIP_ROUNDING * r->size > ROUNDING_ERROR * fabs(d)) return -INFINITY;
    if (f0 < LEAST_FRACTION || f0 > MOST_FRACTION) return -INFINITY;
    double violation = -floor(b), square = 0;
    for (int k = 0; k < r->wholes; k++) {
        double v = rounded(r->whole[k].a / d, f0);
        violation += v * r->whole[k].y;
        square += v * v;
    }
    for (int k = 0; k < r->looses; k++) {
        double v = r->loose[k].g / (d * (1 - f0));
        square += v * v;
    }
    violation += r->loose_violation / (d * (1 - f0));
    return square > 0 ? violation / sqrt(square) : -INFINITY;
}

static void add_slack(cut_scene *c, const aggregate *a, int *count, int i, double v, double *upper)
{
    double sign = a->side[i] > 0 ? -1 : 1; /* s = row_upper - a x, or a x - row_lower */
    *upper += a->side[i] > 0 ? -v * c->row_upper[i] : v * c->row_lower[i];
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) cut_scene_add(c, count, c->index[k], sign * v * c->value[k]);
}

/* The recipe of the cut with divisor d; NULL: memory. */
static cut_recipe *recipe_of(const aggregate *a, const rounded_row *r, double d)
{
    int rows = a->row_count + r->bounds;
    cut_recipe *made = cut_recipe_new(rows, r->wholes + r->uppers);
    if (!made) return NULL;
    for (int k = 0; k < a->row_count; k++) {
        int i = a->rows[k];
        made->row[k] = i, made->factor[k] = a->factor[i] / d, made->side[k] = a->slack_in[i] ? a->side[i] : 0;
    }
    for (int k = 0; k < r->bounds; k++) {
        int at = a->row_count + k;
        made->row[at] = r->bound[k].row, made->factor[at] = r->bound_factor[k] / d;
        made->side[at] = (signed char)r->bound[k].side;
    }
    made->rows = rows;
    for (int k = 0; k < r->wholes; k++)
        if (r->whole[k].j >= 0 && r->whole[k].complemented) made->upper[made->uppers++] = r->whole[k].j;
    for (int k = 0; k < r->uppers; k++) made->upper[made->uppers++] = r->upper[k];
    return made;
}

/* The cut with divisor d, in the columns again. */
static void offer(cut_scene *c, const aggregate *a, const rounded_row *r, double d)
{
    double b = r->right / d, f0 = b - floor(b), upper = floor(b);
    CHECK(f0 >= LEAST_FRACTION && f0 <= MOST_FRACTION);
    int count = 0;
    for (int k = 0; k < r->wholes; k++) {
        const whole_term *t = &r->whole[k];
        double v = rounded(t->a / d, f0);
        if (v == 0) continue;
        if (t->j < 0)
            add_slack(c, a, &count, -1 - t->j, v, &upper);
        else {
            cut_scene_add(c, &count, t->j, t->complemented ? -v : v);
            upper += v * (t->complemented ? -c->upper[t->j] : c->lower[t->j]);
        }
    }
    for (int k = 0; k < r->looses; k++) {
        const loose_term *t = &r->loose[k];
        double v = t->g / (d * (1 - f0));
        if (t->j < 0) {
            add_slack(c, a, &count, -1 - t->j, v, &upper);
            continue;
        }
        variable_bound vb = t->at == AT_BELOW ? c->below[t->j] : c->above[t->j];
        switch (t->at) {
        case AT_LOWER:
            cut_scene_add(c, &count, t->j, v), upper += v * c->lower[t->j];
            break;
        case AT_UPPER:
            cut_scene_add(c, &count, t->j, -v), upper -= v * c->upper[t->j];
            break;
        case AT_BELOW:
            cut_scene_add(c, &count, t->j, v), cut_scene_add(c, &count, vb.z, -v * vb.factor), upper += v * vb.constant;
            break;
        case AT_ABOVE:
            cut_scene_add(c, &count, t->j, -v), cut_scene_add(c, &count, vb.z, v * vb.factor), upper -= v * vb.constant;
            break;
        }
    }
    size_t before = c->found.count;
    cut_scene_offer(c, count, upper);
    if (c->recipes && c->found.count > before) c->found.item[before].recipe = recipe_of(a, r, d);
}

static bool complement(whole_term *t, double *right)
{
    if (t->j < 0 || isinf(t->range)) return false;
    *right -= t->a * t->range;
    t->a = -t->a;
    t->y = positive(t->range - t->y);
    t->complemented = !t->complemented;
    return true;
}

/* The best divisor and complementation of r, which is changed accordingly; its efficacy. */
static double improve(rounded_row *r, bool gomory, double *divisor)
{
    double best = gomory ? efficacy(r, 1) : -INFINITY, best_d = 1;
    double tried[MOST_DIVISORS];
    int count = 0;
    for (int k = 0; k < r->wholes && count < MOST_DIVISORS; k++) {
        double d = fabs(r->whole[k].a);
        if (!(r->whole[k].y > CUT_FRACTION) || (isfinite(r->whole[k].range) && r->whole[k].y > r->whole[k].range - CUT_FRACTION) ||
            d < LEAST_DIVISOR)
            continue;
        bool again = false;
        for (int q = 0; q < count; q++) again = again || fabs(tried[q] - d) <= SAME_DIVISOR * d;
        if (again) continue;
        tried[count++] = d;
        double e = efficacy(r, d);
        if (e > best) best = e, best_d = d;
    }
    if (!(best > -INFINITY)) return best;
    double base = best_d;
    for (double q = 2; q <= 8; q *= 2) {
        double e = efficacy(r, base / q);
        if (e > best) best = e, best_d = base / q;
    }
    for (int k = 0; k < r->wholes; k++) { /* complement columns in the middle of their range where that helps */
        whole_term *t = &r->whole[k], held = *t;
        double right = r->right;
        if (t->y < CUT_FRACTION || isinf(t->range) || t->range - t->y < CUT_FRACTION) continue;
        if (!complement(t, &r->right)) continue;
        double e = efficacy(r, best_d);
        if (e > best + SAME_DISTANCE)
            best = e;
        else
            *t = held, r->right = right;
    }
    *divisor = best_d;
    return best;
}

bool mir_separate(cut_scene *c, const aggregate *a, bool gomory)
{
    arena memory = {0};
    size_t most = 2 * (size_t)a->col_count; /* each column, and what its bound depends on */
    rounded_row r = {.whole = ARENA_NEW(&memory, whole_term, most + (size_t)a->slack_count),
                     .loose = ARENA_NEW(&memory, loose_term, a->col_count + a->slack_count),
                     .bound = ARENA_NEW(&memory, variable_bound, a->col_count),
                     .bound_factor = ARENA_NEW(&memory, double, a->col_count),
                     .upper = ARENA_NEW(&memory, int, a->col_count),
                     .touched = ARENA_NEW(&memory, int, most)};
    size_t before = c->found.count;
    /* Constant bounds make the sparser cuts, variable ones those of flows that switch on and off: which cuts more shows later. */
    r.tied = true;
    for (int prefer = 0; !memory.failed && prefer <= 1 && r.tied; prefer++) {
        double divisor = 1;
        if (!substitute(c, a, prefer, c->coefficient, &r) || r.wholes == 0) continue;
        if (improve(&r, gomory, &divisor) > CUT_EFFICACY) offer(c, a, &r, divisor);
    }
    arena_free(&memory);
    return c->found.count > before;
}

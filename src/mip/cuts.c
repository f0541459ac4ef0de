/* mip/cuts.c - the scene that separators of cuts work on, the choice of cuts, and mixed-integer rounding. */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"
#include "lp/follow.h"
#include "mip/search.h"

/* ---- mixed-integer rounding -----------------------------------------------------------------------------------------------------
 *
 * From  sum_j a_j y_j + sum_k g_k w_k <= b  with integers y >= 0, continuous w >= 0 and a divisor d:
 *     f0 = b/d - floor(b/d),   F(t) = floor(t) + max(0, t - floor(t) - f0) / (1 - f0),
 *     sum_j F(a_j/d) y_j + sum_{g_k < 0} g_k / (d (1 - f0)) w_k <= floor(b/d).
 * The columns become y, w by shifting to or complementing at their bounds, continuous ones also at bounds that depend on an integer
 * column. Of several divisors and complementations the one with the most distant cut wins. Source: H. Marchand, L. A. Wolsey,
 * Aggregation and mixed integer rounding to solve MIPs, Operations Research 49 (2001), section 4. With a row of the simplex
 * tableau, d = 1 and nonbasic columns at their bounds it is Gomory's mixed-integer cut. */

enum { MOST_DIVISORS = 12, LIFTING_WORK = 50000 /* entries of tables, for one cut */ };

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
    double v;          /* coefficient in the cut */
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

/* Exactly: what a coefficient lacks of a whole number grows with its column. */
static bool is_whole(double x) { return x == round(x) && fabs(x) <= LARGEST_WHOLE; }

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

/* Integer columns at the nearer bound. False: one is free. */
static bool substitute_integers(const cut_scene *c, double *integer_part, rounded_row *r)
{
    qsort(r->touched, (size_t)r->touches, sizeof *r->touched, ascending_ints);
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

static bool complement(whole_term *t, double *right)
{
    if (t->j < 0 || isinf(t->range)) return false;
    *right -= t->a * t->range;
    t->a = -t->a;
    t->y = positive(t->range - t->y);
    t->complemented = !t->complemented;
    return true;
}

/* most[A], A = 0 .. size: the largest sum of v y over whole y of weight at most A, but for one term. */
static void fill_table(const rounded_row *r, const whole_term *without, int size, double *most)
{
    for (int A = 0; A <= size; A++) most[A] = 0;
    for (const whole_term *t = r->whole; t < r->whole + r->wholes; t++) {
        if (t == without || t->v <= 0 || t->a > size) continue;
        int a = (int)t->a;
        for (int copies = 1; copies <= t->range && copies * a <= size; copies++)
            for (int A = size; A >= a; A--) most[A] = fmax(most[A], most[A - a] + t->v);
    }
}

/* Lifting: the coefficients of the cut  sum v y <= *upper  of a row of whole weights and columns are raised one after the other as
 * far as all its points allow. Columns of negative weight are complemented. */
static void lift(rounded_row *r, double *upper)
{
    double lifted = 0, copies = 0;
    for (int k = 0; k < r->wholes; k++)
        if (!is_whole(r->whole[k].a) || (r->whole[k].a < 0 && isinf(r->whole[k].range))) return;
    for (whole_term *t = r->whole; t < r->whole + r->wholes; t++) {
        if (t->a >= 0) continue;
        *upper -= t->v * t->range;
        t->v = -t->v;
        (void)complement(t, &r->right);
    }
    for (int k = 0; k < r->wholes; k++) {
        lifted += r->whole[k].y > CUT_FRACTION;
        if (r->whole[k].v > 0) copies += fmin(r->whole[k].range, r->right / fmax(r->whole[k].a, 1));
    }
    if (r->right < 1 || r->right > LIFTING_WORK || lifted * copies * r->right > LIFTING_WORK) return;
    int size = (int)floor(r->right + KNAPSACK_FIT);
    double *most = MEM_NEW(double, size + 1);
    for (whole_term *t = r->whole; most && t < r->whole + r->wholes; t++) {
        double limit = INFINITY;
        if (t->y <= CUT_FRACTION || t->a < 1 || t->j < 0) continue;
        fill_table(r, t, size, most);
        for (int y = 1; y <= t->range && y * t->a <= size; y++) limit = fmin(limit, (*upper - most[size - y * (int)t->a]) / y);
        if (isfinite(limit)) t->v = fmax(t->v, limit);
    }
    mem_free(most);
}

/* The cut with divisor d, in the columns again. */
static void offer(cut_scene *c, const aggregate *a, rounded_row *r, double d)
{
    double b = r->right / d, f0 = b - floor(b), upper = floor(b);
    CHECK(f0 >= LEAST_FRACTION && f0 <= MOST_FRACTION);
    int count = 0;
    for (int k = 0; k < r->wholes; k++) r->whole[k].v = rounded(r->whole[k].a / d, f0);
    if (!c->recipes && r->looses == 0) lift(r, &upper);
    for (int k = 0; k < r->wholes; k++) {
        const whole_term *t = &r->whole[k];
        double v = t->v;
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

/* ---- mixed-integer rounding of single rows and of sums of a few -----------------------------------------------------------------
 *
 * A row is rounded as it is; when that gives nothing, the continuous column furthest from its bounds is eliminated with another row
 * that contains it, and the sum is tried again. Source: Marchand and Wolsey as above, section 5 (path of aggregations). */

enum { MOST_SUMS = 5 };

static int near_side(const cut_scene *c, int i)
{
    return c->row_upper[i] - c->activity[i] <= c->activity[i] - c->row_lower[i] ? 1 : -1;
}

/* The other row with column j that is nearest to being tight; -1: none. Rows are looked up in the relaxation's columns. */
static int partner(const cut_scene *c, const vouch_lp_data *d, int j, const bool *used, double *coefficient)
{
    int best = -1;
    double least = INFINITY;
    for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
        int i = d->index[k];
        if (used[i] || fabs(d->value[k]) < LEAST_ELIMINATION) continue;
        double slack = fmin(c->row_upper[i] - c->activity[i], c->activity[i] - c->row_lower[i]);
        double length = (double)(c->start[i + 1] - c->start[i]);
        double score = slack / (1 + fabs(c->activity[i])) + LENGTH_PRICE * length;
        if (score < least && slack <= NEARLY_TIGHT * (1 + fabs(c->activity[i])))
            least = score, best = i, *coefficient = d->value[k];
    }
    return best;
}

static void try_row(cut_scene *c, const vouch_lp_data *d, aggregate *sum, bool *used, int row, double sign)
{
    int list[MOST_SUMS + 1], count = 0;
    aggregate_clear(sum);
    aggregate_add(sum, c, row, sign, near_side(c, row));
    used[row] = true;
    list[count++] = row;
    for (int depth = 0;; depth++) {
        if (mir_separate(c, sum, false) || depth == MOST_SUMS) break;
        int eliminate = -1;
        double most = LEAST_SLACKNESS;
        for (int k = 0; k < sum->col_count; k++) {
            int j = sum->cols[k];
            if (c->model->integer[j] || fabs(sum->col[j]) < SUM_ZERO) continue;
            /* Distance of a continuous column from its nearest bound, variable bounds included. */
            double x = c->x[j], gap = fmin(x - c->lower[j], c->upper[j] - x);
            if (c->above[j].z >= 0) gap = fmin(gap, c->above[j].factor * c->x[c->above[j].z] + c->above[j].constant - x);
            if (c->below[j].z >= 0) gap = fmin(gap, x - c->below[j].factor * c->x[c->below[j].z] - c->below[j].constant);
            if (gap > most) most = gap, eliminate = j;
        }
        if (eliminate < 0) break;
        double coefficient = 0;
        int other = partner(c, d, eliminate, used, &coefficient);
        if (other < 0) break;
        CHECK(!used[other] && count <= MOST_SUMS);
        aggregate_add(sum, c, other, -sum->col[eliminate] / coefficient, near_side(c, other));
        sum->col[eliminate] = 0;
        used[other] = true;
        list[count++] = other;
    }
    for (int k = 0; k < count; k++) used[list[k]] = false;
}

void separate_mir(cut_scene *c)
{
    aggregate sum;
    vouch_lp_data d;
    bool *used = MEM_ZERO(bool, c->m);
    vouch_lp_view(c->lp, &d);
    if (!used || aggregate_init(&sum, c) != VOUCH_OK) goto done;
    for (int i = 0; i < c->model->m; i++) { /* own rows only: sums of cuts gain little and are dense */
        if (isinf(c->row_lower[i]) && isinf(c->row_upper[i])) continue;
        double slack = fmin(c->row_upper[i] - c->activity[i], c->activity[i] - c->row_lower[i]);
        if (slack > NEARLY_TIGHT * (1 + fabs(c->activity[i]))) continue;
        try_row(c, &d, &sum, used, i, 1);
        try_row(c, &d, &sum, used, i, -1);
    }
done:
    mem_free(used);
}

/* ---- Gomory mixed-integer cuts from rows of the simplex tableau -----------------------------------------------------------------
 *
 * For a basic integer column with a fractional value, u = B^-T e_p combines the rows into the one in which it alone is basic;
 * rounding that combination with divisor 1 gives the cut of R. E. Gomory, An algorithm for the mixed integer problem
 * (1960). */

enum { MOST_TABLEAU_ROWS = 150 };

typedef struct tableau_row {
    int position;
    double score;
} tableau_row;

/* Rows whose value is nearest to one half come first. */
static void insert(tableau_row *list, int *count, tableau_row r)
{
    int at = *count < MOST_TABLEAU_ROWS ? (*count)++ : MOST_TABLEAU_ROWS;
    if (at == MOST_TABLEAU_ROWS) {
        if (list[at - 1].score >= r.score) return;
        at--;
    }
    for (; at > 0 && list[at - 1].score < r.score; at--) list[at] = list[at - 1];
    list[at] = r;
}

/* The combination of rows with multipliers u, each on the side it is at. A free row cannot take part: its multiplier is
 * 0 but for rounding, and the sum is left empty. */
static void combine_rows(const cut_scene *c, const double *u, const unsigned char *row_status, aggregate *sum)
{
    double largest = 0;
    aggregate_clear(sum);
    for (int i = 0; i < c->m; i++) largest = fmax(largest, fabs(u[i]));
    for (int i = 0; i < c->m; i++) {
        if (fabs(u[i]) <= LEAST_MULTIPLIER * largest) continue;
        double above = c->row_upper[i] - c->activity[i], below = c->activity[i] - c->row_lower[i];
        bool upper = row_status[i] == VOUCH_AT_UPPER || (row_status[i] != VOUCH_AT_LOWER && above < below);
        if (isinf(c->row_upper[i]) && isinf(c->row_lower[i])) {
            aggregate_clear(sum);
            return;
        }
        aggregate_add(sum, c, i, u[i], upper ? 1 : -1);
    }
}

void separate_gomory(cut_scene *c)
{
    int count = 0;
    aggregate sum = {0};
    tableau_row *rows = MEM_NEW(tableau_row, MOST_TABLEAU_ROWS);
    tableau *t = tableau_new(c->lp);
    if (!t || !rows || aggregate_init(&sum, c) != VOUCH_OK) goto done;
    CHECK_COMPARE(tableau_rows(t), ==, c->m);
    for (int p = 0; p < c->m; p++) {
        int j = tableau_basic_col(t, p);
        if (j < 0 || !c->model->integer[j]) continue;
        double f = c->x[j] - floor(c->x[j]), near = fmin(f, 1 - f);
        if (near > LEAST_DISTANCE) insert(rows, &count, (tableau_row){p, near});
    }
    for (int k = 0; k < count; k++) {
        combine_rows(c, tableau_multipliers(t, rows[k].position), tableau_row_status(t), &sum);
        if (sum.col_count > 0) (void)mir_separate(c, &sum, true);
    }
done:
    tableau_free(t);
    mem_free(rows);
}

/* ---- scene ---------------------------------------------------------------------------------------------------------------------
 *
 * The scene of the separators: rows of the relaxation with activities, variable bounds, and the door through
 * which a cut is found. Cost of the scene: O(nonzeros) a round. */

static void cut_recipe_free(cut_recipe *r)
{
    if (!r) return;
    MEM_FREE_ALL(r->row, r->factor, r->side, r->upper, r);
}

cut_recipe *cut_recipe_new(int rows, int uppers)
{
    cut_recipe *r = MEM_ZERO(cut_recipe, 1);
    if (!r) return NULL;
    r->row = MEM_NEW(int, rows + 1);
    r->factor = MEM_NEW(double, rows + 1);
    r->side = MEM_NEW(signed char, rows + 1);
    r->upper = MEM_NEW(int, uppers + 1);
    if (r->row && r->factor && r->side && r->upper) return r;
    cut_recipe_free(r);
    return NULL;
}

void cut_free(mip_cut *c)
{
    MEM_FREE_ALL(c->index, c->value);
    cut_recipe_free(c->recipe);
}

void cut_list_free(cut_list *l)
{
    for (size_t k = 0; k < l->count; k++) cut_free(&l->item[k]);
    mem_free(l->item);
    *l = (cut_list){0};
}

/* ---- choice ---------------------------------------------------------------------------------------------------- */

static double parallelism(const mip_cut *a, const mip_cut *b)
{
    double dot = 0;
    for (int p = 0, q = 0; p < a->count && q < b->count;)
        if (a->index[p] < b->index[q])
            p++;
        else if (a->index[p] > b->index[q])
            q++;
        else
            dot += a->value[p++] * b->value[q++];
    CHECK(a->norm > 0 && b->norm > 0);
    return fabs(dot) / (a->norm * b->norm);
}

static int by_efficacy(const void *a, const void *b)
{
    const mip_cut *x = a, *y = b;
    if (x->efficacy != y->efficacy) return x->efficacy > y->efficacy ? -1 : 1;
    if (x->count != y->count) return x->count - y->count;
    for (int k = 0; k < x->count; k++)
        if (x->index[k] != y->index[k]) return x->index[k] - y->index[k];
    return (x->upper > y->upper) - (x->upper < y->upper);
}

size_t cut_list_choose(cut_list *l, size_t most)
{
    if (l->count > 1) qsort(l->item, l->count, sizeof *l->item, by_efficacy); /* item may be NULL */
    size_t taken = 0;
    for (size_t k = 0; k < l->count && taken < most; k++) {
        bool apart = true;
        for (size_t q = 0; q < taken && apart; q++) apart = parallelism(&l->item[q], &l->item[k]) <= CUT_PARALLELISM;
        if (!apart) continue;
        mip_cut held = l->item[k];
        l->item[k] = l->item[taken];
        l->item[taken++] = held;
    }
    CHECK_COMPARE(taken, <=, most);
    return taken;
}

/* ---- the scene ------------------------------------------------------------------------------------------------- */

/* The term of entry k where it is least (side 1) or largest (side -1). */
static double extreme_term(const cut_scene *c, int64_t k, int side)
{
    double a = c->value[k];
    return a * ((a > 0) == (side > 0) ? c->lower[c->index[k]] : c->upper[c->index[k]]);
}

/* Row i has one integer column z, at entry z_at:  a x <= limit - b z - (the other terms),  with the other terms at their bounds. So
 * each of several flows that share a capacity is bounded by it. */
static void note_bounds_of_side(cut_scene *c, int i, int64_t z_at, int side)
{
    int z = c->index[z_at], unbounded = 0;
    double limit = side > 0 ? c->row_upper[i] : c->row_lower[i], b = c->value[z_at], sum = 0;
    if (isinf(limit)) return;
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        double term = k == z_at ? 0 : extreme_term(c, k, side);
        unbounded += isinf(term) != 0;
        sum += isinf(term) ? 0 : term;
    }
    for (int64_t k = c->start[i]; k < c->start[i + 1]; k++) {
        int x = c->index[k];
        double a = c->value[k], term = extreme_term(c, k, side);
        if (k == z_at || c->lower[x] == c->upper[x] || unbounded > (isinf(term) != 0)) continue;
        double others = isinf(term) ? sum : sum - term;
        bool above = (side == 1) == (a > 0); /* x is bounded from above */
        variable_bound v = {.z = z, .factor = -b / a, .constant = (limit - others) / a, .row = i, .side = side, .coefficient = a};
        if (fabs(v.factor) > LARGEST_FACTOR || fabs(v.constant) > LARGEST_FACTOR) continue;
        variable_bound *place = above ? &c->above[x] : &c->below[x];
        double now = v.factor * c->x[z] + v.constant;
        double old = place->z >= 0 ? place->factor * c->x[place->z] + place->constant : above ? INFINITY : -INFINITY;
        if (above ? now < old : now > old) *place = v;
    }
}

/* Rows of more than two columns have no place in recipes, nor have cuts of earlier rounds here. */
static void note_variable_bounds(cut_scene *c, int i)
{
    int64_t z_at = -1, length = c->start[i + 1] - c->start[i];
    int integers = 0;
    if (length < 2 || (length > 2 && (c->recipes || i >= c->model->m))) return;
    for (int64_t k = c->start[i]; k < c->start[i + 1] && integers < 2; k++)
        if (c->model->integer[c->index[k]]) z_at = k, integers++;
    if (integers != 1) return;
    note_bounds_of_side(c, i, z_at, 1);
    note_bounds_of_side(c, i, z_at, -1);
}

static bool slack_is_whole(const cut_scene *c, int i)
{
    double lower = c->row_lower[i], upper = c->row_upper[i];
    bool whole = (isinf(lower) || is_whole(lower)) && (isinf(upper) || is_whole(upper));
    for (int64_t k = c->start[i]; k < c->start[i + 1] && whole; k++)
        whole = c->model->integer[c->index[k]] && is_whole(c->value[k]);
    return whole;
}

vouch_status cut_scene_init(cut_scene *c, const mip_model *model, const vouch_lp *lp, cut_request request)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    CHECK(d.cols == model->n && d.rows >= model->m);
    int m = d.rows, n = d.cols;
    *c = (cut_scene){.model = model,
                     .lp = lp,
                     .lower = request.lower,
                     .upper = request.upper,
                     .x = request.x,
                     .recipes = request.recipes,
                     .m = m,
                     .n = n,
                     .row_lower = d.row_lower,
                     .row_upper = d.row_upper};
    arena *a = &c->memory;
    c->start = ARENA_NEW(a, int64_t, (size_t)m + 1);
    c->index = ARENA_NEW(a, int, d.start[n]);
    c->value = ARENA_NEW(a, double, d.start[n]);
    c->activity = ARENA_ZERO(a, double, m);
    c->whole = ARENA_NEW(a, bool, m);
    c->above = ARENA_NEW(a, variable_bound, n);
    c->below = ARENA_NEW(a, variable_bound, n);
    c->coefficient = ARENA_ZERO(a, double, n);
    c->listed = ARENA_NEW(a, int, n);
    c->in_list = ARENA_ZERO(a, bool, n);
    if (a->failed) {
        cut_scene_free(c);
        return VOUCH_ERROR_MEMORY;
    }
    /* Rows from the relaxation's columns, and their activities. */
    transpose(&(line_matrix){c->n, d.start, d.index, d.value}, c->m, c->start, c->index, c->value);
    for (int j = 0; j < c->n; j++) {
        c->above[j].z = c->below[j].z = -1;
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) c->activity[d.index[k]] += d.value[k] * c->x[j];
    }
    for (int i = 0; i < m; i++) {
        c->whole[i] = slack_is_whole(c, i);
        note_variable_bounds(c, i);
    }
    return VOUCH_OK;
}

void cut_scene_free(cut_scene *c)
{
    cut_list_free(&c->found);
    arena_free(&c->memory);
    *c = (cut_scene){0};
}

/* The row at hand as a cut. */
static void keep_cut(cut_scene *c, int count, double upper, double norm, double violation)
{
    qsort(c->listed, (size_t)count, sizeof *c->listed, ascending_ints);
    mip_cut made = {.count = count,
                    .index = MEM_NEW(int, count),
                    .value = MEM_NEW(double, count),
                    .norm = norm,
                    .efficacy = violation / norm,
                    .family = c->family,
                    .upper = upper};
    if (!made.index || !made.value || MEM_RESERVE(&c->found.item, &c->found.capacity, c->found.count) != 0) {
        cut_free(&made);
        return;
    }
    for (int k = 0; k < count; k++) {
        CHECK(k == 0 || c->listed[k - 1] < c->listed[k]);
        made.index[k] = c->listed[k];
        made.value[k] = c->coefficient[c->listed[k]];
    }
    c->found.item[c->found.count++] = made;
}

void cut_scene_add(cut_scene *c, int *count, int j, double v)
{
    if (!c->in_list[j]) {
        c->in_list[j] = true;
        c->listed[(*count)++] = j;
        c->coefficient[j] = 0;
    }
    c->coefficient[j] += v;
}

/* Small coefficients are bounded away: v x >= v times the bound it is least at. What remains moves to the front of
 * the list; its length, or -1 where a bound is missing. */
static int drop_small(cut_scene *c, int count, double largest, double *upper)
{
    int kept = 0;
    bool sound = true;
    for (int k = 0; k < count; k++) {
        int j = c->listed[k];
        double v = c->coefficient[j], bound = v > 0 ? c->lower[j] : c->upper[j];
        c->in_list[j] = false;
        if (v != 0 && fabs(v) > RELATIVE_ZERO * largest) {
            c->listed[kept++] = j;
            continue;
        }
        c->coefficient[j] = 0;
        if (v == 0) continue;
        if (isinf(bound))
            sound = false;
        else
            *upper -= v * bound;
    }
    for (int k = 0; !sound && k < kept; k++) c->coefficient[c->listed[k]] = 0;
    return sound ? kept : -1;
}

/* What the right side of a cut may lack for rounding. */
static double cut_margin(double upper) { return CUT_MARGIN * (1 + fabs(upper)); }

enum { MOST_MULTIPLES = 24 };

/* The row [count] at hand times a factor that makes its coefficients, and with them its right side and slack, whole: a slack that
 * is whole makes stronger cuts of later rounds. False: it has continuous columns, or no such factor was found. */
static bool make_whole(cut_scene *c, int count, double least, double largest, double *upper)
{
    for (int k = 0; k < count; k++)
        if (!c->model->integer[c->listed[k]]) return false;
    for (int q = 1; q <= MOST_MULTIPLES && q * largest <= LARGEST_MULTIPLE * least; q++) {
        double factor = q / least, error = 0, size = 0;
        bool whole = true;
        for (int k = 0; k < count && whole; k++) {
            int j = c->listed[k];
            double v = c->coefficient[j] * factor, off = fabs(v - round(v)), reach = fmax(fabs(c->lower[j]), fabs(c->upper[j]));
            whole = off <= WHOLE_COEFFICIENT && isfinite(reach);
            error += off * reach;
            size += fabs(v) * reach;
        }
        error += MIP_ROUNDING * size + cut_margin(*upper) * factor;
        if (!whole || error > WHOLE_SIDE) continue;
        for (int k = 0; k < count; k++) c->coefficient[c->listed[k]] = round(c->coefficient[c->listed[k]] * factor);
        *upper = floor(*upper * factor + error + WHOLE_SIDE);
        return true;
    }
    return false;
}

void cut_scene_offer(cut_scene *c, int count, double upper)
{
    CHECK(count >= 0 && count <= c->n);
    double largest = 0, least = INFINITY, activity = 0, square = 0;
    for (int k = 0; k < count; k++) largest = fmax(largest, fabs(c->coefficient[c->listed[k]]));
    int kept = drop_small(c, count, largest, &upper);
    for (int k = 0; k < kept; k++) least = fmin(least, fabs(c->coefficient[c->listed[k]]));
    bool whole = kept > 0 && !c->recipes && make_whole(c, kept, least, largest, &upper);
    largest = 0, least = INFINITY;
    for (int k = 0; k < kept; k++) {
        double v = c->coefficient[c->listed[k]];
        least = fmin(least, fabs(v));
        largest = fmax(largest, fabs(v));
        activity += v * c->x[c->listed[k]];
        square += v * v;
    }
    bool sound = isfinite(upper) && isfinite(largest) && kept > 0 && largest <= DYNAMIC_RANGE * least && kept <= 200 + c->n / 4;
    double norm = sqrt(square), violation = activity - upper;
    if (sound && violation > CUT_EFFICACY * norm && violation > CUT_VIOLATION * (1 + fabs(upper)))
        keep_cut(c, kept, whole ? upper : upper + cut_margin(upper), norm, violation);
    for (int k = 0; k < kept; k++) c->coefficient[c->listed[k]] = 0;
    for (int j = 0; CHECKING && j < c->n; j++) CHECK(c->coefficient[j] == 0 && !c->in_list[j]); /* as between cuts */
}

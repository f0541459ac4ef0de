/* lp/simplex_load.c - the scaled problem of the simplex methods: built, extended, changed, copied. See simplex.h.
 *
 *     a_ij := r_i a_ij c_j,   s_i := r_i s_i,   x_j := x_j / c_j
 *
 * Invariant: unscaling by `scale` gives the caller's problem, except for rounding. O(entries) to load, O(length) to append.
 *
 * Scaling: rows and columns are divided alternately by the geometric mean of their least and largest magnitude, while the spread
 * improves; a last pass makes the largest entry of each column 1. Powers of two, so that scaling is exact. Source: G. Dantzig's
 * geometric scaling as surveyed by J. A. Tomlin, Math. Prog. Study 4 (1975). */
#include "lp/simplex.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/sparse.h"
#include "lp/pricing.h"
#include "lp/tolerance.h"

enum { PASSES = 8 };
/* Least improvement of the spread for another pass. */
static const double WORTHWHILE = 0.9;

static double power_of_two(double x)
{
    int e;
    double fraction = frexp(x, &e); /* x = fraction 2^e, fraction in [0.5, 1) */
    if (fraction < 0.7071067811865476) e--;
    return ldexp(1.0, e);
}

static void scale_rows(const sparse *a, double row[], const double col[], double least[], double most[])
{
    for (int i = 0; i < a->rows; i++) least[i] = DBL_MAX, most[i] = 0;
    for (int j = 0; j < a->cols; j++) {
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            double size = fabs(a->value[e]) * col[j];
            int i = a->index[e];
            if (size == 0) continue;
            if (size < least[i]) least[i] = size;
            if (size > most[i]) most[i] = size;
        }
    }
    for (int i = 0; i < a->rows; i++) row[i] = most[i] > 0 ? 1 / sqrt(least[i] * most[i]) : 1;
}

/* Returns the largest ratio within a column. */
static double scale_cols(const sparse *a, const double row[], double col[], bool by_largest)
{
    double spread = 1;
    for (int j = 0; j < a->cols; j++) {
        double least = DBL_MAX, most = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            double size = fabs(a->value[e]) * row[a->index[e]];
            if (size == 0) continue;
            if (size < least) least = size;
            if (size > most) most = size;
        }
        if (most == 0) {
            col[j] = 1;
            continue;
        }
        col[j] = by_largest ? 1 / most : 1 / sqrt(least * most);
        spread = larger(spread, most / least);
    }
    return spread;
}

bool scale_geometric(const sparse *a, double row[], double col[], double scratch[], const deadline *limit)
{
    double low = DBL_MAX, high = 0;
    for (int64_t e = 0; e < a->start[a->cols]; e++) {
        double size = fabs(a->value[e]);
        if (size == 0) continue;
        if (size < low) low = size;
        if (size > high) high = size;
    }
    for (int i = 0; i < a->rows; i++) row[i] = 1;
    for (int j = 0; j < a->cols; j++) col[j] = 1;
    if (low >= SCALE_FINE_LOW && high <= SCALE_FINE_HIGH) return true;
    if (high == 0) return true;

    double before = INFINITY;
    for (int pass = 0; pass < PASSES; pass++) {
        if (deadline_expired(limit)) return false;
        scale_rows(a, row, col, scratch, scratch + a->rows);
        double spread = scale_cols(a, row, col, false);
        if (spread > WORTHWHILE * before) break;
        before = spread;
    }
    for (int i = 0; i < a->rows; i++) row[i] = power_of_two(row[i]);
    scale_cols(a, row, col, true);
    for (int j = 0; j < a->cols; j++) col[j] = power_of_two(col[j]);
    return true;
}

/* Factor of a column with largest row-scaled magnitude `most`. */
static double scale_one(double most)
{
    if (most == 0 || (most >= SCALE_FINE_LOW && most <= SCALE_FINE_HIGH)) return 1;
    return power_of_two(1 / most);
}

/* Capacity of all [vars] arrays. */
static int reserve_vars(simplex *s, size_t need)
{
    if (s->capacity && need + (size_t)s->m <= s->capacity) return 0;
    size_t capacity = need + need / 2 + (size_t)s->m + 16; /* ratio tests need m more */
    double **doubles[] = {&s->cost,  &s->lower,   &s->upper,         &s->scale, &s->work.cost,  &s->work.lower, &s->work.upper,
                          &s->value, &s->reduced, &s->pricing.devex, &s->ratio, &s->breakpoint, &s->ray_primal};
    int **ints[] = {&s->where, &s->candidate, &s->order, &s->group, &s->pivot_row.index};
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++) {
        if (MEM_RESIZE(doubles[i], capacity)) return -1;
    }
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) {
        if (MEM_RESIZE(ints[i], capacity)) return -1;
    }
    if (MEM_RESIZE(&s->move, capacity)) return -1;
    double *pivot_row = MEM_ZERO(double, capacity);
    if (!pivot_row) return -1;
    mem_free(s->pivot_row.value);
    s->pivot_row.value = pivot_row;
    s->pivot_row.n = (int)capacity;
    s->pivot_row.count = 0;
    s->capacity = capacity;
    return 0;
}

static double scaled_bound(double bound, double scale) { return isinf(bound) ? bound : bound / scale; }

static double sense(const vouch_lp_data *data) { return data->maximize ? -1.0 : 1.0; }

static int load(simplex *s, const vouch_lp_data *data)
{
    int m = data->rows, n = data->cols;
    if (sparse_load(&s->a, m, n, data->start, data->index, data->value) || reserve_vars(s, (size_t)m + (size_t)n)) return -1;
    double *row = s->scale, *col = s->scale + m;
    if (s->scaled) {
        double *scratch = MEM_NEW(double, 2 * (size_t)m);
        if (!scratch) return -1;
        s->scaled = scale_geometric(&s->a, row, col, scratch, &s->limit);
        mem_free(scratch);
    }
    for (int v = 0; v < m + n && !s->scaled; v++) s->scale[v] = 1;
    for (int j = 0; j < n; j++) {
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) s->a.value[e] *= row[s->a.index[e]] * col[j];
    }
    for (int v = 0; v < m + n; v++) CHECK_COMPARE(s->scale[v], >, 0);
    for (int i = 0; i < m; i++) {
        row[i] = 1 / row[i];
        s->cost[i] = 0;
        s->lower[i] = scaled_bound(data->row_lower ? data->row_lower[i] : -INFINITY, row[i]);
        s->upper[i] = scaled_bound(data->row_upper ? data->row_upper[i] : INFINITY, row[i]);
    }
    for (int j = 0; j < n; j++) {
        s->cost[m + j] = data->cost ? sense(data) * data->cost[j] * col[j] : 0;
        s->lower[m + j] = scaled_bound(data->col_lower ? data->col_lower[j] : 0, col[j]);
        s->upper[m + j] = scaled_bound(data->col_upper ? data->col_upper[j] : INFINITY, col[j]);
    }
    return 0;
}

simplex *simplex_new(const vouch_lp_data *data, bool scaled, const deadline *limit)
{
    arena a = {0};
    simplex *s = ARENA_ZERO(&a, simplex, 1);
    if (!s) return NULL;
    int m = s->m = data->rows, n = s->n = data->cols;
    s->vars = m + n;
    s->scaled = scaled;
    s->limit = *limit;
    s->head = ARENA_NEW(&a, int, m);
    s->pricing.row_end = ARENA_NEW(&a, int, m);
    double **rows[] = {&s->xb, &s->lb, &s->ub, &s->pricing.edge, &s->pricing.infeasible, &s->ray_dual};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) *rows[i] = ARENA_ZERO(&a, double, m);
    pricing_level *levels[] = {&s->pricing.block, &s->pricing.group};
    for (int k = 0; k < 2; k++) {
        int parts = k ? pricing_groups(m) : pricing_blocks(m);
        levels[k]->most = ARENA_ZERO(&a, double, parts);
        levels[k]->best = ARENA_NEW(&a, int, parts);
        levels[k]->changed = ARENA_ZERO(&a, bool, parts);
    }
    vector *scratch[] = {&s->row, &s->col, &s->tau, &s->flip};
    for (size_t i = 0; i < sizeof scratch / sizeof *scratch; i++) vector_init(scratch[i], &a, m);
    s->memory = a;
    s->factors = basis_new(m);
    if (a.failed || !s->factors || load(s, data)) {
        simplex_free(s);
        return NULL;
    }
    basis_set_limit(s->factors, &s->limit);
    s->feasibility_tol = s->optimality_tol = 1;
    for (int v = 0; v < s->vars; v++) {
        s->where[v] = v < m ? v : -1;
        s->move[v] = 0;
        s->value[v] = s->reduced[v] = 0;
    }
    for (int p = 0; p < m; p++) s->head[p] = p;
    simplex_reset_work(s);
    for (int v = m; v < s->vars; v++) simplex_place(s, v);
    return s;
}

void simplex_free(simplex *s)
{
    if (!s) return;
    sparse_free(&s->a);
    sparse_free(&s->pricing.rows);
    const working_problem *w = &s->work;
    const pricing *p = &s->pricing;
    void *grown[] = {p->row_place,  p->row_source, p->devex,           s->cost,           s->lower, s->upper,
                     s->scale,      w->cost,       w->lower,           w->upper,          s->where, s->move,
                     s->value,      s->reduced,    s->ratio,           s->candidate,      s->order, s->group,
                     s->breakpoint, s->ray_primal, s->pivot_row.index, s->pivot_row.value};
    for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) mem_free(grown[i]);
    basis_free(s->factors);
    arena_free(&s->memory);
}

int simplex_append(simplex *s, const simplex_col *col)
{
    int v = s->vars;
    int64_t count = col->count;
    const int *index = col->index;
    if (reserve_vars(s, (size_t)v + 1)) return -1;
    if (sparse_append(&s->a, count, index, col->value)) return -1;
    double *entry = s->a.value + s->a.start[s->n], most = 0;
    for (int64_t e = 0; e < count; e++) {
        entry[e] /= s->scale[index[e]];
        most = larger(most, fabs(entry[e]));
    }
    double scale = scale_one(most);
    CHECK_COMPARE(scale, >, 0);
    for (int64_t e = 0; e < count; e++) entry[e] *= scale;
    s->n++;
    s->vars++;
    s->scale[v] = scale;
    s->cost[v] = s->work.cost[v] = col->cost * scale;
    s->lower[v] = s->work.lower[v] = scaled_bound(col->lower, scale);
    s->upper[v] = s->work.upper[v] = scaled_bound(col->upper, scale);
    s->where[v] = -1;
    s->move[v] = 1;
    s->value[v] = s->reduced[v] = 0;
    s->pricing.devex[v] = 1;
    simplex_place(s, v);
    if (s->value[v] != 0) s->primal_trust = INVALID;
    s->pricing.rows_valid = false;
    if (s->dual_trust == FRESH) { /* y_i is the reduced cost of logical i */
        double d = s->cost[v];
        for (int64_t e = 0; e < count; e++) d -= entry[e] * s->reduced[index[e]];
        s->reduced[v] = d;
    } else {
        s->dual_trust = INVALID;
    }
    return 0;
}

void simplex_set_bounds(simplex *s, int v, double lower, double upper)
{
    CHECK(v >= 0 && v < s->vars);
    s->lower[v] = s->work.lower[v] = scaled_bound(lower, s->scale[v]);
    s->upper[v] = s->work.upper[v] = scaled_bound(upper, s->scale[v]);
    if (s->where[v] >= 0) {
        s->lb[s->where[v]] = s->lower[v];
        s->ub[s->where[v]] = s->upper[v];
        return;
    }
    double old = s->value[v];
    simplex_place(s, v);
    if (s->value[v] != old) s->primal_trust = INVALID;
}

void simplex_set_cost(simplex *s, int v, double cost)
{
    CHECK(v >= 0 && v < s->vars);
    double scaled = cost * s->scale[v];
    if (s->where[v] >= 0)
        s->dual_trust = INVALID;
    else
        s->reduced[v] += scaled - s->cost[v];
    s->cost[v] = s->work.cost[v] = scaled;
}

/* ---- copies --------------------------------------------------------------------------------------------------------------------
 *
 * A solve is a function of this state and its options, so copies of one state give the same result to the last bit, on any thread.
 * Cost: O(entries + m + n), and that of the factors. */

/* The row-wise copy, whose order decides ties. -1: memory */
static int take_rows(simplex *to, const simplex *from)
{
    pricing *t = &to->pricing;
    const pricing *f = &from->pricing;
    size_t entries = (size_t)from->a.start[from->n];
    bool first = !t->row_place; /* rows.start is not set yet */
    t->rows_valid = false;
    if (!f->rows_valid) return 0;
    if (first) {
        if (sparse_load(&t->rows, from->n, from->m, f->rows.start, f->rows.index, f->rows.value)) return -1;
        if (MEM_RESIZE(&t->row_place, entries) || MEM_RESIZE(&t->row_source, entries)) return -1;
        t->rows.rows = f->rows.rows;
        t->rows.cols = f->rows.cols;
        t->pair_capacity = entries;
    } else {
        MEM_COPY(t->rows.index, f->rows.index, entries);
        MEM_COPY(t->rows.value, f->rows.value, entries);
    }
    MEM_COPY(t->row_place, f->row_place, entries);
    MEM_COPY(t->row_source, f->row_source, entries);
    MEM_COPY(t->row_end, f->row_end, from->m);
    t->rows_valid = true;
    return 0;
}

int simplex_take(simplex *to, const simplex *from)
{
    int m = from->m, vars = from->vars;
    if (to->m != m || to->n != from->n || memcmp(to->scale, from->scale, (size_t)vars * sizeof *to->scale) != 0) return 1;
    CHECK(to->a.start[to->n] == from->a.start[from->n]);
    double *long_ones[] = {to->cost, to->lower, to->upper, to->work.cost, to->work.lower, to->work.upper, to->value, to->reduced};
    const double *others[] = {from->cost,       from->lower,      from->upper, from->work.cost,
                              from->work.lower, from->work.upper, from->value, from->reduced};
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) MEM_COPY(long_ones[k], others[k], vars);
    MEM_COPY(to->where, from->where, vars);
    MEM_COPY(to->move, from->move, vars);
    MEM_COPY(to->head, from->head, m);
    double *short_ones[] = {to->xb, to->lb, to->ub, to->pricing.edge};
    const double *of_rows[] = {from->xb, from->lb, from->ub, from->pricing.edge};
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++) MEM_COPY(short_ones[k], of_rows[k], m);
    to->scaled = from->scaled;
    to->work.costs_shifted = from->work.costs_shifted;
    to->work.bounds_shifted = from->work.bounds_shifted;
    to->work.perturbed = from->work.perturbed;
    to->work.objective = from->work.objective;
    to->pricing.edge_valid = from->pricing.edge_valid;
    to->primal_trust = from->primal_trust;
    to->dual_trust = from->dual_trust;
    to->iterations = from->iterations;
    to->factored = false;
    if (take_rows(to, from)) return -1;
    if (from->factored && basis_copy(to->factors, from->factors)) return -1;
    to->factored = from->factored;
    to->allocations = mem_calls_here();
    return 0;
}

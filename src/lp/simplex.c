/* lp/simplex.c - the shared state of the simplex methods: basis, derived vectors, the pivot row, measures. See simplex.h. */
#include "lp/simplex.h"

#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "lp/tolerance.h"

/* ---- the scaled problem of the simplex methods: built, extended, changed, copied. See simplex.h ---------------------------------
 *
 *     a_ij := r_i a_ij c_j,   s_i := r_i s_i,   x_j := x_j / c_j
 *
 * Invariant: unscaling by `scale` gives the caller's problem, except for rounding. O(entries) to load, O(length) to append.
 *
 * Scaling: rows and columns are divided alternately by the geometric mean of their least and largest magnitude, while the spread
 * improves; a last pass makes the largest entry of each column 1. Powers of two, so that scaling is exact. Source: G. Dantzig's
 * geometric scaling as surveyed by J. A. Tomlin, Math. Prog. Study 4 (1975). */

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
    for (size_t i = 0; i < sizeof doubles / sizeof *doubles; i++)
        if (MEM_RESIZE(doubles[i], capacity)) return -1;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++)
        if (MEM_RESIZE(ints[i], capacity)) return -1;
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
    for (int j = 0; j < n; j++)
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) s->a.value[e] *= row[s->a.index[e]] * col[j];
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

/* ---- the pivot row: result = x' [A, -I] over the nonbasic variables that may enter ---------------------------------------------
 *
 * By rows of A if x is sparse, otherwise by columns, and also in small problems. In the row-wise copy the entries of variables that
 * may enter (nonbasic, not fixed) are in front, so that the others cost nothing; every entry stores its twin in the column-wise
 * matrix, so moving a column between the parts takes time proportional to its length. Source for the partition: J. A. J. Hall and
 * K. I. M. McKinnon, Comput. Optim. Appl. 32 (2005). Reduced costs of fixed variables are not updated: they are right only when
 * FRESH. */

/* Least entries of A for a row-wise copy. */
enum { COPY_LEAST = 3000 };
/* Largest density of x for rows. From 0.1 or 0.2 on columns are 25 % faster for qap-800 and transport-800, but some percent slower
 * for most of Netlib. */
static const double ROWS_DENSITY = 0.5;
/* Expected density of the result from which a scan replaces the list. */
static const double LIST_DENSITY = 0.15;

static inline bool may_enter(const simplex *s, int v)
{
    CHECK(!s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]));
    return s->move[v] || (s->where[v] < 0 && s->work.lower[v] != s->work.upper[v]);
}

/* Moves the entry at `from` to the boundary `to` of the parts of its row. */
static void swap_entries(simplex *s, int from, int to)
{
    if (from == to) return;
    int index = s->pricing.rows.index[from], source = s->pricing.row_source[from];
    double value = s->pricing.rows.value[from];
    s->pricing.rows.index[from] = s->pricing.rows.index[to];
    s->pricing.rows.value[from] = s->pricing.rows.value[to];
    s->pricing.row_source[from] = s->pricing.row_source[to];
    s->pricing.row_place[s->pricing.row_source[from]] = from;
    s->pricing.rows.index[to] = index;
    s->pricing.rows.value[to] = value;
    s->pricing.row_source[to] = source;
    s->pricing.row_place[source] = to;
}

/* Moves the entries of column v to the front of their rows, or behind. */
static void price_move(simplex *s, int v, bool front)
{
    if (!s->pricing.rows_valid || v < s->m) return;
    for (int64_t e = s->a.start[v - s->m]; e < s->a.start[v - s->m + 1]; e++) {
        int at = s->pricing.row_place[e], *end = &s->pricing.row_end[s->a.index[e]];
        if ((at >= *end) == front) swap_entries(s, at, front ? (*end)++ : --*end);
    }
}

static void price_partition(simplex *s)
{
    for (int v = s->m; s->pricing.rows_valid && v < s->vars; v++) price_move(s, v, may_enter(s, v));
}

/* Both copies hold the same entries with their twins, and the variables that may enter are in front. */
static void copies_check(const simplex *s)
{
    if (!CHECKING) return;
    for (int j = 0; j < s->n; j++) {
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) {
            int at = s->pricing.row_place[e], i = s->a.index[e];
            CHECK(s->pricing.row_source[at] == e && s->pricing.rows.index[at] == s->m + j &&
                  s->pricing.rows.value[at] == s->a.value[e]);
            CHECK(at >= s->pricing.rows.start[i] && at < s->pricing.rows.start[i + 1]);
            CHECK((at < s->pricing.row_end[i]) == may_enter(s, s->m + j));
        }
    }
}

int price_prepare(simplex *s)
{
    int64_t entries = s->a.start[s->n];
    if (entries < COPY_LEAST || entries > INT_MAX) return 0;
    if (!s->pricing.rows_valid) {
        if (sparse_transpose(&s->a, &s->pricing.rows)) return -1;
        if (s->pricing.rows.entry_capacity > s->pricing.pair_capacity) {
            if (MEM_RESIZE(&s->pricing.row_place, s->pricing.rows.entry_capacity)) return -1;
            if (MEM_RESIZE(&s->pricing.row_source, s->pricing.rows.entry_capacity)) return -1;
            s->pricing.pair_capacity = s->pricing.rows.entry_capacity;
        }
        for (int i = 0; i < s->m; i++) s->pricing.row_end[i] = (int)s->pricing.rows.start[i];
        for (int64_t e = 0, j = 0; e < entries; e++) {
            while (e >= s->a.start[j + 1]) j++;
            int at = s->pricing.row_end[s->a.index[e]]++; /* the order in which the transpose filled rows */
            s->pricing.row_place[e] = at;
            s->pricing.row_source[at] = (int)e;
            s->pricing.rows.index[at] = s->m + (int)j;
        }
        s->pricing.rows_valid = true;
    }
    price_partition(s);
    copies_check(s);
    return 0;
}

static void by_rows_listed(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    int *index = result->index, count = 0;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) {
            value[i] = -v;
            index[count++] = i;
        }
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++) {
            int at = s->pricing.rows.index[e];
            double old = value[at], now = old + v * s->pricing.rows.value[e];
            if (old == 0) index[count++] = at;
            value[at] = now == 0 ? VECTOR_CANCELLED : now;
        }
    }
    result->count = count;
    vector_pack(result, TOL_DROP);
}

static void by_rows_scanned(const simplex *s, const vector *x, vector *result)
{
    double *value = result->value;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (may_enter(s, i)) value[i] = -v;
        for (int e = (int)s->pricing.rows.start[i]; e < s->pricing.row_end[i]; e++)
            value[s->pricing.rows.index[e]] += v * s->pricing.rows.value[e];
    }
    int *index = result->index, count = 0;
    for (int v = 0; v < s->vars; v++) {
        double now = value[v];
        bool keep = fabs(now) > TOL_DROP;
        index[count] = v;
        count += keep;
        value[v] = keep ? now : 0;
    }
    result->count = count;
}

static void by_columns(const simplex *s, const vector *x, vector *result)
{
    int m = s->m, kept = 0, *index = result->index;
    const double *factor = x->value, *value = s->a.value;
    const int *row = s->a.index;
    for (int i = 0; i < m; i++) {
        if (fabs(factor[i]) <= TOL_DROP || !may_enter(s, i)) continue;
        result->value[i] = -factor[i];
        index[kept++] = i;
    }
    double *sums = result->value + m;
    for (int j = 0; j < s->n; j++) {
        if (!may_enter(s, m + j)) continue;
        double sum = 0;
        for (int64_t e = s->a.start[j], end = s->a.start[j + 1]; e < end; e++) sum += factor[row[e]] * value[e];
        bool keep = fabs(sum) > TOL_DROP;
        index[kept] = m + j;
        kept += keep;
        sums[j] = keep ? sum : 0;
    }
    result->count = kept;
}

void price_row(simplex *s, const vector *x, vector *result)
{
    double since = trace_start(s->trace);
    bool listed = s->pricing.rows_valid && x->count >= 0 && x->count <= ROWS_DENSITY * s->m;
    vector_clear(result);
    CHECK_COMPARE(result->n, >=, s->vars);
    long long entries = x->count;
    for (int k = 0; listed && k < x->count; k++) entries += s->pricing.row_end[x->index[k]] - s->pricing.rows.start[x->index[k]];
    if (!listed)
        by_columns(s, x, result);
    else if ((double)entries > LIST_DENSITY * s->vars)
        by_rows_scanned(s, x, result);
    else
        by_rows_listed(s, x, result);
    trace_stop(s->trace, KERNEL_price, since);
}

/* Most iterations of a solve that ends on updated factors; its certificate tests them. */
enum { REFACTOR_AFTER = 20 };

/* ---- the basis -------------------------------------------------------------------------------------------------------------- */

void simplex_slack_basis(simplex *s)
{
    for (int p = 0; p < s->m; p++) s->where[s->head[p]] = -1;
    for (int p = 0; p < s->m; p++) {
        s->head[p] = p;
        s->where[p] = p;
        s->move[p] = 0;
        s->pricing.edge[p] = 1;
    }
    for (int v = 0; v < s->vars; v++) {
        s->reduced[v] = s->work.cost[v];
        if (s->where[v] < 0) simplex_place(s, v);
    }
    simplex_load_basic(s);
    s->pricing.rows_valid = false;
    s->factored = false;
    s->primal_trust = s->dual_trust = INVALID;
}

bool simplex_is_slack(const simplex *s)
{
    for (int i = 0; i < s->m; i++)
        if (s->where[i] < 0) return false;
    return true;
}

unsigned char simplex_status(const simplex *s, int v)
{
    if (s->where[v] >= 0) return VOUCH_BASIC;
    if (s->lower[v] == s->upper[v]) return VOUCH_NONBASIC_FIXED;
    if (isinf(s->lower[v]) && isinf(s->upper[v])) return VOUCH_NONBASIC_FREE;
    return s->move[v] < 0 ? VOUCH_AT_UPPER : VOUCH_AT_LOWER;
}

void simplex_set_basis(simplex *s, const unsigned char status[])
{
    int m = s->m, basic = 0;
    bool same = true;
    for (int v = 0; v < s->vars; v++) {
        bool now = status[v] == VOUCH_BASIC;
        basic += now;
        same = same && now == (s->where[v] >= 0);
    }
    if (!same || basic != m) {
        int *wanted = s->candidate, *entering = s->order, wants = 0, enter = 0;
        for (int v = 0; v < s->vars; v++) {
            wanted[v] = status[v] == VOUCH_BASIC && wants < m;
            wants += wanted[v];
            if (wanted[v] && s->where[v] < 0) entering[enter++] = v;
        }
        for (int i = 0; i < m && wants < m; i++) { /* too few: add logicals */
            if (wanted[i]) continue;
            wanted[i] = 1;
            wants++;
            if (s->where[i] < 0) entering[enter++] = i;
        }
        /* Variables keep their positions if possible, and so their steepest edge weights. */
        for (int p = 0, next = 0; p < m; p++) {
            if (wanted[s->head[p]]) continue;
            s->where[s->head[p]] = -1;
            s->head[p] = entering[next++];
            s->where[s->head[p]] = p;
            s->pricing.edge[p] = 1;
        }
        s->factored = false;
        s->primal_trust = s->dual_trust = INVALID;
    }
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0) {
            s->move[v] = 0;
            continue;
        }
        double old = s->value[v];
        s->move[v] = status[v] == VOUCH_AT_UPPER ? -1 : status[v] == VOUCH_AT_LOWER ? 1 : 0;
        simplex_place(s, v);
        if (s->value[v] != old) s->primal_trust = INVALID;
    }
}

/* ---- working data ----------------------------------------------------------------------------------------------------------- */

void simplex_place(simplex *s, int v)
{
    double l = s->work.lower[v], u = s->work.upper[v];
    CHECK(s->where[v] < 0);
    if (l == u) {
        s->move[v] = 0;
        s->value[v] = l;
    } else if (isinf(l) && isinf(u)) {
        s->move[v] = 0;
        s->value[v] = 0;
    } else if (isinf(l) || ((s->move[v] < 0 || (s->move[v] == 0 && s->reduced[v] < 0)) && !isinf(u))) {
        s->move[v] = -1;
        s->value[v] = u;
    } else {
        s->move[v] = 1;
        s->value[v] = l;
    }
}

void simplex_load_basic(simplex *s)
{
    for (int p = 0; p < s->m; p++) {
        CHECK(s->where[s->head[p]] == p);
        s->lb[p] = s->work.lower[s->head[p]];
        s->ub[p] = s->work.upper[s->head[p]];
    }
}

void simplex_reset_work(simplex *s)
{
    size_t bytes = (size_t)s->vars * sizeof(double);
    memcpy(s->work.cost, s->cost, bytes);
    memcpy(s->work.lower, s->lower, bytes);
    memcpy(s->work.upper, s->upper, bytes);
    if (s->work.costs_shifted) s->dual_trust = INVALID;
    if (s->work.bounds_shifted) {
        for (int v = 0; v < s->vars; v++)
            if (s->where[v] < 0) simplex_place(s, v);
        s->primal_trust = INVALID;
    }
    s->work.costs_shifted = s->work.bounds_shifted = false;
    simplex_load_basic(s);
}

/* head and where are inverse to each other, and nonbasic variables are at working bounds. */
static void state_check(const simplex *s)
{
    if (!CHECKING) return;
    int basic = 0;
    for (int v = 0; v < s->vars; v++) {
        int p = s->where[v];
        if (p >= 0) {
            CHECK(p < s->m && s->head[p] == v);
            CHECK(s->move[v] == 0);
            basic++;
        } else if (s->move[v]) {
            CHECK(s->value[v] == (s->move[v] > 0 ? s->work.lower[v] : s->work.upper[v]));
        }
    }
    CHECK_COMPARE(basic, ==, s->m);
}

/* ---- derived vectors -------------------------------------------------------------------------------------------------------- */

run_end simplex_factor(simplex *s)
{
    int replaced;
    /* weights follow their variables through the permutation of head */
    for (int p = 0; p < s->m; p++) {
        s->ratio[s->head[p]] = s->pricing.edge[p];
        s->where[s->head[p]] = -1;
    }
    /* -2 marks old basic variables, to find those that a repair removes */
    for (int p = 0; p < s->m; p++) s->where[s->head[p]] = -2;
    double since = trace_start(s->trace);
    int failed = basis_factor(s->factors, &s->a, s->head, s->factor_wanted, &replaced);
    trace_stop(s->trace, KERNEL_factor, since);
    s->factored = !failed;
    s->factorizations += !failed;
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        s->pricing.edge[p] = s->where[v] == -2 ? s->ratio[v] : 1;
        s->where[v] = p;
        s->move[v] = 0;
    }
    if (replaced) {
        s->trouble++;
        for (int v = 0; v < s->vars; v++) {
            if (s->where[v] != -2) continue;
            s->where[v] = -1;
            s->move[v] = 1;
            simplex_place(s, v);
        }
        price_partition(s);
    }
    simplex_load_basic(s);
    s->primal_trust = s->dual_trust = INVALID;
    s->allocations = mem_calls_here();
    state_check(s);
    return !failed ? RUN_ON : failed < 0 ? RUN_MEMORY : deadline_interrupted(&s->limit) ? RUN_INTERRUPTED : RUN_LIMIT;
}

void simplex_add_column(const simplex *s, int v, double factor, vector *x)
{
    if (v < s->m) {
        vector_add(x, v, -factor);
        return;
    }
    int j = v - s->m;
    for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) vector_add(x, s->a.index[e], factor * s->a.value[e]);
}

void simplex_ftran(simplex *s, vector *x, lu_kind kind, bool keep)
{
    double since = trace_start(s->trace);
    basis_ftran(s->factors, x, kind, keep);
    trace_stop(s->trace, KERNEL_ftran, since);
}

void simplex_btran(simplex *s, vector *y, lu_kind kind, bool keep)
{
    double since = trace_start(s->trace);
    basis_btran(s->factors, y, kind, keep);
    trace_stop(s->trace, KERNEL_btran, since);
}

void simplex_column(simplex *s, int v, bool keep)
{
    CHECK(s->factored);
    CHECK(v >= 0 && v < s->vars && s->where[v] < 0);
    vector_clear(&s->col);
    simplex_add_column(s, v, 1.0, &s->col);
    simplex_ftran(s, &s->col, LU_COLUMN, keep);
}

void simplex_row(simplex *s, int p)
{
    double since = trace_start(s->trace);
    basis_row(s->factors, p, &s->row);
    trace_stop(s->trace, KERNEL_btran, since);
}

void simplex_compute_primal(simplex *s)
{
    vector *x = &s->tau;
    CHECK(s->factored);
    vector_clear(x);
    x->count = VECTOR_UNLISTED;
    for (int v = 0; v < s->vars; v++)
        if (s->where[v] < 0 && s->value[v] != 0) simplex_add_column(s, v, -s->value[v], x);
    simplex_ftran(s, x, LU_COST, false);
    memcpy(s->xb, x->value, (size_t)s->m * sizeof(double));
    vector_clear(x);
    s->primal_trust = FRESH;
}

void simplex_compute_dual(simplex *s, const double basic_cost[])
{
    int m = s->m;
    vector *y = &s->tau;
    CHECK(s->factored);
    vector_clear(y);
    y->count = VECTOR_UNLISTED;
    for (int p = 0; p < m; p++) y->value[p] = basic_cost ? basic_cost[p] : s->work.cost[s->head[p]];
    simplex_btran(s, y, LU_COST, false);
    if (basic_cost) MEM_COPY(s->ray_dual, y->value, m);
    const double *cost = basic_cost ? NULL : s->work.cost;
    for (int i = 0; i < m; i++) s->reduced[i] = s->where[i] >= 0 ? 0 : (cost ? cost[i] : 0) + y->value[i];
    for (int j = 0; j < s->n; j++) {
        int v = m + j;
        if (s->where[v] >= 0) {
            s->reduced[v] = 0;
            continue;
        }
        double sum = cost ? cost[v] : 0;
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) sum -= s->a.value[e] * y->value[s->a.index[e]];
        s->reduced[v] = sum;
    }
    vector_clear(y);
    s->dual_trust = basic_cost ? INVALID : FRESH;
}

bool simplex_wants_factors(const simplex *s, rebuild_reason reason)
{
    if (reason == REBUILD_START || reason == REBUILD_WIDENED) return false;
    if (reason != REBUILD_END && reason != REBUILD_CUTOFF) return true;
    return basis_updates(s->factors) > 0 && s->iterations - s->iterations_before > REFACTOR_AFTER;
}

bool simplex_accepts_pivot(const simplex *s, int p, int q)
{
    bool fresh = basis_updates(s->factors) == 0;
    double pivot = s->col.value[p], other = s->pivot_row.value[q];
    double apart = fabs(pivot - other) / larger(smaller(fabs(pivot), fabs(other)), TOL_DROP);
    return apart <= (fresh ? TOL_PIVOT_DISAGREE : TOL_PIVOT_DRIFT) && (fresh || fabs(pivot) >= TOL_PIVOT_SMALL);
}

run_end simplex_refresh(simplex *s, bool refactor)
{
    if (!s->factored || (refactor && basis_updates(s->factors) > 0)) {
        run_end end = simplex_factor(s);
        if (end) return end;
    }
    if (s->primal_trust != FRESH) simplex_compute_primal(s);
    if (s->dual_trust != FRESH) simplex_compute_dual(s, NULL);
    return RUN_ON;
}

void simplex_update_reduced(simplex *s, int p, int q, double theta)
{
    const vector *row = &s->pivot_row;
    if (theta != 0)
        for (int k = 0; k < row->count; k++) s->reduced[row->index[k]] -= theta * row->value[row->index[k]];
    s->reduced[q] = 0;
    s->reduced[s->head[p]] = -theta;
}

bool simplex_exchange(simplex *s, int p, int q, double entering, double leaving, signed char move)
{
    int out = s->head[p];
    double pivot = s->col.value[p];
    CHECK(s->where[q] < 0 && s->where[out] == p);
    CHECK(pivot != 0);
    s->head[p] = q;
    s->where[q] = p;
    s->move[q] = 0;
    s->xb[p] = entering;
    s->lb[p] = s->work.lower[q];
    s->ub[p] = s->work.upper[q];
    s->where[out] = -1;
    s->move[out] = move;
    s->value[out] = leaving;
    price_move(s, q, false);
    if (s->pricing.rows_valid && out >= s->m && may_enter(s, out)) price_move(s, out, true);
    s->iterations++;
    if (s->primal_trust == FRESH) s->primal_trust = UPDATED;
    if (s->dual_trust == FRESH) s->dual_trust = UPDATED;
    double since = trace_start(s->trace);
    bool updated = basis_update(s->factors, p, pivot);
    trace_stop(s->trace, KERNEL_update, since);
    if (!updated) s->factored = false;
    return updated;
}

/* ---- measures --------------------------------------------------------------------------------------------------------------- */

double simplex_primal_infeasibility(const simplex *s, int *count)
{
    double sum = 0;
    *count = 0;
    for (int p = 0; p < s->m; p++) {
        double off = larger(s->lb[p] - s->xb[p], s->xb[p] - s->ub[p]);
        if (off <= s->feasibility_tol) continue;
        sum += off;
        ++*count;
    }
    return sum;
}

double simplex_dual_infeasibility(const simplex *s, int *count)
{
    double sum = 0;
    *count = 0;
    for (int v = 0; v < s->vars; v++) {
        if (s->where[v] >= 0) continue;
        double off = -s->move[v] * s->reduced[v];
        if (s->move[v] == 0) off = s->work.lower[v] == s->work.upper[v] ? 0 : fabs(s->reduced[v]);
        if (off <= s->optimality_tol) continue;
        sum += off;
        ++*count;
    }
    return sum;
}

double simplex_objective(const simplex *s)
{
    double sum = 0;
    for (int v = 0; v < s->vars; v++)
        if (s->where[v] < 0 && s->work.cost[v] != 0) sum += s->work.cost[v] * s->value[v];
    for (int p = 0; p < s->m; p++) sum += s->work.cost[s->head[p]] * s->xb[p];
    return sum;
}

/* Iterations between progress checks. */
enum { REPORT_ITERATIONS = 32 };
static const double REPORT_EVERY = 1.0; /* seconds */

void simplex_report(simplex *s, const char *method, int phase)
{
    bool due = log_due(s->iterations) && s->iterations != s->reported; /* rejected rows make no exchange */
    if ((s->iterations % REPORT_ITERATIONS != 0 && !due) || !log_wants(s->log, VOUCH_LOG_INFO)) return;
    double now = clock_seconds();
    if (s->next_report <= 0) s->next_report = s->limit.start + REPORT_EVERY;
    if (now < s->next_report && !due) return;
    s->next_report = now + REPORT_EVERY;
    s->reported = s->iterations;
    int primal_off, dual_off;
    double primal = simplex_primal_infeasibility(s, &primal_off), dual = simplex_dual_infeasibility(s, &dual_off);
    log_line(s->log, VOUCH_LOG_INFO, "%10lld  %-6s %d  %16.9g  %10.3g %7d  %10.3g %7d  %7.1f", s->iterations, method, phase,
             simplex_objective(s), primal, primal_off, dual, dual_off, now - s->limit.start);
}

long long simplex_polish_limit(const simplex *s) { return 100 + s->m / 10; }

run_end simplex_stop(const simplex *s)
{
    if (deadline_interrupted(&s->limit)) return RUN_INTERRUPTED;
    if (s->iteration_limit > 0 && s->iterations >= s->iteration_limit) return RUN_LIMIT;
    if (deadline_out_of_time(&s->limit)) return RUN_LIMIT;
    return RUN_ON;
}

/* ---- record ----------------------------------------------------------------------------------------------------------------- */

/* Most columns of a program whose points are recorded; most rows for the positions of factor entries, and for their values. */
enum { DRAWN_COLUMNS = 3, PATTERN_ROWS = 48, VALUE_ROWS = 8 };
/* In larger programs the first pivots are recorded, then one in LARGE_STRIDE, as summing infeasibilities costs part of a pivot. */
enum { FIRST_PIVOTS = 64, LARGE_STRIDE = 4 };

/* Pivots of a node of a search are recorded together or not at all. */
static long long key_of(const vouch_trace *t, long long number) { return t->owner >= 0 ? t->owner : number; }

static bool passed_over(const vouch_trace *t, const simplex *s)
{
    long long number = s->iterations - 1; /* the numbers of the trace, so that both omit the same ones */
    return t->owner < 0 && s->m > PATTERN_ROWS && number >= FIRST_PIVOTS && number % LARGE_STRIDE != 0;
}

static double value_of(const simplex *s, int v) { return s->scale[v] * (s->where[v] >= 0 ? s->xb[s->where[v]] : s->value[v]); }

static void add_state(vouch_trace *t, const simplex *s)
{
    int primal_off, dual_off;
    double primal = simplex_primal_infeasibility(s, &primal_off), dual = simplex_dual_infeasibility(s, &dual_off);
    trace_int(t, "i", s->iterations);
    TRACE_NUMBERS(t, {"obj", simplex_objective(s)}, {"poff", primal}, {"prows", primal_off}, {"doff", dual}, {"dcols", dual_off});
    if (s->n > DRAWN_COLUMNS) return;
    trace_list(t, "x");
    for (int j = 0; j < s->n; j++) trace_real(t, NULL, value_of(s, s->m + j));
    trace_list_end(t);
}

void record_run(const simplex *s, const char *method, int phase)
{
    vouch_trace *t = s->trace;
    if (!trace_tells(t) || !trace_keeps(t, TRACE_PIVOT, key_of(t, 0)) || !trace_open(t, TRACE_NOTE, 0, "start")) return;
    trace_word(t, "method", method);
    TRACE_NUMBERS(t, {"m", s->m}, {"phase", phase});
    add_state(t, s);
    trace_close(t);
}

static void add_lists(vouch_trace *t, const char *name, const lu_lists *columns, int m)
{
    trace_list(t, name);
    for (int p = 0; p < m; p++)
        for (int e = columns->begin[p]; e < columns->begin[p] + columns->length[p]; e++) {
            trace_int(t, NULL, columns->index[e]);
            trace_int(t, NULL, p);
            if (m <= VALUE_ROWS) trace_real(t, NULL, columns->value[e]);
        }
    trace_list_end(t);
}

static int entries(const lu_lists *columns, int m)
{
    int sum = 0;
    for (int p = 0; p < m; p++) sum += columns->length[p];
    return sum;
}

static void record_factors(const simplex *s)
{
    vouch_trace *t = s->trace;
    if (!trace_tells(t) || t->owner > 0 || !trace_open(t, TRACE_BASIS, s->iterations, "basis")) return;
    lu_shape f = basis_shape(s->factors);
    trace_int(t, "i", s->iterations);
    trace_int(t, "updates", basis_updates(s->factors));
    long long own = 0;
    for (int p = 0; p < s->m; p++) {
        int v = s->head[p];
        own += v < s->m ? 1 : s->a.start[v - s->m + 1] - s->a.start[v - s->m];
    }
    trace_int(t, "B", own);
    if (f.l) {
        int apart = f.tail_rows * (f.tail_rows - 1) / 2;
        TRACE_NUMBERS(t, {"nl", entries(f.l, s->m) + apart}, {"nu", entries(f.u, s->m) + apart + s->m}, {"nr", f.r_entries});
    }
    if (s->m <= PATTERN_ROWS) trace_ints(t, "head", s->head, s->m);
    if (s->m <= PATTERN_ROWS && f.l) {
        trace_list(t, "order");
        for (int i = 0; i < f.u_count; i++)
            if (f.u_order[i] >= 0) trace_int(t, NULL, f.u_order[i]);
        trace_list_end(t);
        add_lists(t, "L", f.l, s->m);
        add_lists(t, "U", f.u, s->m);
        if (s->m <= VALUE_ROWS) trace_reals(t, "diagonal", f.pivot, s->m);
    }
    trace_close(t);
}

void record_pivot(const simplex *s, const pivot_record *r)
{
    vouch_trace *t = s->trace;
    trace_count(t, r->method[0] == 'p' ? TALLY_primal_pivots : TALLY_dual_pivots, 1);
    trace_count(t, TALLY_phase_one, r->phase == 1);
    trace_count(t, TALLY_degenerate, r->ratio == 0);
    if (!trace_tells(t) || passed_over(t, s) || !trace_open(t, TRACE_PIVOT, key_of(t, s->iterations - 1), "pivot")) return;
    trace_word(t, "method", r->method);
    TRACE_NUMBERS(t, {"phase", r->phase}, {"in", r->in}, {"out", r->out}, {"pivot", r->pivot}, {"step", r->step},
                  {"ratio", r->ratio});
    add_state(t, s);
    trace_close(t);
    if (s->m <= PATTERN_ROWS && s->factored && r->in != r->out) record_factors(s);
}

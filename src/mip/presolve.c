/* mip/presolve.c - see presolve.h.
 *
 * Repeated until nothing changes: propagation of bounds; sides of rows that bounds imply are dropped; rows of one column become
 * bounds; rows of integers are divided by their common divisor and their sides rounded; coefficients of integer columns are
 * tightened: a'x <= b, greatest activity A > b:   a_j > 0 and d = b - (A
 * - a_j) > 0   =>   a_j -= d, b -= d u_j (and mirrored), which cuts off points of the relaxation only;
 * columns that the objective and every row push the same way are fixed there; columns of one equality are solved for; parities
 * that equalities determine are used; binaries are probed. At the end, rows within a clique become one (clique_rows.c). Bounds
 * found stay as bounds, so that the row they came from may go. Source: Savelsbergh (1994). Nothing needs undoing but the fixing of
 * columns and the solving for them. */
#include "mip/presolve.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

/* ---- presolved -----------------------------------------------------------------------------------------------------------------
 *
 * In place, since nothing is written before it was read: places of rows, columns and entries only fall. The objective and the sides
 * of rows take what the fixed columns add. Cost: one pass over the nonzeros, twice. */

void mip_presolved_free(mip_presolved *p)
{
    mip_model_free(&p->model);
    MEM_FREE_ALL(p->col_of, p->fixed, p->solved.column, p->solved.entry);
    *p = (mip_presolved){0};
}

void mip_presolved_expand(const mip_presolved *p, const double *reduced, double *x)
{
    CHECK_COMPARE(p->model.n, <=, p->original_cols);
    MEM_COPY(x, p->fixed, p->original_cols);
    for (int j = 0; j < p->model.n; j++) x[p->col_of[j]] = reduced[j];
    for (int k = p->solved.count; k-- > 0;) {
        const solved_column *c = &p->solved.column[k];
        double v = c->constant;
        for (size_t e = c->first; e < c->end; e++) v -= p->solved.entry[e].value * x[p->solved.entry[e].column];
        x[c->column] = v;
    }
}

void mip_presolved_restrict(const mip_presolved *p, const double *x, double *reduced)
{
    for (int j = 0; j < p->model.n; j++) reduced[j] = x[p->col_of[j]];
}

static bool gone(const mip_model *p, const domain *d, int j)
{
    double lower = d->lower[j], upper = d->upper[j];
    if (isinf(lower) || isinf(upper)) return false;
    return p->integer[j] ? upper - lower < 0.5 : upper - lower <= FIXED_WIDTH * fmax(1, fabs(lower));
}

/* side - shift, 0 where it is rounding of terms of this size: rows that say the same must not part by that. */
static double shifted(double side, double shift, double size)
{
    double v = side - shift;
    return fabs(v) <= MIP_ROUNDING * fmax(size, fabs(side)) && isfinite(side) ? 0 : v;
}

/* Fixed columns, and rows without a finite side, are removed; row_start and row_col index the remaining entries. */
static int compress_rows(mip_model *p, const int *place, mip_presolved *out)
{
    int rows = 0, m = p->m;
    int64_t at = 0;
    for (int i = 0; i < m; i++) {
        int64_t from = p->row_start[i], to = p->row_start[i + 1], first = at;
        double shift = 0, size = 0;
        if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) continue;
        for (int64_t k = from; k < to; k++) {
            int j = p->row_col[k];
            if (p->row_value[k] == 0) continue;
            if (place[j] < 0) {
                shift += p->row_value[k] * out->fixed[j];
                size = fmax(size, fabs(p->row_value[k] * out->fixed[j]));
                continue;
            }
            p->row_col[at] = place[j];
            p->row_value[at++] = p->row_value[k];
        }
        double lower = shifted(p->row_lower[i], shift, size), upper = shifted(p->row_upper[i], shift, size);
        if (at == first) { /* nothing left of it: kept only if it fails */
            if (lower > MIP_FEASIBILITY * (1 + fabs(p->row_lower[i])) || upper < -MIP_FEASIBILITY * (1 + fabs(p->row_upper[i])))
                out->infeasible = true;
            continue;
        }
        p->row_lower[rows] = lower;
        p->row_upper[rows] = upper;
        p->row_start[rows] = first; /* rows <= i: what is overwritten has been read */
        rows++;
    }
    p->row_start[rows] = at;
    return rows;
}

/* The model as the search takes it: rows of at least one entry, none zero, whole bounds of integer columns, sets of at least
 * two. */
static void presolved_check(const mip_presolved *out)
{
    if (!CHECKING) return;
    const mip_model *p = &out->model;
    for (int i = 0; i < p->m; i++) CHECK_COMPARE(p->row_start[i], <, p->row_start[i + 1]);
    for (int64_t k = 0; k < p->row_start[p->m]; k++) CHECK(p->row_value[k] != 0 && p->row_col[k] < p->n);
    for (int j = 0; j < p->n; j++) {
        CHECK(j == 0 || out->col_of[j - 1] < out->col_of[j]);
        CHECK(!p->integer[j] || (p->lower[j] == rint(p->lower[j]) && p->upper[j] == rint(p->upper[j])));
    }
    for (int s = 0; s < p->sets; s++) CHECK_COMPARE(p->set_start[s] + 2, <=, p->set_start[s + 1]);
}

/* p->model is the original's: its fixed and solved columns and its rows without sides leave it, its bounds become those of the
 * domain. */
static vouch_status mip_presolved_compress(mip_presolved *out, const domain *d)
{
    mip_model *p = &out->model;
    int n = p->n, kept = 0;
    int *place = MEM_ZERO(int, n);
    if (!place) return VOUCH_ERROR_MEMORY;
    for (int k = 0; k < out->solved.count; k++) place[out->solved.column[k].column] = -1;
    for (int j = 0; j < n; j++) {
        if (place[j] < 0) continue;
        place[j] = -1;
        if (!gone(p, d, j)) {
            place[j] = kept;
            out->col_of[kept++] = j;
            continue;
        }
        double v = p->integer[j] ? round(d->lower[j]) : d->lower[j];
        out->fixed[j] = v;
        p->offset += p->cost[j] * v;
    }
    int rows = compress_rows(p, place, out);
    CHECK_COMPARE(rows, <=, p->m);
    transpose(&(line_matrix){rows, p->row_start, p->row_col, p->row_value}, kept, p->col_start, p->col_row, p->col_value);
    for (int j = 0; j < kept; j++) {
        int from = out->col_of[j];
        p->cost[j] = p->cost[from];
        p->integer[j] = p->integer[from];
        p->lower[j] = d->lower[from];
        p->upper[j] = d->upper[from];
    }
    int total = 0, sets = 0;
    for (int s = 0; s < p->sets; s++) {
        int from = p->set_start[s], to = p->set_start[s + 1], first = total;
        for (int k = from; k < to; k++)
            if (place[p->set_col[k]] >= 0) p->set_col[total++] = place[p->set_col[k]];
        if (total - first < 2)
            total = first; /* propagation has seen to the rest */
        else
            p->set_start[sets++] = first;
    }
    if (p->set_start) p->set_start[sets] = total;
    p->sets = sets;
    p->n = kept;
    p->m = rows;
    presolved_check(out);
    mem_free(place);
    return VOUCH_OK;
}

/* ---- substitute ----------------------------------------------------------------------------------------------------------------
 *
 * Column j, in no row but the equality  a_j x_j + sum a_k x_k = b , is solved for:
 *
 *   slack   x_j and all x_k are integer, and every a_k / a_j and b / a_j is whole. The row becomes
 *           b / a_j - u_j <= sum (a_k / a_j) x_k <= b / a_j - l_j, exactly (with a_j < 0 the other way round, so that it keeps its
 *           signs), and x_j is whole wherever the others are.
 *   free    x_j is continuous, all x_k are integer, and their bounds imply its own. The row goes. (Where x_k are flows, the row
 *           is worth more to the separators of cuts: modglob took 245 nodes in the place of 24 without.)
 *
 *   pair    x_j and x_k are the only columns of the equality, integer, with a_k / a_j and b / a_j whole. x_k takes the place of x_j
 * in all rows and takes over its bounds; the row goes. Here x_j may stand in any number of rows.
 *
 * Its cost goes to the others: c_k -= c_j a_k / a_j. So the objective is that of the columns that are chosen, whose common divisor
 * it may have, and rows that say what is covered become cliques. Source: T. Achterberg, R. E. Bixby, Z. Gu, E. Rothberg, D.
 * Weninger, Presolve reductions in mixed integer programming, INFORMS Journal on Computing 32 (2020), section 3.5. Cost:
 * O(nonzeros). */

typedef enum solve_kind { NOT_SOLVED, SLACK, FREE } solve_kind;

static bool has_sides(const mip_model *p, int i) { return isfinite(p->row_lower[i]) || isfinite(p->row_upper[i]); }

/* The rows with sides; count: of them each column has an entry in. */
static int count_entries(const mip_model *p, int count[])
{
    int rows = 0;
    memset(count, 0, (size_t)p->n * sizeof *count);
    for (int i = 0; i < p->m; i++) {
        if (!has_sides(p, i)) continue;
        rows++;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) count[p->row_col[k]] += p->row_value[k] != 0;
    }
    return rows;
}

static bool divides(double by, double v) { return fabs(v) <= LARGEST_WHOLE * fabs(by) && fmod(v, by) == 0; }

/* Is column j, at place `at`, the integer slack of row i? */
static bool is_slack(const mip_model *p, int i, int64_t at)
{
    double by = p->row_value[at];
    if (!divides(by, p->row_lower[i])) return false;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++)
        if (p->row_value[k] != 0 && (!p->integer[p->row_col[k]] || !divides(by, p->row_value[k]))) return false;
    return true;
}

/* Is the column at place `at` of row i within its bounds wherever the others are within theirs? */
static bool is_implied(const mip_model *p, const domain *d, int i, int64_t at)
{
    double by = p->row_value[at], b = p->row_lower[i], least = b / by, greatest = b / by, size = fabs(b / by), largest = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = -p->row_value[k] / by;
        int j = p->row_col[k];
        if (v == 0 || k == at) continue;
        if (!p->integer[j]) return false;
        double low = v * (v > 0 ? d->lower[j] : d->upper[j]), high = v * (v > 0 ? d->upper[j] : d->lower[j]);
        least += low;
        greatest += high;
        size = fmax(size, fmax(isfinite(low) ? fabs(low) : 0, isfinite(high) ? fabs(high) : 0));
        largest = fmax(largest, fabs(v));
    }
    double slack = MIP_ROUNDING * size;
    return largest <= SOLVED_RATIO && least >= d->lower[p->row_col[at]] - slack && greatest <= d->upper[p->row_col[at]] + slack;
}

/* The place in row i of a column to solve for. */
static solve_kind find(const mip_model *p, const domain *d, const int count[], int i, int64_t *at)
{
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        if (p->row_value[k] == 0 || count[j] != 1 || d->lower[j] == d->upper[j] || d->set_of[j] < d->set_of[j + 1]) continue;
        *at = k;
        if (p->integer[j] ? is_slack(p, i, k) : is_implied(p, d, i, k)) return p->integer[j] ? SLACK : FREE;
    }
    return NOT_SOLVED;
}

/* False: memory. */
static bool remember(solved_columns *s, const mip_model *p, int i, int64_t at)
{
    size_t length = (size_t)(p->row_start[i + 1] - p->row_start[i]);
    if (MEM_RESERVE(&s->column, &s->capacity, s->count) || MEM_RESERVE(&s->entry, &s->entry_capacity, s->entries + length))
        return false;
    double by = p->row_value[at];
    solved_column c = {.column = p->row_col[at], .constant = p->row_lower[i] / by, .first = s->entries};
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++)
        if (k != at && p->row_value[k] != 0) s->entry[s->entries++] = (solved_entry){p->row_col[k], p->row_value[k] / by};
    c.end = s->entries;
    s->column[s->count++] = c;
    return true;
}

/* Row i, just remembered, without the column at place `at`. */
static void rewrite(mip_model *p, const domain *d, const solved_columns *s, int i, int64_t at, solve_kind kind)
{
    const solved_column *c = &s->column[s->count - 1];
    double cost = p->cost[c->column], by = p->row_value[at];
    for (size_t k = c->first; cost != 0 && k < c->end; k++) p->cost[s->entry[k].column] -= cost * s->entry[k].value;
    p->offset += cost * c->constant;
    p->cost[c->column] = 0;
    p->row_value[at] = 0;
    for (int64_t k = p->row_start[i]; kind == SLACK && k < p->row_start[i + 1]; k++) p->row_value[k] /= fabs(by);
    double lower = by > 0 ? c->constant - d->upper[c->column] : d->lower[c->column] - c->constant,
           upper = by > 0 ? c->constant - d->lower[c->column] : d->upper[c->column] - c->constant;
    p->row_lower[i] = kind == SLACK ? lower : -INFINITY;
    p->row_upper[i] = kind == SLACK ? upper : INFINITY;
    CHECK(p->row_lower[i] <= p->row_upper[i]);
}

/* Solves rows of p->model for such columns within the bounds of d, and adds them to p->solved. count: [n] scratch. Their costs
 * and entries are 0 afterwards. How many; -1: memory. */
static int solve_for_columns(mip_presolved *out, const domain *d, int count[])
{
    mip_model *p = &out->model;
    int before = out->solved.count, rows = count_entries(p, count);
    for (int i = 0; i < p->m; i++) {
        int64_t at = 0;
        if (!has_sides(p, i) || p->row_lower[i] != p->row_upper[i]) continue;
        solve_kind kind = find(p, d, count, i, &at);
        if (kind == NOT_SOLVED || (kind == SLACK && rows == 1)) continue; /* one equality may be solved by residues */
        if (!remember(&out->solved, p, i, at)) return -1;
        rewrite(p, d, &out->solved, i, at, kind);
        count[p->row_col[at]] = 0;
        for (int64_t k = p->row_start[i]; kind == FREE && k < p->row_start[i + 1]; k++)
            count[p->row_col[k]] -= p->row_value[k] != 0;
        rows -= kind == FREE;
    }
    return out->solved.count - before;
}

/* ---- equalities of two columns -------------------------------------------------------------------------------- */

/* x = constant + factor * x_column; of a column that stays, itself. */
typedef struct image {
    int column;
    double factor, constant;
} image;

typedef struct merger {
    mip_presolved *out;
    domain *dom;
    image *map;     /* [n] */
    int64_t *place; /* [n] of a column in the row at hand; -1 between uses */
} merger;

/* The image of j in a column that stays. */
static image resolve(const merger *g, int j)
{
    image m = g->map[j];
    while (g->map[m.column].column != m.column) {
        image to = g->map[m.column];
        m = (image){to.column, m.factor * to.factor, m.constant + m.factor * to.constant};
    }
    return g->map[j] = m;
}

static double cancel(double a, double b) { return fabs(a + b) <= MIP_ROUNDING * (fabs(a) + fabs(b)) ? 0 : a + b; }

/* Row i in the columns that stay; never longer than before, zeros are left in. */
static void map_row(const merger *g, int i)
{
    mip_model *p = &g->out->model;
    double shift = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        image m = resolve(g, p->row_col[k]);
        double v = p->row_value[k];
        p->row_value[k] = 0;
        if (v == 0) continue;
        shift += v * m.constant;
        if (g->place[m.column] < 0) {
            g->place[m.column] = k;
            p->row_col[k] = m.column;
        }
        int64_t at = g->place[m.column];
        p->row_value[at] = cancel(p->row_value[at], v * m.factor);
    }
    p->row_lower[i] -= shift;
    p->row_upper[i] -= shift;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) g->place[p->row_col[k]] = -1;
}

/* Does equality i have two columns, integer and in no set? *at: the place of one that can be solved for. */
static bool is_pair(const mip_model *p, const domain *d, int i, int64_t *at)
{
    int64_t entry[2];
    int count = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        if (p->row_value[k] == 0) continue;
        if (count == 2 || !p->integer[j] || d->set_of[j] < d->set_of[j + 1]) return false;
        entry[count++] = k;
    }
    for (int turn = 0; turn < 2 && count == 2; turn++) {
        double by = p->row_value[entry[turn]], other = p->row_value[entry[1 - turn]];
        *at = entry[turn];
        if (divides(by, other) && divides(by, p->row_lower[i]) && fabs(other / by) <= SOLVED_RATIO) return true;
    }
    return false;
}

/* Solves row i for its column at place `at`. False: no point is left. */
static bool merge(const merger *g, int i, int64_t at)
{
    mip_model *p = &g->out->model;
    const solved_columns *s = &g->out->solved;
    const solved_column *c = &s->column[s->count - 1];
    const solved_entry *e = &s->entry[c->first];
    image m = {e->column, -e->value, c->constant};
    CHECK(c->column == p->row_col[at] && c->end == c->first + 1);
    g->map[c->column] = m;
    p->offset += p->cost[c->column] * m.constant;
    p->cost[m.column] += p->cost[c->column] * m.factor;
    p->cost[c->column] = 0;
    p->row_lower[i] = -INFINITY;
    p->row_upper[i] = INFINITY;
    /* The bounds of x = constant + factor * y for y. */
    double low = (g->dom->lower[c->column] - m.constant) / m.factor, high = (g->dom->upper[c->column] - m.constant) / m.factor;
    return domain_set_lower(g->dom, m.column, ceil(fmin(low, high) - MIP_BOUND_SLACK)) &&
           domain_set_upper(g->dom, m.column, floor(fmax(low, high) + MIP_BOUND_SLACK));
}

/* Solves each equality of two integer columns for one of them, which the other replaces in rows, cost and bounds of d. How many;
 * -1: memory. *infeasible: the bounds leave no point. */
static int merge_columns(mip_presolved *out, domain *d, bool *infeasible)
{
    mip_model *p = &out->model;
    arena a = {0};
    merger g = {out, d, ARENA_NEW(&a, image, p->n), ARENA_NEW(&a, int64_t, p->n)};
    int before = out->solved.count;
    bool failed = a.failed;
    *infeasible = false;
    for (int j = 0; !failed && j < p->n; j++) g.map[j] = (image){j, 1, 0}, g.place[j] = -1;
    for (int i = 0; !failed && !*infeasible && i < p->m; i++) {
        int64_t at;
        if (!has_sides(p, i) || p->row_lower[i] != p->row_upper[i]) continue;
        map_row(&g, i);
        if (!is_pair(p, d, i, &at)) continue;
        failed = !remember(&out->solved, p, i, at);
        if (!failed) *infeasible = !merge(&g, i, at);
    }
    for (int i = 0; !failed && out->solved.count > before && i < p->m; i++)
        if (has_sides(p, i)) map_row(&g, i);
    arena_free(&a);
    return failed ? -1 : out->solved.count - before;
}

/* ---- Repeated until nothing changes ----------------------------------------------------------------------------------------- */

enum { MOST_PASSES = 12, PROBE_WORK = 100 /* times the nonzeros, plus a constant */ };

typedef struct reducer {
    mip_presolved *out;
    mip_model *p; /* out->model, worked on by rows; its column copy follows from pass to pass */
    domain dom;
    int *locks[2]; /* [n] */
    bool changed, out_of_memory;
    int tightened;
} reducer;

/* ---- rows ------------------------------------------------------------------------------------------------------ */

typedef struct row_activity {
    double least, greatest;
    double least_size, greatest_size; /* largest term of each */
    int open_least, open_greatest;    /* infinite terms */
    int free;                         /* columns not fixed */
} row_activity;

static row_activity activity_of(const reducer *r, int i)
{
    const mip_model *p = r->p;
    row_activity a = {0};
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = p->row_value[k];
        int j = p->row_col[k];
        if (v == 0) continue;
        double low = v > 0 ? r->dom.lower[j] : r->dom.upper[j], high = v > 0 ? r->dom.upper[j] : r->dom.lower[j];
        if (isinf(low))
            a.open_least++;
        else
            a.least += v * low, a.least_size = fmax(a.least_size, fabs(v * low));
        if (isinf(high))
            a.open_greatest++;
        else
            a.greatest += v * high, a.greatest_size = fmax(a.greatest_size, fabs(v * high));
        a.free += r->dom.lower[j] < r->dom.upper[j];
    }
    return a;
}

/* Is v a whole number when multiplied by q, but for the rounding of v itself? */
static bool whole_times(double v, double q)
{
    return fabs(q * v) <= LARGEST_WHOLE && fabs(q * v - round(q * v)) <= MIP_ROUNDING * fabs(q * v);
}

/* The power of ten that makes the coefficients of the row's free columns whole; 0: none, or one of the columns
 * is continuous. divisor: of the products. shift: what the fixed columns add, of magnitudes up to size. */
static double common_divisor(const reducer *r, int i, double *divisor, double *shift, double *size)
{
    const mip_model *p = r->p;
    double q = 1;
    *divisor = *shift = *size = 0;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = p->row_value[k];
        int j = p->row_col[k];
        if (v == 0) continue;
        if (r->dom.lower[j] == r->dom.upper[j]) {
            *shift += v * r->dom.lower[j];
            *size = fmax(*size, fabs(v * r->dom.lower[j]));
            continue;
        }
        if (!p->integer[j]) return 0;
        while (!whole_times(v, q))
            if ((q *= 10) > MOST_DIGITS) return 0;
    }
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        double v = fabs(round(q * p->row_value[k]));
        int j = p->row_col[k];
        if (v == 0 || r->dom.lower[j] == r->dom.upper[j]) continue;
        if (!whole_times(p->row_value[k], q)) return 0;
        *divisor = mip_gcd(fmax(v, *divisor), fmin(v, *divisor));
    }
    return *divisor >= 1 ? q : 0;
}

/* Rows of integer columns with whole or decimal coefficients take multiples of their divisor only. A side is
 * rounded to the next one within it, where a point that misses the side by MIP_FEASIBILITY does not count as
 * outside. False: no multiple lies between the sides. */
static bool round_row(reducer *r, int i)
{
    mip_model *p = r->p;
    double divisor, shift, size, q = common_divisor(r, i, &divisor, &shift, &size);
    if (q == 0) return true;
    double step = divisor / q, upper = p->row_upper[i], lower = p->row_lower[i];
    size = fmax(size, fmax(isfinite(upper) ? fabs(upper) : 0, isfinite(lower) ? fabs(lower) : 0));
    double slack = MIP_FEASIBILITY + MIP_ROUNDING * size;
    if (slack > 0.1 * step || size > LARGEST_WHOLE * step) return true;
    double most = floor((upper - shift + slack) / step), least = ceil((lower - shift - slack) / step);
    if (least > most) return false;
    if (shift + step * most < upper - slack) p->row_upper[i] = shift + step * most, r->changed = true;
    if (shift + step * least > lower + slack) p->row_lower[i] = shift + step * least, r->changed = true;
    return true;
}

/* One-sided rows: sign * row <= b. */
static void tighten_row(reducer *r, int i, double sign)
{
    mip_model *p = r->p;
    double b = sign > 0 ? p->row_upper[i] : -p->row_lower[i];
    row_activity a = activity_of(r, i);
    double greatest = sign > 0 ? a.greatest : -a.least;
    CHECK(isinf(sign > 0 ? p->row_lower[i] : p->row_upper[i]));
    double error = MIP_ROUNDING * fmax(sign > 0 ? a.greatest_size : a.least_size, fabs(b));
    if ((sign > 0 ? a.open_greatest : a.open_least) > 0) return;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        double v = sign * p->row_value[k], lower = r->dom.lower[j], upper = r->dom.upper[j];
        if (v == 0 || !p->integer[j] || lower == upper || !(greatest > b + LEAST_TIGHTENING * (1 + fabs(b)))) continue;
        double d = b - (greatest - fabs(v));
        if (!(d > LEAST_TIGHTENING * fmax(1, fabs(v)))) continue;
        if (d > fabs(v)) continue;                                 /* redundant rows are dropped elsewhere */
        double bound = v > 0 ? upper : lower, left = greatest - b; /* of the coefficient: |v| - d, with less rounding */
        if (error * (1 + fabs(bound)) > TIGHTENING_ERROR * fmin(1, left)) continue;
        CHECK(left > 0 && left <= fabs(v));
        v -= v > 0 ? left : -left; /* what the coefficient loses */
        p->row_value[k] = sign * (p->row_value[k] * sign > 0 ? left : -left);
        b -= v * bound;
        greatest -= v * bound;
        r->tightened++;
        r->changed = true;
    }
    if (sign > 0)
        p->row_upper[i] = b;
    else
        p->row_lower[i] = -b;
}

/* False: the row cannot be kept. */
static bool reduce_row(reducer *r, int i)
{
    mip_model *p = r->p;
    if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) return true;
    row_activity a = activity_of(r, i);
    if (a.open_greatest == 0 && a.greatest <= p->row_upper[i] + MIP_ROUNDING * a.greatest_size) p->row_upper[i] = INFINITY;
    if (a.open_least == 0 && a.least >= p->row_lower[i] - MIP_ROUNDING * a.least_size) p->row_lower[i] = -INFINITY;
    if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) {
        r->changed = true;
        return true;
    }
    if (a.free == 0) return true; /* only rounding keeps it; the search checks it */
    if (a.free == 1) {
        double shift = 0, v = 0;
        int col = -1;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            int j = p->row_col[k];
            if (p->row_value[k] == 0) continue;
            if (r->dom.lower[j] == r->dom.upper[j])
                shift += p->row_value[k] * r->dom.lower[j];
            else
                col = j, v = p->row_value[k];
        }
        if (col < 0 || fabs(v) < LEAST_PIVOT) return true;
        double low = ((v > 0 ? p->row_lower[i] : p->row_upper[i]) - shift) / v;
        double high = ((v > 0 ? p->row_upper[i] : p->row_lower[i]) - shift) / v;
        if (p->integer[col]) {
            double size = fmax(a.least_size, a.greatest_size);
            double slack = (MIP_FEASIBILITY + MIP_ROUNDING * size) / fabs(v);
            if (slack > 0.1) return true;
            low = ceil(low - slack), high = floor(high + slack);
        }
        if (!domain_set_lower(&r->dom, col, low) || !domain_set_upper(&r->dom, col, high)) return false;
        p->row_lower[i] = -INFINITY;
        p->row_upper[i] = INFINITY;
        r->changed = true;
        return true;
    }
    if (!round_row(r, i)) return false;
    if (isinf(p->row_lower[i]))
        tighten_row(r, i, 1);
    else if (isinf(p->row_upper[i]))
        tighten_row(r, i, -1);
    return true;
}

/* ---- columns --------------------------------------------------------------------------------------------------- */

/* Columns that nothing holds back from their better bound. An infinite one is left to the search. */
static bool fix_by_locks(reducer *r)
{
    const mip_model *p = r->p;
    mip_model_count_locks(p, r->locks);
    for (int j = 0; j < p->n; j++) {
        double lower = r->dom.lower[j], upper = r->dom.upper[j];
        if (lower == upper || r->dom.set_of[j] < r->dom.set_of[j + 1]) continue;
        bool alive = true;
        if (p->cost[j] >= 0 && r->locks[0][j] == 0 && isfinite(lower))
            alive = domain_set_upper(&r->dom, j, lower);
        else if (p->cost[j] <= 0 && r->locks[1][j] == 0 && isfinite(upper))
            alive = domain_set_lower(&r->dom, j, upper);
        else
            continue;
        r->changed = true;
        if (!alive) return false;
    }
    return true;
}

/* ---- parities --------------------------------------------------------------------------------------------------
 *
 * An equality  sum_j a_j x_j = b  of integer columns with whole a and b holds modulo 2, where only odd a_j remain. Gauss-Jordan
 * elimination of these shows columns whose parity is known, and that no point is left where 0 = 1 remains. Such systems are common
 * where a_j = 2 counts pairs: in enlight_hard every column follows. O(rows^2 odd columns / 64) */

enum { PARITY_WORK = 20000000 }; /* words of 64 columns */

typedef struct parities {
    reducer *r;
    double *factor, *right; /* [m] whole coefficients are factor * a; 0: the row is none of these. Its right side */
    int *place, *col;       /* [n] of the columns with odd coefficients: among them; the column there */
    int rows, cols, words;
    uint64_t *bit; /* [rows][words] odd coefficients, then the right side */
} parities;

static bool is_odd(double whole) { return fmod(fabs(round(whole)), 2) == 1; }

/* Is row i an equality of whole numbers, and certainly one? Notes what it is multiplied by, and its odd columns; *even: it has
 * other columns. */
static bool note_parities(parities *q, int i, bool *even)
{
    const mip_model *p = q->r->p;
    double divisor, shift, size, b = p->row_lower[i];
    q->factor[i] = 0;
    if (isinf(b) || b != p->row_upper[i]) return false;
    double factor = common_divisor(q->r, i, &divisor, &shift, &size);
    if (factor == 0) return false;
    factor /= divisor;
    size = factor * fmax(size, fabs(b));
    q->right[i] = factor * (b - shift);
    if (factor * MIP_FEASIBILITY + MIP_ROUNDING * size > 0.1 || size > LARGEST_WHOLE) return false;
    if (fabs(q->right[i] - round(q->right[i])) > factor * MIP_FEASIBILITY + MIP_ROUNDING * size) return false;
    q->factor[i] = factor;
    for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
        int j = p->row_col[k];
        if (p->row_value[k] == 0 || q->r->dom.lower[j] == q->r->dom.upper[j]) continue;
        bool odd = is_odd(factor * p->row_value[k]);
        *even = *even || !odd;
        if (odd && q->place[j] < 0) q->col[q->place[j] = q->cols++] = j;
    }
    return true;
}

static void flip(uint64_t *row, int bit) { row[bit / 64] ^= (uint64_t)1 << (bit % 64); }
static bool test(const uint64_t *row, int bit) { return row[bit / 64] >> (bit % 64) & 1; }

static void fill_bits(parities *q)
{
    const mip_model *p = q->r->p;
    uint64_t *row = q->bit;
    for (int i = 0; i < p->m; i++) {
        if (q->factor[i] == 0) continue;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1]; k++) {
            int j = p->row_col[k];
            if (q->r->dom.lower[j] < q->r->dom.upper[j] && is_odd(q->factor[i] * p->row_value[k])) flip(row, q->place[j]);
        }
        if (is_odd(q->right[i])) flip(row, q->cols);
        row += q->words;
    }
}

/* Each column that leads a row is in no other afterwards. */
static void eliminate_bits(parities *q)
{
    int w = q->words, done = 0;
    for (int c = 0; c < q->cols && done < q->rows; c++) {
        int lead = done;
        while (lead < q->rows && !test(q->bit + (size_t)lead * (size_t)w, c)) lead++;
        if (lead == q->rows) continue;
        uint64_t *from = q->bit + (size_t)lead * (size_t)w, *to = q->bit + (size_t)done * (size_t)w;
        for (int k = 0; k < w; k++) {
            uint64_t held = from[k];
            from[k] = to[k];
            to[k] = held;
        }
        for (int i = 0; i < q->rows; i++) {
            uint64_t *row = q->bit + (size_t)i * (size_t)w;
            if (i == done || !test(row, c)) continue;
            for (int k = 0; k < w; k++) row[k] ^= to[k];
        }
        done++;
    }
}

/* What the rows say that have one column left, or none. False: no point is left. */
static bool use_bits(const parities *q)
{
    domain *d = &q->r->dom;
    for (int i = 0; i < q->rows; i++) {
        const uint64_t *row = q->bit + (size_t)i * (size_t)q->words;
        int count = 0, c = 0;
        for (int k = 0; k < q->cols && count < 2; k++)
            if (test(row, k)) count++, c = k;
        bool odd = test(row, q->cols);
        if (count == 0 && odd) return false;
        if (count != 1) continue;
        int j = q->col[c];
        double lower = d->lower[j], upper = d->upper[j];
        if (fabs(lower) <= LARGEST_WHOLE && is_odd(lower) != odd) lower++;
        if (fabs(upper) <= LARGEST_WHOLE && is_odd(upper) != odd) upper--;
        q->r->changed = q->r->changed || lower > d->lower[j] || upper < d->upper[j];
        if (!domain_set_lower(d, j, lower) || !domain_set_upper(d, j, upper)) return false;
    }
    return true;
}

/* False: no point is left. */
static bool fix_by_parities(reducer *r)
{
    const mip_model *p = r->p;
    arena a = {0};
    parities q = {
        r,   ARENA_NEW(&a, double, p->m), ARENA_NEW(&a, double, p->m), ARENA_NEW(&a, int, p->n), ARENA_NEW(&a, int, p->n), 0, 0, 0,
        NULL};
    bool even = false, alive = true;
    for (int j = 0; !a.failed && j < p->n; j++) q.place[j] = -1;
    for (int i = 0; !a.failed && i < p->m; i++) q.rows += note_parities(&q, i, &even);
    q.words = q.cols / 64 + 1;
    if (even && (double)q.rows * q.rows * q.words <= PARITY_WORK) { /* else sums of rows say as much */
        q.bit = ARENA_ZERO(&a, uint64_t, (size_t)q.rows * (size_t)q.words);
        if (!a.failed) {
            fill_bits(&q);
            eliminate_bits(&q);
            alive = use_bits(&q);
        }
    }
    r->out_of_memory = r->out_of_memory || a.failed;
    arena_free(&a);
    return alive;
}

typedef struct probed_column {
    int rows, col;
} probed_column;

/* Most rows first, then the column's number. */
static int by_rows(const void *a, const void *b)
{
    const probed_column *x = a, *y = b;
    return x->rows != y->rows ? (x->rows < y->rows) - (x->rows > y->rows) : x->col - y->col;
}

/* Columns whose bounds both values of a binary move. */
typedef struct probing {
    double *lower, *upper; /* [n], of those listed */
    int *list, count;      /* [n] */
    bool *listed;          /* [n] false between uses */
    probed_column *order;  /* [n] scratch */
} probing;

/* What the first value has moved since the mark. */
static void list_moved(probing *q, const domain *d, size_t mark)
{
    q->count = 0;
    for (size_t k = mark; k < d->trail; k++) {
        int j = d->stack[k].col;
        if (!q->listed[j]) q->list[q->count++] = j;
        q->listed[j] = true;
        q->lower[j] = d->lower[j];
        q->upper[j] = d->upper[j];
    }
    for (int k = 0; k < q->count; k++) q->listed[q->list[k]] = false;
}

/* Both values of binary j leave no more than this. False: no point is left. */
static bool keep_moved(reducer *r, const probing *q, int j)
{
    domain *d = &r->dom;
    for (int k = 0; k < q->count; k++) {
        int c = q->list[k];
        double lower = q->lower[c], upper = q->upper[c];
        if (c == j || d->lower[c] == d->upper[c]) continue;
        bool up = lower > d->lower[c] + PROBING_GAIN * (1 + fabs(lower)),
             down = upper < d->upper[c] - PROBING_GAIN * (1 + fabs(upper));
        r->changed = r->changed || up || down;
        if ((up && !domain_set_lower(d, c, lower)) || (down && !domain_set_upper(d, c, upper))) return false;
    }
    return true;
}

/* Sets binary j to either value and keeps what follows from both. False: no point is left. O(what moves) */
static bool probe_column(reducer *r, probing *q, int j)
{
    domain *d = &r->dom;
    size_t mark = domain_mark(d);
    bool alive[2];
    for (int v = 0; v < 2; v++) {
        alive[v] = (v ? domain_set_lower(d, j, 1) : domain_set_upper(d, j, 0)) && domain_propagate(d);
        if (v == 0) list_moved(q, d, mark);
        for (int k = 0; v == 1 && k < q->count; k++) {
            int c = q->list[k];
            q->lower[c] = fmin(q->lower[c], d->lower[c]);
            q->upper[c] = fmax(q->upper[c], d->upper[c]);
        }
        domain_undo(d, mark);
        CHECK(d->lower[j] == 0 && d->upper[j] == 1);
    }
    if (!alive[0] && !alive[1]) return false;
    bool ok = true;
    if (alive[0] && alive[1])
        ok = keep_moved(r, q, j);
    else
        ok = alive[0] ? domain_set_upper(d, j, 0) : domain_set_lower(d, j, 1), r->changed = true;
    return ok && domain_propagate(d);
}

/* Probes the binaries, those in most switching rows first. False: no point is left. */
static bool probe(reducer *r, probing *q, const deadline *clock)
{
    const mip_model *p = r->p;
    domain *d = &r->dom;
    int count = 0;
    long long limit = d->work + PROBE_WORK * ((long long)p->row_start[p->m] + 10000);
    /* Of binaries the rows through which they do more than exclude others, those with coefficients other than 1 or with continuous
     * columns; negative for other columns. */
    for (int j = 0; j < p->n; j++) r->locks[0][j] = p->integer[j] && d->lower[j] == 0 && d->upper[j] == 1 ? 0 : -p->m - 1;
    for (int i = 0; i < p->m; i++) {
        bool switches = false;
        if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) continue;
        for (int64_t k = p->row_start[i]; k < p->row_start[i + 1] && !switches; k++)
            switches = p->row_value[k] != 0 && (fabs(p->row_value[k]) != 1 || !p->integer[p->row_col[k]]);
        for (int64_t k = p->row_start[i]; switches && k < p->row_start[i + 1]; k++)
            r->locks[0][p->row_col[k]] += p->row_value[k] != 0;
    }
    for (int j = 0; j < p->n; j++)
        if (r->locks[0][j] >= 0) q->order[count++] = (probed_column){r->locks[0][j], j};
    qsort(q->order, (size_t)count, sizeof *q->order, by_rows);
    for (int k = 0; k < count && d->work < limit && !deadline_expired(clock); k++) {
        int j = q->order[k].col;
        if (d->lower[j] == 0 && d->upper[j] == 1 && !probe_column(r, q, j)) return false;
    }
    return true;
}

/* Every row, in the coefficients that it has now. False: no point is left. */
static bool propagate_anew(reducer *r)
{
    mip_model *p = r->p;
    transpose(&(line_matrix){p->m, p->row_start, p->row_col, p->row_value}, p->n, p->col_start, p->col_row, p->col_value);
    domain_queue_all(&r->dom);
    return domain_propagate(&r->dom);
}

static bool reduce(reducer *r, probing *scratch, const deadline *clock)
{
    mip_model *p = r->p;
    bool probed = false;
    for (int pass = 0; pass < MOST_PASSES && !deadline_expired(clock); pass++) {
        r->changed = false;
        if (!propagate_anew(r)) return false;
        for (int i = 0; i < p->m; i++)
            if (!reduce_row(r, i)) return false;
        if (!fix_by_locks(r)) return false;
        if (!r->changed) {
            bool infeasible;
            int merged = merge_columns(r->out, &r->dom, &infeasible);
            if (infeasible) return false;
            r->changed = merged > 0;
            r->out_of_memory = r->out_of_memory || merged < 0;
        }
        if (!r->changed) {
            int solved = solve_for_columns(r->out, &r->dom, r->locks[0]);
            r->changed = solved > 0;
            r->out_of_memory = r->out_of_memory || solved < 0;
        }
        if (!r->changed && !fix_by_parities(r)) return false;
        if (!r->changed && !probed) {
            probed = true;
            r->dom.trail = 0;
            if (!probe(r, scratch, clock)) return false;
        }
        if (!r->changed) break;
    }
    return propagate_anew(r);
}

vouch_status mip_presolve(mip_presolved *out, const mip_model *original, bool reduce_it, const deadline *clock)
{
    int n = original->n;
    *out = (mip_presolved){.original_cols = n, .rows_before = original->m, .cols_before = n};
    reducer r = {.out = out, .p = &out->model};
    arena memory = {0};
    probing scratch = {.lower = ARENA_NEW(&memory, double, n),
                       .upper = ARENA_NEW(&memory, double, n),
                       .list = ARENA_NEW(&memory, int, n),
                       .listed = ARENA_ZERO(&memory, bool, n),
                       .order = ARENA_NEW(&memory, probed_column, n)};
    out->col_of = MEM_NEW(int, n);
    out->fixed = MEM_ZERO(double, n);
    r.locks[0] = ARENA_NEW(&memory, int, n);
    r.locks[1] = ARENA_NEW(&memory, int, n);
    bool made = out->col_of && out->fixed && !memory.failed;
    vouch_status status = made ? mip_model_copy(&out->model, original) : VOUCH_ERROR_MEMORY;
    if (status != VOUCH_OK) goto done;
    for (int j = 0; j < n; j++) /* bounds that cross from the start */
        out->infeasible = out->infeasible || original->lower[j] > original->upper[j];
    if (!reduce_it || out->infeasible) {
        for (int j = 0; j < n; j++) out->col_of[j] = j;
        goto done;
    }
    if ((status = domain_init(&r.dom, &out->model)) != VOUCH_OK) goto done;
    out->infeasible = !reduce(&r, &scratch, clock);
    out->rows_tightened = r.tightened;
    status = r.dom.failed || r.out_of_memory ? VOUCH_ERROR_MEMORY : mip_presolved_compress(out, &r.dom);
    if (status == VOUCH_OK && !out->infeasible) status = mip_merge_cliques(&out->model);
done:
    domain_free(&r.dom);
    arena_free(&memory);
    if (status != VOUCH_OK) mip_presolved_free(out);
    return status;
}

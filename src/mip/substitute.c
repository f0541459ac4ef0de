/* mip/substitute.c - see substitute.h.
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
 * O(nonzeros).
 */
#include "mip/substitute.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"

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

int solve_for_columns(mip_presolved *out, const domain *d, int count[])
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

/* Of x = constant + factor * y: the bounds of x for y. False: no point is left. */
static bool take_bounds(domain *d, int x, image m)
{
    double low = (d->lower[x] - m.constant) / m.factor, high = (d->upper[x] - m.constant) / m.factor;
    return domain_set_lower(d, m.column, ceil(fmin(low, high) - MIP_BOUND_SLACK)) &&
           domain_set_upper(d, m.column, floor(fmax(low, high) + MIP_BOUND_SLACK));
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
    return take_bounds(g->dom, c->column, m);
}

int merge_columns(mip_presolved *out, domain *d, bool *infeasible)
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

/* mip/presolved.c - see presolved.h.
 *
 * In place, since nothing is written before it was read: places of rows, columns and entries only fall. The objective and the sides
 * of rows take what the fixed columns add. Cost: one pass over the nonzeros, twice.
 */
#include "mip/presolved.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

void mip_presolved_free(mip_presolved *p)
{
    mip_model_free(&p->model);
    mem_free(p->col_of);
    mem_free(p->fixed);
    mem_free(p->solved.column);
    mem_free(p->solved.entry);
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

/* Fixed columns, and rows without a finite side, are removed; row_start and row_col index the remaining entries. */
static int compress_rows(mip_model *p, const int *place, mip_presolved *out)
{
    int rows = 0, m = p->m;
    int64_t at = 0;
    for (int i = 0; i < m; i++) {
        int64_t from = p->row_start[i], to = p->row_start[i + 1], first = at;
        double shift = 0;
        if (isinf(p->row_lower[i]) && isinf(p->row_upper[i])) continue;
        for (int64_t k = from; k < to; k++) {
            int j = p->row_col[k];
            if (p->row_value[k] == 0) continue;
            if (place[j] < 0) {
                shift += p->row_value[k] * out->fixed[j];
                continue;
            }
            p->row_col[at] = place[j];
            p->row_value[at++] = p->row_value[k];
        }
        double lower = p->row_lower[i] - shift, upper = p->row_upper[i] - shift;
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
#ifdef VOUCH_DEBUG
    const mip_model *p = &out->model;
    for (int i = 0; i < p->m; i++) CHECK_COMPARE(p->row_start[i], <, p->row_start[i + 1]);
    for (int64_t k = 0; k < p->row_start[p->m]; k++) CHECK(p->row_value[k] != 0 && p->row_col[k] < p->n);
    for (int j = 0; j < p->n; j++) {
        CHECK(j == 0 || out->col_of[j - 1] < out->col_of[j]);
        CHECK(!p->integer[j] || (p->lower[j] == rint(p->lower[j]) && p->upper[j] == rint(p->upper[j])));
    }
    for (int s = 0; s < p->sets; s++) CHECK_COMPARE(p->set_start[s] + 2, <=, p->set_start[s + 1]);
#else
    (void)out;
#endif
}

static void compress_sets(mip_model *p, const int *place)
{
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
}

vouch_status mip_presolved_compress(mip_presolved *out, const domain *d)
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
    compress_sets(p, place);
    p->n = kept;
    p->m = rows;
    presolved_check(out);
    mem_free(place);
    return VOUCH_OK;
}

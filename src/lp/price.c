/* lp/price.c - the pivot row: result = x' [A, -I] over the nonbasic variables.
 *
 * By rows of A when x is sparse (only rows met by x are touched, entries become listed as they appear), by columns
 * otherwise or when the problem is so small that a row-wise copy is not worth its making.
 */
#include <math.h>

#include "lp/simplex.h"
#include "lp/tolerance.h"

/* Below this many entries of A columns are always used. */
#define COPY_LEAST 3000
/* Density of x up to which rows are used. */
#define ROWS_DENSITY 0.4

int price_prepare(simplex *s)
{
    if (s->rows_valid || s->a.start[s->n] < COPY_LEAST) return 0;
    if (sparse_transpose(&s->a, &s->rows)) return -1;
    s->rows_valid = true;
    return 0;
}

static void by_rows(simplex *s, const vector *x, vector *result)
{
    int m = s->m;
    for (int k = 0; k < x->count; k++) {
        int i = x->index[k];
        double v = x->value[i];
        if (s->where[i] < 0) vector_add(result, i, -v);
        for (int64_t e = s->rows.start[i]; e < s->rows.start[i + 1]; e++) {
            vector_add(result, m + s->rows.index[e], v * s->rows.value[e]);
        }
    }
    int kept = 0;
    for (int k = 0; k < result->count; k++) {
        int v = result->index[k];
        if (s->where[v] < 0 && fabs(result->value[v]) > TOL_DROP) result->index[kept++] = v;
        else result->value[v] = 0;
    }
    result->count = kept;
}

static void by_columns(simplex *s, const vector *x, vector *result)
{
    int m = s->m, kept = 0;
    for (int i = 0; i < m; i++) {
        if (s->where[i] >= 0 || fabs(x->value[i]) <= TOL_DROP) continue;
        result->value[i] = -x->value[i];
        result->index[kept++] = i;
    }
    for (int j = 0; j < s->n; j++) {
        if (s->where[m + j] >= 0) continue;
        double sum = 0;
        for (int64_t e = s->a.start[j]; e < s->a.start[j + 1]; e++) sum += x->value[s->a.index[e]] * s->a.value[e];
        if (fabs(sum) <= TOL_DROP) continue;
        result->value[m + j] = sum;
        result->index[kept++] = m + j;
    }
    result->count = kept;
}

void price_row(simplex *s, const vector *x, vector *result)
{
    vector_clear(result);
    if (s->rows_valid && x->count >= 0 && x->count <= ROWS_DENSITY * s->m) by_rows(s, x, result);
    else by_columns(s, x, result);
}

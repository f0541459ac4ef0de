/* lp/lu_dense.c - the end of pass 2 where what is left is all but dense: LAPACK's blocked elimination of the whole rest.
 *
 * Lists cost tens of times what BLAS needs for an entry, so that looking for sparse pivots no longer pays once every row and column
 * is long. Each pivot is then the largest of its column; what comes out as zero is dropped again, and the rest goes to L and U as the
 * other pivots do.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/dense.h"
#include "lp/lu_markowitz.h"
#include "lp/tolerance.h"

/* Rows left, at least and at most, and the part of them that the least row and column fill both (the square of it is asked of their
 * product). */
enum { DENSE_LEAST = 64, DENSE_MOST = 6000 };
static const double DENSE_PART = 0.3;
/* An entry that BLAS eliminates costs this part of one in lists. */
static const double DENSE_COST = 1.0 / 16;

bool lu_rest_is_dense(const lu *f, double merit)
{
    double rest = f->m - f->u_count;
    return rest >= DENSE_LEAST && rest <= DENSE_MOST && merit >= DENSE_PART * DENSE_PART * rest * rest;
}

/* Rows or columns of the kernel without a pivot yet, into list; how many. */
static int left(const active_lists *l, int m, const int pivoted[], int list[])
{
    int count = 0;
    for (int i = 0; i < m; i++) {
        if (pivoted[i] < 0 && l->length[i]) list[count++] = i;
    }
    return count;
}

static void gather(const markowitz *k, int rows, const int row[], int cols, const int col[], int place[], double a[])
{
    for (int r = 0; r < rows; r++) place[row[r]] = r;
    memset(a, 0, (size_t)rows * (size_t)cols * sizeof *a);
    for (int c = 0; c < cols; c++) {
        int begin = k->col.begin[col[c]];
        for (int e = begin; e < begin + k->col.length[col[c]]; e++)
            a[(size_t)c * (size_t)rows + (size_t)place[k->col.index[e]]] = k->col.value[e];
    }
}

/* Pivot t of the rest: its column of L and its row of U. -1: memory */
static int take_dense(lu *f, markowitz *k, int t, int rows, const int row[], int cols, const int col[], const double a[])
{
    const double *column = a + (size_t)t * (size_t)rows;
    f->l.begin[row[t]] = f->l.used;
    for (int r = t + 1; r < rows; r++) {
        if (fabs(column[r]) >= TOL_DROP && lu_add_multiplier(f, row[r], column[r])) return -1;
    }
    f->l.length[row[t]] = f->l.used - f->l.begin[row[t]];
    if (f->l.length[row[t]]) f->l_order[f->l_count++] = row[t];
    for (int c = t + 1; c < cols; c++) {
        double value = a[(size_t)c * (size_t)rows + (size_t)t];
        if (fabs(value) >= TOL_DROP && lu_keep_u(k, row[t], col[c], value)) return -1;
    }
    lu_take(f, k, row[t], col[t], column[t]);
    return 0;
}

static int eliminate_rest(lu *f, markowitz *k, int rows, int row[], int cols, const int col[], int swap[], double a[])
{
    int failed = dense_factor(rows, cols, a, TOL_LU_PIVOT, swap, f->limit);
    if (failed < 0) return failed == DENSE_LIMIT ? 1 : -1;
    if (failed > 0) return 2;
    f->factor_work += (long long)(DENSE_COST * rows * cols * cols);
    for (int t = 0; t < cols; t++) {
        int other = row[swap[t]];
        row[swap[t]] = row[t];
        row[t] = other;
    }
    for (int t = 0; t < cols; t++) {
        if (take_dense(f, k, t, rows, row, cols, col, a)) return -1;
    }
    for (int r = 0; r < rows; r++) k->row.length[row[r]] = 0;
    return 0;
}

int lu_eliminate_rest(lu *f, markowitz *k)
{
    int *row = k->marked, *col = k->row_count, *swap = k->queue, *place = k->queue + k->m;
    int rows = left(&k->row, k->m, k->slot_of, row), cols = left(&k->col, k->m, k->row_of, col);
    if (cols > rows) return 2;
    double *a = MEM_NEW(double, (size_t)rows *(size_t)cols);
    if (!a) return -1;
    gather(k, rows, row, cols, col, place, a);
    int failed = eliminate_rest(f, k, rows, row, cols, col, swap, a);
    mem_free(a);
    return failed;
}

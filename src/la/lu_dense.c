/* la/lu_dense.c - the end of pass 2 where what is left is all but dense: LAPACK's blocked elimination of the whole rest.
 *
 * Lists cost tens of times what BLAS needs for an entry, so that looking for sparse pivots no longer pays once every row and column
 * is long. Each pivot is then the largest of its column; what comes out stays one array, or, where it is
 * the lesser part of the factors, goes to the lists of L and U as the other pivots do.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/dense.h"
#include "la/lu_markowitz.h"
#include "la/tolerance.h"

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

/* The rest stays one array for the solves (lu_tail.c) where its entries are this part of those in lists, or more. */
static const double TAIL_PART = 0.5;

static bool stays_dense(const lu *f, const markowitz *k, int rows, int cols)
{
    return rows == cols && f->u_count + cols == f->m && (double)rows * rows >= TAIL_PART * (double)(f->l.used + k->u_used);
}

typedef struct dense_rest {
    int rows, cols, *row, *col; /* which they are */
    int *swap, *place;          /* [cols] of the elimination; [m] of a row, its number in row */
    double *a;                  /* [rows * cols] by columns */
} dense_rest;

static void gather(const markowitz *k, dense_rest *d)
{
    size_t rows = (size_t)d->rows;
    for (int r = 0; r < d->rows; r++) d->place[d->row[r]] = r;
    memset(d->a, 0, rows * (size_t)d->cols * sizeof *d->a);
    for (int c = 0; c < d->cols; c++) {
        int begin = k->col.begin[d->col[c]];
        for (int e = begin; e < begin + k->col.length[d->col[c]]; e++)
            d->a[(size_t)c * rows + (size_t)d->place[k->col.index[e]]] = k->col.value[e];
    }
}

/* Pivot t of the rest: its column of L and its row of U. -1: memory */
static int take_dense(lu *f, markowitz *k, const dense_rest *d, int t)
{
    size_t rows = (size_t)d->rows;
    const double *column = d->a + (size_t)t * rows;
    int row = d->row[t];
    f->l.begin[row] = f->l.used;
    for (int r = t + 1; r < d->rows; r++) {
        if (fabs(column[r]) >= TOL_DROP && lu_add_multiplier(f, d->row[r], column[r])) return -1;
    }
    f->l.length[row] = f->l.used - f->l.begin[row];
    if (f->l.length[row]) f->l_order[f->l_count++] = row;
    for (int c = t + 1; c < d->cols; c++) {
        double value = d->a[(size_t)c * rows + (size_t)t];
        if (fabs(value) >= TOL_DROP && lu_keep_u(k, row, d->col[c], value)) return -1;
    }
    lu_take(f, k, row, d->col[t], column[t]);
    return 0;
}

/* The rest, eliminated, is the tail. */
static void keep_tail(lu *f, markowitz *k, const dense_rest *d)
{
    for (int t = 0; t < d->cols; t++) {
        lu_take(f, k, d->row[t], d->col[t], d->a[(size_t)t * (size_t)d->rows + (size_t)t]);
        f->tail.row[t] = d->row[t];
    }
    lu_tail_set(f, d->cols);
}

static int eliminate_rest(lu *f, markowitz *k, dense_rest *d)
{
    int failed = dense_factor(d->rows, d->cols, d->a, TOL_LU_PIVOT, d->swap, f->limit);
    if (failed < 0) return failed == DENSE_LIMIT ? 1 : -1;
    if (failed > 0) return 2;
    f->factor_work += (long long)(DENSE_COST * d->rows * d->cols * d->cols);
    for (int t = 0; t < d->cols; t++) {
        int other = d->row[d->swap[t]];
        d->row[d->swap[t]] = d->row[t];
        d->row[t] = other;
    }
    if (stays_dense(f, k, d->rows, d->cols)) {
        keep_tail(f, k, d);
    } else {
        for (int t = 0; t < d->cols; t++) {
            if (take_dense(f, k, d, t)) return -1;
        }
    }
    for (int r = 0; r < d->rows; r++) k->row.length[d->row[r]] = 0;
    return 0;
}

int lu_eliminate_rest(lu *f, markowitz *k)
{
    dense_rest d = {.row = k->marked, .col = k->row_count, .swap = k->queue, .place = k->queue + k->m};
    d.rows = left(&k->row, k->m, k->slot_of, d.row);
    d.cols = left(&k->col, k->m, k->row_of, d.col);
    if (d.cols > d.rows) return 2;
    if (lu_tail_reserve(&f->tail, d.rows)) return -1;
    d.a = f->tail.a;
    gather(k, &d);
    return eliminate_rest(f, k, &d);
}

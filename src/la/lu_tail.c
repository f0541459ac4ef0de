/* la/lu_tail.c - the last pivots where L and U are all but dense among them: solves by BLAS, on one array in the order of the
 * pivots.
 *
 *     L = [ L_h   0  ]     U = [ U_h  U_c  S_h ]     h: pivots before, t: the tail, last: columns that replaced others
 *         [ L_c  L_t ]         [  0   U_t  S_t ]
 *                              [  0    0   S_u ]
 *
 * L_t, U_t, S_t and the same part of the row transformations are here, all else is in lists. An entry costs an eighth of one in
 * lists, and both directions read the same array, where lists need a copy by rows.
 *
 * An update replaces column p of U by one that comes last, and clears row p. If p is of the tail, column p of U_t becomes one of
 * the identity and row p is passed over (u_row): it may keep what it has, as what is computed from it is not used. Entries of later
 * columns in row p are in lists. So the columns of S_t decide nothing of each other, nor do the row transformations: a product of a
 * matrix with a vector applies them all.
 */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/dense.h"
#include "la/lu_private.h"
#include "la/tolerance.h"

/* An entry here costs this part of one in lists. */
static const double TAIL_COST = 1.0 / 8;

/* ---- life -------------------------------------------------------------------------------------------------------- */

int lu_tail_reserve(lu_tail *tail, int rows)
{
    if (rows <= tail->capacity) return 0;
    size_t size = (size_t)rows, updates = LU_UPDATES;
    if (MEM_RESIZE(&tail->a, size * size) || MEM_RESIZE(&tail->s, updates * size) || MEM_RESIZE(&tail->r, updates * size) ||
        MEM_RESIZE(&tail->x, rows))
        return -1;
    tail->capacity = rows;
    return 0;
}

void lu_tail_free(lu_tail *tail)
{
    mem_free(tail->a);
    mem_free(tail->s);
    mem_free(tail->r);
    mem_free(tail->x);
}

void lu_tail_clear(lu *f)
{
    for (int t = 0; t < f->tail.rows; t++) f->tail.place[f->tail.row[t]] = -1;
    f->tail.rows = 0;
}

void lu_tail_set(lu *f, int rows)
{
    lu_tail *tail = &f->tail;
    tail->rows = rows;
    for (int t = 0; t < rows; t++) {
        CHECK_COMPARE(f->l.length[tail->row[t]], ==, 0);
        tail->place[tail->row[t]] = t;
        tail->u_row[t] = tail->row[t];
    }
}

/* ---- updates ------------------------------------------------------------------------------------------------------- */

/* Column or row transformation k. */
static double *part_of(const lu_tail *tail, double *matrix, int k) { return matrix + (size_t)k * (size_t)tail->rows; }

void lu_tail_begin_update(lu *f)
{
    size_t bytes = (size_t)f->tail.rows * sizeof(double);
    if (!bytes) return;
    memset(part_of(&f->tail, f->tail.s, f->r_count), 0, bytes);
    memset(part_of(&f->tail, f->tail.r, f->r_count), 0, bytes);
}

static bool takes(lu *f, double *matrix, int index, double value)
{
    int t = f->tail.rows ? f->tail.place[index] : -1;
    if (t < 0 || f->tail.u_row[t] < 0) return false;
    part_of(&f->tail, matrix, f->r_count)[t] = value;
    return true;
}

bool lu_tail_takes_r(lu *f, int index, double value) { return takes(f, f->tail.r, index, value); }
bool lu_tail_takes_s(lu *f, int index, double value) { return takes(f, f->tail.s, index, value); }

void lu_tail_replace(lu *f, int p)
{
    lu_tail *tail = &f->tail;
    if (!tail->rows) return;
    int t = tail->place[p];
    if (t >= 0 && tail->u_row[t] >= 0) {
        double *column = part_of(tail, tail->a, t);
        memset(column, 0, (size_t)t * sizeof *column);
        column[t] = 1;
        tail->u_row[t] = -1;
    }
    for (int k = 0; k < f->r_count; k++) {
        if (tail->s_of[k] == p) tail->s_of[k] = -1;
    }
    tail->s_of[f->r_count] = p;
}

/* ---- solves -------------------------------------------------------------------------------------------------------- */

/* tail->x := x; row: the position of each, -1: passed over, 0. False: all are 0. */
static bool gather(lu_tail *tail, const int row[], const vector *x)
{
    bool any = false;
    for (int t = 0; t < tail->rows; t++) {
        tail->x[t] = row[t] < 0 ? 0 : x->value[row[t]];
        any = any || tail->x[t] != 0;
    }
    return any;
}

/* The same of x + tail->x, which x becomes. */
static bool gather_sum(lu_tail *tail, const int row[], vector *x)
{
    for (int t = 0; t < tail->rows; t++) {
        if (row[t] >= 0) x->value[row[t]] += tail->x[t];
    }
    return gather(tail, row, x);
}

/* The triangle between the first and the last entry of tail->x that is not 0 (there is one), and the result to x. */
static void solve(lu *f, dense_triangle which, bool transposed, const int row[], vector *x)
{
    const lu_tail *tail = &f->tail;
    double *value = x->value, *part = tail->x;
    int first = 0, last = tail->rows - 1;
    bool downward = (which == DENSE_UNIT_LOWER) != transposed;
    while (downward && part[first] == 0) first++;
    while (!downward && part[last] == 0) last--;
    int n = last + 1 - first;
    dense_trsv(which, transposed, n, tail->a + (size_t)first * (size_t)(tail->rows + 1), tail->rows, part + first);
    for (int t = first; t <= last; t++) {
        if (row[t] < 0)
            part[t] = 0;
        else if (fabs(part[t]) <= TOL_DROP)
            part[t] = value[row[t]] = 0;
        else
            value[row[t]] = part[t];
    }
    f->work += tail->rows / 4 + (long long)(TAIL_COST * n * n / 2);
}

/* sum := matrix' tail->x */
static void products(lu *f, const double matrix[])
{
    if (!f->r_count) return;
    dense_gemv_t_of(f->tail.rows, f->r_count, matrix, f->tail.x, f->tail.sum);
    f->work += (long long)(TAIL_COST * f->tail.rows * f->r_count);
}

/* tail->x := alpha matrix sum; false: it is 0 */
static bool combine(lu *f, double alpha, const double matrix[])
{
    bool any = false;
    memset(f->tail.x, 0, (size_t)f->tail.rows * sizeof(double));
    for (int k = 0; k < f->r_count && !any; k++) any = f->tail.sum[k] != 0;
    if (!any) return false;
    dense_gemv_add(f->tail.rows, f->r_count, alpha, matrix, f->tail.sum, f->tail.x);
    f->work += (long long)(TAIL_COST * f->tail.rows * f->r_count);
    return true;
}

bool lu_tail_solve_l(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    if (!gather(tail, tail->row, x)) {
        memset(tail->sum, 0, (size_t)f->r_count * sizeof(double));
        return false;
    }
    solve(f, DENSE_UNIT_LOWER, false, tail->row, x);
    products(f, tail->r);
    return true;
}

bool lu_tail_solve_lt(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    bool added = combine(f, 1, tail->r), any = gather_sum(tail, tail->row, x);
    if (any) solve(f, DENSE_UNIT_LOWER, true, tail->row, x);
    return any || added;
}

bool lu_tail_solve_u(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    for (int k = 0; k < f->r_count; k++) tail->sum[k] = tail->s_of[k] < 0 ? 0 : x->value[tail->s_of[k]];
    (void)combine(f, -1, tail->s);
    if (!gather_sum(tail, tail->u_row, x)) return false;
    solve(f, DENSE_UPPER, false, tail->u_row, x);
    return true;
}

bool lu_tail_solve_ut(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    if (!gather(tail, tail->u_row, x)) return false;
    solve(f, DENSE_UPPER, true, tail->u_row, x);
    products(f, tail->s);
    for (int k = 0; k < f->r_count; k++) {
        if (tail->s_of[k] >= 0) x->value[tail->s_of[k]] -= tail->sum[k];
    }
    return true;
}

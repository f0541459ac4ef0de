/* la/dense_own.c - small dense systems by plain loops.
 *
 * Four columns at a time, so that the target vector is read and written once for four products. The order of summation is that of
 * one column at a time, so the digits are the same. Zero factors, frequent in bases, are skipped. */
#include "la/dense.h"

#include <math.h>

#include "base/memory.h"

enum { AT_ONCE = 4 };

/* y += by[0] column[0] + .. + by[3] column[3], [n] each */
static void add_four(int n, const double *const column[AT_ONCE], const double by[AT_ONCE], double *restrict y)
{
    const double *a = column[0], *b = column[1], *c = column[2], *d = column[3];
    for (int i = 0; i < n; i++) y[i] = y[i] + by[0] * a[i] + by[1] * b[i] + by[2] * c[i] + by[3] * d[i];
}

static void add_one(int n, const double column[], double by, double *restrict y)
{
    for (int i = 0; i < n; i++) y[i] += by * column[i];
}

void dense_own_axpy(int n, double alpha, const double x[], double y[]) { add_one(n, x, alpha, y); }

void dense_own_add(int rows, int cols, double alpha, const double a[], const double x[], double y[])
{
    const double *column[AT_ONCE];
    double by[AT_ONCE];
    int held = 0;
    for (int j = 0; j < cols; j++) {
        if (x[j] == 0) continue;
        column[held] = a + (size_t)j * (size_t)rows;
        by[held++] = alpha * x[j];
        if (held == AT_ONCE) add_four(rows, column, by, y), held = 0;
    }
    for (int k = 0; k < held; k++) add_one(rows, column[k], by[k], y);
}

/* sum[k] = x' times column k of the four at a, over rows from .. to - 1 */
static void four_products(int from, int to, const double a[], int rows, const double x[], double sum[AT_ONCE])
{
    const double *b = a + rows, *c = b + rows, *d = c + rows;
    double s = 0, t = 0, u = 0, v = 0;
    for (int i = from; i < to; i++) {
        s += a[i] * x[i];
        t += b[i] * x[i];
        u += c[i] * x[i];
        v += d[i] * x[i];
    }
    sum[0] = s, sum[1] = t, sum[2] = u, sum[3] = v;
}

static double product(int from, int to, const double a[], const double x[])
{
    double sum = 0;
    for (int i = from; i < to; i++) sum += a[i] * x[i];
    return sum;
}

void dense_own_t(int rows, int cols, const double a[], const double x[], double y[])
{
    int j = 0;
    for (; j + AT_ONCE <= cols; j += AT_ONCE) four_products(0, rows, a + (size_t)j * (size_t)rows, rows, x, y + j);
    for (; j < cols; j++) y[j] = product(0, rows, a + (size_t)j * (size_t)rows, x);
}

/* ---- triangles ----------------------------------------------------------------------------------------------------- */

/* x[first ..] := L^-1 x by columns first .. cols - 1; L has a unit diagonal, x has as many entries as L rows. */
static void eliminate(int rows, int first, int cols, const double a[], double x[])
{
    size_t stride = (size_t)rows;
    int k = first;
    for (; k + AT_ONCE <= cols; k += AT_ONCE) {
        const double *column[AT_ONCE];
        double by[AT_ONCE];
        for (int t = 0; t < AT_ONCE; t++) {
            const double *below = a + (size_t)(k + t) * stride;
            by[t] = -x[k + t];
            column[t] = below + k + AT_ONCE;
            for (int i = k + t + 1; i < k + AT_ONCE; i++) x[i] += by[t] * below[i];
        }
        if (by[0] == 0 && by[1] == 0 && by[2] == 0 && by[3] == 0) continue;
        add_four(rows - k - AT_ONCE, column, by, x + k + AT_ONCE);
    }
    for (; k < cols; k++)
        if (x[k] != 0) add_one(rows - k - 1, a + (size_t)k * stride + k + 1, -x[k], x + k + 1);
}

/* x[0 .. n) := U^-1 x */
static void substitute(int n, const double a[], int rows, double x[])
{
    size_t stride = (size_t)rows;
    int k = n;
    for (; k >= AT_ONCE; k -= AT_ONCE) {
        const double *column[AT_ONCE];
        double by[AT_ONCE];
        for (int t = 0; t < AT_ONCE; t++) {
            int at = k - 1 - t;
            column[t] = a + (size_t)at * stride;
            if (x[at] != 0) x[at] /= column[t][at];
            by[t] = -x[at];
            for (int i = k - AT_ONCE; i < at; i++) x[i] += by[t] * column[t][i];
        }
        if (by[0] == 0 && by[1] == 0 && by[2] == 0 && by[3] == 0) continue;
        add_four(k - AT_ONCE, column, by, x);
    }
    while (--k >= 0) {
        const double *column = a + (size_t)k * stride;
        if (x[k] == 0) continue;
        x[k] /= column[k];
        add_one(k, column, -x[k], x);
    }
}

void dense_own_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[])
{
    size_t stride = (size_t)rows;
    if (which == DENSE_UPPER && !transposed) substitute(n, a, rows, x);
    if (which == DENSE_UPPER && transposed)
        for (int k = 0; k < n; k++) x[k] = (x[k] - product(0, k, a + (size_t)k * stride, x)) / a[(size_t)k * stride + (size_t)k];
    if (which == DENSE_UNIT_LOWER && !transposed) {
        for (int k = 0; k < n; k++)
            if (x[k] != 0) add_one(n - k - 1, a + (size_t)k * stride + k + 1, -x[k], x + k + 1);
    }
    if (which == DENSE_UNIT_LOWER && transposed)
        for (int k = n - 1; k >= 0; k--) x[k] -= product(k + 1, n, a + (size_t)k * stride, x);
}

/* ---- factors ------------------------------------------------------------------------------------------------------- */

static void swap_entries(double x[], int i, int k)
{
    double other = x[i];
    x[i] = x[k];
    x[k] = other;
}

/* Column by column (left-looking): apply earlier exchanges, eliminate by earlier columns, choose the pivot. */
int dense_own_factor(int rows, int cols, double a[], double least, int swap[])
{
    size_t stride = (size_t)rows;
    for (int j = 0; j < cols; j++) {
        double *x = a + (size_t)j * stride;
        for (int t = 0; t < j; t++) swap_entries(x, t, swap[t]);
        eliminate(rows, 0, j, a, x);
        int pivot = j;
        for (int i = j + 1; i < rows; i++)
            if (fabs(x[i]) > fabs(x[pivot])) pivot = i;
        if (!(fabs(x[pivot]) > least)) return j + 1;
        swap[j] = pivot;
        for (int k = 0; k <= j && pivot > j; k++) swap_entries(a + (size_t)k * stride, j, pivot);
        for (int i = j + 1; i < rows; i++) x[i] /= x[j];
    }
    return 0;
}

int dense_own_invert(int n, double a[], double least, int swap[])
{
    int singular = dense_own_factor(n, n, a, least, swap);
    if (singular) return singular;
    size_t size = (size_t)n;
    double *factors = MEM_NEW(double, size *size);
    int *row = MEM_NEW(int, size);
    if (factors && row) {
        memcpy(factors, a, size * size * sizeof *a);
        memset(a, 0, size * size * sizeof *a);
        for (int i = 0; i < n; i++) row[i] = i;
        for (int t = 0; t < n; t++) {
            int other = row[swap[t]];
            row[swap[t]] = row[t];
            row[t] = other;
        }
        for (int r = 0; r < n; r++) {
            double *x = a + (size_t)row[r] * size;
            x[r] = 1;
            eliminate(n, r, n, factors, x);
            substitute(n, factors, n, x);
        }
    }
    int failed = factors && row ? 0 : -1;
    MEM_FREE_ALL(factors, row);
    return failed;
}

/* la/dense.h - dense column-major matrices through BLAS and LAPACK: the only place that knows them. */
#ifndef LA_DENSE_H
#define LA_DENSE_H

#include <stdbool.h>

#include "base/clock.h"
#include "la/dense_own.h"

/* a: [n][n] column-major, overwritten by its inverse. pivot: [n] scratch.
 * Returns 0; k > 0: the k-th pivot (1-based) is at most `least` in magnitude, a is spoilt; -1: memory (inside LAPACKE). */
int dense_invert(int n, double a[], double least, int pivot[]);
/* a: [rows][cols] column-major, rows >= cols, overwritten by L and U of its rows exchanged: row t with row swap[t] >= t, in turn,
 * each pivot the largest of its column. 0; k > 0: the k-th pivot (1-based) is at most `least` in magnitude; -1: memory;
 * DENSE_LIMIT: the limit (NULL: none) was reached; a is spoilt in these cases. */
enum { DENSE_LIMIT = -2 };
int dense_factor(int rows, int cols, double a[], double least, int swap[], const deadline *limit);
/* x := T^-1 x, or T'^-1 x; T: the triangle of a, column-major with `rows` rows a column, of its first n rows and columns; unit: its
 * diagonal counts as 1. x: [n] */
void dense_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[]);
/* a: [rows][cols] column-major; y += alpha a x and y = a' x */
void dense_gemv_add(int rows, int cols, double alpha, const double a[], const double x[], double y[]);
void dense_gemv_t_of(int rows, int cols, const double a[], const double x[], double y[]);
void dense_gemv(int n, const double a[], const double x[], double y[]);              /* y = a x,  [n] */
void dense_gemv_t(int n, const double a[], const double x[], double y[]);            /* y = a' x, [n] */
void dense_axpy(int n, double alpha, const double x[], double y[]);                  /* y += alpha x */
void dense_ger(int n, double alpha, const double x[], const double y[], double a[]); /* a += alpha x y' */

#endif

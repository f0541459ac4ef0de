/* la/dense.h - dense column-major matrices through BLAS and LAPACK, which no other file includes. */
#ifndef LA_DENSE_H
#define LA_DENSE_H

#include "base/clock.h"

typedef enum dense_triangle { DENSE_UNIT_LOWER, DENSE_UPPER } dense_triangle;

/* a: [n][n] column-major, overwritten by its inverse. pivot: [n] scratch. 0; k > 0: the k-th pivot (1-based) is at most `least` in
 * magnitude and a is undefined; -1: memory (inside LAPACKE). */
int dense_invert(int n, double a[], double least, int pivot[]);
/* a: [rows][cols] column-major, rows >= cols, overwritten by L and U with partial pivoting: step t exchanges rows t and swap[t] >=
 * t. Result as dense_invert, or DENSE_LIMIT: the limit (NULL: none) was reached. */
enum { DENSE_LIMIT = -2 };
int dense_factor(int rows, int cols, double a[], double least, int swap[], const deadline *limit);
/* x := T^-1 x, or T'^-1 x; T: the leading n x n triangle of a, column-major with `rows` rows a column. x: [n] */
void dense_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[]);
/* a: [rows][cols] column-major; y += alpha a x and y = a' x */
void dense_gemv_add(int rows, int cols, double alpha, const double a[], const double x[], double y[]);
void dense_gemv_t_of(int rows, int cols, const double a[], const double x[], double y[]);
void dense_gemv(int n, const double a[], const double x[], double y[]);              /* y = a x,  [n] */
void dense_gemv_t(int n, const double a[], const double x[], double y[]);            /* y = a' x, [n] */
void dense_axpy(int n, double alpha, const double x[], double y[]);                  /* y += alpha x */
void dense_ger(int n, double alpha, const double x[], const double y[], double a[]); /* a += alpha x y' */

/* Loops for small systems (dense_own.c): sums in one order on every processor. As the functions above, without a limit. */

int dense_own_invert(int n, double a[], double least, int swap[]);
int dense_own_factor(int rows, int cols, double a[], double least, int swap[]);
void dense_own_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[]);
void dense_own_add(int rows, int cols, double alpha, const double a[], const double x[], double y[]);
void dense_own_t(int rows, int cols, const double a[], const double x[], double y[]);
void dense_own_axpy(int n, double alpha, const double x[], double y[]);

#endif

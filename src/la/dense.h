/* la/dense.h - dense column-major matrices through BLAS and LAPACK: the only place that knows them. */
#ifndef LA_DENSE_H
#define LA_DENSE_H

/* a: [n][n] column-major, overwritten by its inverse. pivot: [n] scratch.
 * Returns 0; k > 0: the k-th pivot (1-based) is at most `least` in magnitude, a is spoilt; -1: memory (inside LAPACKE). */
int dense_invert(int n, double a[], double least, int pivot[]);
void dense_gemv(int n, const double a[], const double x[], double y[]);              /* y = a x,  [n] */
void dense_gemv_t(int n, const double a[], const double x[], double y[]);            /* y = a' x, [n] */
void dense_axpy(int n, double alpha, const double x[], double y[]);                  /* y += alpha x */
void dense_ger(int n, double alpha, const double x[], const double y[], double a[]); /* a += alpha x y' */

#endif

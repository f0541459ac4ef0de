/* la/dense_own.h - small dense systems by loops of our own: every sum in one order, whatever the processor. Rows one after another
 * in a column, `rows` from one column to the next. */
#ifndef LA_DENSE_OWN_H
#define LA_DENSE_OWN_H

#include <stdbool.h>

typedef enum dense_triangle { DENSE_UNIT_LOWER, DENSE_UPPER } dense_triangle;
/* As dense_invert, dense_factor (which gets no limit: it is over at once) and dense_trsv of la/dense.h. */
int dense_own_invert(int n, double a[], double least, int swap[]);
int dense_own_factor(int rows, int cols, double a[], double least, int swap[]);
void dense_own_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[]);
/* y += alpha a x and y = a' x; a: [rows][cols] */
void dense_own_add(int rows, int cols, double alpha, const double a[], const double x[], double y[]);
void dense_own_t(int rows, int cols, const double a[], const double x[], double y[]);
/* y += alpha x */
void dense_own_axpy(int n, double alpha, const double x[], double y[]);

#endif

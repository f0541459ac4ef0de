/* la/tolerance.h - every number that the factors of a basis compare with, its default, its range, its reason. They are tied to
 * double precision (about 2e-16) and to a matrix whose entries are scaled to be near 1. */
#ifndef LA_TOLERANCE_H
#define LA_TOLERANCE_H

/* Results of solves below this are rounding noise of numbers near 1. [1e-16, 1e-11] */
#define TOL_DROP 1e-14
/* Smallest acceptable pivot of a factorisation, absolute, of the scaled basis. [1e-12, 1e-7] */
#define TOL_LU_PIVOT 1e-10
/* Threshold pivoting: a pivot is at least this part of the largest of its column. Larger is stabler and fuller.
 * Starts at the first; trouble moves to the next. [0.01, 1] */
#define LU_THRESHOLD     0.1
#define LU_THRESHOLD_MAX 0.9
/* Relative residual of a test solve above which a fresh factorisation counts as bad. [1e-10, 1e-6] */
#define TOL_RESIDUAL 1e-7
/* An updated pivot may differ from the one computed by this, relatively, before a new factorisation. [1e-9, 1e-5] */
#define TOL_PIVOT_DRIFT 1e-7

#endif

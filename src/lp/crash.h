/* lp/crash.h - a start near the optimum, for programs whose way from the slack basis is long.
 *
 *     a point and multipliers that are nearly optimal (crash_point.c)  ->  a basis of what is away from its bounds there
 * (crash_basis.c)
 *     ->  costs shifted so that the multipliers are those of this basis, and the dual simplex method (crash.c)
 */
#ifndef LP_CRASH_H
#define LP_CRASH_H

#include "lp/simplex.h"

/* Of the scaled problem. */
typedef struct crash_point {
    double *x;         /* [vars] activities of rows, then columns; these within their bounds */
    double *price;     /* [m] multipliers y; above 0 the lower bound of the row is meant, below 0 the upper one */
    double *reduced;   /* [vars] of y, as in simplex.h */
    double unit;       /* of x for a unit of a multiplier: 1 / the weight of the penalty */
    double infeasible; /* sum of the violations of rows */
    double gap;        /* between the two objectives, relative to 1 and theirs */
} crash_point;

/* Looks for a point, patiently where that is known to pay; its arrays are in a. RUN_OPTIMAL: near the optimum; RUN_STALLED: not; or
 * why to stop. */
run_end crash_find(const simplex *s, bool patient, arena *a, crash_point *c);

/* From the slack basis to one of variables that are away from their bounds in the point. Factors are new, derived vectors INVALID.
 * RUN_ON, or why to stop; then there are no factors. */
run_end crash_basis(simplex *s, arena *a, const crash_point *c);

/* simplex_solve by the method it likes, from near the optimum where the structure tells that the way from the slack basis is long,
 * or where it was found to be. */
run_end crash_solve(simplex *s);

#endif

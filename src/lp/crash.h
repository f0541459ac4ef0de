/* lp/crash.h - a start near the optimum, for programs whose way from the slack basis is long.
 *
 *     a point and multipliers that are nearly optimal (crash_point.c)  ->  a basis of what is away from its bounds there (crash_basis.c)
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

/* Looks for a point; its arrays are in a. RUN_OPTIMAL: near the optimum; RUN_STALLED: not; or why to stop. */
run_end crash_find(const simplex *s, arena *a, crash_point *c);

/* From the slack basis to one of variables that are away from their bounds in the point. Factors are new, derived vectors INVALID.
 * RUN_ON, or why to stop; then there are no factors. */
run_end crash_basis(simplex *s, arena *a, const crash_point *c);

/* Does the structure tell that the way from the slack basis is long? Only of a problem that stands there. */
bool crash_wanted(const simplex *s);
/* Finds a point, its basis, and goes on by the dual simplex method for costs that are optimal there or nearly: what is left is little,
 * and is simplex_solve's. Whatever comes back, basis and bounds are fit for it. RUN_ON, or why to stop. */
run_end crash_start(simplex *s);

#endif

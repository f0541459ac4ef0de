/* lp/ratio.h - ratio tests: how long is the step, and what blocks it? */
#ifndef LP_RATIO_H
#define LP_RATIO_H

#include "lp/simplex.h"

/* The dual's: s->pivot_row is row p, length that of e_p' B^-1 which made it; the leaving variable is off its bound by `slope` > 0;
 * sign: -1 when it is below its lower bound, +1 above its upper. Returns the entering variable or -1 (the row proves
 * infeasibility). s->candidate[0 .. *flips-1] are boxed variables to be moved to their other bounds. */
int ratio_dual(simplex *s, double slope, double sign, double length, int *flips);

/* What stops the entering variable of the primal. */
typedef struct primal_step {
    int position;  /* of the leaving variable; -1: none */
    double length; /* of the step, >= 0 in phase 2 */
    bool at_upper; /* the leaving variable stops at its upper bound */
    bool flip;     /* the entering variable reaches its own other bound first */
} primal_step;

/* Phase 2. s->col is the entering column, direction +1 or -1 of the entering variable, range the distance to its other
 * bound. Every basic value ends within feasibility_tol of its bounds. */
primal_step ratio_primal(const simplex *s, double direction, double range);
/* Phase 1: passes breakpoints of the sum of infeasibilities while it decreases; slope > 0 is its initial rate. */
primal_step ratio_infeasible(simplex *s, double direction, double range, double slope);

#endif

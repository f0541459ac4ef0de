/* lp/record.h - what the simplex method tells its trace (base/trace.h).
 *
 *     start   a run of the primal or the dual begins, at this point
 *     pivot   one variable entered and one left, or a variable went to its other bound
 *     basis   factors of the basis: entries of L and U, and where they are if there are few
 *
 * Variables are numbered as in lp/simplex.h, rows first. Values are in the caller's units, the objective is to be minimised;
 * tableau entries, steps of the dual and infeasibilities are those of the scaled problem. Nothing here changes the solve.
 */
#ifndef LP_RECORD_H
#define LP_RECORD_H

#include "lp/simplex.h"

typedef struct pivot_record {
    const char *method;
    int phase;
    int in, out;  /* the same: the variable went to its other bound */
    double pivot; /* entry of the tableau */
    double step;  /* by which the entering variable moved */
    double ratio; /* primal: that of the blocking row, dual: that of the entering column */
} pivot_record;

void record_run(const simplex *s, const char *method, int phase);
void record_pivot(const simplex *s, const pivot_record *r);
void record_factors(const simplex *s);

#endif

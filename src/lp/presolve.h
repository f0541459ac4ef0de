/* lp/presolve.h - a smaller problem with the same optimum, and the way back for its optimal basis. */
#ifndef LP_PRESOLVE_H
#define LP_PRESOLVE_H

#include <vouch/lp.h>

#include "base/clock.h"

typedef struct presolve presolve;

typedef enum presolve_end {
    PRESOLVE_REDUCED = 0, /* presolve_problem is smaller */
    PRESOLVE_NOTHING,     /* nothing worth while was found */
    PRESOLVE_HOPELESS,    /* looks infeasible or unbounded: presolve_ray or the simplex method must prove it */
    PRESOLVE_LIMIT,       /* out of time or interrupted before the end */
    PRESOLVE_MEMORY
} presolve_end;

/* further: columns with more entries are solved for, too, at the price of longer rows. *out: to be freed with presolve_free
 * whatever is returned (NULL if memory was out). */
presolve_end presolve_run(const vouch_lp_data *lp, bool further, const deadline *limit, presolve **out);
void presolve_free(presolve *p);

/* The reduced problem, to be minimised; it lives as long as p. */
const vouch_lp_data *presolve_problem(const presolve *p);

/* From a basis of the reduced problem (status: rows first, then columns, x [cols], y [rows] for minimisation) to
 * full_status, rows first: an optimal basis gives an optimal basis. -1: memory. */
int presolve_undo(const presolve *p, const unsigned char status[], const double x[], const double y[], unsigned char full_status[]);

/* After PRESOLVE_HOPELESS: multipliers y [m] of the full problem's rows that should prove infeasibility (certificate.h checks).
 * 1: there are none, as the contradiction was of another kind; -1: memory. */
int presolve_ray(const presolve *p, double y[]);

#endif

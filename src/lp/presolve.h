/* lp/presolve.h - a smaller problem with the same optimum, and the way back for its optimal basis. */
#ifndef LP_PRESOLVE_H
#define LP_PRESOLVE_H

#include <vouch/lp.h>

#include "base/clock.h"

typedef struct presolve presolve;

typedef enum presolve_end {
    PRESOLVE_REDUCED = 0, /* presolve_problem is smaller */
    PRESOLVE_NOTHING,     /* no worthwhile reduction */
    PRESOLVE_HOPELESS,    /* apparently infeasible or unbounded: presolve_ray or the simplex method must prove it */
    PRESOLVE_LIMIT,       /* time limit or interrupted */
    PRESOLVE_MEMORY
} presolve_end;

/* further: also eliminates longer columns, which lengthens rows. *out: for presolve_free in any case (NULL: memory). */
presolve_end presolve_run(const vouch_lp_data *lp, bool further, const deadline *limit, presolve **out);
void presolve_free(presolve *p);

/* The reduced problem, a minimum, owned by p. */
const vouch_lp_data *presolve_problem(const presolve *p);

/* From an optimal basis of the reduced problem (status: rows, then columns; x [cols], y [rows] of a minimum) to one of the full
 * problem. -1: memory */
int presolve_undo(const presolve *p, const unsigned char status[], const double x[], const double y[], unsigned char full_status[]);

/* After PRESOLVE_HOPELESS: multipliers y [m] of the full problem's rows that should prove infeasibility (certificate.h checks). 1:
 * none, as the contradiction is of another kind; -1: memory. */
int presolve_ray(const presolve *p, double y[]);

#endif

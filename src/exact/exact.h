/* exact/exact.h - the simplex method in rational numbers: what is true of a small program, digit for digit of the caller's data. */
#ifndef EXACT_EXACT_H
#define EXACT_EXACT_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "base/clock.h"

typedef enum exact_end {
    EXACT_OPTIMAL = 0,
    EXACT_INFEASIBLE,
    EXACT_UNBOUNDED,
    EXACT_LIMIT, /* work or time used up, or interrupted: nothing is known */
    EXACT_MEMORY
} exact_end;

/* What was found, rounded to doubles once, at the end. Arrays are the caller's. */
typedef struct exact_answer {
    double *x; /* [n] OPTIMAL: a vertex; UNBOUNDED: where the ray starts */
    double *y; /* [m] OPTIMAL, UNBOUNDED: row duals in the problem's sense; INFEASIBLE: multipliers as in vouch_lp_result.farkas */
    double *ray;      /* [n] UNBOUNDED */
    double objective; /* OPTIMAL: the double nearest to the optimum, offset included */
    double bound;     /* OPTIMAL: the optimum rounded outwards: below it for a minimum, above for a maximum */
    double margin;    /* INFEASIBLE, UNBOUNDED: of the proof relative to the largest term it sums; > 0 */
    long long pivots; /* after the given basis was reached: 0 means that it was right */
    long long work;   /* spent: about nanoseconds, but deterministic */
    char *fraction;   /* exact_solve_decimals, OPTIMAL: the optimum as p/q, offset included; the caller frees it. NULL: none */
    /* exact_solve_decimals: if not NULL, filled with fractions, each for mem_free. dual_text [m]: OPTIMAL: duals of a minimum;
     * INFEASIBLE: multipliers of rows whose combination is absurd. point_text [n]: OPTIMAL: x. */
    char **dual_text, **point_text;
} exact_answer;

/* Reading a number, and the first factors and solutions. */
#define EXACT_WORK_START 2000

/* Is it fairly sure what every number of the program was meant to be (exact_is_meant)? */
bool exact_is_sure(const vouch_lp_data *lp);

/* Solves from the basis status [m + n], rows first (as vouch_lp_set_basis wants it, repaired where singular), and leaves the last
 * basis there; numbers are what they were meant to be (EXACT_MEANT, exact/number.h). At most `work`, of which a start takes about
 * EXACT_WORK_START for each entry and variable; limit: seconds and interruption. Outcomes are proved: no tolerance enters. */
exact_end exact_solve(const vouch_lp_data *lp, unsigned char status[], long long work, const deadline *limit, exact_answer *out);
/* The same of the decimals that they were written as (EXACT_DECIMAL). work LLONG_MAX: as much as it takes. */
exact_end exact_solve_decimals(const vouch_lp_data *lp, unsigned char status[], long long work, const deadline *limit,
                               exact_answer *out);

#endif

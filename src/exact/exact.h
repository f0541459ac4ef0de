/* exact/exact.h - the simplex method in rational numbers: exact answers for small programs, to the last digit of the data. */
#ifndef EXACT_EXACT_H
#define EXACT_EXACT_H

#include <vouch/lp.h>

#include "base/clock.h"
#include "exact/number.h"

typedef enum exact_end {
    EXACT_OPTIMAL = 0,
    EXACT_INFEASIBLE,
    EXACT_UNBOUNDED,
    EXACT_LIMIT, /* work or time limit, or interrupted: no result */
    EXACT_MEMORY
} exact_end;

/* The answer, rounded to doubles once, at the end. The caller owns the arrays. */
typedef struct exact_answer {
    double *x; /* [n] OPTIMAL: a vertex; UNBOUNDED: start of the ray */
    double *y; /* [m] OPTIMAL, UNBOUNDED: row duals in the problem's sense; INFEASIBLE: multipliers as in vouch_lp_result.farkas */
    double *ray;      /* [n] UNBOUNDED */
    double objective; /* OPTIMAL: the double nearest to the optimum, with offset */
    double bound;     /* OPTIMAL: the optimum rounded outwards: down for a minimum, up for a maximum */
    double margin;    /* INFEASIBLE, UNBOUNDED: of the proof relative to its largest term; > 0 */
    long long pivots; /* after the given basis was factorised; 0: that basis was optimal */
    long long work;   /* about nanoseconds, but deterministic */
    char *fraction;   /* EXACT_DECIMAL, OPTIMAL: the optimum as p/q, with offset, for mem_free; else NULL */
    /* EXACT_DECIMAL: if not NULL, filled with fractions, each for mem_free. dual_text [m]: OPTIMAL: duals of a minimum; INFEASIBLE:
     * multipliers of the rows. point_text [n]: OPTIMAL: x. */
    char **dual_text, **point_text;
} exact_answer;

/* Work of reading a number and of the first factors and solutions. */
#define EXACT_WORK_START 2000

/* Is the intended value of every number of the program recognised (exact_is_meant)? */
bool exact_is_sure(const vouch_lp_data *lp);

/* Solves from the basis status [m + n], rows first, in the convention of vouch_lp_set_basis and repaired if singular, and stores
 * the final basis there. work: limit (LLONG_MAX: none), of which a start uses about EXACT_WORK_START for each entry and variable;
 * limit: seconds and interruption. Outcomes are proved, without tolerances. */
exact_end exact_solve(const vouch_lp_data *lp, unsigned char status[], exact_reading reading, long long work, const deadline *limit,
                      exact_answer *out);

#endif

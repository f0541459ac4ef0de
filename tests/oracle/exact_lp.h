/* tests/oracle/exact_lp.h - linear programs in rational arithmetic.
 *
 * A dense tableau of GMP rationals, two phases, the largest coefficient first and Bland's rule after that, so
 * that it ends. It takes the doubles of the problem as they are, or as the decimals that they were written as, and shares nothing
 * with the solver.
 */
#ifndef ORACLE_EXACT_LP_H
#define ORACLE_EXACT_LP_H

#include <gmp.h>
#include <vouch/lp.h>

typedef enum exact_outcome { EXACT_OPTIMAL, EXACT_INFEASIBLE, EXACT_UNBOUNDED } exact_outcome;

/* The meaning of a double: itself, or its shortest decimal. */
typedef enum exact_reading { READ_DOUBLES, READ_DECIMALS } exact_reading;

/* fixed [n]: values of fixed columns, whatever their bounds; NAN: not fixed; NULL: none is. *objective: OPTIMAL only, in the
 * problem's sense, offset included, rounded once. */
exact_outcome exact_lp_solve(const vouch_lp_data *d, const double *fixed, double *objective);
exact_outcome exact_lp_solve_as(const vouch_lp_data *d, const double *fixed, exact_reading reading, double *objective);

/* Largest violation of a row by x [n], exactly summed, relative to 1 + its largest term and bound; and of a
 * column's bounds, relative to 1 + |bound|. */
double exact_lp_violation(const vouch_lp_data *d, const double *x);
/* c'x + c0, rounded once. */
double exact_lp_objective(const vouch_lp_data *d, const double *x);

#endif

/* tests/campaign/thin.h - linear programs whose verdict hangs on digits that doubles do not hold: what is dependent, parallel or
 * just feasible in the decimals as written and, by one unit in the last place, not in the doubles nearest to them. Every number has
 * at most 16 digits, so that the shortest decimal of its double is the one that was drawn; their truth is that of the decimals. */
#ifndef CAMPAIGN_THIN_H
#define CAMPAIGN_THIN_H

#include "campaign/problems.h"

typedef enum thin_columns { THIN_FREE, THIN_NONNEGATIVE, THIN_BOXED, THIN_MIXED } thin_columns;

/* m rows, of which all but a few are sums, differences and multiples of others; n columns. */
problem *thin_dependent_rows(rng *r, int m, int n, thin_columns columns);
/* Pairs of columns that differ by 1e-1 to 1e-12 in one entry or in their cost. */
problem *thin_parallel_columns(rng *r);
/* A direction that keeps every row by sums that cancel, but for 1e-6 to 1e-14 in some, and gains as little or much. */
problem *thin_ray(rng *r);
/* Adds up to 1e12 to the objective, by its constant or by columns that are fixed. */
void thin_add_constant(rng *r, problem *p);

#endif

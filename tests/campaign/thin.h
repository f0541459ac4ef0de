/* tests/campaign/thin.h - linear programs whose outcome depends on digits that doubles do not have: dependent, parallel or barely
 * feasible rows in the decimals as written that are not so, by one unit in the last place, in the nearest doubles. Every number has
 * at most 16 digits, so the shortest decimal of its double is the drawn one; the decimals define the truth. */
#ifndef CAMPAIGN_THIN_H
#define CAMPAIGN_THIN_H

#include "campaign/problems.h"

typedef enum thin_columns { THIN_FREE, THIN_NONNEGATIVE, THIN_BOXED, THIN_MIXED } thin_columns;

/* m rows, most of them sums, differences and multiples of others; n columns. */
problem *thin_dependent_rows(rng *r, int m, int n, thin_columns columns);
/* Pairs of columns that differ by 1e-1 to 1e-12 in one entry or in their cost. */
problem *thin_parallel_columns(rng *r);
/* A direction that keeps every row by sums that cancel, but for 1e-6 to 1e-14 in some, and gains as little or much. */
problem *thin_ray(rng *r);
/* Adds up to 1e12 to the objective, by its constant or by columns that are fixed. */
void thin_add_constant(rng *r, problem *p);

#endif

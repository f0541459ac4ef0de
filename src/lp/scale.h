/* lp/scale.h - factors that bring the entries of a matrix near 1. */
#ifndef LP_SCALE_H
#define LP_SCALE_H

#include <stdbool.h>

#include "base/clock.h"
#include "la/sparse.h"

/* row [m], col [n]: powers of two such that row_i |a_ij| col_j is near 1; all 1 when the entries are fine already.
 * scratch: [2 m]. False: the limit was reached, and the factors mean nothing. */
bool scale_geometric(const sparse *a, double row[], double col[], double scratch[], const deadline *limit);
/* The factor of a column whose largest magnitude, rows scaled, is `most`: 1 when that is fine. */
double scale_one(double most);

#endif

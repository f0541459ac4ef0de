/* mip/substitute.h - columns that one equality gives by the others. */
#ifndef MIP_SUBSTITUTE_H
#define MIP_SUBSTITUTE_H

#include "mip/presolved.h"

/* Solves rows of p->model for such columns within the bounds of d, and adds them to p->solved. count: [n] scratch. Their costs
 * and entries are 0 afterwards. How many; -1: memory. */
int solve_for_columns(mip_presolved *p, const domain *d, int count[]);

/* Solves each equality of two integer columns for one of them, which the other replaces in rows, cost and bounds of d. How many;
 * -1: memory. *infeasible: the bounds leave no point. */
int merge_columns(mip_presolved *p, domain *d, bool *infeasible);

#endif

/* mip/knapsack.h - integer programs of one row, solved without a tree where a table does. */
#ifndef MIP_KNAPSACK_H
#define MIP_KNAPSACK_H

#include "base/clock.h"
#include "mip/model.h"

typedef enum knapsack_end {
    KNAPSACK_NONE = 0,   /* not of this kind, or too large: for the tree */
    KNAPSACK_OPTIMAL,    /* x is an optimum */
    KNAPSACK_INFEASIBLE, /* proved, in whole numbers */
    KNAPSACK_MEMORY
} knapsack_end;

/* One row of whole numbers, integer columns with a finite lower bound, whole costs. x: [n]. */
knapsack_end mip_knapsack(const mip_model *m, const deadline *clock, double x[]);

#endif

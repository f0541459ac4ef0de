/* mip/presolve.h - an equivalent, smaller and tighter program. */
#ifndef MIP_PRESOLVE_H
#define MIP_PRESOLVE_H

#include "mip/model.h"

/* ---- the reduced program, and the way back to the caller's columns ---------------------------------------------------------- */

/* x_column = constant - sum over entry[first .. end) of value * x. */
typedef struct solved_column {
    int column;
    double constant;
    size_t first, end;
} solved_column;

typedef struct solved_entry {
    int column;
    double value;
} solved_entry;

/* Columns that rows give by others, in the order in which they were solved for: later ones may stand in the sums of earlier ones.
 */
typedef struct solved_columns {
    solved_column *column; /* owned: [count] */
    solved_entry *entry;   /* owned: [entries] */
    size_t entries, capacity, entry_capacity;
    int count;
} solved_columns;

typedef struct mip_presolved {
    mip_model model; /* the reduced program */
    int original_cols;
    int *col_of;           /* owned: [model.n], the original column of each */
    double *fixed;         /* owned: [original_cols], values of the columns that are gone, but for those in `solved` */
    solved_columns solved; /* by their original numbers */
    bool infeasible;       /* proved */
    int rows_before, cols_before, rows_tightened;
} mip_presolved;

void mip_presolved_free(mip_presolved *p);
/* x: [original_cols] from reduced: [model.n]; and back (columns that are gone are left out). */
void mip_presolved_expand(const mip_presolved *p, const double *reduced, double *x);
void mip_presolved_restrict(const mip_presolved *p, const double *x, double *reduced);

/* ---- an equivalent, smaller and tighter program ----------------------------------------------------------------------------- */

/* reduce: 0 copies the program as it is. */
vouch_status mip_presolve(mip_presolved *p, const mip_model *original, bool reduce, const deadline *clock);

/* Extends rows of pairwise exclusive binaries by others that exclude all of theirs, where rows go by that. */
vouch_status mip_merge_cliques(mip_model *p);

/* ---- integer programs of one row, solved without a tree where a table does -------------------------------------------------- */

typedef enum knapsack_end {
    KNAPSACK_NONE = 0,   /* not of this kind, or too large: for the tree */
    KNAPSACK_OPTIMAL,    /* x is an optimum */
    KNAPSACK_INFEASIBLE, /* proved, in whole numbers */
    KNAPSACK_MEMORY
} knapsack_end;

/* One row of whole numbers, integer columns with a finite lower bound, whole costs. x: [n]. */
knapsack_end mip_knapsack(const mip_model *m, const deadline *clock, double x[]);

#endif

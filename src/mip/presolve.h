/* mip/presolve.h - an equivalent, smaller and tighter program, and the way back to the caller's columns. */
#ifndef MIP_PRESOLVE_H
#define MIP_PRESOLVE_H

#include "base/clock.h"
#include "mip/model.h"

typedef struct mip_presolved {
    mip_model model; /* the reduced program */
    int original_cols;
    int *col_of;     /* owned: [model.n], the original column of each */
    double *fixed;   /* owned: [original_cols], values of the columns that are gone */
    bool infeasible; /* proved */
    int rows_before, cols_before, rows_tightened;
} mip_presolved;

/* reduce: 0 copies the program as it is. */
vouch_status mip_presolve(mip_presolved *p, const mip_model *original, bool reduce, const deadline *clock);
void mip_presolved_free(mip_presolved *p);
/* x: [original_cols] from reduced: [model.n]; and back (columns that are gone are left out). */
void mip_presolved_expand(const mip_presolved *p, const double *reduced, double *x);
void mip_presolved_restrict(const mip_presolved *p, const double *x, double *reduced);

#endif

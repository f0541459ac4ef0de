/* tests/campaign/problems.h - small dense linear and mixed-integer programs, as the campaign draws, solves
 * and writes them. */
#ifndef CAMPAIGN_PROBLEMS_H
#define CAMPAIGN_PROBLEMS_H

#include <vouch/lp.h>

#include "campaign/campaign.h"

enum { ROWS_MOST = 40, COLS_MOST = 48 };

typedef struct problem {
    int m, n;
    double a[ROWS_MOST][COLS_MOST];
    double cost[COLS_MOST], cl[COLS_MOST], cu[COLS_MOST], rl[ROWS_MOST], ru[ROWS_MOST];
    double offset;
    int maximize;
    bool integer[COLS_MOST];
    int least[COLS_MOST], most[COLS_MOST]; /* integer columns: outside of this no point is feasible */
    int sos, set[COLS_MOST];               /* members of an SOS1 set; 0: there is none */
    int64_t start[COLS_MOST + 1];          /* by columns, filled by problem_data */
    int index[ROWS_MOST * COLS_MOST];
    double value[ROWS_MOST * COLS_MOST];
} problem;

/* m rows without bounds and n columns [0, inf), all else 0. */
problem *problem_new(int m, int n);
/* Moves sides of rows so that a small whole point, drawn within the columns' bounds, is feasible (up to
 * rounding). */
void problem_anchor(rng *r, problem *p);
/* Valid as long as p, and p unchanged. */
vouch_lp_data problem_data(problem *p);
vouch_lp *problem_lp(problem *p);
/* 1 + the sum of |c_j x_j| over columns that are not fixed: what tolerances of the objective are relative to. */
double problem_size(const problem *p, const double *x);
/* This part of the size, and the rounding of all that is added up, constants too. */
double problem_slack(const problem *p, const double *x, double part);
/* Writes the problem as free MPS, and beside it the reason and the command line. */
void problem_write(const campaign *c, const vouch_lp *lp, const char *family, const char *options);

#endif

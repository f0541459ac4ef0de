/* lp/certificate.h - proofs checked on the caller's data: the only source of OPTIMAL, INFEASIBLE, UNBOUNDED. */
#ifndef LP_CERTIFICATE_H
#define LP_CERTIFICATE_H

#include <stdbool.h>
#include <vouch/lp.h>

typedef enum certainty {
    DOUBTFUL = 0, /* only within the caller's tolerances */
    PLAUSIBLE,    /* small violations and a small gap, but a multiplier of wrong sign exceeds rounding */
    BEYOND_DOUBT
} certainty;

/* A candidate point with its duals, and its measures. */
typedef struct optimality {
    const double *x, *y;         /* given: [n], [m] in the problem's sense */
    double primal_tol, dual_tol; /* given */
    bool fine;                   /* given: also test whether rounding of the data decides; one more pass over the matrix */
    double *activity, *reduced;  /* A x [m], c - A'y [n] */
    double objective, bound;     /* with offset */
    vouch_lp_certificate measures;
    certainty sure;  /* how far within tolerance */
    bool leans;      /* a violation exceeds rounding; or fine, and rounding may decide */
    const char *why; /* not certified: the failed check */
} optimality;

/* Computes the rest of *o, why only if false. True: all measures are within tolerance. */
bool certify_optimal(const vouch_lp_data *lp, optimality *o);

/* Bound on the optimum by the row duals y [m] in the problem's sense, with offset: the dual objective, or -inf / inf if a column
 * without the bound it needs has a reduced cost beyond rounding. Multipliers below dual_tol that need an absent bound become 0 in
 * y. reduced [n]: c - A'y. */
double certify_bound(const vouch_lp_data *lp, double y[], double dual_tol, double reduced[]);
/* The same for large multipliers that cancel: in long double, less the rounding of reduced costs; columns without bound are taken
 * up to twice as far from 0 as in x [n]. */
double certify_bound_near(const vouch_lp_data *lp, double y[], const double x[], double dual_tol, double reduced[]);

/* Is min over the column box of (y'A)x > max over the row bounds of y'r ? Removes noise from y, changes its sign if needed. Returns
 * the margin relative to the largest term, at least TOL_CERTIFY_RAY, or 0. *sure: at most PLAUSIBLE if a sum on a column without
 * bound was rounded to 0. */
double certify_farkas(const vouch_lp_data *lp, double y[], certainty *sure);

/* Does direction r [n] keep all bounds and improve the objective? Returns the relative margin or 0. Removes noise from r. activity
 * [m]: scratch. */
double certify_ray(const vouch_lp_data *lp, double r[], double activity[]);

/* Largest relative violation of the bounds of rows and columns by x; activity [m] := A x. */
double certify_feasible(const vouch_lp_data *lp, const double x[], double activity[]);

#endif

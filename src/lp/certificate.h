/* lp/certificate.h - proofs checked on the caller's own data, the only place that may say OPTIMAL, INFEASIBLE, UNBOUNDED. */
#ifndef LP_CERTIFICATE_H
#define LP_CERTIFICATE_H

#include <stdbool.h>
#include <vouch/lp.h>

typedef enum certainty {
    DOUBTFUL = 0, /* no more than within the caller's tolerances */
    PLAUSIBLE,    /* small violations and a small gap, but some multiplier of wrong sign is not rounding alone */
    BEYOND_DOUBT
} certainty;

/* A point that may be optimal, with its duals, and how well it is. */
typedef struct optimality {
    const double *x, *y;         /* given: [n], [m] in the problem's sense */
    double primal_tol, dual_tol; /* given */
    bool fine;                   /* given: look for what only the rounding of the data decides; a pass over the matrix more */
    double *activity, *reduced;  /* A x [m], c - A'y [n] */
    double objective, bound;     /* with offset */
    vouch_lp_certificate measures;
    certainty sure;  /* how far within tolerance */
    bool leans;      /* off the rows and bounds by more than rounding is worth; or fine, and rounding may decide */
    const char *why; /* not certified: which check failed */
} optimality;

/* Computes the rest of *o, why only where it is false, and returns whether all measures are within tolerance. */
bool certify_optimal(const vouch_lp_data *lp, optimality *o);

/* Bound on the optimum proved by the row duals y [m] in the problem's sense, offset included: the dual objective,
 * -inf / inf if a column without the bound it needs has a reduced cost beyond the rounding of its sum. Row multipliers below
 * dual_tol that would need an absent bound are set to 0 in y. reduced [n]: c - A'y. */
double certify_bound(const vouch_lp_data *lp, double y[], double dual_tol, double reduced[]);
/* The same where large multipliers cancel: in long double, and from the bound goes what the rounding of a reduced cost is worth, on
 * columns without bound up to twice as far from 0 as they are in x [n]. */
double certify_bound_near(const vouch_lp_data *lp, double y[], const double x[], double dual_tol, double reduced[]);

/* Is min over the column box of (y'A)x  >  max over the row bounds of y'r ? Cleans y of noise, turns its sign if needed.
 * Returns the margin relative to the magnitudes summed, > 0 when proved (at least TOL_CERTIFY_RAY), else 0; *sure: no more than
 * PLAUSIBLE when a sum on a column without bound was taken for 0. */
double certify_farkas(const vouch_lp_data *lp, double y[], certainty *sure);

/* Does direction r [n] keep every bound for ever and improve the objective? Returns the relative margin or 0.
 * activity [m]: scratch. Cleans r of noise. */
double certify_ray(const vouch_lp_data *lp, double r[], double activity[]);

/* Largest relative violation of the bounds of rows and columns by x; activity [m] := A x. */
double certify_feasible(const vouch_lp_data *lp, const double x[], double activity[]);

#endif

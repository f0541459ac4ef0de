/* lp/certificate.h - proofs checked on the caller's own data, the only place that may say OPTIMAL, INFEASIBLE, UNBOUNDED. */
#ifndef LP_CERTIFICATE_H
#define LP_CERTIFICATE_H

#include <stdbool.h>
#include <vouch/lp.h>

/* x [n], y [m] are given, the rest is computed: activity [m] = A x, reduced [n] = c - A'y, objectives with offset,
 * every measure. Returns whether all measures are within tolerance. */
bool certify_optimal(const vouch_lp_data *lp, const double x[], const double y[], double primal_tol, double dual_tol,
                     double activity[], double reduced[], double *objective, double *bound,
                     vouch_lp_certificate *certificate);

/* Bound on the optimum proved by the row duals y [m] in the problem's sense, offset included: the dual objective,
 * with multipliers that price an absent bound left out while they are below dual_tol, else -inf / inf.
 * reduced [n]: scratch. */
double certify_bound(const vouch_lp_data *lp, const double y[], double dual_tol, double reduced[]);

/* Is min over the column box of (y'A)x  >  max over the row bounds of y'r ? Cleans y of noise, turns its sign if needed.
 * Returns the margin relative to the magnitudes summed, > 0 when proved (at least TOL_CERTIFY_RAY), else 0. */
double certify_farkas(const vouch_lp_data *lp, double y[]);

/* Does direction r [n] keep every bound for ever and improve the objective? Returns the relative margin or 0.
 * activity [m]: scratch. Cleans r of noise. */
double certify_ray(const vouch_lp_data *lp, double r[], double activity[]);

/* Largest relative violation of the bounds of rows and columns by x; activity [m] := A x. */
double certify_feasible(const vouch_lp_data *lp, const double x[], double activity[]);

#endif

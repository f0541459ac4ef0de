/* mdp/tolerance.h - all tolerances of models and policies: the commitment, and rounding of values.
 *
 * Planning uses rewards in [0, 1] (mdp/rescale.h), so value tolerances are relative to the spread of the rewards: adding a constant
 * to all rewards, or scaling them, changes no decision. Only rounding is tolerated; no search adds to the caller's gap.
 *
 * One predicate, commitment_kept, serves U*, planning, bounds, proofs of infeasibility, evaluation and simulation. A propagated sum
 * is off by at most commitment_rounding / 2, so every accepted policy has a true probability of at least commitment_threshold, and
 * U*_c(k) is the optimum over all policies of that probability: no accepted policy has negative regret. A bound that is itself
 * summed in doubles is valid from another commitment_rounding / 2 below.
 */
#ifndef MDP_TOLERANCE_H
#define MDP_TOLERANCE_H

#include <float.h>
#include <stdbool.h>

/* A commitment is kept if the propagated probability is at least p less this. It covers the rounding of sums of products over some
 * hundred steps and the accumulated shortfalls of CCIL's replannings; linear programs must reach p within it. A larger one would
 * let policies of reliability models fail deliberately, and raises U* by slope * 2^-40, invisible in ten digits for slopes below
 * 50. A power of two, so that p less this is exact, and not a power of ten, which users write. */
#define KEEP_TOLERANCE 0x1p-40

/* The predicate, with the remaining tolerance if the shortfalls of several plans add up. NaN is not kept. */
static inline bool commitment_kept_within(double probability, double p, double tolerance) { return probability >= p - tolerance; }
static inline bool commitment_kept(double probability, double p) { return commitment_kept_within(probability, p, KEEP_TOLERANCE); }

/* Largest difference of two summations of the same probability over T steps: each step multiplies and adds once. */
static inline double commitment_rounding(int T) { return (T + 2) * DBL_EPSILON; }

/* Lower bound of the true probability of a policy accepted within the tolerance; exact in doubles for p above the tolerance. */
static inline double commitment_threshold(double p, double tolerance, int T)
{
    return p - (tolerance + commitment_rounding(T) / 2);
}

/* Rounding of a value per step, relative to the spread of the rewards: a few units in the last place of a product and a sum.
 * Smaller differences of U(k) than this times the horizon decide nothing. */
#define TOL_STEP 0x1p-50

/* The same for sums in extended precision. */
#define TOL_EXTENDED_STEP (16 * LDBL_EPSILON)

/* Grid, relative to the spread, for rewards that are not fractions of small denominators. Sums of up to 2^12 of them are exact, so
 * values that are equal in one order of summation are equal in another. Proved bounds account for the distance. */
#define TOL_GRID 0x1p-40

/* Share of the gap, divided by the horizon, by which the grid may move a reward; rewards that would move further stay unchanged. A
 * proof loses four times the distance in each step, which leaves a quarter of the gap to the search. */
#define TOL_GRID_SHARE (3.0 / 16)

/* Rounding below UNSEEN_LEAST + UNSEEN_SHARE |claim| is a tenth of the accuracy of claims, and is not printed. */
#define UNSEEN_LEAST 1e-7
#define UNSEEN_SHARE 1e-10

#endif

/* mdp/tolerance.h - how close values of policies must be to be the same, in one place.
 *
 * Planning is done on rewards between 0 and 1 (mdp/rescale.h), so that everything here is relative to the spread of the rewards
 * and nothing to the size of U: adding a constant to all rewards, or multiplying them, moves no decision.
 *
 * Only rounding is tolerated. A gap is what the caller asks for; no search adds to it.
 */
#ifndef MDP_TOLERANCE_H
#define MDP_TOLERANCE_H

#include <float.h>

/* Rounding of a value summed over one step, relative to the spread of the rewards: a few units in the last place of a product and a
 * sum. Times the horizon it is the rounding of U(k); differences below that decide nothing. */
#define TOL_STEP 0x1p-50

/* The same for sums in extended precision. */
#define TOL_EXTENDED_STEP (16 * LDBL_EPSILON)

/* Rewards that are not fractions of small denominators are planned with on this grid (relative to the spread), on which sums of up
 * to 2^12 of them are exact, so that what two orders of summation make equal is equal. Proved bounds pay for the distance. */
#define TOL_GRID 0x1p-40

/* By what part of the gap, divided by the horizon, that distance may move a reward. A proof pays four times for it in each step: a
 * quarter of the gap is left for the search. Where rewards would move further they stay as they are. */
#define TOL_GRID_SHARE (3.0 / 16)

/* Rounding below UNSEEN_LEAST + UNSEEN_SHARE |claim| is a tenth of the accuracy that claims have, and does not show. */
#define UNSEEN_LEAST 1e-7
#define UNSEEN_SHARE 1e-10

#endif

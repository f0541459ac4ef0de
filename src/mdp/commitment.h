/* mdp/commitment.h - when a commitment counts as kept.
 *
 *     kept:  Pr(k) >= p(k) - KEEP_TOLERANCE,  as propagated
 *
 * One predicate serves U*, planning, bounds, proofs of infeasibility, evaluation and play: what one accepts, no other may call
 * impossible. A propagated sum is off by commitment_rounding / 2 at most, so every policy that is accepted has a true probability
 * of commitment_threshold or more. U*_c(k) is the optimum over all policies of that: no accepted policy has a regret below 0. A
 * bound that is itself summed in doubles holds from another commitment_rounding / 2 below.
 */
#ifndef MDP_COMMITMENT_H
#define MDP_COMMITMENT_H

#include <float.h>
#include <stdbool.h>

/* A commitment counts as kept when the propagated probability is at least p less this. It has to cover the rounding of sums of
 * products over some hundred steps, of probabilities that were rounded themselves, and the shortfalls of the replannings of CCIL,
 * which add up; linear programs have to reach p within it. More would let policies of reliability models fail at will, and make
 * U* larger: by slope * 2^-40, which ten printed digits do not show for slopes below 50. A power of two, so that p less this is
 * exact, and no power of ten, which is what users write. */
#define KEEP_TOLERANCE 0x1p-40

/* The predicate, with what is left of the tolerance where the shortfalls of several plans add up. NaN is not kept. */
static inline bool commitment_kept_within(double probability, double p, double tolerance) { return probability >= p - tolerance; }
static inline bool commitment_kept(double probability, double p) { return commitment_kept_within(probability, p, KEEP_TOLERANCE); }

/* By how much two ways to add up the same probability over T steps may differ: each step multiplies and adds once. */
static inline double commitment_rounding(int T) { return (T + 2) * DBL_EPSILON; }

/* No policy that is kept within the tolerance has a smaller true probability; exact in doubles for p above the tolerance. */
static inline double commitment_threshold(double p, double tolerance, int T)
{
    return p - (tolerance + commitment_rounding(T) / 2);
}

#endif

/* mdp/commitment.h - when a commitment counts as kept.
 *
 * One predicate for planning, proofs of infeasibility, evaluation and play: what one accepts, none may call impossible. So a bound
 * or a proof has to hold for all policies that the predicate accepts, which is to say for p - KEEP_TOLERANCE and not for p, less
 * the rounding of the two sums that are compared.
 */
#ifndef MDP_COMMITMENT_H
#define MDP_COMMITMENT_H

#include <float.h>
#include <stdbool.h>

/* A commitment counts as kept when the propagated probability is at least p less this: sums of products of probabilities that are
 * themselves rounded, in the model's file and in the policy's (sensible 1e-12 .. 1e-7). Less than 1e-9, which is what is said of
 * it, by far more than rounding: models of round numbers have policies that lose 0.1^9, which would be kept or not as their sums
 * are rounded, and no bound could tell. */
#define KEEP_TOLERANCE 9.999e-10

/* The predicate, with what is left of the tolerance where the shortfalls of several plans add up. NaN is not kept. */
static inline bool commitment_kept_within(double probability, double p, double tolerance) { return probability >= p - tolerance; }
static inline bool commitment_kept(double probability, double p) { return commitment_kept_within(probability, p, KEEP_TOLERANCE); }

/* By how much two ways to add up the same probability over T steps may differ: each step multiplies and adds once. */
static inline double commitment_rounding(int T) { return (T + 2) * DBL_EPSILON; }

#endif

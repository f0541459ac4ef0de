/* plan/ccil/owed.h - what a plan of CCIL owes: in each environment, on average, and behind each of its exits.
 *
 * A promise on average is  sum_k w(k) Pr(k) >= p  over the prior w. Behind exit b' of a plan that is followed, the posterior is
 * w'(k) ~ w(k) Pr(b' | k), and what is owed there is the posterior mean of the policy in force:
 *
 *     sum_k w'(k) Pr'(k) >= sum_k w'(k) Pr(S_T in Phi | b', k).
 *
 * These sums, weighted by the probability of coming to b', add up to the mean of the plan, so the promise is kept by construction.
 */
#ifndef PLAN_CCIL_OWED_H
#define PLAN_CCIL_OWED_H

#include "plan/ccil/segment.h"

/* Is row i promised in its environment, not on average? */
bool owed_alone(const segment *seg, int i);
/* Weights [environments of the exit] behind an exit: those before times the probability of coming there, the largest 1. Where none
 * that counts comes, all count. */
void owed_weights(const segment *seg, const segment_exit *x, double weight[]);
/* What is owed on average behind an exit, into behind, which has room for the averages of seg; with p 0 where none that counts
 * comes. */
void owed_behind(const segment *seg, const segment_exit *x, promise_averages *behind);
/* The most of the tolerance that Pr [rows], the plan of seg, leaves unused of what seg owes. */
double owed_slack(const segment *seg, double tolerance);

#endif

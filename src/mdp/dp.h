/* mdp/dp.h - one environment alone: backward induction, exact evaluation, the constrained optimum, all without an LP.
 *
 * A Markov policy of the finite horizon is a table over (t, pair): prob [T * pairs], the probabilities of the pairs of
 * a state summing to 1 at each t.
 */
#ifndef MDP_DP_H
#define MDP_DP_H

#include "mdp/model.h"

/* The least expected reward of a pair of environment k, and by how much the largest is above it. */
void dp_expected_range(const vouch_model *m, int k, double *least, double *spread);

/* Largest Pr(S_T in Phi) environment k alone allows. -1 when memory is out. */
double dp_best_probability(const vouch_model *m, int k);

/* reach [(T+1) * S]: for each t and s, the largest Pr(S_T in Phi | s_t = s) in environment k (written). */
void dp_reachable_probability(const vouch_model *m, int k, double *reach);

/* U*_c(k): the largest expected reward of environment k alone among policies with Pr(S_T in Phi) >= p or, where p is out of reach
 * by no more than the tolerance of mdp/commitment.h, with the largest that there is. *value is -INFINITY when no policy keeps the
 * commitment. prob: [T * pairs] a policy that attains it, or NULL. */
vouch_status dp_constrained(const vouch_model *m, int k, double p, double *value, double *prob);

/* The same of promise row k (mdp/rows.h), p [K]: under all the promises of its environment, so that the rows of one have the
 * same. */
vouch_status dp_optimum(const vouch_model *m, int k, const double p[], double *value, double *prob);

/* Where the promises of the environment of row k cannot be kept together: prices mu [group] for which no policy has sum mu_j Pr_j as large as sum mu_j p_j, even where each
 * p_j is less by the tolerance. */
vouch_status dp_conflict(const vouch_model *m, int k, const double p[], double mu[]);

#endif

/* mdp/dp.h - one environment alone: backward induction, exact evaluation, the constrained optimum, all without an LP.
 *
 * A Markov policy of the finite horizon is a table over (t, pair): prob [T * pairs], the probabilities of the pairs of
 * a state summing to 1 at each t.
 */
#ifndef MDP_DP_H
#define MDP_DP_H

#include "base/clock.h"
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

/* Where the promises of the environment of row k cannot be kept together: prices mu [group] for which no policy has sum mu_j Pr_j
 * as large as sum mu_j p_j, even where each p_j is less by the tolerance. */
vouch_status dp_conflict(const vouch_model *m, int k, const double p[], double mu[]);

/* The two deterministic policies that U*_c(k) mixes: who keeps them need not look for them again. */
typedef struct dp_edge {
    int *right, *left;  /* [T * S] each in one block, the owner's; right NULL: nothing is kept */
    long double weight; /* of left; 0: left is not written */
} dp_edge;

/* U*_c(k) of p and of a lower `low`, and whether a limit left time for them: what is not known is an upper bound. */
typedef struct dp_optima {
    double value, at_low;
    bool known; /* both */
} dp_optima;

typedef struct dp_promise {
    double p, low;         /* low <= p */
    const deadline *limit; /* NULL: none */
    const dp_edge *from;   /* NULL, or where to begin: the edge of an environment that differs by the last digits of rewards */
    dp_edge *keep;         /* NULL, or an empty one, written where the optimum of p is known and there is memory for it */
} dp_promise;

/* The same of one promise. */
vouch_status dp_constrained_within(const vouch_model *m, int k, dp_promise c, dp_optima *out);

/* dp_optimum by p and by low [K], low[k] <= p[k], within a limit. Once that has passed, what remains of the call is one backward
 * induction, and out->known is false. Requires that environment k allows its promises, where it makes only one; of several that
 * cannot be kept together the values are -INFINITY. low may be p. */
vouch_status dp_optima_within(const vouch_model *m, int k, const double p[], const double low[], const deadline *limit,
                              dp_optima *out);

/* dp_constrained beginning at an edge kept of environment k, whose rewards may have been others by their last digits: one more
 * induction where it is still the best. */
vouch_status dp_optimum_from(const vouch_model *m, int k, double p, const dp_edge *edge, double *value);

/* prob [T * pairs]: the policy that an edge of environment k, which keeps one, stands for. */
vouch_status dp_edge_policy(const vouch_model *m, int k, const dp_edge *edge, double *prob);
void dp_edge_free(dp_edge *edge); /* an empty one is fine */

/* No policy of environment k expects more reward, whatever it promises. NAN when memory is out. */
double dp_most_value(const vouch_model *m, int k);

#endif

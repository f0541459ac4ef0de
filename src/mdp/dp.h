/* mdp/dp.h - one environment alone: backward induction, exact evaluation, the constrained optimum, all without an LP.
 *
 * A Markov policy is a table over (t, pair): prob [T * pairs], with the probabilities of the pairs of a state summing to 1 at each
 * t. A deterministic one is choice [T * S], a pair each. */
#ifndef MDP_DP_H
#define MDP_DP_H

#include "base/clock.h"
#include "mdp/model.h"

/* Maximum of Pr(S_T in Phi) in environment k; -1: out of memory. */
double dp_best_probability(const vouch_model *m, int k);
/* reach [(T+1) * S], written: for each t and s the maximum of Pr(S_T in Phi | s_t = s) in environment k. */
void dp_reachable_probability(const vouch_model *m, int k, double *reach);
/* Upper bound on the expected reward of any policy in environment k, with or without promises. NAN: out of memory. */
double dp_most_value(const vouch_model *m, int k);

/* U*_c(k): maximum expected reward in environment k alone subject to Pr(S_T in Phi) >= p, or to the maximum probability if it is
 * below p by no more than KEEP_TOLERANCE. -INFINITY: the commitment is infeasible. prob: [T * pairs] an optimal policy, or NULL. */
vouch_status dp_constrained(const vouch_model *m, int k, double p, double *value, double *prob);

/* The same of promise row k (mdp/model.h), p [K], subject to all promises of its environment; equal for all its rows. */
vouch_status dp_optimum(const vouch_model *m, int k, const double p[], double *value, double *prob);

/* For infeasible promises of the environment of row k: prices mu [group] such that sum mu_j Pr_j < sum mu_j p_j for every policy,
 * even with each p_j lowered by the tolerance. */
vouch_status dp_conflict(const vouch_model *m, int k, const double p[], double mu[]);

/* The two deterministic policies whose mixture attains U*_c(k), for reuse. */
typedef struct dp_edge {
    int *right, *left;  /* [T * S] each, in one block of the owner; right NULL: empty */
    long double weight; /* of left; 0: left is not written */
} dp_edge;

/* U*_c(k) of p and of a lower probability `low`; upper bounds if a limit was reached. */
typedef struct dp_optima {
    double value, at_low;
    bool known; /* both are exact */
} dp_optima;

typedef struct dp_promise {
    double p, low;         /* low <= p */
    const deadline *limit; /* NULL: none */
    const dp_edge *from;   /* NULL, or a start: the edge of an environment whose rewards differ in the last digits */
    dp_edge *keep;         /* NULL, or an empty edge, written if the optimum of p is exact and memory suffices */
} dp_promise;

/* The optima of one promise. From the edge that is still optimal they cost one more induction. */
vouch_status dp_constrained_within(const vouch_model *m, int k, dp_promise c, dp_optima *out);
/* dp_optimum of p and of low [K], low[k] <= p[k], within a limit; after it the call costs one more induction. A single promise must
 * be feasible in k alone; jointly infeasible ones have values of -INFINITY. low may be p. */
vouch_status dp_optima_within(const vouch_model *m, int k, const double p[], const double low[], const deadline *limit,
                              dp_optima *out);

/* prob [T * pairs]: the policy of an edge of environment k. */
vouch_status dp_edge_policy(const vouch_model *m, int k, const dp_edge *edge, double *prob);
void dp_edge_free(dp_edge *edge); /* an empty one is fine */

/* ---- a heuristic for a Markov policy that keeps the promises of every environment ------------------------------------------- */

typedef struct feasibility {
    const double *p;       /* [K] promised */
    double tolerance;      /* of p */
    const deadline *limit; /* of work beyond one round of all environments; NULL: none */
    int rounds;            /* maximum, at least 1, for a set of environments */
    int passes;            /* maximum of exchange passes after unsuccessful rounds */
    bool few;              /* start with few environments, add those with the largest shortfall */
    int *choice;           /* [T * S] written: a pair, -1 where a state has none */
    double *U, *Pr;        /* [K] written: exact figures of that policy */
    bool kept;             /* it keeps the promises */
} feasibility;

/* True if a round of all rows takes at most some tenths of a second. */
bool feasibility_is_short(const vouch_model *m);
/* For a model's rows. If a round is short, work up to that of one round ends only at an interrupt; then kept is false, and choice,
 * U and Pr are not of one policy. Cost of a round: an induction and a half in each environment of the set. ERROR_MEMORY. */
vouch_status feasible_markov(const vouch_model *m, feasibility *out);

#endif

/* know/grown.h - partial expansion of likelihood classes, with upper and lower bounds at the leaves.
 *
 * A class (know/classes.h) is *grown* if it has successors, otherwise a *leaf*. For multipliers lambda, mu >= 0 [K] and likelihoods
 * w the optimal value of history policies from a class on lies between
 *
 *     high:  as in (4.1), at a leaf  max over choices of sum_k w_k q_k(choice): the environment is revealed after one more step,
 *     low:   as in (4.1), at a leaf  max over plans j of sum_k w_k (lambda_k U_j(k) + mu_k Pr_j(k)): a Markov policy follows.
 *
 * Constant less high at the root is a valid bound (src/THEORY.md, section 4), low is attained by a policy. The gap at the root is
 * at most the sum, over the leaves that the policy of high reaches, of reach times the leaf's gap; the leaves with the largest
 * terms are grown next.
 *
 * Source: bounds improved along the best policy of the upper bound, as in HSVI (T. Smith, R. Simmons, UAI 2005) and AO* (N.
 * Nilsson, 1980); the leaf's bounds are QMDP (M. Littman, A. Cassandra, L. Kaelbling, ICML 1995) and the best of some memoryless
 * policies. Cost of grown_value: arcs, and (choices or plans) K a class. Invariants: arcs lead to the next time; low <= high up to
 * rounding.
 */
#ifndef KNOW_GROWN_H
#define KNOW_GROWN_H

#include "base/clock.h"
#include "base/intern.h"
#include "know/classes.h"

/* Markov policies that leaves may follow. */
typedef struct grown_plans {
    int count;
    double *table; /* [count * T * pairs] probabilities of actions */
    double *prob;  /* [count * choices] the same at the nodes; later twins have none */
    double *gain;  /* [count * nodes * K] U to go, 0 outside the node's set */
    double *keep;  /* [count * nodes * K] Pr, likewise */
} grown_plans;

typedef struct grown_classes {
    const know_graph *g;
    const grown_plans *plans; /* the caller's */
    int K, count, arcs, grown;
    intern known;       /* of (node, likelihood_sum of w, number among these) */
    int *node;          /* [count] */
    double *w;          /* [count * K] largest entry 1 */
    int *next;          /* [count] class of the same time, -1: none */
    int *first, *last;  /* [T + 1] classes of a time */
    int *arc_start;     /* [count] arcs of its choices without twins, an arc for each edge; -1: a leaf */
    int *arc_child;     /* [arcs] class, -1: impossible */
    double *arc_factor; /* [arcs] */
    /* after grown_value */
    double *high, *low; /* [count] */
    int *high_best;     /* [count] choice; at leaves and at the horizon not written */
    int *low_best;      /* [count] choice; at leaves the plan, at the horizon not written */
    double *q, *v;      /* [choices * K], [nodes * K] when the environment is known */
    /* after grown_forward */
    double *reach, *low_reach; /* [count] of the policies of high and low */
    double *scratch;           /* [2 K] */
    size_t node_capacity, w_capacity, next_capacity, start_capacity, child_capacity, factor_capacity, value_capacity;
} grown_classes;

/* One leaf, at the root. plans: at least one. ERROR_MEMORY: *out is NULL. */
vouch_status grown_new(const know_graph *g, const grown_plans *plans, grown_classes **out);
void grown_free(grown_classes *c); /* NULL is fine */

/* *high, *low: of the root. */
void grown_value(grown_classes *c, const double lambda[], const double mu[], double *high, double *low);
/* Reach of both policies of the last grown_value, and U, Pr [K] of that of low, which is feasible. */
void grown_forward(grown_classes *c, double U[], double Pr[]);
/* Grows leaves that account for `share` of the gap, at most `most`; *done: their number. limit: of classes, roughly. */
vouch_status grown_grow(grown_classes *c, double share, int most, long long limit, int *done);

/* Likelihood classes for a search: at leaves of x the environment is revealed after the choice. With every option allowed the value
 * is grown_value's high for all multipliers, up to rounding. */
vouch_status know_classes_expanded(const grown_classes *x, know_classes **classes);

/* The first arc of a choice of class i, which is grown; one for each edge follows. */
int grown_arc(const grown_classes *c, int i, int choice);

/* w of class i: [K] */
static inline const double *grown_weights(const grown_classes *c, int i) { return c->w + (size_t)i * (size_t)c->K; }

#endif

/* know/classes.h - likelihood classes: histories of a policy node with proportional likelihoods.
 *
 * A history h has w_h(k) = product of P(s_{i+1}|s_i,a_i;k), 0 where it is inconsistent. The occupancy of h in environment k is
 * w_h(k) times a factor of the policy alone (the sequence form: von Stengel 1996; Koller, Megiddo, von Stengel 1996), so histories
 * of one node with proportional w form one *class*, with w normalised to largest entry 1. Over classes every induction is a scalar
 * recursion: an *arc* carries the normalisation factor.
 *
 * A class has *slots*: a choice of its node each (without twins), or, if the node has a Pareto set, a vector of it, which ends the
 * class. *Options* number these for all nodes: option o < choices is choice o, option choices + v is Pareto vector v.
 *
 * If there are too many classes the environment is revealed from time `cut` on: classes are unit vectors. (In a partial expansion,
 * know_classes_expanded, only some classes from `cut` on reveal it.) A minimum over classes is then still a lower bound, since the
 * policies compared may know more; with all options fixed it is exact. */
#ifndef KNOW_CLASSES_H
#define KNOW_CLASSES_H

#include <math.h>
#include <string.h>

#include "know/graph.h"

typedef struct know_classes {
    const know_graph *g;
    const pareto_sets *f; /* may be NULL */
    int K, classes, slots, arcs;
    int cut;            /* environments are revealed from this time on; T + 1: never */
    int options;        /* choices + Pareto vectors */
    int *time_start;    /* [T + 2] */
    int *node;          /* [classes] */
    double *w;          /* weights, K each, after 2 K - 1 numbers whose middle one is 1, which contain all unit vectors */
    size_t *w_start;    /* [classes] offset in w */
    int *only;          /* [classes] from cut on: the environment; -1: not revealed */
    int *slot_start;    /* [classes + 1] */
    int *slot_option;   /* [slots] */
    int *slot_pair;     /* [slots] pair of the choice, -1 if its reward is 0 in every environment; of a vector: -2 - vector */
    int *arc_start;     /* [slots + 1] */
    int *arc_child;     /* [arcs] */
    double *arc_factor; /* [arcs] */
} know_classes;

typedef struct class_limits {
    long long classes;    /* maximum before the environment is revealed */
    const deadline *time; /* reveals the environment; NULL: none */
    const deadline *end;  /* ends the call, since revealing classes may be many, too; NULL: none */
} class_limits;

/* f may be NULL. On failure *classes is NULL. ERROR_SIZE: limits->end has passed. */
vouch_status know_classes_new(const know_graph *g, const pareto_sets *f, const class_limits *limits, know_classes **classes,
                              vouch_error *error);
/* Selects relevant choices, which often reach few of very many classes. */
typedef struct class_guide {
    void *context;
    /* Called for every class i before the horizon, in order; made: the classes so far, with arcs up to class i - 1. want [choices
     * of the node]: 0 at entry; twins need not be set. */
    void (*want)(void *context, const know_classes *made, int i, unsigned char want[]);
} class_guide;

/* Only the slots selected by the guide and the classes they reach: bounds hold for no other policies. ERROR_SIZE: more than limit
 * classes, or out of time. */
vouch_status know_classes_guided(const know_graph *g, const class_guide *guide, long long limit, const deadline *time,
                                 know_classes **classes, vouch_error *error);
void know_classes_free(know_classes *c); /* NULL is fine */

/* Work of an induction: sums over arcs, and over environments for rewards and the commitment. */
double know_induction_work(const know_classes *c);

/* w of class i: [K] */
static inline const double *know_class_weights(const know_classes *c, int i) { return c->w + c->w_start[i]; }

/* Environments outside first .. last - 1 have weight 0 in class i. */
static inline int know_class_first(const know_classes *c, int i) { return c->only[i] < 0 ? 0 : c->only[i]; }
static inline int know_class_last(const know_classes *c, int i) { return c->only[i] < 0 ? c->K : c->only[i] + 1; }

/* Value of ending in class i at T for multipliers mu [K] of Pr(k). */
static inline double know_class_end(const know_classes *c, int i, const double mu[])
{
    const double *w = know_class_weights(c, i);
    const int last = know_class_last(c, i);
    double sum = 0;
    for (int k = know_class_first(c, i); k < last; k++)
        if (mu[k] != 0) sum += know_terminal(c->g, c->node[i], k) * (mu[k] * w[k]);
    return sum;
}

/* Pr [K] of a policy that reaches the classes at T with probability reach [classes]. */
static inline void know_class_ends(const know_classes *c, const double reach[], double Pr[])
{
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) {
        if (!(reach[i] > 0)) continue;
        const double *w = know_class_weights(c, i);
        const int last = know_class_last(c, i);
        for (int k = know_class_first(c, i); k < last; k++) Pr[k] += reach[i] * know_terminal(c->g, c->node[i], k) * w[k];
    }
}

/* True if a slot of class i leads to classes of one environment at the same node, with that choice, which carry its reward. */
static inline bool know_slot_reveals(const know_classes *c, int i, int slot)
{
    int a = c->arc_start[slot];
    return a < c->arc_start[slot + 1] && c->node[c->arc_child[a]] == c->node[i];
}

static inline bool know_option_is_vector(const know_classes *c, int option) { return option >= c->g->choices; }

/* ---- equality of likelihoods w [K], largest entry 1 ----
 *
 * Looked up by entries rounded to 36 significant bits (relative 1.5e-11), so that rounding of long products splits no class, then
 * compared. Splitting a class only costs time. */

static inline uint64_t likelihood_rounded(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + (UINT64_C(1) << 15)) & ~((UINT64_C(1) << 16) - 1);
}

/* A hash of all entries, changed by rounding about once in 1e6: a weighted sum of their bits as integers, which are piecewise
 * linear in the logarithm, rounded to the effect of 5e-8 of an entry. Wraps at 2^64. */
static inline uint64_t likelihood_sum(const double w[], int K)
{
    uint64_t sum = UINT64_C(1) << 32;
    for (int k = 0; k < K; k++) {
        uint64_t bits;
        memcpy(&bits, &w[k], sizeof bits);
        sum += bits * (64 + (uint64_t)k * 79 % 61);
    }
    return sum >> 33;
}

/* Equal up to the rounding of products of at most T probabilities and T divisions. */
static inline bool likelihood_same(const double a[], const double b[], int K, int T)
{
    double rounding = 4 * (T + 1) * DBL_EPSILON;
    for (int k = 0; k < K; k++)
        if (fabs(a[k] - b[k]) > rounding * b[k]) return false;
    return true;
}

/* ---- partial expansion of likelihood classes, with upper and lower bounds at the leaves -----------------------------------------
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
 * rounding. */

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

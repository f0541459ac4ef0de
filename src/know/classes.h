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
 * policies compared may know more; with all options fixed it is exact.
 */
#ifndef KNOW_CLASSES_H
#define KNOW_CLASSES_H

#include <float.h>
#include <math.h>
#include <string.h>

#include "know/pareto.h"

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

#endif

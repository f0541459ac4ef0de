/* know/classes.h - likelihood classes: the histories of a policy node that need not be told apart.
 *
 * A history h has w_h(k) = product of P(s_{i+1}|s_i,a_i;k), 0 where it is inconsistent. The occupancy of h in environment k is
 * w_h(k) times a factor of the policy alone (the sequence form: von Stengel 1996; Koller, Megiddo, von Stengel 1996), so histories
 * of one node with proportional w merge into one *class*, kept with w normalised to largest entry 1. Over classes every induction
 * is a scalar recursion: an *arc* carries the factor by which the normalised vectors must be scaled.
 *
 * A class has *slots*, one for each thing it may do: a choice of its node (twins left out), or, where the node has a Pareto set,
 * one of its vectors, which ends the class. *Options* number these per node: option o < choices is choice o, option choices + v is
 * Pareto vector v.
 *
 * From time `cut` on (if the classes were too many) the environment is revealed: classes are unit vectors. (Where classes were
 * grown, know/classes_grown.h, some classes of time `cut` or later tell it, and others of the same time need not.) What is
 * minimised over classes is then still a lower bound, since the policies compared may know more; with all options fixed it is exact
 * again.
 */
#ifndef KNOW_CLASSES_H
#define KNOW_CLASSES_H

#include "know/pareto.h"
#include "know/graph.h"

typedef struct know_classes {
    const know_graph *g;
    const pareto_sets *f; /* may be NULL */
    int K, classes, slots, arcs;
    int cut;         /* environments are revealed from this time on; T + 1: never */
    int options;     /* choices + Pareto vectors */
    int *time_start; /* [T + 2] */
    int *node;       /* [classes] */
    double *w; /* weights, K each, and before them 2 K - 1 numbers of which the middle one is 1, in which all unit vectors lie */
    size_t *w_start;    /* [classes] where in w */
    int *only;          /* [classes] from cut on: the environment; -1: not revealed */
    int *slot_start;    /* [classes + 1] */
    int *slot_option;   /* [slots] */
    int *slot_pair;     /* [slots] pair of the choice, -1 where it pays nothing in any environment; of a vector: -2 - vector */
    int *arc_start;     /* [slots + 1] */
    int *arc_child;     /* [arcs] */
    double *arc_factor; /* [arcs] */
} know_classes;

void know_classes_free(know_classes *c); /* NULL is fine */
/* Work of an induction: sums over arcs, and over environments where rewards are gained or the commitment is kept. */
double know_induction_work(const know_classes *c);

/* w of class i: [K] */
static inline const double *know_class_weights(const know_classes *c, int i) { return c->w + c->w_start[i]; }

/* Environments outside first .. last - 1 have weight 0 in class i. */
static inline int know_class_first(const know_classes *c, int i) { return c->only[i] < 0 ? 0 : c->only[i]; }
static inline int know_class_last(const know_classes *c, int i) { return c->only[i] < 0 ? c->K : c->only[i] + 1; }

/* What ending in class i at T is worth at the prices mu [K] of Pr(k). */
static inline double know_class_end(const know_classes *c, int i, const double mu[])
{
    const double *w = know_class_weights(c, i);
    const int last = know_class_last(c, i);
    double sum = 0;
    for (int k = know_class_first(c, i); k < last; k++)
        if (mu[k] != 0) sum += know_terminal(c->g, c->node[i], k) * (mu[k] * w[k]);
    return sum;
}

/* Pr [K] of a policy that comes to the classes at T with reach [classes]. */
static inline void know_class_ends(const know_classes *c, const double reach[], double Pr[])
{
    for (int i = c->time_start[c->g->T]; i < c->classes; i++) {
        if (!(reach[i] > 0)) continue;
        const double *w = know_class_weights(c, i);
        const int last = know_class_last(c, i);
        for (int k = know_class_first(c, i); k < last; k++) Pr[k] += reach[i] * know_terminal(c->g, c->node[i], k) * w[k];
    }
}

/* Does a slot of class i tell the environment, its arcs leading to classes of one environment and that choice at the same node?
 * What the choice pays and how much it is used counts there. */
static inline bool know_slot_tells(const know_classes *c, int i, int slot)
{
    int a = c->arc_start[slot];
    return a < c->arc_start[slot + 1] && c->node[c->arc_child[a]] == c->node[i];
}

/* The policy node an option belongs to, by the slots of a class. */
static inline bool know_option_is_vector(const know_classes *c, int option) { return option >= c->g->choices; }

#endif

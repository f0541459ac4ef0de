/* know/propagate.h - exact evaluation of an L-updates policy over the policy nodes, for each environment. prob [choices]:
 * probability of each choice at its node, summing to 1 at reached nodes. */
#ifndef KNOW_PROPAGATE_H
#define KNOW_PROPAGATE_H

#include "know/graph.h"

/* Forward: reach [nodes * K] = Pr(node | k), U, Pr [K] written. Returns -1, or a reached node whose probabilities do not sum to 1
 * within 1e-9 (it has no rule). */
int propagate_forward(const know_graph *g, const double prob[], double reach[], double U[], double Pr[]);

/* Backward: gain, keep [nodes * K] = expected reward and Pr(S_T in Phi) to go from each node under prob. */
void propagate_backward(const know_graph *g, const double prob[], double gain[], double keep[]);

/* Value of one choice for environment k, given gain and keep of the nodes below. */
typedef struct choice_worth {
    double u, pr;
} choice_worth;

choice_worth propagate_choice(const know_graph *g, int choice, int k, const double gain[], const double keep[]);

/* The same for every environment k of `set`, in one pass over the edges: worth [2 K], u and then pr. */
void propagate_worths(const know_graph *g, int choice, int set, const double gain[], const double keep[], double worth[]);

/* prob from a deterministic policy: pick [nodes] = choice, or -1 (then the first choice). */
void propagate_pick(const know_graph *g, const int pick[], double prob[]);

#endif

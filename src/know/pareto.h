/* know/pareto.h - set-valued dynamic programming: what a deterministic policy can still achieve from a node.
 *
 * The Pareto set of node n is the set of vectors (U(k), Pr(k)), k in its set, of reward and commitment probability to go under
 * deterministic policies from n on, without duplicates and without vectors that another one dominates in every coordinate. It is
 * small where only the number of times an action was taken matters and not when.
 *
 * It is exact, and so may stand for the node's whole continuation, when no two ways out of n can meet again in one node below
 * it (they would have to agree there): transitions from n on are deterministic in every environment of the set, and below L each
 * choice leads to one successor. And replacing n by its Pareto set does not touch others when the nodes below n are reached
 * through n only, or only by environments that n excludes: so from L on at the boundary nodes; before L when every transition of
 * the model is deterministic.
 */
#ifndef KNOW_PARETO_H
#define KNOW_PARETO_H

#include "know/graph.h"

typedef struct pareto_sets {
    int *start; /* [nodes] first vector of node n */
    int *count; /* [nodes] its vectors; -1: it has no Pareto set; 0: no policy that comes here keeps the commitment */
    int vectors;
    double *value;     /* [vectors * 2K] U(0..K-1) then Pr(0..K-1); 0 outside the node's set */
    int *choice;       /* [vectors] choice taken at the node */
    int *child_start;  /* [vectors] into child_vector: one per edge of the choice */
    int *child_vector; /* vector used at the edge's child */
} pareto_sets;

/* Pareto sets of all nodes where they are exact, may stand for the node and hold at most `cap` vectors; a node above a node
 * without one has none, nor do those that there was no time for (limit; NULL: none). accepted [K]: vectors of policies that come
 * here so often that Pr(S_T in Phi | k) is less than this, whatever they do elsewhere, are left out; NULL: none is. On failure *f
 * is NULL. for_root: without a set of the root none is wanted, and it ends at the first node that has none. */
vouch_status pareto_new(const know_graph *g, int cap, const double accepted[], bool for_root, const deadline *limit,
                        pareto_sets **f);
void pareto_free(pareto_sets *f);

/* Writes the deterministic policy of vector v at its node and below: pick[node] = choice. */
void pareto_apply(const pareto_sets *f, const know_graph *g, int vector, int pick[]);

#endif

/* know/pareto.h - set-valued dynamic programming: the vectors that deterministic policies attain from a node on.
 *
 * The Pareto set of node n is the set of nondominated vectors (U(k), Pr(k)), k in its set, of reward and commitment probability to
 * go under deterministic policies from n on. It is small if the number of times an action was taken matters, but not the order.
 *
 * It is exact, and may replace the node's continuation, if no two paths from n meet again below it (they would have to agree
 * there): transitions from n on are deterministic in every environment of the set, and after L each choice leads to one successor.
 * Other nodes are not affected if the nodes below n are reached through n only, or only by environments that n excludes: from L on
 * at the boundary nodes; before L if every transition of the model is deterministic.
 */
#ifndef KNOW_PARETO_H
#define KNOW_PARETO_H

#include "know/graph.h"

typedef struct pareto_sets {
    int *start; /* [nodes] first vector of node n */
    int *count; /* [nodes] its vectors; -1: no Pareto set; 0: no policy that reaches the node keeps the commitment */
    int vectors;
    double *value;     /* [vectors * 2K] U(0..K-1) then Pr(0..K-1); 0 outside the node's set */
    int *choice;       /* [vectors] choice taken at the node */
    int *child_start;  /* [vectors] into child_vector: one per edge of the choice */
    int *child_vector; /* vector used at the edge's child */
} pareto_sets;

/* Pareto sets of all nodes where they are exact, may replace the node and have at most `cap` vectors. A node above a node without
 * one has none, nor have nodes left at the limit (NULL: none). accepted [K] (NULL: none): vectors whose failures alone force
 * Pr(S_T in Phi | k) below it are dropped. for_root: stop at the first node without a set. On failure *f is NULL. */
vouch_status pareto_new(const know_graph *g, int cap, const double accepted[], bool for_root, const deadline *limit,
                        pareto_sets **f);
void pareto_free(pareto_sets *f);

/* Writes the deterministic policy of vector v at its node and below: pick[node] = choice. */
void pareto_apply(const pareto_sets *f, const know_graph *g, int vector, int pick[]);

#endif

/* plan/search/node.h - one node of the search over policies: restrict, bound, round, branch (src/THEORY.md, 5). */
#ifndef PLAN_SEARCH_NODE_H
#define PLAN_SEARCH_NODE_H

#include "base/rng.h"
#include "plan/node/node_solver.h"

/* Bounds node n under the cutoff of s->inc, improves s->inc, and writes the result (its array made is the caller's, large enough
 * for A children). random: of perturbations of the incumbent at the root; NULL elsewhere. */
void node_process(node_solver *s, tree_node *n, rng *random, node_result *result);

#endif

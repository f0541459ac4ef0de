/* plan/bnb/branching.h - choosing where to branch by trying: strong branching over policy nodes. */
#ifndef PLAN_BNB_BRANCHING_H
#define PLAN_BNB_BRANCHING_H

#include "plan/bnb/node.h"

/* Tries the policy nodes on which the mixture of node n disagrees most (e->heaviest and e->r->mass as left by it, n's columns and
 * multipliers kept) and writes the children of the best one into o. false: only frontiers disagree, nothing was tried. */
bool branching_strong(node_solver *e, const tree_node *n, node_result *o);

#endif

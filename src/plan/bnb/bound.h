/* plan/bnb/bound.h - the bound of a tree node, whatever source it comes from.
 *
 * The one place where "bound this node" is said. A source looks at the options allowed (s->colgen->allowed, set by node_restrict), may only raise
 * n->bound, and claims no more than what every policy left attains (node_check). Today there is one source, mixtures by column generation; another is asked in
 * bound_node, before or after it, by what its work has gained so far.
 */
#ifndef PLAN_BNB_BOUND_H
#define PLAN_BNB_BOUND_H

#include "plan/bnb/node_solver.h"

typedef enum bound_state {
    BOUND_ENDED, /* cut off, empty, a limit or an error: result says which */
    BOUND_OPEN,  /* below the cutoff, and may be weak: stopped early, or numerics */
    BOUND_MET    /* below the cutoff, and as good as its source gets */
} bound_state;

/* Restricts the options to those of node n and takes over what its parent left for the bound. */
void bound_start(node_solver *s, const tree_node *n, node_result *result);

/* Raises n->bound and, unless BOUND_ENDED, leaves the mixture to round and to branch on in s->colgen. patience: as in colgen_solve; with 0 a
 * bound that was BOUND_OPEN is finished. */
bound_state bound_node(node_solver *s, tree_node *n, double patience, node_result *result);

/* The node ends with its bound: cut off by it, or given up with it. */
void bound_ends(node_result *result, const tree_node *n, vouch_node_end end);

#endif

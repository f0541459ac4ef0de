/* plan/search/node_bound.h - the bound of a tree node, whatever source it comes from.
 *
 * The one place where "bound this node" is said. A source looks at the options allowed (s->colgen->allowed, set by node_restrict),
 * may only raise n->bound, and claims no more than what every policy left attains (node_check). Mixtures by column generation see
 * that environments share one policy, pairs that it has no coins; which of them is asked, or both, is decided here from counts of
 * work.
 */
#ifndef PLAN_SEARCH_NODE_BOUND_H
#define PLAN_SEARCH_NODE_BOUND_H

#include "plan/node/node_solver.h"

typedef enum bound_state {
    BOUND_ENDED, /* cut off, empty, a limit or an error: result says which */
    BOUND_OPEN,  /* below the cutoff, and may be weak: stopped early, or numerics */
    BOUND_MET    /* below the cutoff, and as good as its source gets */
} bound_state;

/* Is it worth while to ask a source at n? At the root each is. Further down the one whose bound leads is, and the other if what is
 * missing to the cutoff is worth its price, as what it has shown on the way here tells. */
bool bound_asks(const node_solver *s, const tree_node *n, bound_source source);
/* Are pairs ahead of mixtures by more than is missing to the cutoff of the maximum regret? Then it is of little use to decide what
 * mixtures disagree on. */
bool bound_far_ahead(const node_solver *s, const tree_node *n);
/* The source whose bound is the better one on the way to n. */
bound_source bound_leader(const tree_node *n);

/* How many sums of pairs their sets may take where every option is allowed (pareto_bound_fit). */
long long bound_pair_sums(const policy_space *space);
/* Sets of pairs are made that searches in this space copy from now on, unless they were before or are too large to keep. */
vouch_status bound_keep_pairs(const policy_space *space, const search_options *options);
void bound_forget_pairs(kept_pairs *kept);
/* Raises n->bound by pairs and, unless BOUND_ENDED, leaves what pure policies use in s->pairs. */
bound_state bound_by_pairs(node_solver *s, tree_node *n, node_result *result);

/* Takes over what the nearest node above left for mixtures. */
void bound_start(node_solver *s, const tree_node *n, node_result *result);

/* Raises n->bound and, unless BOUND_ENDED, leaves the mixture to round and to branch on in s->colgen. patience: as in
 * colgen_solve; with 0 a bound that was BOUND_OPEN is finished. */
bound_state bound_by_mixture(node_solver *s, tree_node *n, double patience, node_result *result);

/* Is it worth while to ask for mixtures of policies that each keep one promise by themselves? In long searches only, seldom
 * where they gained little of late, and not where a proof is written, which has no line for them. */
bool bound_asks_deterministic(const node_solver *s, const tree_node *n);
/* Raises n->bound by them and, unless BOUND_ENDED, leaves their mixture in s->colgen; result->pure is -1 if there is no memory for
 * them. It starts from what n or the nearest node above left. */
bound_state bound_by_deterministic(node_solver *s, tree_node *n, node_result *result);

/* The node ends with its bound: cut off by it, or given up with it. */
void bound_ends(node_result *result, const tree_node *n, vouch_node_end end);

#endif

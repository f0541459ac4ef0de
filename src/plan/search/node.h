/* plan/search/node.h - one node of the search over policies: restrict, bound, round, branch (src/THEORY.md, 5).
 *
 * All bounds of a node come from plan/search/node_bound.c. A source bounds the options allowed (s->colgen->allowed, set by
 * node_restrict); it may only raise n->bound, and never above the value of a remaining policy (node_check). Mixtures by column
 * generation account for the common policy of the environments, pairs for determinism; counts of work decide which are computed.
 */
#ifndef PLAN_SEARCH_NODE_H
#define PLAN_SEARCH_NODE_H

#include "base/rng.h"
#include "plan/node/node_solver.h"

/* Bounds node n under the cutoff of s->inc, improves s->inc, and writes the result (the caller's array `made` has room for A
 * children). random: for perturbations of the incumbent at the root; NULL elsewhere. */
void node_process(node_solver *s, tree_node *n, rng *random, node_result *result);

typedef enum bound_state {
    BOUND_ENDED, /* cut off, empty, a limit or an error, as in result */
    BOUND_OPEN,  /* below the cutoff, possibly weak: stopped early, or numerics */
    BOUND_MET    /* below the cutoff, and as strong as its source allows */
} bound_state;

/* Does a source pay at n? At the root always; below, the leading source, and the other if the distance to the
 * cutoff is worth its cost. */
bool bound_pays(const node_solver *s, const tree_node *n, bound_source source);
/* Are pairs ahead of mixtures by more than the distance to the cutoff of the maximum regret? Then branching on the disagreement of
 * mixtures is of little use. */
bool bound_far_ahead(const node_solver *s, const tree_node *n);
/* The source with the better bound on the path to n. */
bound_source bound_leader(const tree_node *n);

/* Limit on the sums of pairs when all options are allowed (pareto_bound_fit). */
long long bound_pair_sums(const policy_space *space);
/* Makes sets of pairs that later searches in this space copy, once, unless they are too large to keep. */
vouch_status bound_keep_pairs(const policy_space *space, const search_options *options);
void bound_forget_pairs(kept_pairs *kept);
/* Raises n->bound by pairs and, unless BOUND_ENDED, leaves the optimal policies of single environments in s->pairs. */
bound_state bound_by_pairs(node_solver *s, tree_node *n, node_result *result);

/* Starts column generation from the columns and multipliers of the nearest ancestor that has them. */
void bound_start(node_solver *s, const tree_node *n, node_result *result);
/* Raises n->bound and, unless BOUND_ENDED, leaves the mixture for rounding and branching in s->colgen. patience: as in
 * colgen_solve; 0 completes a bound that was BOUND_OPEN. */
bound_state bound_by_mixture(node_solver *s, tree_node *n, double patience, node_result *result);

/* Do mixtures of policies that each keep one promise without randomisation pay? In long searches only, rarely after small gains,
 * and not with a proof, which has no line for them. */
bool bound_deterministic_pays(const node_solver *s, const tree_node *n);
/* Raises n->bound by them, starting from the columns of n or the nearest ancestor, and unless BOUND_ENDED leaves their mixture in
 * s->colgen. result->pure is -1 if memory is too small for them. */
bound_state bound_by_deterministic(node_solver *s, tree_node *n, node_result *result);

/* Ends the node with its bound. */
void bound_ends(node_result *result, const tree_node *n, vouch_node_end end);

#endif

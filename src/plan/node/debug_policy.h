/* plan/node/debug_policy.h - a known policy that no node of the search may lose (as SCIP's debug solution).
 *
 * A node contains the policy if it allows every decision that the policy reaches; at a node with a Pareto set, if it allows a
 * vector that is no worse than the policy's continuation. Then the node's bound may not exceed the policy's value,
 *
 *     bound <= max_k U*_c(k) - U(k).
 *
 * node_check tests this at every bound: for the policy given by a test, and in debug builds for the incumbent. Policies that break
 * the commitment, with the margin of bounds, are not tested. Cost: one propagation to set, O(nodes + vectors K) to check.
 */
#ifndef PLAN_NODE_DEBUG_POLICY_H
#define PLAN_NODE_DEBUG_POLICY_H

#include "base/arena.h"
#include "plan/colgen/colgen.h"

typedef struct debug_policy {
    const policy_space *space;
    int *pick;           /* [nodes] choice (its twin); -1: not reached */
    double *gain, *keep; /* [nodes * K] reward and probability of the promise from each node on */
    double max_regret, total_regret;
    bool kept;         /* it keeps commitment and floors with the margin of bounds; else nothing is checked */
    double *prob;      /* [choices] scratch */
    double *reach, *U; /* [nodes * K], [2K] scratch */
    arena memory;
} debug_policy;

/* pick [nodes]: choice, or -1 where not reached. */
vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out);
void debug_policy_free(debug_policy *w); /* NULL is fine */
/* Replaces the policy. */
void debug_policy_set(debug_policy *w, const int pick[]);

/* Contract: `bound` may be claimed under cg->allowed. w may be NULL. */
void debug_policy_check(const debug_policy *w, const colgen *cg, double bound);
/* Is the policy below the cutoff, and allowed? False when nothing is checked. */
bool debug_policy_holds(const debug_policy *w, const colgen *cg, double cutoff);

/* Contract: a bound does not exceed an attained value, up to rounding. */
void debug_bound_check(double bound, double value);

#endif

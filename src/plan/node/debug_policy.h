/* plan/node/debug_policy.h - a known policy that no node of the search may lose.
 *
 * A node contains the policy when its restrictions allow every decision the policy reaches. Then the node's bound may not exceed
 * what the policy attains; node_check states it wherever a bound is claimed: for a policy that a test gives (SCIP's debug
 * solution), and in debug builds for the incumbent, so that no bound passes it. Cost: one propagation to set, O(nodes) to check,
 * where Pareto sets are O(vectors K).
 */
#ifndef PLAN_NODE_DEBUG_POLICY_H
#define PLAN_NODE_DEBUG_POLICY_H

#include "base/arena.h"
#include "plan/colgen/colgen.h"

typedef struct debug_policy {
    const policy_space *space;
    int *pick;           /* [nodes] choice (its twin); -1: the policy does not come here */
    double *gain, *keep; /* [nodes * K] of the policy from each node on */
    double max_regret, total_regret;
    bool kept;         /* the commitment and the floors, with the margin that bounds ask for; else nothing is checked */
    double *prob;      /* [choices] scratch */
    double *reach, *U; /* [nodes * K], [2K] likewise */
    arena memory;
} debug_policy;

/* pick [nodes]: choice or -1, at least where the policy comes. */
vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out);
void debug_policy_free(debug_policy *w); /* NULL is fine */
/* Another policy of the same space. */
void debug_policy_set(debug_policy *w, const int pick[]);

/* Contract: `bound` may be claimed under cg->allowed. w may be NULL. */
void debug_policy_check(const debug_policy *w, const colgen *cg, double bound);
/* Is the policy below the cutoff, and allowed? False when nothing is checked. */
bool debug_policy_holds(const debug_policy *w, const colgen *cg, double cutoff);

/* Contract: a bound does not exceed a value that some policy attains, but for rounding. */
void debug_bound_check(double bound, double value);

#endif

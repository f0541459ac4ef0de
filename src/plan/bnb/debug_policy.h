/* plan/bnb/debug_policy.h - a known policy that no node of the search may lose: for tests.
 *
 * A node contains the policy when its restrictions allow every decision the policy reaches. Then the node's bound may not exceed what
 * the policy attains; node.c asserts it wherever a bound is used.
 */
#ifndef PLAN_BNB_DEBUG_POLICY_H
#define PLAN_BNB_DEBUG_POLICY_H

#include "plan/bnb/colgen.h"

typedef struct debug_policy {
    const policy_space *space;
    int *pick;           /* [nodes] choice (its twin); -1: the policy does not come here */
    double *gain, *keep; /* [nodes * K] of the policy from each node on */
    double max_regret, total_regret;
    bool kept; /* the commitment, with the margin the relaxation asks for; else nothing is checked */
} debug_policy;

/* pick [nodes]: choice or -1, at least where the policy comes. */
vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out);
void debug_policy_free(debug_policy *w); /* NULL is fine */

/* Asserts that `bound` may be claimed under r->allowed. w may be NULL. */
void debug_policy_check(const debug_policy *w, const colgen *r, double bound);
/* Is the policy below the cutoff, and allowed? False when nothing is checked. */
bool debug_policy_holds(const debug_policy *w, const colgen *r, double cutoff);

#endif

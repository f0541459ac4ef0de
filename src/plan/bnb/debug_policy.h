/* plan/bnb/debug_policy.h - a known policy that no node of the search may lose: for tests.
 *
 * A node contains the policy when its restrictions allow every decision the policy reaches. Then the node's bound may not exceed what
 * the policy attains; explore.c asserts it wherever a bound is used.
 */
#ifndef PLAN_BNB_DEBUG_POLICY_H
#define PLAN_BNB_DEBUG_POLICY_H

#include "plan/bnb/colgen.h"

typedef struct watch {
    const policy_space *space;
    int *pick;           /* [nodes] choice (its twin); -1: the policy does not come here */
    double *gain, *keep; /* [nodes * K] of the policy from each node on */
    double max_regret, total_regret;
    bool kept; /* the commitment, with the margin the relaxation asks for; else nothing is watched */
} watch;

/* pick [nodes]: choice or -1, at least where the policy comes. */
vouch_status watch_new(const policy_space *space, const int pick[], watch **out);
void watch_free(watch *w); /* NULL is fine */

/* Asserts that `bound` may be claimed under r->allowed. w may be NULL. */
void watch_check(const watch *w, const colgen *r, double bound);
/* Is the policy below the cutoff, and allowed? False when nothing is watched. */
bool watch_holds(const watch *w, const colgen *r, double cutoff);

#endif

/* plan/ccil/segment_policy.h - what the inner method has found at a segment, as bytes: the rules of a policy, or why there is none.
 */
#ifndef PLAN_CCIL_SEGMENT_POLICY_H
#define PLAN_CCIL_SEGMENT_POLICY_H

#include "link/message.h"
#include "policy/policy.h"

/* The policy as the answer of a task, with the status of the call that found it and what it says. */
void segment_policy_put(message *m, const vouch_policy *policy, vouch_status status, const vouch_error *trouble);
/* Into a policy that was described and has no rules. */
vouch_status segment_policy_take(message *m, vouch_policy *policy, vouch_error *trouble);

#endif

/* plan/precise_search.h - a small search in numbers of 640 bits, for rewards that differ so much in size that a search in doubles
 * proves nothing.
 */
#ifndef PLAN_PRECISE_SEARCH_H
#define PLAN_PRECISE_SEARCH_H

#include "plan/call/call.h"

/* Continues from the policy of a call for deterministic policies of lookahead L, by rows of the model: rules, figures, bounds and
 * outcome of call->policy, in the units given, are those of this search. *done: false if the class of policies is too large or the
 * search too long, and nothing has changed. */
vouch_status plan_precise_search(plan_call *call, const vouch_model *rows, bool *done);

#endif

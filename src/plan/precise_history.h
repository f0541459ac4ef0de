/* plan/precise_history.h - the history-optimal policy in numbers of 640 bits, for rewards that differ so much in size that a search
 * in doubles proves nothing.
 */
#ifndef PLAN_PRECISE_HISTORY_H
#define PLAN_PRECISE_HISTORY_H

#include "plan/call/call.h"

/* For history-dependent policies, by rows of the model: rules, figures, bound and outcome of call->policy, in the units given, are
 * those of this search. *done: false if the classes are too many or the gap stays open, and nothing has changed. *bound: the least
 * that any policy attains of what is minimised, or -INFINITY. ERROR_MEMORY. */
vouch_status plan_precise_history(plan_call *call, const vouch_model *rows, double *bound, bool *done);

#endif

/* plan/history_program.h - the history-optimal regret by one linear program. */
#ifndef PLAN_HISTORY_PROGRAM_H
#define PLAN_HISTORY_PROGRAM_H

#include "plan/methods.h"
#include "plan/relaxation.h"

/* space: classes of L = T without frontiers. Sets *mass [slots] (owned by the caller; NULL without a solution), *end, and the policy's bound
 * and iterations. */
vouch_status history_program_solve(plan_call *call, const policy_space *space, double **mass, relaxation_end *end);

#endif

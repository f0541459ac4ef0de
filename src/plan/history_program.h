/* plan/history_program.h - the history-optimal regret by one linear program. */
#ifndef PLAN_HISTORY_PROGRAM_H
#define PLAN_HISTORY_PROGRAM_H

#include "plan/methods.h"
#include "plan/colgen/colgen.h"

/* space: classes of L = T without Pareto sets; aim [promises]: what Pr(k) must reach, at least space->accepted. Sets *mass [slots]
 * (owned by the caller; NULL without a solution) and *end, adds to the policy's iterations and raises its bound, which is that of
 * all policies that are accepted. */
vouch_status history_program_solve(plan_call *call, const policy_space *space, const double aim[], double **mass, colgen_end *end);

#endif

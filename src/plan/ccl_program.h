/* plan/ccl_program.h - MILP-CCL by the general way: the compact program and LP-based branch and bound. */
#ifndef PLAN_CCL_PROGRAM_H
#define PLAN_CCL_PROGRAM_H

#include "plan/heuristic/local_search.h"
#include "plan/methods.h"

/* Improves inc to the optimum of both stages (space without Pareto sets); fills outcome, bound, nodes and iterations of the
 * call's policy. */
vouch_status ccl_program_solve(plan_call *call, const policy_space *space, incumbent *inc);

#endif

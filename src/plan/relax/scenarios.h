/* plan/relax/scenarios.h - the least maximum regret by scenarios, a subset of many environments.
 *
 *     min over pi of max over k in S of  U*_c(k) - U(k)   <=   min over pi of max over all k,     for every set S of environments:
 *
 * so a search over S alone gives a bound, and the optimum if its policy is optimal for all environments. S begins with the
 * environment of largest regret under the best known policy; whenever S has a better policy, the environments of largest regret and
 * largest shortfall under it join S. This also finds a first policy that keeps all promises, or an S whose promises none keeps.
 * Inductions, and classes once the environment is revealed, grow with the number of environments; of 100 machines 6 to 9 are
 * decisive. If the search over S exceeds its share of work, S is doubled by the environments of largest regret, up to half of all.
 *
 * Source: outer approximation, J. W. Blankenship, J. E. Falk, Infinitely constrained optimization problems, J. Optim. Theory Appl.
 * 19, 1976. For L = 0 only, whose policy nodes are the same for every S.
 */
#ifndef PLAN_RELAX_SCENARIOS_H
#define PLAN_RELAX_SCENARIOS_H

#include "plan/call/call.h"
#include "plan/heuristic/incumbent.h"

/* Least number of environments for scenarios. */
enum { SCENARIOS_LEAST = 8 };

/* Requires space->g->L = 0, no shares and not late. Improves inc and raises *bound, to INFINITY if no policy keeps the promises.
 * Adds nodes and inductions to call->policy. Work is counted, so results repeat, except at a limit. */
vouch_status scenarios_search(plan_call *call, const policy_space *space, incumbent *inc, double *bound);

#endif

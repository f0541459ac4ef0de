/* plan/relax/scenarios.h - the least maximum regret by scenarios: few of many environments.
 *
 *     min over pi of max over k in S of  U*_c(k) - U(k)   <=   min over pi of max over all k,     for every set S of environments:
 *
 * a search over the environments of S alone shows a bound, and where what it finds is the best for all of them, too, the optimum. S
 * begins with the environment of largest regret under the best policy known; each time that S has a better policy than that, the
 * environments that this policy is worst for, in regret and in what it lacks of its promise, are taken into S. So the first policy
 * that keeps all promises is found, too, or an S whose promises none keeps. An induction takes as many sums as there are
 * environments, and where the environment is revealed there are as many classes: of 100 machines some 6 to 9 decide. Where the
 * search over S does not end within its share of work, S is doubled by the environments of largest regret; all are searched once
 * S would be more than half of them.
 *
 * Source: outer approximation as in J. W. Blankenship, J. E. Falk, Infinitely constrained optimization problems, J. Optim. Theory
 * Appl. 19, 1976. For L = 0, whose policy nodes are the same for every S; of L > 0 what is known depends on the environments there
 * are.
 */
#ifndef PLAN_RELAX_SCENARIOS_H
#define PLAN_RELAX_SCENARIOS_H

#include "plan/call/call.h"
#include "plan/heuristic/incumbent.h"

/* Fewest environments that are many. */
enum { SCENARIOS_LEAST = 8 };

/* Needs space->g->L = 0, no shares and nothing late. Improves inc; *bound grows to what was shown, which may be all that is needed:
 * INFINITY where no policy keeps the promises. Nodes and inductions are added to call->policy; by counts of work, so that the
 * answer is the same every time, but for the limit. */
vouch_status scenarios_search(plan_call *call, const policy_space *space, incumbent *inc, double *bound);

#endif

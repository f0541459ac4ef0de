/* plan/schedule.h - the whole search for deterministic policies, on one screen: which stages there are, and in which order.
 *
 *     scenarios -> stage by stage -> likelihood classes -> relaxation levels (trees, belief expansion) -> least total regret
 *
 * Each stage improves the incumbent, raises the bound `known`, or both; the search is over where the two meet. All of them count
 * their nodes and inductions in call->policy and end by its limits, so that what is watched, logged or limited is the same search.
 * Which stages apply is said by vouch/search.h; a proof has the same schedule without the parts that have no lines.
 *
 * Source: src/THEORY.md, 5. Invariant: `known` bounds what is minimised, for every policy that keeps the promises.
 */
#ifndef PLAN_SCHEDULE_H
#define PLAN_SCHEDULE_H

#include "plan/methods.h"
#include "plan/heuristic/incumbent.h"

/* Are a few of many environments searched first, for policies of lookahead L? */
bool schedule_has_scenarios(const plan_call *call, int L);
/* May stages that need no likelihood classes show all? Then these are made when they have not. */
bool schedule_begins_without_classes(const plan_call *call);

/* Minimises over the policies of `space`, improving inc, and fills outcome and bounds of call->policy. detail: how the classes of a
 * space that has none are made, if they are needed. */
vouch_status schedule_run(plan_call *call, policy_space *space, space_options *detail, incumbent *inc);

#endif

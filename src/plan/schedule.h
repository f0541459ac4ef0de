/* plan/schedule.h - the whole search for deterministic policies on one screen: its stages and their order.
 *
 *     scenarios -> stage by stage -> likelihood classes -> relaxation levels (trees, belief expansion) -> least total regret
 *
 * Each stage improves the incumbent, raises the bound `known`, or both; the search ends when the two meet. All stages count nodes
 * and inductions in call->policy and obey its limits, so watching, logging or limiting does not change the search. vouch/search.h
 * lists when stages apply; a proof has the same schedule without the parts that have no lines. Source: src/THEORY.md, 5.
 */
#ifndef PLAN_SCHEDULE_H
#define PLAN_SCHEDULE_H

#include "plan/methods.h"
#include "plan/heuristic/incumbent.h"

/* Do scenarios apply to policies of lookahead L? */
bool schedule_has_scenarios(const plan_call *call, int L);
/* Can stages without likelihood classes finish the search? Then classes are made only if these fail. */
bool schedule_begins_without_classes(const plan_call *call);

/* Minimises over the policies of `space`, improves inc, and fills outcome and bounds of call->policy. detail: options of the
 * classes, if `space` has none and needs them. */
vouch_status schedule_run(plan_call *call, policy_space *space, space_options *detail, incumbent *inc);

#endif

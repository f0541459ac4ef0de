/* plan/heuristic/lift.h - a deterministic policy of one graph taken to another graph of the same model.
 *
 * From fewer choices to more (the same L), or from L' < L to L: what a policy of L' looks at, (s_t, b_L') from L' on, has to be
 * told by what one of L looks at. It is while t <= L, where a node holds all that is known, and after L where the histories of b_L
 * agree on b_L'; else two nodes of L' meet at one node of L and the policy does not lift.
 */
#ifndef PLAN_HEURISTIC_LIFT_H
#define PLAN_HEURISTIC_LIFT_H

#include "plan/heuristic/incumbent.h"

/* pick [nodes of to], -1 where the policy of `from` [nodes] does not come or `to` lacks its choice. Requires from->L <= to->L.
 * *whole: the two policies do the same. Where they do not, pick is a policy all the same, another one. ERROR_MEMORY. */
vouch_status lift_policy(const know_graph *from, const int policy[], const know_graph *to, int pick[], bool *whole);

/* Offers the best policy of `from`, taken to inc's graph; *whole as above, NULL: it is not asked. */
vouch_status lift_offer(incumbent *inc, const incumbent *from, bool *whole);

#endif

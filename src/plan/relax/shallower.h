/* plan/relax/shallower.h - a search over Markov policies beside one over L-updates policies, L > 0.
 *
 * A Markov policy is an L-updates policy for every L, and its tree is smaller. So a long search with L > 0 under a limit gives a
 * share of its work to a tree of L = 0: what that finds is offered, so that a deeper plan is no worse than a shallower one that
 * takes such a share.
 */
#ifndef PLAN_RELAX_SHALLOWER_H
#define PLAN_RELAX_SHALLOWER_H

#include "plan/call/call.h"
#include "plan/heuristic/incumbent.h"
#include "plan/search/search.h"

typedef struct shallower shallower;

/* Beside searches over `space` with these options, which it counts its inductions against. Little is made before its first turn.
 * *out NULL: it is of no use, since L = 0, the best Markov policy is known, or no limit ends the search before its proof. */
vouch_status shallower_new(plan_call *call, const policy_space *space, search_options *so, shallower **out);
void shallower_free(shallower *s); /* NULL is fine */

/* For search_options.beside: if it is time, Markov policies are searched, and what is found is offered to inc. */
vouch_status shallower_beside(void *shallow, const policy_space *space, long long inductions, incumbent *inc);

#endif

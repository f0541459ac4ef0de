/* plan/relax/shallower.h - a search over Markov policies beside a search over L-updates policies, L > 0.
 *
 * A Markov policy is an L-updates policy for every L, and its tree is smaller. So a long search with L > 0 under a limit gives a
 * share of its work to a tree of L = 0 and is offered its policies: a deeper plan is no worse than a shallower one with that share.
 */
#ifndef PLAN_RELAX_SHALLOWER_H
#define PLAN_RELAX_SHALLOWER_H

#include "plan/call/call.h"
#include "plan/heuristic/incumbent.h"
#include "plan/search/search.h"

typedef struct shallower shallower;

/* Beside searches over `space` with these options, whose limit of inductions it shares. *out NULL: not useful, since L = 0, the
 * best Markov policy is known, or no limit ends the search before its proof. */
vouch_status shallower_new(plan_call *call, const policy_space *space, search_options *so, shallower **out);
void shallower_free(shallower *s); /* NULL is fine */

/* For search_options.beside: at its turn, searches Markov policies and offers the best to inc. */
vouch_status shallower_beside(void *shallow, const policy_space *space, long long inductions, incumbent *inc);

#endif

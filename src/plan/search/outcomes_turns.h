/* plan/search/outcomes_turns.h - the turns of the search over outcomes (plan/outcomes/outcomes_search.h) within a tree: at
 * OUTCOMES_FIRST nodes, then each time that their number has grown OUTCOMES_AGAIN times, with as much work as the tree has used. */
#ifndef PLAN_SEARCH_OUTCOMES_TURNS_H
#define PLAN_SEARCH_OUTCOMES_TURNS_H

#include "base/pool.h"
#include "plan/node/options.h"
#include "plan/outcomes/outcomes_search.h"

typedef struct outcomes_turns {
    const policy_space *space;
    const search_options *options;
    double bound;  /* shown by outcomes; -INFINITY: none */
    long long at;  /* nodes of the tree at the next turn */
    pool *threads; /* borrowed; NULL: the caller's thread only */
} outcomes_turns;

/* State of the tree. */
typedef struct outcomes_moment {
    long long nodes, inductions;
    double known; /* the bound */
} outcomes_moment;

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options, pool *threads);
/* Runs the search over outcomes if it is its turn; for the maximum regret only. */
vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc);

#endif

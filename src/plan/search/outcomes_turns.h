/* plan/search/outcomes_turns.h - when a tree asks outcomes (plan/outcomes/outcomes_search.h) for the bound of all that is left.
 *
 * They are asked at OUTCOMES_FIRST nodes, and each time that the nodes are OUTCOMES_AGAIN times as many, for as much work as the
 * tree has done by then.
 */
#ifndef PLAN_SEARCH_OUTCOMES_TURNS_H
#define PLAN_SEARCH_OUTCOMES_TURNS_H

#include "base/pool.h"
#include "plan/node/options.h"
#include "plan/outcomes/outcomes_search.h"

typedef struct outcomes_turns {
    const policy_space *space;
    const search_options *options;
    double bound;  /* what they have shown; -INFINITY */
    long long at;  /* nodes at which they are asked next */
    pool *threads; /* borrowed; NULL: none but this one */
} outcomes_turns;

/* Where the tree stands. */
typedef struct outcomes_moment {
    long long nodes, inductions;
    double known; /* the bound */
} outcomes_moment;

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options, pool *threads);
/* Asks them if it is their turn; of the maximum regret alone. */
vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc);

#endif

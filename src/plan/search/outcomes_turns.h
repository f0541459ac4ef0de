/* plan/search/outcomes_turns.h - when a tree asks outcomes (plan/outcomes/outcomes_search.h) for the bound of all that is left.
 *
 * They are asked at OUTCOMES_FIRST nodes, and each time that the nodes are OUTCOMES_AGAIN times as many, for as much work as the
 * tree is expected to have done by then: that is said a while before, and from then on they run beside the tree where there are
 * threads. What has come of them counts if the best policy is still the same at their turn; else they are asked anew. So the answer
 * does not depend on threads.
 */
#ifndef PLAN_SEARCH_OUTCOMES_TURNS_H
#define PLAN_SEARCH_OUTCOMES_TURNS_H

#include "plan/heuristic/beside.h"
#include "plan/node/options.h"
#include "plan/outcomes/outcomes_search.h"

typedef struct outcomes_turns {
    const policy_space *space;
    const search_options *options;
    double bound; /* what they have shown; -INFINITY */
    long long at; /* nodes at which they are asked next */
    /* before that */
    long long half, half_nodes; /* inductions at half of these nodes; -1: not there yet */
    outcomes_limits limits;
    bool said;   /* the limits have been */
    beside tree; /* empty where they do not run beside the tree */
    outcomes_result result;
    vouch_status status;
} outcomes_turns;

/* Where the tree stands. */
typedef struct outcomes_moment {
    long long nodes, inductions;
    double known; /* the bound */
} outcomes_moment;

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options);
/* Asks them if it is their turn; of the maximum regret alone. */
vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc);
/* Ends what runs. */
void outcomes_turns_end(outcomes_turns *t);

#endif

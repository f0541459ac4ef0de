/* plan/search/outcomes_turns.h - when trees ask outcomes (plan/outcomes/outcomes_search.h) for the bound of all that is left.
 *
 * A tree asks at 5/8 of OUTCOMES_FIRST nodes, and each time that the nodes are OUTCOMES_AGAIN times as many, for as much work as it
 * will have done by OUTCOMES_FIRST. The search by outcomes then runs beside that tree, and beside those after it over the same
 * policies: its answer is taken at the first node at which the trees have done OUTCOMES.trail times the work that it took, counted
 * since then. So the answer does not depend on whether it has a thread of its own. Without one it is worked out once the trees have
 * done a part of what it may take (OUTCOMES.lag).
 *
 * Its bound and its policy hold whatever the trees have found meanwhile.
 */
#ifndef PLAN_SEARCH_OUTCOMES_TURNS_H
#define PLAN_SEARCH_OUTCOMES_TURNS_H

#include "plan/heuristic/beside.h"
#include "plan/node/options.h"
#include "plan/outcomes/outcomes_search.h"

/* Of all trees that share it, one after the other. Empty: {.bound = -INFINITY}. */
typedef struct outcomes_beside {
    double bound; /* what was shown; -INFINITY */
    beside run;   /* empty: none is asked for */
    const policy_space *space;
    double gap;
    outcomes_limits limits;
    double clock, first; /* work of the trees since it was asked for; before which it is not looked at */
    outcomes_result result;
    vouch_status status;
} outcomes_beside;

void outcomes_beside_end(outcomes_beside *b); /* ends what runs */

/* Of one tree. */
typedef struct outcomes_turns {
    const policy_space *space;
    const search_options *options;
    outcomes_beside *shared, own; /* shared: that of the options, or own */
    long long at;                 /* it asks next at 5/8 of so many nodes (OUTCOMES.ahead) */
    long long counted;            /* of its inductions, those that the clock has counted */
    long long half, half_nodes;   /* inductions and nodes at half of `at`; -1: not there yet */
} outcomes_turns;

/* Where the tree stands. */
typedef struct outcomes_moment {
    long long nodes, inductions;
    double known; /* the bound */
} outcomes_moment;

void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options);
/* Takes an answer that is due, and asks if it is the tree's turn; of the maximum regret alone. */
vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc);
/* Ends what the tree asked for, unless other trees share it. */
void outcomes_turns_end(outcomes_turns *t);

#endif

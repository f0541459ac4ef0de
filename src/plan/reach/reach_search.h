/* plan/reach/reach_search.h - the search for the deterministic policy of least maximum regret by intervals of reach, where nature
 * rather than the agent decides where one is. */
#ifndef PLAN_REACH_REACH_SEARCH_H
#define PLAN_REACH_REACH_SEARCH_H

#include "plan/heuristic/incumbent.h"

/* Where policy nodes are reached by choice other bounds are better. */
#define REACH_MOST_SPREAD 2.5

typedef struct reach_options {
    double gap;
    double most_spread;              /* does not apply where reach_spread is larger */
    double target;                   /* of reach_root: a regret that is attained, or one near it */
    double known;                    /* of reach_root: it ends early where it is far below this bound */
    long long most_work, most_nodes; /* products; of the tree, 0: no limit */
    void (*progress)(void *context, double value, double bound, long long nodes, long long open); /* or NULL */
    void *context;
    const deadline *limit;
    struct proof_writer *proof; /* NULL: none is written */
} reach_options;

typedef struct reach_result {
    double bound; /* on the regret; INFINITY: no policy keeps the promises; -INFINITY: none, or it does not apply */
    bool finished, infeasible;
    long long nodes, work; /* products */
} reach_result;

/* Is reach_spread at most this, and the graph small enough? ERROR_MEMORY. */
vouch_status reach_applies(const policy_space *space, double most_spread, bool *applies);
/* Improves inc. ERROR_MEMORY. */
vouch_status reach_search(const policy_space *space, incumbent *inc, const reach_options *o, reach_result *result);

/* The bound of the root alone, on all policies of the class, deterministic or with coins. reference: pick [nodes], -1: undecided.
 */
vouch_status reach_root(const policy_space *space, const int reference[], const reach_options *o, reach_result *result);

#endif

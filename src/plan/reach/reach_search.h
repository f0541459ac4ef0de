/* plan/reach/reach_search.h - the search for the deterministic policy of least maximum regret by intervals of reach, where nature
 * rather than the agent decides where one is. */
#ifndef PLAN_REACH_REACH_SEARCH_H
#define PLAN_REACH_REACH_SEARCH_H

#include "plan/heuristic/incumbent.h"

typedef struct reach_options {
    double gap;
    double most_spread;  /* does not apply where reach_spread is larger */
    long long most_work; /* products */
    const deadline *limit;
    struct proof_writer *proof; /* NULL: none is written */
} reach_options;

typedef struct reach_result {
    double bound; /* on the regret; INFINITY: no policy keeps the promises; -INFINITY: none, or it does not apply */
    bool finished, infeasible;
    long long nodes, work; /* products */
} reach_result;

/* Improves inc. ERROR_MEMORY. */
vouch_status reach_search(const policy_space *space, incumbent *inc, const reach_options *o, reach_result *result);

#endif

/* plan/bnb/search.h - branch and bound on policies.
 *
 * A search node fixes, at some policy nodes, which options may be used; its bound comes from plan/bnb/colgen.h, incumbents from rounding the
 * mixture and local search (plan/bnb/incumbent.h). At a policy node whose classes disagree the search branches, one child an action (a
 * frontier is split in two halves by one coordinate). Best bound first, with plunging.
 */
#ifndef PLAN_BNB_SEARCH_H
#define PLAN_BNB_SEARCH_H

#include <vouch/plan.h>

#include "plan/bnb/incumbent.h"
#include "plan/bnb/colgen.h"

typedef struct search_options {
    double gap;        /* absolute */
    double patience;   /* of colgen_solve */
    int perturbations; /* random restarts of local search at the root */
    unsigned without;  /* parts switched off: VOUCH_WITHOUT_.. */
    int threads;       /* the result does not depend on it */
    uint64_t seed;
    double floor;         /* a bound known before; -INFINITY */
    long long first_id;   /* of the tree's nodes; 1 */
    long long most_open;  /* open nodes kept by their bounds before the search goes depth first; 0: what fits in memory */
    long long most_nodes; /* before giving up; 0: no limit */
    long long
        most_inductions; /* backward inductions before giving up; 0: no limit. A count, so that the answer is the same every time */
    deadline limit;      /* nodes, seconds, interrupt */
    vouch_log log;
    void (*progress)(void *context, double incumbent, double bound, long long nodes, long long open);
    void *progress_context;
    void (*on_node)(void *context, const vouch_search_node *node); /* each ended node; NULL: none */
    void *on_node_context;
    const struct debug_policy *debug; /* a policy that no node may lose (plan/bnb/debug_policy.h), for tests; NULL: none */
} search_options;

void search_options_init(search_options *options);

typedef struct search_result {
    bool proved;     /* incumbent and bound within the gap, or infeasible */
    bool infeasible; /* proved: no policy of the class keeps the commitment */
    bool limit;      /* a limit ended it */
    double bound;    /* on what was minimised */
    long long nodes, inductions;
    long long ids; /* id of the last node made */
} search_result;

/* Minimises the maximum regret (goal MASTER_MAX_REGRET), or the total regret under the incumbent's cap. The
 * incumbent is improved in place. */
vouch_status search_run(colgen *r, incumbent *inc, master_goal goal, const search_options *options, search_result *result);

#endif

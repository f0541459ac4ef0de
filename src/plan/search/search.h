/* plan/search/search.h - branch and bound on policies.
 *
 * A search node fixes, at some policy nodes, which options may be used; its bound comes from plan/search/node_bound.h, incumbents
 * from rounding the mixture and local search (plan/heuristic/local_search.h). At a policy node whose classes disagree the search
 * branches, one child an action (a Pareto set is split in two halves by one coordinate). Best bound first, with plunging:
 *
 *     bound proved = min over open nodes, cut-off parts and the incumbent;   a node ends when its bound reaches  incumbent - gap.
 *
 * Source: A. Land, A. Doig, Econometrica 28 (1960); src/THEORY.md, 5. Cost: a node is a few dozen backward inductions. Invariants:
 * see search.c, tree.h.
 */
#ifndef PLAN_SEARCH_SEARCH_H
#define PLAN_SEARCH_SEARCH_H

#include "plan/colgen/colgen.h"
#include "plan/heuristic/incumbent.h"
#include "plan/node/options.h"

void search_options_init(search_options *options);

typedef struct search_result {
    bool proved;     /* incumbent and bound within the gap, or infeasible */
    bool infeasible; /* proved: no policy of the class keeps the commitment */
    bool limit;      /* a limit ended it */
    double bound;    /* on what was minimised */
    long long nodes, inductions;
    long long pairs_led; /* nodes whose bound by pairs was ahead of that by mixtures */
    long long ids;       /* id of the last node made */
} search_result;

/* Minimises the maximum regret (goal MASTER_MAX_REGRET), or the total regret under the incumbent's cap. The
 * incumbent is improved in place. */
vouch_status search_run(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result);

/* The same in parts: search_go_on searches until a limit of the options ends it, which may have been raised since, and says in
 * *result what has been shown so far. cg, inc, options and result are the caller's until search_end. *out is to be ended also where
 * search_begin fails; search_end(NULL) is fine. */
typedef struct tree_search tree_search;
vouch_status search_begin(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result,
                          tree_search **out);
vouch_status search_go_on(tree_search *s);
void search_end(tree_search *s);

#endif

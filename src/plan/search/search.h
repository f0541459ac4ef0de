/* plan/search/search.h - branch and bound over deterministic policies.
 *
 * A node of the tree fixes the options at some policy nodes; its bound comes from plan/search/node.h, incumbents from rounding the
 * mixture and local search (plan/heuristic/local_search.h). The search branches at a policy node whose classes disagree, with one
 * child per action (a Pareto set is split in two by one coordinate). Best bound first, with plunging:
 *
 *     bound proved = min over open nodes, pruned parts and the incumbent;   a node ends when its bound reaches  incumbent - gap.
 *
 * Source: A. Land, A. Doig, Econometrica 28 (1960); src/THEORY.md, 5. Cost: a node is a few dozen backward inductions.
 */
#ifndef PLAN_SEARCH_SEARCH_H
#define PLAN_SEARCH_SEARCH_H

#include "plan/node/node_solver.h"

/* Defaults. */
void search_options_init(search_options *options);

typedef struct search_result {
    bool proved;     /* incumbent and bound within the gap, or infeasible */
    bool infeasible; /* proved: no policy of the class keeps the commitment */
    bool limit;      /* a limit ended it */
    double bound;    /* on the minimised value */
    long long nodes, inductions;
    long long pairs_led; /* nodes whose bound by pairs exceeded the bound by mixtures */
    long long ids;       /* id of the last node made */
} search_result;

/* Minimises the maximum regret (goal MASTER_MAX_REGRET), or the total regret under the incumbent's cap. The incumbent is improved
 * in place. */
vouch_status search_run(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result);
/* The same, by all processes of a group (link/group.h). ERROR_IO in a worker: it has lost the others. */
vouch_status search_shared(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result);

/* The same in steps: search_continue continues until a limit of the options, which may have been raised since the last call, and
 * fills *result. The caller owns cg, inc, options and result until search_end, which is called even if search_begin fails;
 * search_end(NULL) is fine. */
typedef struct tree_search tree_search;
vouch_status search_begin(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result,
                          tree_search **out);
vouch_status search_continue(tree_search *s);
void search_end(tree_search *s);

#endif

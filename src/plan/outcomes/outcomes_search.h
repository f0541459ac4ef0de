/* plan/outcomes/outcomes_search.h - is there a policy better than the best one known? Decided by choices and by *outcomes*
 * (know/outcomes.h), where promises may bind and the policy search stands still.
 *
 *     maximum regret >= max_k loss(k),   loss(k) >= U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) }            pairs of
 * the hardest environment, loss(k) >= U*_c(k) - min over mu >= 0 of  V_k(mu) - mu accepted(k)                for every environment,
 *
 * under what is allowed, V_k(mu) being the most that u + mu q can be. Where a promise binds, the hardest environment can afford few
 * outcomes at the nodes that it must come to, and many ways to each: what it cannot is found by trying (*probing*; again where what
 * that raised the bound by before is near what is missing), and what is left to decide are outcomes, which bind all environments,
 * and not ways. The sets of other environments are merged too often to say as much as their V_k does. Often the hardest environment
 * and one more prove the optimum, and what they leave disputed is far less than what all do: these two are asked first. A policy of
 * all environments is one of theirs, so that what bounds their largest regret bounds that of all; what they leave open shows
 * nothing.
 *
 * Depth first, by counts of work, so that the answer is the same every time but for the limit; threads share the open cases, what
 * is tried at a node and what is offered. Cost: exponential at worst. At each node the search tries every option at
 * every policy node that the hardest environment may come to. A trial makes some sets of pairs anew. Invariant: no case that was
 * cut off has a bound below the answer; where the search gives up, there is no answer.
 */
#ifndef PLAN_OUTCOMES_OUTCOMES_SEARCH_H
#define PLAN_OUTCOMES_OUTCOMES_SEARCH_H

#include "base/pool.h"
#include "plan/heuristic/incumbent.h"

typedef struct outcomes_limits {
    long long work; /* sums of two pairs and slots priced after which it gives up */
    const deadline *time;
    double known;  /* a bound shown before; -INFINITY */
    pool *threads; /* NULL: none but this one */
} outcomes_limits;

typedef struct outcomes_result {
    double bound; /* no policy has less maximum regret; -INFINITY: nothing was shown */
    long long nodes, work;
    bool better; /* a better policy was found */
} outcomes_result;

/* A search asks at so many nodes, and each time that it has so many times as many. */
enum { OUTCOMES_FIRST = 256, OUTCOMES_AGAIN = 2 };

/* The work that an answer may take where the search, of policies on g, has taken `worked` in inductions; 0: it is not asked. More
 * each time that a better policy was found in a row, as that is what a search lacks that does not end; none until much more may be
 * allowed than what the last had in vain, whichever search asked it. */
long long outcomes_allowed(const outcomes_schedule *when, long long worked, const know_graph *g);
/* After an answer that was allowed so much work. */
void outcomes_note(outcomes_schedule *when, const outcomes_result *result, long long work);

/* Of the maximum regret, no shares; needs a policy known. Improves inc. */
vouch_status outcomes_search(const policy_space *space, incumbent *inc, double gap, const outcomes_limits *limits,
                             outcomes_result *result);

#endif

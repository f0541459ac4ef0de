/* plan/outcomes/outcomes_search.h - searches for a policy better than the incumbent by branching on choices and on *outcomes*
 * (know/pairs.h), for models whose promises may bind when the policy search stagnates.
 *
 *     maximum regret >= max_k loss(k),
 *     loss(k) >= U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) }         pairs, in the hardest environment
 *     loss(k) >= U*_c(k) - min over mu >= 0 of  V_k(mu) - mu accepted(k)             in every environment,
 *
 * under the options allowed, with V_k(mu) = max u + mu q. If a promise binds, the hardest environment can afford few outcomes at
 * its unavoidable nodes, and reaches each in many ways. *Probing* rules out unaffordable options (repeated where their last bound
 * was near the cutoff); the search then branches on outcomes, which bind all environments, and not on ways. Merged pairs of other
 * environments are weaker than their V_k. Often the hardest environment and one more prove the optimum with far fewer disputed
 * nodes, so these two are searched first: a bound on their largest regret bounds the largest of all.
 *
 * Depth first, by counts of work, so results repeat, except at a limit; threads share open cases, trials and offers. Cost:
 * exponential at worst; a node tries every option at every policy node that the hardest environment can reach, and a trial
 * recomputes some sets of pairs. Invariant: no case that was cut off has a bound below the result.
 */
#ifndef PLAN_OUTCOMES_OUTCOMES_SEARCH_H
#define PLAN_OUTCOMES_OUTCOMES_SEARCH_H

#include "base/pool.h"
#include "plan/heuristic/incumbent.h"

typedef struct outcomes_limits {
    long long work; /* limit on sums of two pairs and priced slots */
    const deadline *time;
    double known;  /* an earlier bound; -INFINITY: none */
    pool *threads; /* NULL: the caller's thread only */
} outcomes_limits;

typedef struct outcomes_result {
    double bound; /* on the maximum regret of every policy; -INFINITY: none */
    long long nodes, work;
    bool better; /* a better policy was found */
} outcomes_result;

/* Nodes of the tree at the first turn; factor between turns. */
enum { OUTCOMES_FIRST = 256, OUTCOMES_AGAIN = 2 };

/* The work allowed after `worked` in inductions of the tree on g; 0: no turn. It grows with consecutive improvements, which a long
 * search needs, and after a failure is 0 until it is much larger than the work that failed. */
long long outcomes_allowed(const outcomes_schedule *when, long long worked, const know_graph *g);
/* Records the result of a search with this work. */
void outcomes_note(outcomes_schedule *when, const outcomes_result *result, long long work);

/* Minimises the maximum regret, without shares. Requires a known policy. Improves inc. */
vouch_status outcomes_search(const policy_space *space, incumbent *inc, double gap, const outcomes_limits *limits,
                             outcomes_result *result);

#endif

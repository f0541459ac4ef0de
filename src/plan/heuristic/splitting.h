/* plan/heuristic/splitting.h - candidate actions of a knowledge state: actions that distinguish environments, and actions that are
 * optimal if the environment is revealed one step later.
 *
 * With V_k the value functions of the promise and of the rewards in environment k alone, an action a of <t, s, kappa> is worth
 *
 *     sum over outcomes (r, s') of  max_b  sum over k in kappa' of  P(s'|s,a;k) Q_k(t+1, s', b),     kappa' = kappa after (r, s'):
 *
 * one step of the agent, then full knowledge (Littman, Cassandra, Kaelbling 1995, QMDP). The expected number of remaining
 * environments, if equally likely, is sum |kappa'|^2 / |kappa|, the criterion of guessing games (Knuth 1976 uses the largest set).
 * Both orders are used.
 */
#ifndef PLAN_HEURISTIC_SPLITTING_H
#define PLAN_HEURISTIC_SPLITTING_H

#include "know/graph.h"
#include "know/sure.h"
#include "policy/space.h"

typedef struct splitting splitting;

/* For the promises and rewards of `space` (its graph is not used). ERROR_SIZE: the tables would be too large. */
vouch_status splitting_new(const policy_space *space, const successor_sets *sets, splitting **out);
void splitting_free(splitting *split); /* NULL is fine */

enum { SPLITTING_WIDEST = 3 };

/* A know_offer, for know_limits, of `width` (1 .. SPLITTING_WIDEST) actions a node, first the sure action of `sure` (NULL: none).
 * It fails after this work (sums), or when the limit (NULL: none) has passed. */
know_offer splitting_offer(splitting *split, const sure_search *sure, int width, long long work, const deadline *limit);

#endif

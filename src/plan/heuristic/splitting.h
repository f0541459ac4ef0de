/* plan/heuristic/splitting.h - which actions to look at in a knowledge state: those that tell environments apart, and those that
 * are best if the environment becomes known one step later.
 *
 * With V_k the value functions of the promise and of the rewards in environment k alone, an action a of <t, s, kappa> is worth
 *
 *     sum over outcomes (r, s') of  max_b  sum over k in kappa' of  P(s'|s,a;k) Q_k(t+1, s', b),     kappa' = what (r, s') leaves:
 *
 * one step of the agent's own decisions, then as if all were known (Littman, Cassandra, Kaelbling 1995, QMDP). It leaves
 * sum |kappa'|^2 / |kappa| environments on average, if they are equally likely: what guessing games play by (Knuth 1976 takes the
 * largest). Both orders are tried.
 */
#ifndef PLAN_HEURISTIC_SPLITTING_H
#define PLAN_HEURISTIC_SPLITTING_H

#include "know/graph.h"
#include "know/sure.h"
#include "policy/space.h"

typedef struct splitting splitting;

/* Of the promises and rewards of `space`, whose graph is not looked at. ERROR_SIZE: the tables would be too large. */
vouch_status splitting_new(const policy_space *space, const successor_sets *sets, splitting **out);
void splitting_free(splitting *split); /* NULL is fine */

enum { SPLITTING_WIDEST = 3 };

/* An offer of `width` (1 .. SPLITTING_WIDEST) actions a node, first what keeps the promises surely, if sure (NULL: none) knows it;
 * for know_limits. It fails after so much work (sums), or when the limit (NULL: none) has passed. */
know_offer splitting_offer(splitting *split, const sure_search *sure, int width, long long work, const deadline *limit);

#endif

/* plan/reduce/dominance.h - choices dominated by another choice of their policy node under every continuation.
 *
 * Let least and most be the smallest and largest values after a choice over policies of allowed options, of the reward U and of the
 * probability Pr of the promise, in each environment by itself. Choice c is dominated by c' at the same node if
 *
 *     least U(c'; k) >= most U(c; k)   and   least Pr(c'; k) >= most Pr(c; k)   for every k possible at the node.
 *
 * Replacing c by c' makes a policy worse in no environment, since its other choices stay. So bounds over the policies without c
 * hold for all, and if none of these keeps the promises none does. Typical where promises are nearly kept or broken: there rewards
 * alone count, and a maze has many ways to waste time.
 */
#ifndef PLAN_REDUCE_DOMINANCE_H
#define PLAN_REDUCE_DOMINANCE_H

#include "plan/bound/pareto_bound.h"

typedef struct dominance dominance;

/* *out is NULL, without an error, if nothing is dominated while all options are allowed, or memory or the limit (NULL: none) are
 * too small. The space outlives it. proved: the environments of a node are those that can reach it, as in the checker, so that both
 * keep the same of equal choices. */
vouch_status dominance_new(const policy_space *space, bool proved, const deadline *limit, dominance **out);
void dominance_free(dominance *d); /* NULL is fine */

/* Forbids dominated choices in allowed [options] and returns their number. Of equal choices the last stays. */
int dominance_forbid(dominance *d, unsigned char allowed[]);

/* Fixes options by bounds of one environment:
 *
 *     option o of policy node n is fixed if  loss(k) >= cutoff  for some k when o alone is allowed at n.
 *
 * With the Lagrangian (plan/bound/single_lagrangian.h) a trial is one sweep over the nodes before n, unnecessary if the maximising
 * policy with o instead already loses less than the cutoff. With pairs it recomputes the sets above n, so environments are tried
 * from the hardest on until one yields a fixing, and only options that its maximising policy cannot take within the cutoff. If
 * promises bind, an environment can mostly afford one or two options of a node; fixing the others raises the bounds of environments
 * that prefer them. Work is counted and limited. Source: probing in mixed-integer programming (M. W. P. Savelsbergh, ORSA Journal
 * on Computing 6, 1994).
 */

/* After pareto_bound_by_price below the cutoff, with the same allowed [options]: forbids options and lists them in option
 * [options]. Returns their number. */
int probing_by_price(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

/* Likewise, after pareto_bound_solve; the sets must be recomputed afterwards. */
int probing_by_pairs(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

#endif

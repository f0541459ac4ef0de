/* plan/reduce/dominance.h - choices that another one at their policy node is never worse than, whatever is chosen elsewhere.
 *
 * Let least and most be what policies gain at worst and at best from a choice on, where they use options that are allowed: of
 * reward U and of the probability Pr of the promise, in each environment by itself. Choice c is not needed where another one c' of
 * its node has
 *
 *     least U(c'; k) >= most U(c; k)   and   least Pr(c'; k) >= most Pr(c; k)   for every k that may be at the node.
 *
 * A policy that takes c' in the place of c is in no environment worse, since what it chooses at nodes that both come to stays. So a
 * bound of what policies without c attain holds for all, and where none of those keeps the promises none does. Most of it is found
 * where promises are as good as kept or broken: there rewards alone count, and a maze has many ways to waste time.
 */
#ifndef PLAN_REDUCE_DOMINANCE_H
#define PLAN_REDUCE_DOMINANCE_H

#include "policy/space.h"

typedef struct dominance dominance;

/* NULL in *out, without an error, where nothing is dominated while every option is allowed, or where there is too much to look at,
 * for memory or for the limit (NULL: none). The space outlives it. proved: a node's environments are those that can come to it at
 * all, as a proof has it, so that of equal choices the same stay. */
vouch_status dominance_new(const policy_space *space, bool proved, const deadline *limit, dominance **out);
void dominance_free(dominance *d); /* NULL is fine */

/* Forbids in allowed [options] what is not needed among them; how many choices. Of choices that are all alike the last stays. */
int dominance_forbid(dominance *d, unsigned char allowed[]);

#endif

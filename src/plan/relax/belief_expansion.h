/* plan/relax/belief_expansion.h - the history-optimal policy where all likelihood classes are too many: those that matter are made,
 * one by one. */
#ifndef PLAN_RELAX_BELIEF_EXPANSION_H
#define PLAN_RELAX_BELIEF_EXPANSION_H

#include "plan/relax/guided.h"

/* Are graph and environments few enough, and no floors asked for? */
bool expansion_fits(const policy_space *space);

/* Bound, and policy into an empty *out, by plan/relax/belief_expansion.c, within limit, of a space that fits and whose classes are
 * not needed. call->policy->bound is raised, iterations are added. *out stays empty where no policy that keeps the promises was
 * found, or none that can be written. */
vouch_status expansion_search(plan_call *call, const policy_space *space, const deadline *limit, guided_policy *out);

/* The bound alone, which holds for policies that know less, too: for searches over these. */
typedef struct belief_expansion belief_expansion;

/* One class. *out: NULL where there is no memory. */
vouch_status expansion_begin(plan_call *call, const policy_space *space, belief_expansion **out);
void expansion_end(belief_expansion *x); /* NULL is fine */
/* Goes on with so much work more, counted in numbers that are multiplied, within limit; it pauses earlier where there are so
 * many classes (0: any number). */
vouch_status expansion_go_on(belief_expansion *x, double work, int classes, const deadline *limit);
double expansion_work(const belief_expansion *x); /* so far */
double expansion_bound(const belief_expansion *x);
int expansion_classes(const belief_expansion *x); /* how many there are */
/* Those there are, to be searched on. */
vouch_status expansion_level(const belief_expansion *x, know_classes **classes);
bool expansion_over(const belief_expansion *x); /* more work shows no more */

#endif

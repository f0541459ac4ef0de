/* plan/relax/belief_expansion.h - the history-optimal policy where all likelihood classes are too many: those that matter are made,
 * one by one. */
#ifndef PLAN_RELAX_BELIEF_EXPANSION_H
#define PLAN_RELAX_BELIEF_EXPANSION_H

#include "plan/relax/guided.h"

/* Are graph and environments few enough, and no floors asked for? */
bool growth_fits(const policy_space *space);

/* Bound, and policy into an empty *out, by plan/relax/belief_expansion.c, within limit, of a space that fits and whose classes are
 * not needed. call->policy->bound is raised, iterations are added. *out stays empty where no policy that keeps the promises was
 * found, or none that can be written. */
vouch_status growth_search(plan_call *call, const policy_space *space, const deadline *limit, guided_policy *out);

/* The bound alone, which holds for policies that know less, too: for searches over these. */
typedef struct growth growth;

/* One class. *out: NULL where there is no memory. */
vouch_status growth_begin(plan_call *call, const policy_space *space, growth **out);
void growth_end(growth *x); /* NULL is fine */
/* Goes on with so much work more, counted in numbers that are multiplied, within limit; it pauses earlier where there are so
 * many classes (0: any number). */
vouch_status growth_go_on(growth *x, double work, int classes, const deadline *limit);
double growth_work(const growth *x); /* so far */
double growth_bound(const growth *x);
int growth_classes(const growth *x); /* how many there are */
/* Those there are, to be searched on. */
vouch_status growth_rung(const growth *x, know_classes **classes);
bool growth_over(const growth *x); /* more work shows no more */

#endif

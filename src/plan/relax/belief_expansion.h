/* plan/relax/belief_expansion.h - the history-optimal policy when likelihood classes are too many: relevant classes are expanded
 * one by one. */
#ifndef PLAN_RELAX_BELIEF_EXPANSION_H
#define PLAN_RELAX_BELIEF_EXPANSION_H

#include "plan/call/call.h"

/* A history policy for models with too many likelihood classes. */
typedef struct guided_policy {
    know_classes *c;    /* reached by the policy; NULL: none was found */
    double *prob;       /* [slots] */
    class_plans *plans; /* followed by classes; NULL: none */
    double regret;      /* by the objective */
} guided_policy;

/* Are graph and environments small enough, without floors? */
bool expansion_fits(const policy_space *space);

/* Bound, and policy into an empty *out, of a space that fits (its classes are not used). Raises call->policy->bound and adds
 * iterations. *out stays empty if no policy was found that keeps the promises and can be written. */
vouch_status expansion_search(plan_call *call, const policy_space *space, const deadline *limit, guided_policy *out);

/* The bound alone, which holds for policies of every L, in steps. */
typedef struct belief_expansion belief_expansion;

/* Starts with one class. *out: NULL without memory. */
vouch_status expansion_begin(plan_call *call, const policy_space *space, belief_expansion **out);
void expansion_end(belief_expansion *x); /* NULL is fine */
/* Continues for `work` more multiplications, until there are `classes` classes (0: any number), or to the limit. */
vouch_status expansion_continue(belief_expansion *x, double work, int classes, const deadline *limit);
double expansion_work(const belief_expansion *x);
double expansion_bound(const belief_expansion *x);
int expansion_classes(const belief_expansion *x); /* their number */
/* The current classes as a relaxation level. */
vouch_status expansion_level(const belief_expansion *x, know_classes **classes);
bool expansion_over(const belief_expansion *x); /* more work does not raise the bound */

/* The best policy with one-step look-ahead that keeps the promises, into an empty *out. mu [K]: initial prices of the promises, or
 * NULL. limit: of all rounds. */
vouch_status guided_search(const plan_call *call, const policy_space *space, const double *mu, const deadline *limit,
                           guided_policy *out);
void guided_free(guided_policy *p); /* an empty one is fine */

#endif

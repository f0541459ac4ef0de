/* plan/relax/guided.h - a history policy where the classes of all of them are too many. */
#ifndef PLAN_RELAX_GUIDED_H
#define PLAN_RELAX_GUIDED_H

#include "plan/call/call.h"
#include "policy/policy.h"

/* What is found. */
typedef struct guided_policy {
    know_classes *c;    /* that the policy comes to; NULL: none was found */
    double *prob;       /* [slots] */
    class_plans *plans; /* that classes follow; NULL: none does */
    double regret;      /* what is minimised */
} guided_policy;

/* The best of the policies that look at most one environment ahead (plan/relax/guided.c) which keeps the promises, into an empty
 * *out. mu [K]: prices of the promises to begin with, or NULL. limit: of all rounds. */
vouch_status guided_search(const plan_call *call, const policy_space *space, const double *mu, const deadline *limit,
                           guided_policy *out);
void guided_free(guided_policy *p); /* an empty one is fine */

#endif

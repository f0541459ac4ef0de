/* plan/relax/guided.h - a history policy for models with too many likelihood classes. */
#ifndef PLAN_RELAX_GUIDED_H
#define PLAN_RELAX_GUIDED_H

#include "plan/call/call.h"
#include "policy/policy.h"

typedef struct guided_policy {
    know_classes *c;    /* reached by the policy; NULL: none was found */
    double *prob;       /* [slots] */
    class_plans *plans; /* followed by classes; NULL: none */
    double regret;      /* by the objective */
} guided_policy;

/* The best policy with one-step look-ahead (plan/relax/guided.c) that keeps the promises, into an empty *out. mu [K]: initial
 * prices of the promises, or NULL. limit: of all rounds. */
vouch_status guided_search(const plan_call *call, const policy_space *space, const double *mu, const deadline *limit,
                           guided_policy *out);
void guided_free(guided_policy *p); /* an empty one is fine */

#endif

/* plan/methods.h - one planner a method; plan.c chooses among them.
 *
 * Each fills policy (described, empty) with rules, figures, outcome, bound, nodes and iterations. Every environment alone is
 * known to allow the commitment when they are called.
 */
#ifndef PLAN_METHODS_H
#define PLAN_METHODS_H

#include "base/clock.h"
#include "plan/policy.h"

typedef struct plan_call {
    const vouch_model *m;
    const vouch_plan_options *options;
    deadline limit;
    vouch_policy *policy;
    vouch_error *error;
} plan_call;

vouch_status plan_ccl(plan_call *call);       /* deterministic L-updates policies */
vouch_status plan_exact(plan_call *call);     /* stochastic L-updates policies */
vouch_status plan_history(plan_call *call);   /* history-dependent stochastic policies */
vouch_status plan_greedy(plan_call *call);
vouch_status plan_mdps_best(plan_call *call);

void plan_progress(const plan_call *call, const char *stage, double incumbent, double bound, long long nodes, long long open);

#endif

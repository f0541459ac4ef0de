/* plan/methods.h - the planners of the methods. Each fills policy (described, empty) with rules, figures, outcome, bound, nodes and
 * iterations. Requires that the commitment is feasible in every environment alone. */
#ifndef PLAN_METHODS_H
#define PLAN_METHODS_H

#include "plan/call/call.h"

/* Default weights from the prior: *weights, freed by the caller, is set in the options. */
vouch_status plan_prior_weights(const vouch_model *m, vouch_plan_options *options, double **weights);
/* The minimised value from the policy's figures, in given units. */
double plan_minimised(const vouch_model *m, const vouch_policy *policy);
/* Converts bounds to given units; the outcome is optimal only if the gap holds in these, too. */
void plan_settle(const vouch_model *m, double gap, vouch_policy *policy);

#define PLANNER(name, function, ...) vouch_status plan_##function(plan_call *call);
VOUCH_METHODS(PLANNER)
#undef PLANNER
vouch_status plan_by_method(plan_call *call);
/* L of the policies of the method. */
int plan_lookahead(const plan_call *call);
/* Fallback if the nodes of the class are too many: a deterministic Markov policy, with the bound `bound` on the class. */
vouch_status plan_markov(plan_call *call, double bound);

#endif

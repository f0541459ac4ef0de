/* plan/methods.h - one planner a method; plan.c chooses among them.
 *
 * Each fills policy (described, empty) with rules, figures, outcome, bound, nodes and iterations. Every environment alone is
 * known to allow the commitment when they are called.
 */
#ifndef PLAN_METHODS_H
#define PLAN_METHODS_H

#include "plan/call/call.h"

/* Where neither weights are given nor other than the prior is meant: *weights, the caller's to free, for the options. */
vouch_status plan_prior_weights(const vouch_model *m, vouch_plan_options *options, double **weights);
/* What is minimised, of the policy's figures, in the units given. */
double plan_minimised(const vouch_model *m, const vouch_policy *policy);
/* Bounds in the units given; what is called optimal keeps the gap, in these units too. */
void plan_settle(const vouch_model *m, double gap, vouch_policy *policy);

#define PLANNER(name, function, ...) vouch_status plan_##function(plan_call *call);
VOUCH_METHODS(PLANNER)
#undef PLANNER
/* By the method of the options. */
vouch_status plan_by_method(plan_call *call);
/* L of the policies that the method of the options plans. */
int plan_lookahead(const plan_call *call);
/* What is left where the nodes of the class asked for are too many: a deterministic Markov policy, with no claim about the class
 * beyond `bound`. */
vouch_status plan_markov(plan_call *call, double bound);

#endif

/* policy/arguments.h - what the public calls ask of their arguments before they begin. */
#ifndef POLICY_ARGUMENTS_H
#define POLICY_ARGUMENTS_H

#include <vouch/plan.h>

#include "mdp/model.h"
#include "policy/policy.h"

/* ERROR_ARGUMENT: no model, or not a finished one. */
vouch_status check_model(const vouch_model *model, vouch_error *error);
/* ERROR_INPUT: the policy is for another model, or has no rules. */
vouch_status check_policy(const vouch_policy *policy, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT names the field. A gap that is NAN becomes the method's default. */
vouch_status check_plan_options(vouch_plan_options *options, vouch_error *error);
/* ERROR_ARGUMENT: L is not within least .. T. */
vouch_status check_lookahead(int L, int least, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT: no such objective, weights that are none, or an objective that what else is asked for is not there for. */
vouch_status check_objective(const vouch_plan_options *options, const vouch_model *model, vouch_error *error);
vouch_status check_limits(const vouch_limits *limits, vouch_error *error);
vouch_status check_threads(int threads, vouch_error *error);

#endif

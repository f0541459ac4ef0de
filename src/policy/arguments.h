/* policy/arguments.h - checks of the arguments of public calls. */
#ifndef POLICY_ARGUMENTS_H
#define POLICY_ARGUMENTS_H

#include <vouch/plan.h>

#include "mdp/model.h"

/* ERROR_ARGUMENT: NULL, or not finished. */
vouch_status check_model(const vouch_model *model, vouch_error *error);
/* ERROR_INPUT: the policy is for another model, or has no rules. */
vouch_status check_policy(const vouch_policy *policy, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT names the field. A gap that is NAN becomes the method's default. */
vouch_status check_plan_options(vouch_plan_options *options, vouch_error *error);
/* ERROR_ARGUMENT: L is not within least .. T. */
vouch_status check_lookahead(int L, int least, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT: unknown objective or invalid weights. */
vouch_status check_objective(const vouch_plan_options *options, const vouch_model *model, vouch_error *error);
vouch_status check_limits(const vouch_limits *limits, vouch_error *error);
vouch_status check_threads(int threads, vouch_error *error);

#endif

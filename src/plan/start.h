/* plan/start.h - a given policy as the first incumbent. */
#ifndef PLAN_START_H
#define PLAN_START_H

#include "plan/bnb/incumbent.h"
#include "policy/policy.h"

/* Offers a deterministic policy of the space's L, or a Markov one (L = 0), which is an L-updates policy for every L. ERROR_INPUT says why
 * a policy is neither; whether it keeps the commitment is for vouch_policy_evaluate. */
vouch_status start_policy(incumbent *inc, const vouch_policy *start, vouch_error *error);

/* The same for a stochastic policy: prob [choices] written; nodes without a rule sum to 0. */
vouch_status start_choices(const policy_space *space, const vouch_policy *start, double prob[], vouch_error *error);

#endif

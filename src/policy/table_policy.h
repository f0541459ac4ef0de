/* policy/table_policy.h - a Markov policy as a table, written as rules without policy nodes: for models whose graph is too large,
 * or takes longer than there is. */
#ifndef POLICY_TABLE_POLICY_H
#define POLICY_TABLE_POLICY_H

#include "mdp/model.h"
#include "policy/policy.h"

/* table [T * pairs]: one choice for each time and state that it comes to. optimal [K]: what no policy earns more than, in the units
 * of given rewards (mdp/rescale.h). Fills the figures and rules of `policy`, which has none, and marks its optima as bounds;
 * has_policy stays 0, and no rule is written, if the promises are not kept. Memory: T S bytes, and the rules. ERROR_MEMORY. */
vouch_status table_policy_write(const vouch_model *m, const double table[], const double optimal[], vouch_policy *policy);

#endif

/* policy/rules.h - between node (or class) arrays and the flat rules of a policy. */
#ifndef POLICY_RULES_H
#define POLICY_RULES_H

#include "know/classes.h"
#include "policy/plans.h"
#include "policy/policy.h"

/* Appends a rule for each node that prob [choices] reaches, reach [nodes * K] as propagated. 0, or -1 when memory is out. */
int rules_from_nodes(const know_graph *g, const double prob[], const double reach[], vouch_policy *policy);
/* prob [choices] from the rules; ERROR_INPUT names a rule that does not fit. Nodes without a rule keep all zeros. */
vouch_status rules_to_nodes(const vouch_policy *policy, const know_graph *g, double prob[], vouch_error *error);

/* The same for classes (graph of L = T, no Pareto sets): prob [slots], reach [classes], and the plans that they follow (NULL: none
 * does), of which those that are come to are numbered anew. */
int rules_from_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[],
                       vouch_policy *policy);
vouch_status rules_to_classes(const vouch_policy *policy, const know_classes *c, double prob[], vouch_error *error);

/* Where all classes are too many: those that the policy comes to, prob [slots] of them and the plans that they follow, NULL where
 * the policy has none, all the caller's. ERROR_SIZE: these are more than limit, too. What has no rule has no slot. Rules name their
 * class to nine digits here. */
vouch_status rules_to_reached(const vouch_policy *policy, const know_graph *g, long long limit, know_classes **classes,
                              double **prob, class_plans **plans, vouch_error *error);

/* ERROR_INPUT: the rule, number index, is none of a history policy of m (or of a plan of one), or its actions are none of its state
 * or do not sum to 1. */
vouch_status rules_check_actions(const policy_rule *rule, size_t index, const vouch_model *m, vouch_error *error);

/* ERROR_INPUT: the policy comes to this state at this time, and no rule says what to do. */
vouch_status rules_missing(const vouch_model *m, int time, int state, vouch_error *error);

#endif

/* policy/plans.h - history policies whose classes end: from some on a Markov policy is followed, one of a list.
 *
 * A *plan* is a Markov policy, listed once. A rule at a likelihood class says with which probabilities plans are followed from
 * there to the horizon; what such an agent does is one behaviour of the whole history, whose own classes may be too many to be
 * written.
 */
#ifndef POLICY_PLANS_H
#define POLICY_PLANS_H

#include "know/classes.h"
#include "policy/policy.h"

/* Plans, and which of them the classes follow. */
typedef struct class_plans {
    int count;
    double *table; /* [count * T * pairs] probabilities of actions; all 0 where a plan has no rule */
    int *start;    /* [classes + 1] class i follows what stands at start[i] .. start[i + 1] - 1; if anything, it has no slots */
    int *plan;     /* [start[classes]] */
    double *share; /* [start[classes]] adding up to 1 over a class */
} class_plans;

void class_plans_free(class_plans *p); /* NULL is fine */

/* Of plan j, begun at each class with reach [classes] and its share: U, Pr [K] (NULL: not wanted) are added to, seen [T * S]
 * (likewise) set where it comes to. *bare: time * S + state of a place that it comes to and has no rule for, or -1. ERROR_MEMORY.
 */
vouch_status plans_follow(const class_plans *p, const know_classes *c, int j, const double reach[], double U[], double Pr[],
                          bool seen[], int *bare);

/* prob [slots] of classes propagated, and what they follow (NULL: no plans): U, Pr [K] written. reach [classes] is returned, owned
 * by the caller; NULL: memory. *bare: a node that is come to without a rule, or -1. */
double *plans_propagate(const know_classes *c, const double prob[], const class_plans *p, double U[], double Pr[], int *bare);

/* A node of this time and state, which must be come to. */
int plans_node(const know_graph *g, int time, int state);

/* The rule of a plan at (time, state) of a policy that is linked; -1: none. */
int plans_rule(const vouch_policy *policy, int plan, int time, int state);

/* Puts the rules of plans, which stand behind all others, in order, and says of each rule that follows plans what is done there.
 * ERROR_INPUT: a plan has no rule for the place where rule *lost begins it. */
vouch_status plans_link(vouch_policy *policy, size_t *lost, int *plan);

#endif

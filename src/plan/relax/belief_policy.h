/* plan/relax/belief_policy.h - a mixture of policies of grown classes, as one history policy. */
#ifndef PLAN_RELAX_BELIEF_POLICY_H
#define PLAN_RELAX_BELIEF_POLICY_H

#include "know/grown.h"
#include "plan/relax/guided.h"

/* Policies that choose pick [columns * count] at the classes of c, a plan at leaves (grown_classes.low_best), each with probability
 * alpha [columns] > 0. */
typedef struct grown_mixture {
    const grown_classes *c;
    int columns, count;
    int *pick;
    double *alpha;
} grown_mixture;

/* The behaviour that does what the mixture does (Kuhn 1953): its classes, at most limit, and prob of their slots, into an empty
 * *out; the regret is not written. ends: its classes end at leaves, where plans are followed; else it is told to the horizon.
 * ERROR_SIZE: more classes than that, or the time is over. */
vouch_status expansion_policy(const grown_mixture *x, bool ends, long long limit, const deadline *time, guided_policy *out,
                              vouch_error *error);

#endif

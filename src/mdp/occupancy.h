/* mdp/occupancy.h - mixtures of deterministic Markov policies of one environment, as one randomised policy. */
#ifndef MDP_OCCUPANCY_H
#define MDP_OCCUPANCY_H

#include "mdp/model.h"

/* Adds weight times the occupancy of the policy choice [T * S] (pairs) in environment k to x [T * pairs]. y: [2 * S] scratch. */
void occupancy_add(const vouch_model *m, int k, const int choice[], double weight, double x[], double y[]);
/* From occupancies to probabilities, which sum to 1 in every row; where nothing arrives, the fallback's choice. */
void occupancy_to_policy(const vouch_model *m, const int fallback[], double x[]);

#endif

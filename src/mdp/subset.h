/* mdp/subset.h - copies of a model for some of its environments. */
#ifndef MDP_SUBSET_H
#define MDP_SUBSET_H

#include <stdbool.h>
#include <vouch/model.h>

/* A finished copy with all environments, of which only environment [count], ascending, pay anything and, if `own`, promise
 * anything: the probabilities of the others' promises are 0. What is observed is what was observed in the model: the others'
 * rewards still tell them apart. */
vouch_status model_paying(vouch_model **copy, const vouch_model *model, const int environment[], int count, bool own,
                          vouch_error *error);

#endif

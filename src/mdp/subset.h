/* mdp/subset.h - the same model with some of its environments only. */
#ifndef MDP_SUBSET_H
#define MDP_SUBSET_H

#include "mdp/model.h"

/* A finished copy with the environments env [count], count >= 1, ascending; NULL: all of them. */
vouch_status model_subset(const vouch_model *m, const int *env, int count, vouch_model **subset, vouch_error *error);

#endif

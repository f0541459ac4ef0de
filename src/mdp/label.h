/* mdp/label.h - the labels of a model's states: names that planning does not ask for and files keep (vouch/model.h). */
#ifndef MDP_LABEL_H
#define MDP_LABEL_H

#include "mdp/model.h"

void label_free_all(vouch_model *m);
/* Of the environments env [to->K] of from; NULL: all. */
vouch_status label_copy(const vouch_model *from, const int env[], vouch_model *to);

#endif

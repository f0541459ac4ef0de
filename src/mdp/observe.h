/* mdp/observe.h - which observed rewards are one observation: decided once for a finished model. */
#ifndef MDP_OBSERVE_H
#define MDP_OBSERVE_H

#include "mdp/model.h"

/* |a - b| <= tolerance * max(|a|, |b|): relative at every magnitude, and only 0 is close to 0; always, where rewards are not
 * observed. Not transitive: whoever asks
 * whether two rewards of the model are the same observation compares their `seen`. */
bool observe_close(const vouch_model *model, double a, double b);
/* Writes `seen` of every outcome. ERROR_MEMORY leaves it as it was. */
vouch_status observe_rewards(vouch_model *model);

#endif

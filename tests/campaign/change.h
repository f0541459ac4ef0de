/* tests/campaign/change.h - proofs of the planner's, and false ones made of them. */
#ifndef CAMPAIGN_CHANGE_H
#define CAMPAIGN_CHANGE_H

#include <vouch/plan.h>

#include "campaign/forge.h"

/* The lines, between `model` and `complete`, of a plan of the model in this file by some method and for some objective; NULL: there
 * are none. To be freed. */
char *change_planned(const char *model, const truth *x, rng *r, vouch_method *method);
/* The same with one line changed, and what is claimed beyond what the policy of the proof attains, or that there is none: false,
 * whatever the lines are. *kind: of the line. NULL: nothing was to be changed. To be freed. */
char *change_lines(const char *lines, const truth *x, rng *r, const char **kind);

#endif

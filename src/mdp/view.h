/* mdp/view.h - the rest of a model as seen from a later moment: started in another state, with fewer environments and less time.
 *
 * A view is a model like any other for everything that reads one; it shares the arrays of the model it was made of and must not
 * outlive it.
 */
#ifndef MDP_VIEW_H
#define MDP_VIEW_H

#include "mdp/model.h"

/* m started in `state`, with `steps` steps to go and environments env [count] (ascending) only. Free with model_view_free, not
 * vouch_model_free. On failure *view is empty. */
vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view);
void model_view_free(vouch_model *view); /* an empty one is fine */

#endif

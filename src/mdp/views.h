/* mdp/views.h - views, which share the arrays of a model and must not outlive it, and copies of some environments.
 *
 * Planning assumes one promise for each environment. So a model with J promises is planned as a view of K * J environments, its
 * rows: row k * J + j has the transitions and rewards of environment k and the terminal weights and probability of its promise j.
 * Observations never distinguish the rows of one environment, so the policies are the same, every promise is required, and the
 * maximum regret is that over the K environments; U*_c(k) is the optimum under all promises of k (mdp/dp.h).
 *
 * Views are freed by model_view_free, not vouch_model_free. On failure *view is empty.
 */
#ifndef MDP_VIEWS_H
#define MDP_VIEWS_H

#include "mdp/model.h"

/* The rows of m; `group` of them are one environment. */
vouch_status model_rows(const vouch_model *m, vouch_model *view);
/* m started in `state`, with `steps` steps to go and the environments env [count] only, ascending. */
vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view);
void model_view_free(vouch_model *view); /* an empty one is fine */

/* A finished copy with all environments, in which only environment [count], ascending, have rewards and, if `own`, promises; the
 * other promises have probability 0. Observations are those of the model: rewards removed still distinguish environments. */
vouch_status model_paying(vouch_model **copy, const vouch_model *model, const int environment[], int count, bool own,
                          vouch_error *error);

#endif

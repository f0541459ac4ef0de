/* mdp/rows.h - promise rows: an environment for each promise made in it.
 *
 * Planning knows one promise an environment. A model with J promises is planned as one with K * J environments: row k * J + j has
 * transitions and rewards of environment k and the terminal weights and the probability of its promise j. The rows of one
 * environment are never told apart, so that policies are the same, every promise is asked for, and the maximum regret is that of
 * the K; U*_c(k) is the optimum under all of them (mdp/dp.h).
 */
#ifndef MDP_ROWS_H
#define MDP_ROWS_H

#include "mdp/model.h"

/* A view of m with a row for each promise, in which `group` rows are one environment. Free with model_rows_free. On failure *out is
 * empty. */
vouch_status model_rows(const vouch_model *m, vouch_model *out);
void model_rows_free(vouch_model *rows); /* an empty one is fine */

#endif

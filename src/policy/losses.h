/* policy/losses.h - the same decisions with losses in the place of rewards.
 *
 *     loss_k(t,s,a) = V_k(t,s) - R(s,a;k) - sum over s' of P(s'|s,a;k) V_k(t+1,s')  >=  0,     U(k) = V_k(0,s0) - E[sum of losses]
 *
 * for every policy, where V_k is the optimum of environment k without promises (the advantage function; A. Y. Ng, D. Harada, S.
 * Russell, ICML 1999). Regrets are differences of such sums, to which rewards that every policy collects add nothing: they keep
 * their digits where the values themselves are large. A state of the new model is one of m at a time.
 */
#ifndef POLICY_LOSSES_H
#define POLICY_LOSSES_H

#include "exact/process.h"
#include "mdp/model.h"
#include "policy/policy.h"

typedef struct loss_model {
    vouch_model m;       /* a view of the model, whose pairs pay what they lose, negated */
    int S;               /* states of the model */
    int *number;         /* [(T + 1) * S] of the state that a state at a time is; -1: no environment comes there */
    exact_values *value; /* [K]; with a promise where the model has one that each environment keeps by itself */
} loss_model;

/* Is the model small enough for a model of its losses? */
bool loss_model_fits(const vouch_model *m);
/* ERROR_SIZE: it is not. Free with loss_model_free. On failure *out is empty. */
vouch_status loss_model_new(const vouch_model *m, loss_model *out);
void loss_model_free(loss_model *l); /* an empty one is fine */

/* From figures of a policy for l->m in environment k to those by rewards. out->value: U as it was earned; NAN: not known. */
void loss_model_figures(const loss_model *l, int k, const vouch_environment_figures *by_loss, vouch_environment_figures *out);

#endif

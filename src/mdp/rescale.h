/* mdp/rescale.h - the same model with rewards between 0 and 1, for planning.
 *
 * Each of the T steps pays exactly one reward, so that U(k) = T * least + spread * u(k), where u is the value for rewards
 * (R - least) / spread: policies are ordered alike, and regrets and bounds differ by the factor spread alone. What is observed
 * stays as given.
 *
 * Multiplying all rewards by a constant, or adding one, changes the last digits of such quotients. So that it changes no plan, a
 * quotient is replaced by the fraction of least denominator that it cannot be told from, given the precision of the rewards, or by
 * the nearest point of a grid (TOL_GRID). `error` says by how much an expected reward was moved at most.
 */
#ifndef MDP_RESCALE_H
#define MDP_RESCALE_H

#include "mdp/model.h"

/* A view of m with a row for each promise (mdp/rows.h), and with env[k].expected rescaled and env[k].given the expected reward
 * above `least`, in the units of m. gap: what the plan may be short of the optimum, in the units of m. Free with
 * model_rescaled_free. On failure *out is empty. */
vouch_status model_rescaled(const vouch_model *m, double gap, vouch_model *out);
void model_rescaled_free(vouch_model *m); /* an empty one is fine */

/* A gap in the units of m as the gap to plan to: less what rescaling and rounding may cost, and at least rounding. */
double rescaled_gap(const vouch_model *m, double gap);
/* By how much two policies of equal regret may differ in rescaled ones: what rescaling moved, on both sides. */
double rescaled_tie(const vouch_model *m);
/* What a bound proved for the rescaled rewards loses for those given, in their units. */
double rescaled_loss(const vouch_model *m);
/* Rounding of a value, in the units given. */
double rescaled_rounding(const vouch_model *m);

#endif

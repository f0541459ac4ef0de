/* mdp/rescale.h - the same model with rewards between 0 and 1, for planning.
 *
 * Each of the T steps pays exactly one reward, so that U(k) = T * least + spread * u(k), where u is the value for rewards
 * (R - least) / spread: policies are ordered alike, and regrets and bounds differ by the factor spread alone. What is observed
 * stays as given.
 *
 * Multiplying all rewards by a constant, or adding one, changes the last digits of such quotients. So that it changes no plan, a
 * quotient is replaced by the fraction of least denominator that it cannot be told from, given the precision of the rewards, or by
 * the nearest point of a grid (TOL_GRID). `error` says by how much an expected reward was moved at most.
 *
 * Rewards that no policy can collect do not enter the range. Where rewards are spread so widely that values would lose digits they
 * show, expected rewards below a floor F are raised to F. For every policy, U'(k) >= U(k); F is such that U*'(k) = U*(k), since the
 * policies that attain U*'(k) collect nothing that was raised. So
 *
 *     regret'(k) = U*(k) - U'(k)  <=  regret(k),
 *
 * every bound for the raised rewards is one for those given, and a policy whose regret as given meets it is optimal. If none does,
 * the plan is made again with a lower floor.
 */
#ifndef MDP_RESCALE_H
#define MDP_RESCALE_H

#include "mdp/model.h"

typedef struct rescale_options {
    double gap;  /* what the plan may be short of the optimum, in the units of m */
    bool floors; /* raise penalties where rewards are spread widely */
    bool proof;  /* with less spread, as a proof needs */
    int attempt; /* number of plans before whose floor was too high */
} rescale_options;

/* A view of m with a row for each promise (mdp/rows.h), and with env[k].expected rescaled and env[k].given the expected reward
 * above env[k].origin, in the units of m. Free with model_rescaled_free. On failure *out is empty. */
vouch_status model_rescaled(const vouch_model *m, const rescale_options *options, vouch_model *out);
void model_rescaled_free(vouch_model *m); /* an empty one is fine */

/* Are the rewards that policies collect so large, or spread so widely, that small values lose digits they show (proof: or spread so
 * widely that a proof takes more than the gap for rounding)? ERROR_MEMORY. */
vouch_status model_is_wide(const vouch_model *m, bool proof, bool *wide);

/* A view of a rescaled model with the rewards given, above env[k].origin, in the place of those planned with; clamped to a range in
 * which every U* is the same. Free with rescaled_given_free. ERROR_MEMORY leaves *out empty. */
vouch_status rescaled_given(const vouch_model *m, vouch_model *out);
void rescaled_given_free(vouch_model *given);

/* A gap in the units of m as the gap to plan to: less what rescaling and rounding may cost, and at least rounding. */
double rescaled_gap(const vouch_model *m, double gap);
/* By how much two policies of equal regret may differ in rescaled ones: what rescaling moved, on both sides. */
double rescaled_tie(const vouch_model *m);
/* What a bound proved for the rescaled rewards loses for those given, in their units. */
double rescaled_loss(const vouch_model *m);
/* Rounding of a value, in the units given. */
double rescaled_rounding(const vouch_model *m);

#endif

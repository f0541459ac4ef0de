/* mdp/rescale.h - the same model with rewards in [0, 1], for planning.
 *
 * Each of the T steps pays exactly one reward, so U(k) = T * least + spread * u(k), where u is the value for the rewards
 * (R - least) / spread: the order of policies is unchanged, and regrets and bounds are scaled by the spread. Observations are
 * those of the original rewards.
 *
 * An affine change of all rewards changes the last digits of these quotients. So that it changes no plan, a quotient is replaced by
 * the fraction of least denominator within the precision of the rewards, or by the nearest point of a grid (TOL_GRID). `error`
 * bounds the change of an expected reward.
 *
 * Rewards that no policy can collect do not enter the range. If the spread is so large that values would lose printed digits,
 * expected rewards below a floor F are raised to F. Then U'(k) >= U(k) for every policy, and F is chosen such that U*'(k) = U*(k),
 * since the policies that attain U*'(k) collect no raised reward. So
 *
 *     regret'(k) = U*(k) - U'(k)  <=  regret(k):
 *
 * every bound for the raised rewards is valid for the given ones, and a policy whose given regret meets it is optimal. If none
 * does, planning is repeated with a lower floor.
 */
#ifndef MDP_RESCALE_H
#define MDP_RESCALE_H

#include "mdp/model.h"

typedef struct rescale_options {
    double gap;  /* of the plan, in the units of m */
    bool floors; /* raise penalties if rewards are spread widely */
    bool proof;  /* with less spread, as a proof needs */
    int attempt; /* number of earlier plans whose floor was too high */
} rescale_options;

/* A view of the rows of m (mdp/views.h), with env[k].expected rescaled and env[k].given the expected reward less env[k].origin, in
 * the units of m. Free with model_rescaled_free. On failure *out is empty. */
vouch_status model_rescaled(const vouch_model *m, const rescale_options *options, vouch_model *out);
void model_rescaled_free(vouch_model *m); /* an empty one is fine */

/* *wide: collectable rewards are so large, or spread so widely, that small values lose printed digits (proof: or that rounding
 * exceeds the gap of a proof). ERROR_MEMORY. */
vouch_status model_is_wide(const vouch_model *m, bool proof, bool *wide);

/* A view of a rescaled model with the given rewards, less env[k].origin, clamped to a range in which every U* is unchanged. Free
 * with rescaled_given_free. ERROR_MEMORY leaves *out empty. */
vouch_status rescaled_given(const vouch_model *m, vouch_model *out);
void rescaled_given_free(vouch_model *given);

/* The gap to plan to, for a gap in the units of m: less the error of rescaling and rounding, at least rounding. */
double rescaled_gap(const vouch_model *m, double gap);
/* Largest difference of rescaled regrets of two policies of equal given regret. */
double rescaled_tie(const vouch_model *m);
/* Loss, in the units of m, of a bound proved for the rescaled rewards. */
double rescaled_loss(const vouch_model *m);
/* Rounding of a value, in the units of m. */
double rescaled_rounding(const vouch_model *m);

#endif

/* plan/settle.h - what is claimed of a finished search, in the units given. plan_settle itself is in plan/methods.h. */
#ifndef PLAN_SETTLE_H
#define PLAN_SETTLE_H

#include "plan/call/call.h"
#include "policy/policy.h"

/* Is rounding too small to show in the digits of a claim? Else the claim is kept off by it. */
bool plan_is_unseen(double rounding, double claim);
/* Does rounding show in what is claimed of a policy by rows of m, planned for them, or does it take too much of a proof's gap? */
bool plan_shows_rounding(const plan_call *call, const vouch_model *m);
/* Does the rounding of a promise's probability show in U*? */
bool plan_shows_promises(const vouch_model *m, const vouch_policy *policy);
/* The objective's value of a policy by rows of m. */
double plan_objective(const vouch_model *m, const vouch_policy *policy);
/* From a lower bound on what is minimised to an upper one on the objective's value. */
void plan_bound_value(const vouch_model *m, vouch_policy *policy);
/* From a policy for losses to one for the model itself. The bound counts from U* as it was planned with, which may be off. */
void plan_return_from_losses(const loss_model *l, vouch_policy *policy);
/* The figures, by rows, of a finished policy for wide rewards (mdp/model.h), and whether they are still as near to the bound as a
 * proof of optimality asks for. */
vouch_status plan_settle_figures(const plan_call *call, const vouch_model *rows);

#endif

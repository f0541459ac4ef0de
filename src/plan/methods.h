/* plan/methods.h - the planners of the methods. Each fills policy (described, empty) with rules, figures, outcome, bound, nodes and
 * iterations. Requires that the commitment is feasible in every environment alone. */
#ifndef PLAN_METHODS_H
#define PLAN_METHODS_H

#include "plan/call/call.h"
#include "plan/heuristic/incumbent.h"

/* A plan for nominal probabilities, and one whose promises are kept under the error that the model has (plan/within.c). options:
 * checked; unrolled: NULL, or of a proof (plan/proof.h). */
struct proof_unrolled;
vouch_status plan_nominal(vouch_policy **policy, const vouch_model *m, const vouch_plan_options *options,
                          const struct proof_unrolled *unrolled, vouch_error *error);
vouch_status plan_within(vouch_policy **policy, const vouch_model *m, const vouch_plan_options *options, vouch_error *error);

/* Default weights from the prior: *weights, freed by the caller, is set in the options. */
vouch_status plan_prior_weights(const vouch_model *m, vouch_plan_options *options, double **weights);
/* The minimised value from the policy's figures, in given units. */
double plan_minimised(const vouch_model *m, const vouch_policy *policy);
/* Converts bounds to given units; the outcome is optimal only if the gap holds in these, too. */
void plan_settle(const vouch_model *m, double gap, vouch_policy *policy);

#define PLANNER(name, function, ...) vouch_status plan_##function(plan_call *call);
VOUCH_METHODS(PLANNER)
#undef PLANNER
vouch_status plan_by_method(plan_call *call);
/* L of the policies of the method. */
int plan_lookahead(const plan_call *call);
/* Fallback if the nodes of the class are too many: a deterministic Markov policy, with the bound `bound` on the class. */
vouch_status plan_markov(plan_call *call, double bound);

/* For history-dependent policies, by rows of the model: rules, figures, bound and outcome of call->policy, in the units given, are
 * those of this search. *done: false if the classes are too many or the gap stays open, and nothing has changed. *bound: the least
 * that any policy attains of what is minimised, or -INFINITY. ERROR_MEMORY. */
vouch_status plan_precise_history(plan_call *call, const vouch_model *rows, double *bound, bool *done);

/* Continues from the policy of a call for deterministic policies of lookahead L, by rows of the model: rules, figures, bounds and
 * outcome of call->policy, in the units given, are those of this search. *done: false if the class of policies is too large or the
 * search too long, and nothing has changed. */
vouch_status plan_precise_search(plan_call *call, const vouch_model *rows, bool *done);

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

/* Do scenarios apply to policies of lookahead L? */
bool schedule_has_scenarios(const plan_call *call, int L);
/* Can stages without likelihood classes finish the search? Then classes are made only if these fail. */
bool schedule_begins_without_classes(const plan_call *call);

/* Minimises over the policies of `space`, improves inc, and fills outcome and bounds of call->policy. detail: options of the
 * classes, if `space` has none and needs them. */
vouch_status schedule_run(plan_call *call, policy_space *space, space_options *detail, incumbent *inc);

#endif

/* plan/explain.h - what can be promised, and who is in the way of more.
 *
 * All of it asks the planner whether some policy of the class keeps a commitment, for different probabilities and different sets of
 * environments; no answer rests on anything but proved infeasibility and propagated policies.
 */
#ifndef PLAN_EXPLAIN_H
#define PLAN_EXPLAIN_H

#include "base/clock.h"
#include "mdp/model.h"
#include "policy/policy.h"

typedef struct explain_range {
    double reached; /* some policy of the class has Pr(S_T in Phi | k) >= reached for every k: shown by propagation */
    double bound;   /* none has more than this, beyond EXPLAIN_GAP */
    bool proved;    /* the two are within EXPLAIN_GAP */
} explain_range;

#define EXPLAIN_GAP 1e-8 /* a hundredth of what a user sees with six decimals, ten times the tolerance of keeping */

/* The largest p for which a policy of the class (method, L, .. of options) keeps the commitment in all environments at once. limit covers
 * all calls of the planner. upper: no p above it is possible (1 if nothing is known). */
vouch_status explain_largest(const vouch_model *m, const vouch_plan_options *options, double upper, const deadline *limit, explain_range *range, vouch_error *error);

/* Environments of m that cannot keep the commitment together: env [K], *count; a smallest such set if *smallest, otherwise one from which none
 * can be left out, *count = 0 when the limits did not allow to find any. Requires that m is infeasible jointly. */
vouch_status explain_conflict(const vouch_model *m, const vouch_plan_options *options, const deadline *limit, int env[], int *count, bool *smallest, vouch_error *error);

#endif

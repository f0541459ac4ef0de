/* vouch/explain.h - the largest possible promises, and the environments that limit them
 *
 * The planner is called for different probabilities and sets of environments; all answers rest on proved infeasibility and
 * propagated policies only. The policy class is given by options: method, L, engine. options->limits are for the whole call. Its
 * progress has the probability reached as incumbent and its upper bound as bound, NAN while conflicts are sought.
 */
#ifndef VOUCH_EXPLAIN_H
#define VOUCH_EXPLAIN_H

#include <vouch/plan.h>

VOUCH_C_BEGIN

/* Of a model whose probabilities have an error, all probabilities here are those under the worst error. */

/* probability [K * promises]: the largest probability of keeping each promise alone, in environment k alone. */
VOUCH_API vouch_status vouch_explain_alone(const vouch_model *model, double probability[], vouch_error *error);

/* Largest probability of promise `promise` over single environments, given their probabilities [K * promises]: the least or, for a
 * promise on average, the mean over the prior. */
VOUCH_API double vouch_explain_upper(const vouch_model *model, int promise, const double alone[]);

/* Reached and bound closer than this count as equal: a hundredth of the last of six decimals. */
#define VOUCH_EXPLAIN_GAP 1e-8

typedef struct vouch_range {
    double reached; /* kept by some policy of the class, within the tolerance of commitments, by propagation */
    double bound;   /* upper bound, up to VOUCH_EXPLAIN_GAP */
    int proved;     /* the two are within VOUCH_EXPLAIN_GAP */
} vouch_range;

/* The largest p for which a policy of the class keeps the commitment in all environments, or on average if it is on average. upper:
 * a known upper bound, or 1. ERROR_SIZE: METHOD_HISTORY with too many histories. */
VOUCH_API vouch_status vouch_explain_largest(const vouch_model *model, const vouch_plan_options *options, double upper,
                                             vouch_range *range, vouch_error *error);

/* The same for promise number `promise` while the others are kept. -1, -1: the others cannot be kept. */
VOUCH_API vouch_status vouch_explain_level(const vouch_model *model, int promise, const vouch_plan_options *options, double upper,
                                           vouch_range *range, vouch_error *error);

typedef struct vouch_conflict {
    int *environment; /* [K * promises], the caller's: k * promises + j for promise j in environment k, j on average; ascending */
    int count;        /* of entries written */
    int smallest;     /* 1: no set with fewer environments conflicts; 0: a limit was reached */
} vouch_conflict;

/* A smallest set of environments that cannot keep the model's commitment together (within the limits, a set from which none could
 * be removed). Requires that the commitment is infeasible jointly, and feasible in each environment alone. */
VOUCH_API vouch_status vouch_explain_conflict(const vouch_model *model, const vouch_plan_options *options, vouch_conflict *conflict,
                                              vouch_error *error);

VOUCH_C_END
#endif

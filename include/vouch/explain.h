/* vouch/explain.h - the largest possible promises, and the environments that limit them
 *
 * The planner is called for different probabilities and sets of environments; all answers rest on proved infeasibility and
 * propagated policies only. The policy class is given by options: method, L, engine. options->limits are for the whole call.
 */
#ifndef VOUCH_EXPLAIN_H
#define VOUCH_EXPLAIN_H

#include <vouch/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* probability [K * promises]: the largest probability of keeping each promise, alone, when environment k is known to be the true
 * one. */
VOUCH_API vouch_status vouch_explain_alone(const vouch_model *model, double probability[], vouch_error *error);

/* Largest probability of promise `promise` over single environments, given their probabilities [K * promises]: the least or, for a
 * promise on average, the mean over the prior. */
VOUCH_API double vouch_explain_upper(const vouch_model *model, int promise, const double alone[]);

/* Reached and bound closer than this count as equal: a hundredth of the last of six decimals. */
#define VOUCH_EXPLAIN_GAP 1e-8

typedef struct vouch_range {
    double reached; /* some policy of the class keeps p = reached, as commitments are judged (within 1e-12): shown by propagation */
    double bound;   /* none has more than this, beyond VOUCH_EXPLAIN_GAP */
    int proved;     /* the two are within VOUCH_EXPLAIN_GAP */
} vouch_range;

/* The largest p for which a policy of the class keeps the commitment in all environments at once, or on average if it is made so.
 * upper: no p above it is possible (1 if nothing is known). ERROR_SIZE: METHOD_HISTORY, and the histories are too many. */
VOUCH_API vouch_status vouch_explain_largest(const vouch_model *model, const vouch_plan_options *options, double upper,
                                             vouch_range *range, vouch_error *error);

/* The same for promise number `promise` while the others are kept. -1, -1: the others cannot be kept. */
VOUCH_API vouch_status vouch_explain_level(const vouch_model *model, int promise, const vouch_plan_options *options, double upper,
                                           vouch_range *range, vouch_error *error);

typedef struct vouch_conflict {
    int *environment; /* [K * promises], promise j in environment k is k * promises + j, on average j; provided by the caller; the
                         first count are written, ascending */
    int count;
    int smallest; /* 1: no set with fewer environments conflicts; 0: as far as the limits allowed to look */
} vouch_conflict;

/* Environments that cannot keep the model's commitment together: a smallest such set, or one from which the limits allowed to leave
 * out no more. Requires that the commitment is infeasible jointly, and that each environment alone can keep it. */
VOUCH_API vouch_status vouch_explain_conflict(const vouch_model *model, const vouch_plan_options *options, vouch_conflict *conflict,
                                              vouch_error *error);

#ifdef __cplusplus
}
#endif
#endif

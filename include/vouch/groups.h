/* vouch/groups.h - several policies, one of which is followed once the environment is announced
 *
 * At most k policies are kept ready. Each is for a group of environments; rho(g) is the least maximum regret of a policy over the
 * environments of group g. The groups minimise
 *
 *     max_g rho(g)   over partitions of the environments into at most k groups,
 *
 * exactly: rho grows with its group, so that sets once planned bound every partition that puts them together. That holds for
 * L = 0 and for histories; with L above 0 and promises of a group's own it does not (what a policy remembers depends on the group),
 * and is refused with ERROR_ARGUMENT for k > 1.
 */
#ifndef VOUCH_GROUPS_H
#define VOUCH_GROUPS_H

#include <vouch/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Which promises a group's policy keeps: those made in its own environments, or those made in all. */
typedef enum vouch_group_promises { VOUCH_PROMISES_OWN = 0, VOUCH_PROMISES_ALL, VOUCH_GROUP_PROMISES } vouch_group_promises;

typedef struct vouch_groups vouch_groups;

typedef struct vouch_groups_result {
    vouch_plan_outcome outcome; /* as of a plan; INFEASIBLE: some environment alone cannot be promised what is */
    int groups;                 /* of the best partition found; 0: none was */
    double max_regret;          /* NAN without groups */
    double bound;               /* proved: no partition into so many groups does better */
    long long subsets;          /* sets of environments planned for */
    long long nodes, iterations;
    double seconds;
} vouch_groups_result;

typedef struct vouch_group {
    int environments;
    const int *environment; /* [environments] ascending */
    double max_regret, bound;
    /* OWN: for the model with these environments only (vouch_model_restrict); ALL: for the whole model, where its maximum regret is
     * that over all environments, not the group's. */
    const vouch_policy *policy;
} vouch_group;

/* policies: k >= 1. options: as of vouch_plan, about the maximum regret; gap is that of the whole. limits.nodes are those of all
 * plans together. Without a limit of time the answer is the same for any number of threads. A start, a journal, a proof, callbacks
 * on nodes and workers are not for groups: ERROR_ARGUMENT. */
VOUCH_API vouch_status vouch_plan_groups(vouch_groups **groups, const vouch_model *model, const vouch_plan_options *options,
                                         int policies, vouch_group_promises promises, vouch_error *error);
VOUCH_API void vouch_groups_free(vouch_groups *groups); /* NULL is fine */
VOUCH_API void vouch_groups_get_result(const vouch_groups *groups, vouch_groups_result *result);
/* Group 0 .. groups - 1, by their first environment. Arrays and policy are owned by groups. */
VOUCH_API void vouch_groups_get(const vouch_groups *groups, int group, vouch_group *out);

#ifdef __cplusplus
}
#endif
#endif

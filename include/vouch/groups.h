/* vouch/groups.h - a portfolio of policies; the one used is chosen when the environment is revealed
 *
 * At most k policies, each for a group of environments; rho(g) is the least maximum regret of a policy over group g. The groups
 * minimise max_g rho(g) over partitions of the environments into at most k groups, exactly: rho grows with its group, so a planned
 * set bounds every partition with a group that contains it. Knowledge is of the whole model: a policy with L > 0 sees which of all
 * environments are consistent with the observations, not only which of its group.
 */
#ifndef VOUCH_GROUPS_H
#define VOUCH_GROUPS_H

#include <vouch/plan.h>

VOUCH_C_BEGIN

/* Which promises a group's policy keeps: those made in its own environments, or those made in all. */
typedef enum vouch_group_promises { VOUCH_PROMISES_OWN = 0, VOUCH_PROMISES_ALL, VOUCH_GROUP_PROMISES } vouch_group_promises;

typedef struct vouch_groups vouch_groups;

typedef struct vouch_groups_result {
    vouch_plan_outcome outcome; /* as of a plan; INFEASIBLE: in some environment alone the promises cannot be kept */
    int groups;                 /* of the best partition found; 0: none was */
    double max_regret;          /* NAN without groups */
    double bound;               /* proved lower bound over all partitions into this many groups */
    long long subsets;          /* sets of environments planned for */
    long long nodes, iterations;
    double seconds;
} vouch_groups_result;

typedef struct vouch_group {
    int environments;
    const int *environment; /* [environments] ascending */
    double max_regret, bound;
    const vouch_policy *policy; /* for the model below; its maximum regret is the group's */
    const vouch_model *model;   /* whole 0: the group's environments only, as vouch_model_restrict makes it. whole 1: all
                                   environments;   those outside the group pay nothing and, with OWN, promise nothing. */
    int whole;                  /* 1: knowledge or promises need the other environments */
} vouch_group;

/* policies: k >= 1. options: as of vouch_plan, with the regret as objective; gap is for the whole. limits.nodes is the sum over
 * all plans. Without a time limit the answer is the same for any number of threads. ERROR_ARGUMENT: a start, a journal, callbacks
 * on nodes, or workers. */
VOUCH_API vouch_status vouch_plan_groups(vouch_groups **groups, const vouch_model *model, const vouch_plan_options *options,
                                         int policies, vouch_group_promises promises, vouch_error *error);
VOUCH_API void vouch_groups_free(vouch_groups *groups); /* NULL is fine */
VOUCH_API void vouch_groups_get_result(const vouch_groups *groups, vouch_groups_result *result);
/* Group 0 .. groups - 1, by their first environment. Arrays and policy are owned by groups. */
VOUCH_API void vouch_groups_get(const vouch_groups *groups, int group, vouch_group *out);

VOUCH_C_END
#endif

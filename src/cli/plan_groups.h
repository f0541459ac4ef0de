/* cli/plan_groups.h - vouch plan --policies: several policies, one of which is followed once the environment is announced. */
#ifndef CLI_PLAN_GROUPS_H
#define CLI_PLAN_GROUPS_H

#include <stdbool.h>
#include <vouch/vouch.h>

#include "cli/prove.h"

typedef struct group_request {
    int policies, promises; /* of vouch_group_promises */
    const char *output;     /* NULL: nothing is written */
    bool json;
    const model_args *read; /* how the model was read, for the proof */
    bool prove_asked;
    long long check_work;
    prove *proof; /* NULL: none is written */
} group_request;

#define GROUP_PROMISE_WORDS "own|all" /* in the order of vouch_group_promises */

/* Plans, prints and writes; the exit status. */
int plan_groups(const vouch_model *model, const vouch_plan_options *options, const group_request *request);
/* The least probability with which the group's policy keeps a promise in its environments. */
double group_least_kept(const vouch_group *group);

#endif

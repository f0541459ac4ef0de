/* Replaces a policy's figures by evaluated ones, to compare both. */
#ifndef TESTS_EVALUATE_AID_H
#define TESTS_EVALUATE_AID_H

#include <stdlib.h>
#include <vouch/vouch.h>

static inline vouch_status evaluate_again(vouch_policy *p, const vouch_model *m, int *kept, vouch_error *error)
{
    vouch_environment_figures *found = malloc((size_t)vouch_policy_environments(p) * sizeof *found);
    vouch_status status = vouch_policy_evaluate(p, m, found, kept, error);
    if (!status) vouch_policy_set_figures(p, found);
    free(found);
    return status;
}

#endif

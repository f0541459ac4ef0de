/* plan/ccil/segment_policy.c - see segment_policy.h. */
#include "plan/ccil/segment_policy.h"

static const long long MANY = (long long)1 << 31;

static void put_rule(message *m, const policy_rule *r, int K)
{
    const int numbers[] = {(int)r->kind, r->time, r->state, r->boundary_time, r->boundary_state, r->env_count, r->do_count};
    MESSAGE_PUT(m, numbers, sizeof numbers / sizeof *numbers);
    if (r->env) MESSAGE_PUT(m, r->env, r->env_count);
    if (r->likelihood) MESSAGE_PUT(m, r->likelihood, K);
    MESSAGE_PUT(m, r->action, r->do_count);
    MESSAGE_PUT(m, r->prob, r->do_count);
}

static vouch_status take_rule(message *m, vouch_policy *policy)
{
    int n[7];
    MESSAGE_TAKE(m, n, 7);
    if (m->failed || n[5] < 0 || n[5] > policy->K || n[6] < 0) return VOUCH_ERROR_IO;
    policy_rule *r = policy_add_rule(policy, (vouch_rule_kind)n[0], n[5], n[6]);
    if (!r) return VOUCH_ERROR_MEMORY;
    r->time = n[1];
    r->state = n[2];
    r->boundary_time = n[3];
    r->boundary_state = n[4];
    if (r->env) MESSAGE_TAKE(m, r->env, r->env_count);
    if (r->likelihood) MESSAGE_TAKE(m, r->likelihood, policy->K);
    MESSAGE_TAKE(m, r->action, r->do_count);
    MESSAGE_TAKE(m, r->prob, r->do_count);
    return m->failed ? VOUCH_ERROR_IO : VOUCH_OK;
}

void segment_policy_put(message *m, const vouch_policy *policy, vouch_status status, const vouch_error *trouble)
{
    message_put_int(m, status);
    message_put_text(m, status ? trouble->text : "");
    message_put_int(m, policy->outcome);
    message_put_int(m, policy->has_policy);
    message_put_int(m, policy->L);
    message_put_real(m, policy->bound);
    message_put_int(m, (long long)policy->rule_count);
    for (size_t i = 0; i < policy->rule_count; i++) put_rule(m, &policy->rules[i], policy->K);
}

vouch_status segment_policy_take(message *m, vouch_policy *policy, vouch_error *trouble)
{
    vouch_status found = (vouch_status)message_take_int(m), status = VOUCH_OK;
    message_take_text(m, trouble->text, sizeof trouble->text);
    policy->outcome = (vouch_plan_outcome)message_take_int(m);
    policy->has_policy = message_take_int(m) != 0;
    policy->L = (int)message_take_int(m);
    policy->bound = message_take_real(m);
    long long rules = message_take_count(m, 0, MANY);
    for (long long i = 0; i < rules && !status; i++) status = take_rule(m, policy);
    return status ? status : m->failed ? VOUCH_ERROR_IO : found;
}

/* plan/methods.c - dispatch by method; VOUCH_METHODS (vouch/method.h) is the list. */
#include "plan/methods.h"

#include "base/check.h"

#define ENTRY(name, function, ...) plan_##function,
static vouch_status (*const PLANNERS[])(plan_call *call) = {VOUCH_METHODS(ENTRY)};
#undef ENTRY

vouch_status plan_by_method(plan_call *call)
{
    CHECK(vouch_method_describe(call->options->method) != NULL);
    CHECK(call->policy->rule_count == 0 && !call->policy->has_policy);
    vouch_status status = PLANNERS[call->options->method](call);
    call->policy->nodes = call->limit.nodes;
    call->policy->iterations = call->limit.iterations;
    return status;
}

int plan_lookahead(const plan_call *call)
{
    vouch_lookahead L = vouch_method_describe(call->options->method)->lookahead;
    return L == VOUCH_LOOKAHEAD_ASKED ? call->options->lookahead : L == VOUCH_LOOKAHEAD_NONE ? 0 : call->m->T;
}

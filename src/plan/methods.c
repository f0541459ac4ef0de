/* plan/methods.c - the table of methods (vouch/method.h) with the function of each: the only place where a method is chosen, in
 * O(1). Invariant: row i of the table is the method of number i, since both come from one list.
 */
#include "plan/methods.h"

#include <string.h>

#include "base/check.h"
#include "mdp/model.h"

#define ENTRY(name, function, ...) {plan_##function, {__VA_ARGS__}},
static const struct {
    vouch_status (*plan)(plan_call *call);
    vouch_method_description about;
} METHODS[] = {VOUCH_METHODS(ENTRY)};
#undef ENTRY

const vouch_method_description *vouch_method_describe(vouch_method method)
{
    int number = (int)method; /* an enum may hold anything */
    return number >= 0 && number < VOUCH_METHOD_COUNT ? &METHODS[number].about : NULL;
}

const char *vouch_method_text(vouch_method method)
{
    const vouch_method_description *about = vouch_method_describe(method);
    return about ? about->word : "unknown";
}

int vouch_method_find(const char *word)
{
    for (int i = 0; i < VOUCH_METHOD_COUNT; i++)
        if (strcmp(METHODS[i].about.word, word) == 0) return i;
    return -1;
}

vouch_status plan_by_method(plan_call *call)
{
    CHECK(vouch_method_describe(call->options->method) != NULL);
    CHECK(call->policy->rule_count == 0 && !call->policy->has_policy);
    return METHODS[call->options->method].plan(call);
}

int plan_lookahead(const plan_call *call)
{
    vouch_lookahead L = METHODS[call->options->method].about.lookahead;
    return L == VOUCH_LOOKAHEAD_ASKED ? call->options->lookahead : L == VOUCH_LOOKAHEAD_NONE ? 0 : call->m->T;
}

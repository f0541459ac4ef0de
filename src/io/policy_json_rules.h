/* io/policy_json_rules.h - the rules of a policy file, and the plans that some follow; see policy_json.c. */
#ifndef IO_POLICY_JSON_RULES_H
#define IO_POLICY_JSON_RULES_H

#include "io/json.h"
#include "io/names.h"
#include "policy/policy.h"

/* Kinds of a field's value. */
enum {
    NUMBER = 1U << JS_NUMBER,
    FIGURE = 1U << JS_NUMBER | 1U << JS_NULL,
    TRUTH = 1U << JS_TRUE | 1U << JS_FALSE,
    STRING = 1U << JS_STRING,
    ARRAY = 1U << JS_ARRAY,
    OBJECT = 1U << JS_OBJECT
};

typedef struct policy_reader {
    const js_doc *doc;
    const vouch_model *model;
    vouch_policy *policy;
    names states, actions;
    int *state; /* [states.count] the first of that name */
} policy_reader;

/* Appends the rules in the array at `rules` and the rules of the plans in the array at `plans` (0: none) to the policy, whose head
 * is read. */
void policy_rules_read(policy_reader *r, uint32_t rules, uint32_t plans);

#endif

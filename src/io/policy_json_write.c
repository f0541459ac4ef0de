/* io/policy_json_write.c - writing the policy file; see policy_json.c. */
#include "io/policy_json.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "io/json.h"
#include "mdp/model.h"
#include "policy/policy.h"

void json_write_environment(text *t, const char *name, const vouch_environment_figures *f)
{
    text_add(t, "\n    { \"name\": ");
    js_add_string(t, name);
    js_add_number(t, ", \"optimal_value\": ", f->optimal_value);
    js_add_number(t, ", \"value\": ", f->value);
    js_add_number(t, ", \"regret\": ", f->regret);
    js_add_number(t, ", \"commitment_probability\": ", f->commitment_probability);
}

/* {name: value, ..} of the promises in environment k. */
static void json_write_promises(text *t, const char *field, const vouch_policy *policy, const double value[], int k)
{
    text_add(t, ", \"%s\": {", field);
    for (int j = 0; j < policy->promises; j++) {
        text_add(t, j ? ", " : " ");
        js_add_string(t, policy->promise_name[j]);
        js_add_number(t, ": ", value[k * policy->promises + j]);
    }
    text_add(t, " }");
}

void policy_json_write_environments(const vouch_policy *policy, text *t)
{
    for (int k = 0; k < policy->K; k++) {
        text_add(t, k ? "," : "[");
        json_write_environment(t, policy->env_name[k], &policy->figures[k]);
        if (policy->determinism) js_add_number(t, ", \"regret_of_determinism\": ", policy->determinism[k]);
        if (policy->promise_name) {
            if (policy->commitments)
                json_write_promises(t, "commitments", policy, policy->commitments, k);
            else if (policy->promises == 1)
                json_write_promises(t, "commitments", policy, &policy->figures[k].commitment_probability, 0);
            if (policy->largest_probability) json_write_promises(t, "largest_probability", policy, policy->largest_probability, k);
        } else if (policy->largest_probability) {
            js_add_number(t, ", \"largest_probability\": ", policy->largest_probability[k]);
        }
        text_add(t, " }");
    }
    text_add(t, "]");
}

void policy_json_write_objective(const vouch_policy *policy, text *t)
{
    if (policy->objective == VOUCH_OBJECTIVE_REGRET) return;
    text_add(t, ", \"objective\": \"%s\"", vouch_objective_text(policy->objective));
    for (int k = 0; k < policy->K && policy->weights; k++) js_add_number(t, k ? ", " : ", \"weights\": [", policy->weights[k]);
    if (policy->weights) text_add(t, "]");
    js_add_number(t, ", \"value\": ", policy_value(policy));
}

void policy_json_write_bounded(const vouch_policy *policy, text *t)
{
    if (policy->late) text_add(t, ", \"optima_bounded\": true");
}

static void add_set(text *t, const policy_rule *rule)
{
    for (int i = 0; i < rule->env_count; i++) text_add(t, "%s%d", i ? "," : "[", rule->env[i]);
    text_add(t, "]");
}

static void add_actions(text *t, const vouch_model *m, const policy_rule *rule)
{
    text_add(t, ", \"do\": {");
    for (int i = 0; i < rule->do_count; i++) {
        text_add(t, i ? ", " : " ");
        js_add_string(t, m->action_name[rule->action[i]]);
        js_add_number(t, ": ", rule->prob[i]);
    }
    text_add(t, " } }");
}

static void add_followed(text *t, const policy_rule *rule)
{
    text_add(t, ", \"follow\": {");
    for (int i = 0; i < rule->follow_count; i++) {
        text_add(t, "%s\"%d\"", i ? ", " : " ", rule->follow[i]);
        js_add_number(t, ": ", rule->share[i]);
    }
    text_add(t, " } }");
}

static void add_rule(text *t, const vouch_policy *policy, const vouch_model *m, const policy_rule *rule)
{
    CHECK_COMPARE(rule->do_count, >, 0);
    text_add(t, "{ \"time\": %d, \"state\": ", rule->time - policy->offset);
    js_add_string(t, m->state_name[rule->state]);
    if (rule->kind == VOUCH_RULE_KNOWLEDGE) {
        text_add(t, ", \"environments\": ");
        add_set(t, rule);
    } else if (rule->kind == VOUCH_RULE_BOUNDARY) {
        text_add(t, ", \"boundary\": { \"time\": %d, \"state\": ", rule->boundary_time - policy->offset);
        js_add_string(t, m->state_name[rule->boundary_state]);
        text_add(t, ", \"environments\": ");
        add_set(t, rule);
        text_add(t, " }");
    } else if (rule->kind == VOUCH_RULE_LIKELIHOOD) {
        text_add(t, ", \"likelihood\": ");
        for (int k = 0; k < policy->K; k++) js_add_number(t, k ? "," : "[", rule->likelihood[k]);
        text_add(t, "]");
    }
    if (rule->follow_count > 0)
        add_followed(t, rule);
    else
        add_actions(t, m, rule);
}

static void add_plans(text *t, const vouch_policy *policy, const vouch_model *m)
{
    int plan = -1;
    for (size_t i = policy->plan_rules; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        if (rule->plan != plan) text_add(t, "%s\n    { \"rules\": [", plan < 0 ? ",\n  \"plans\": [" : "] },");
        text_add(t, "%s\n      ", rule->plan != plan ? "" : ",");
        plan = rule->plan;
        add_rule(t, policy, m, rule);
    }
    if (plan >= 0) text_add(t, "] }]");
}

void policy_json_write(const vouch_policy *policy, const vouch_model *model, text *t)
{
    text_add(t, "{ \"vouch_policy\": 1, \"model\": ");
    js_add_string(t, policy->model_name);
    text_add(t, ", \"method\": ");
    js_add_string(t, policy->method);
    text_add(t, ", \"L\": %d, \"T\": %d", policy->L, policy->T - policy->offset);
    if (!policy->promise_name) js_add_number(t, ", \"p\": ", policy->p);
    text_add(t, ",\n  \"status\": \"%s\"", vouch_plan_outcome_text(policy->outcome));
    policy_json_write_objective(policy, t);
    js_add_number(t, ", \"max_regret\": ", policy->max_regret);
    js_add_number(t, ", \"bound\": ", policy->bound);
    js_add_number(t, ", \"total_regret\": ", policy->total_regret);
    policy_json_write_bounded(policy, t);
    text_add(t, ",\n  \"environments\": ");
    policy_json_write_environments(policy, t);
    text_add(t, ",\n  \"rules\": [");
    for (size_t i = 0; i < policy->rule_count && policy->rules[i].kind != VOUCH_RULE_PLAN; i++) {
        text_add(t, "%s\n    ", i ? "," : "");
        add_rule(t, policy, model, &policy->rules[i]);
    }
    text_add(t, "]");
    if (policy->plans > 0) add_plans(t, policy, model);
    text_add(t, "\n}\n");
}

vouch_status vouch_policy_write(const vouch_policy *policy, const vouch_model *model, const char *path, vouch_error *error)
{
    if (!policy || !model || !path) return error_null(error);
    text t = {0};
    policy_json_write(policy, model, &t);
    return text_write(&t, path, error);
}

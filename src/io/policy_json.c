/* io/policy_json.c - reading the policy file; its format.
 *
 * A rule holds the action at one node of a policy: at a knowledge state (`environments`, t < L), at a state with the knowledge
 * state at L behind it (`boundary`, t >= L), or at a likelihood vector (`likelihood`, history policies). Figures are written as
 * they were propagated, by %.17g; a figure that does not exist is null. Of the fields only the version, L, T and the rules are
 * needed to read a policy, so that one may be written by hand.
 */
#include "io/policy_json.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/policy_json_rules.h"
#include "mdp/join.h"

enum {
    TOP_VERSION,
    TOP_MODEL,
    TOP_METHOD,
    TOP_L,
    TOP_T,
    TOP_P,
    TOP_STATUS,
    TOP_OBJECTIVE,
    TOP_WEIGHTS,
    TOP_VALUE,
    TOP_MAX_REGRET,
    TOP_BOUND,
    TOP_TOTAL_REGRET,
    TOP_BOUNDED,
    TOP_ENVIRONMENTS,
    TOP_RULES,
    TOP_PLANS,
    TOP_FIELDS
};
static const js_field top_field[TOP_FIELDS] = {
    [TOP_VERSION] = {"vouch_policy", NUMBER, true},
    [TOP_MODEL] = {"model", STRING, false},
    [TOP_METHOD] = {"method", STRING, false},
    [TOP_L] = {"L", NUMBER, true},
    [TOP_T] = {"T", NUMBER, true},
    [TOP_P] = {"p", NUMBER, false},
    [TOP_STATUS] = {"status", STRING, false},
    [TOP_OBJECTIVE] = {"objective", STRING, false},
    [TOP_WEIGHTS] = {"weights", ARRAY, false},
    [TOP_VALUE] = {"value", FIGURE, false},
    [TOP_MAX_REGRET] = {"max_regret", FIGURE, false},
    [TOP_BOUND] = {"bound", FIGURE, false},
    [TOP_TOTAL_REGRET] = {"total_regret", FIGURE, false},
    [TOP_BOUNDED] = {"optima_bounded", TRUTH, false},
    [TOP_ENVIRONMENTS] = {"environments", ARRAY, false},
    [TOP_RULES] = {"rules", ARRAY, true},
    [TOP_PLANS] = {"plans", ARRAY, false},
};
enum { ENV_NAME, ENV_OPTIMAL, ENV_VALUE, ENV_REGRET, ENV_PROBABILITY, ENV_COMMITMENTS, ENV_LARGEST, ENV_DETERMINISM, ENV_FIELDS };
static const js_field env_field[ENV_FIELDS] = {
    [ENV_NAME] = {"name", STRING, true},
    [ENV_OPTIMAL] = {"optimal_value", FIGURE, false},
    [ENV_VALUE] = {"value", FIGURE, false},
    [ENV_REGRET] = {"regret", FIGURE, false},
    [ENV_PROBABILITY] = {"commitment_probability", FIGURE, false},
    [ENV_COMMITMENTS] = {"commitments", OBJECT, false},
    [ENV_LARGEST] = {"largest_probability", FIGURE | OBJECT, false},
    [ENV_DETERMINISM] = {"regret_of_determinism", FIGURE, false},
};
static double figure(const js_doc *doc, uint32_t at) { return at && js_kind_of(doc, at) == JS_NUMBER ? js_number(doc, at) : NAN; }

/* ---- the whole ----------------------------------------------------------------------------------------------- */

/* {promise: probability, ..} of environment k; missing ones stay NAN. */
static void read_commitments(policy_reader *r, uint32_t at, int k)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    int J = policy->promises;
    if (!at || J == 1) return;
    if (!policy->commitments) {
        policy->commitments = ARENA_NEW(&policy->memory, double, policy->K *J);
        if (!policy->commitments) escape_memory(doc->e);
        for (int i = 0; i < policy->K * J; i++) policy->commitments[i] = NAN;
    }
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1))
        for (int j = 0; j < J; j++)
            if (strcmp(js_string(doc, c), policy->promise_name[j]) == 0) policy->commitments[k * J + j] = figure(doc, c + 1);
}

static void read_environments(policy_reader *r, uint32_t at)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    if (at && (int)js_count(doc, at) != policy->K)
        js_fail(doc, at, "the policy is for %u environments, the model has %d", js_count(doc, at), policy->K);
    uint32_t c = at + 1;
    for (int k = 0; k < policy->K; k++) {
        const char *name = r->model->env_name[k];
        policy->env_name[k] = arena_string(&policy->memory, name);
        if (!policy->env_name[k]) escape_memory(doc->e);
        if (!at) continue;
        uint32_t field[ENV_FIELDS];
        js_fields(doc, c, env_field, ENV_FIELDS, field);
        if (strcmp(js_string(doc, field[ENV_NAME]), name) != 0)
            js_fail(doc, field[ENV_NAME], "environment %d is \"%.100s\" in the model, \"%.100s\" here", k, name,
                    js_string(doc, field[ENV_NAME]));
        policy->figures[k] = (vouch_environment_figures){figure(doc, field[ENV_OPTIMAL]), figure(doc, field[ENV_VALUE]),
                                                         figure(doc, field[ENV_REGRET]), figure(doc, field[ENV_PROBABILITY])};
        read_commitments(r, field[ENV_COMMITMENTS], k);
        c = js_end(doc, c);
    }
}

/* The objective; its value follows from the figures. */
static void read_objective(policy_reader *r, const uint32_t *field)
{
    const js_doc *doc = r->doc;
    uint32_t word = field[TOP_OBJECTIVE], list = field[TOP_WEIGHTS];
    int objective = word ? vouch_objective_find(js_string(doc, word)) : VOUCH_OBJECTIVE_REGRET, k = 0;
    if (objective < 0) js_fail(doc, word, "expected regret, weighted or max-min");
    if (policy_aim(r->policy, (vouch_objective)objective, NULL, r->policy->K)) escape_memory(r->doc->e);
    if (!list) return;
    if (objective != VOUCH_OBJECTIVE_WEIGHTED) js_fail(doc, list, "weights are for the objective weighted");
    for (uint32_t c = list + 1; c < js_end(doc, list); c = js_end(doc, c), k++) {
        if (k >= r->policy->K || js_kind_of(doc, c) != JS_NUMBER || !(js_number(doc, c) >= 0 && isfinite(js_number(doc, c))))
            js_fail(doc, c, "expected %d weights, numbers of at least 0", r->policy->K);
        r->policy->weights[k] = js_number(doc, c);
    }
    if (k != r->policy->K) js_fail(doc, list, "expected %d weights, found %d", r->policy->K, k);
}

static void read_head(policy_reader *r, const uint32_t *field)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    int horizon = r->model->T - policy->offset;
    double given = js_number(doc, field[TOP_T]);
    const char *model = field[TOP_MODEL] ? js_string(doc, field[TOP_MODEL]) : r->model->name;
    if (given != horizon && strcmp(model, r->model->name) != 0)
        js_fail(doc, field[TOP_MODEL], "the policy is for another model, \"%.60s\" of horizon %.10g", model, given);
    if (given != horizon) js_fail(doc, field[TOP_T], "the policy is for the horizon %.10g, the model's is %d", given, horizon);
    policy->T = r->model->T;
    policy->L = js_int(doc, field[TOP_L], 0, policy->T);
    policy->p = field[TOP_P] ? js_number(doc, field[TOP_P]) : r->model->p;
    if (!(policy->p >= 0 && policy->p <= 1))
        js_fail(doc, field[TOP_P], "a probability must lie between 0 and 1, found %.10g", policy->p);
    policy->outcome = VOUCH_PLAN_FEASIBLE;
    if (field[TOP_STATUS]) {
        int i = VOUCH_PLAN_OPTIMAL;
        while (i <= VOUCH_PLAN_NUMERICAL &&
               strcmp(vouch_plan_outcome_text((vouch_plan_outcome)i), js_string(doc, field[TOP_STATUS])) != 0)
            i++;
        if (i > VOUCH_PLAN_NUMERICAL) js_fail(doc, field[TOP_STATUS], "expected optimal, feasible or infeasible");
        policy->outcome = (vouch_plan_outcome)i;
    }
    read_objective(r, field);
    policy->max_regret = figure(doc, field[TOP_MAX_REGRET]);
    policy->total_regret = figure(doc, field[TOP_TOTAL_REGRET]);
    policy->bound = figure(doc, field[TOP_BOUND]);
    policy->late = field[TOP_BOUNDED] && js_kind_of(doc, field[TOP_BOUNDED]) == JS_TRUE;
    policy->model_name = arena_string(&policy->memory, model);
    policy->method = arena_string(&policy->memory,
                                  field[TOP_METHOD] ? js_string(doc, field[TOP_METHOD]) : vouch_method_text(VOUCH_METHOD_MILP_CCL));
    if (policy->memory.failed) escape_memory(r->doc->e);
}

static bool is_model(const js_doc *doc, uint32_t at)
{
    return js_kind_of(doc, at) == JS_OBJECT && js_count(doc, at) > 0 && strcmp(js_string(doc, at + 1), "vouch") == 0;
}

void policy_json_take(vouch_policy **policy, const vouch_model *m, const js_doc *doc, uint32_t at)
{
    uint32_t field[TOP_FIELDS];
    policy_reader *r = ESCAPE_ZERO(doc->e, policy_reader, 1);
    if (is_model(doc, at)) js_fail(doc, at, "this is a model; expected a policy, as vouch plan -o writes it");
    js_fields(doc, at, top_field, TOP_FIELDS, field);
    js_int(doc, field[TOP_VERSION], 1, 1);
    *r = (policy_reader){.doc = doc, .model = m, .policy = *policy = policy_new(m->K)};
    escape_names(doc->e, &r->states);
    escape_names(doc->e, &r->actions);
    if (!*policy || policy_name_promises(*policy, m)) escape_memory(doc->e);
    r->state = ESCAPE_NEW(doc->e, int, m->S);
    for (int s = 0; s < m->S; s++) {
        int known = r->states.count, number = must_count(doc->e, names_add(&r->states, m->state_name[s]));
        if (number == known) r->state[number] = s;
    }
    for (int a = 0; a < m->A; a++) must_count(doc->e, names_add(&r->actions, m->action_name[a]));
    read_head(r, field);
    read_environments(r, field[TOP_ENVIRONMENTS]);
    policy_rules_read(r, field[TOP_RULES], field[TOP_PLANS]);
    r->policy->has_policy = r->policy->rule_count > 0;
}

typedef struct policy_input {
    js_doc doc;
    const char *name;
    char *content;
    size_t length;
    const vouch_model *model;
    vouch_policy *policy;
} policy_input;

static void read_policy(void *object)
{
    policy_input *in = object;
    js_parse(&in->doc, in->name, in->content, in->length);
    policy_json_take(&in->policy, in->model, &in->doc, 0);
}

vouch_status policy_json_parse(vouch_policy **policy, const vouch_model *model, const char *name, char *content, size_t length,
                               vouch_error *error)
{
    escape e = {.error = error};
    policy_input in = {.doc = {.e = &e}, .name = name, .content = content, .length = length, .model = model};
    vouch_status status = escape_try(&e, read_policy, &in);
    if (status) vouch_policy_free(in.policy);
    *policy = status ? NULL : in.policy;
    escape_end(&e);
    return status;
}

vouch_status vouch_policy_read(vouch_policy **policy, const vouch_model *model, const char *path, vouch_error *error)
{
    if (policy) *policy = NULL;
    if (!policy || !model || !path) return error_null(error);
    char *content;
    size_t length;
    vouch_status status = file_read(path, FILE_CAP, &content, &length, error);
    return status ? status : policy_json_parse(policy, model, path, content, length, error);
}

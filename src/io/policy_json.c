/* io/policy_json.c - reading the policy file, and what is in it.
 *
 * A rule says what to do at one node of a policy: at a knowledge state (`environments`, t < L), at a state with the knowledge
 * state at L behind it (`boundary`, t >= L), or at a likelihood vector (`likelihood`, history policies).
 * Figures are written as they were propagated, by %.17g; a figure that does not exist is null. Of the fields only the
 * version, L, T and the rules are needed to read a policy, so that one may be written by hand.
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

/* {promise: probability, ..} of environment k; what is not said stays NAN. */
static vouch_status read_commitments(policy_reader *r, uint32_t at, int k)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    int J = policy->promises;
    if (!at || J == 1) return VOUCH_OK;
    if (!policy->commitments) {
        policy->commitments = ARENA_NEW(&policy->memory, double, policy->K *J);
        if (!policy->commitments) return error_memory(r->error);
        for (int i = 0; i < policy->K * J; i++) policy->commitments[i] = NAN;
    }
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        for (int j = 0; j < J; j++)
            if (strcmp(js_string(doc, c), policy->promise_name[j]) == 0) policy->commitments[k * J + j] = figure(doc, c + 1);
    }
    return VOUCH_OK;
}

static vouch_status read_environments(policy_reader *r, uint32_t at)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    if (at && (int)js_count(doc, at) != policy->K)
        return js_fail(doc, at, r->error, "the policy is for %u environments, the model has %d", js_count(doc, at), policy->K);
    uint32_t c = at + 1;
    for (int k = 0; k < policy->K; k++) {
        const char *name = r->model->env_name[k];
        policy->env_name[k] = arena_string(&policy->memory, name);
        if (!policy->env_name[k]) return error_memory(r->error);
        if (!at) continue;
        uint32_t field[ENV_FIELDS];
        vouch_status status = js_fields(doc, c, env_field, ENV_FIELDS, field, r->error);
        if (status) return status;
        if (strcmp(js_string(doc, field[ENV_NAME]), name) != 0)
            return js_fail(doc, field[ENV_NAME], r->error, "environment %d is \"%.100s\" in the model, \"%.100s\" here", k, name,
                           js_string(doc, field[ENV_NAME]));
        policy->figures[k] = (vouch_environment_figures){figure(doc, field[ENV_OPTIMAL]), figure(doc, field[ENV_VALUE]),
                                                         figure(doc, field[ENV_REGRET]), figure(doc, field[ENV_PROBABILITY])};
        status = read_commitments(r, field[ENV_COMMITMENTS], k);
        if (status) return status;
        c = js_end(doc, c);
    }
    return VOUCH_OK;
}

/* What was optimised; its value follows from the figures. */
static vouch_status read_objective(policy_reader *r, const uint32_t *field)
{
    const js_doc *doc = r->doc;
    uint32_t word = field[TOP_OBJECTIVE], list = field[TOP_WEIGHTS];
    int objective = word ? vouch_objective_find(js_string(doc, word)) : VOUCH_OBJECTIVE_REGRET, k = 0;
    if (objective < 0) return js_fail(doc, word, r->error, "expected regret, weighted or max-min");
    if (policy_aim(r->policy, (vouch_objective)objective, NULL, r->policy->K)) return error_memory(r->error);
    if (!list) return VOUCH_OK;
    if (objective != VOUCH_OBJECTIVE_WEIGHTED) return js_fail(doc, list, r->error, "weights are for the objective weighted");
    for (uint32_t c = list + 1; c < js_end(doc, list); c = js_end(doc, c), k++) {
        if (k >= r->policy->K || js_kind_of(doc, c) != JS_NUMBER || !(js_number(doc, c) >= 0 && isfinite(js_number(doc, c))))
            return js_fail(doc, c, r->error, "expected %d weights, numbers of at least 0", r->policy->K);
        r->policy->weights[k] = js_number(doc, c);
    }
    return k == r->policy->K ? VOUCH_OK : js_fail(doc, list, r->error, "expected %d weights, found %d", r->policy->K, k);
}

static vouch_status read_head(policy_reader *r, const uint32_t *field)
{
    vouch_policy *policy = r->policy;
    const js_doc *doc = r->doc;
    int horizon = r->model->T - policy->offset;
    vouch_status status = js_int(doc, field[TOP_T], horizon, horizon, &policy->T, NULL);
    const char *model = field[TOP_MODEL] ? js_string(doc, field[TOP_MODEL]) : r->model->name;
    if (status && strcmp(model, r->model->name) != 0)
        return js_fail(doc, field[TOP_MODEL], r->error, "the policy is for another model, \"%.60s\" of horizon %.10g", model,
                       js_number(doc, field[TOP_T]));
    if (status)
        return js_fail(doc, field[TOP_T], r->error, "the policy is for the horizon %.10g, the model's is %d",
                       js_number(doc, field[TOP_T]), horizon);
    policy->T = r->model->T;
    status = js_int(doc, field[TOP_L], 0, policy->T, &policy->L, r->error);
    if (status) return status;
    policy->p = field[TOP_P] ? js_number(doc, field[TOP_P]) : r->model->p;
    if (!(policy->p >= 0 && policy->p <= 1))
        return js_fail(doc, field[TOP_P], r->error, "a probability must lie between 0 and 1, found %.10g", policy->p);
    policy->outcome = VOUCH_PLAN_FEASIBLE;
    if (field[TOP_STATUS]) {
        int i = VOUCH_PLAN_OPTIMAL;
        while (i <= VOUCH_PLAN_NUMERICAL &&
               strcmp(vouch_plan_outcome_text((vouch_plan_outcome)i), js_string(doc, field[TOP_STATUS])) != 0)
            i++;
        if (i > VOUCH_PLAN_NUMERICAL) return js_fail(doc, field[TOP_STATUS], r->error, "expected optimal, feasible or infeasible");
        policy->outcome = (vouch_plan_outcome)i;
    }
    status = read_objective(r, field);
    if (status) return status;
    policy->max_regret = figure(doc, field[TOP_MAX_REGRET]);
    policy->total_regret = figure(doc, field[TOP_TOTAL_REGRET]);
    policy->bound = figure(doc, field[TOP_BOUND]);
    policy->late = field[TOP_BOUNDED] && js_kind_of(doc, field[TOP_BOUNDED]) == JS_TRUE;
    policy->model_name = arena_string(&policy->memory, field[TOP_MODEL] ? js_string(doc, field[TOP_MODEL]) : r->model->name);
    policy->method = arena_string(&policy->memory,
                                  field[TOP_METHOD] ? js_string(doc, field[TOP_METHOD]) : vouch_method_text(VOUCH_METHOD_MILP_CCL));
    return policy->memory.failed ? error_memory(r->error) : VOUCH_OK;
}

static vouch_status load(policy_reader *r, uint32_t at)
{
    const js_doc *doc = r->doc;
    const vouch_model *m = r->model;
    uint32_t field[TOP_FIELDS];
    int version;
    vouch_status status = js_fields(doc, at, top_field, TOP_FIELDS, field, r->error);
    if (!status) status = js_int(doc, field[TOP_VERSION], 1, 1, &version, r->error);
    if (status) return status;
    r->policy = policy_new(m->K);
    if (!r->policy) return error_memory(r->error);
    r->state = MEM_NEW(int, m->S);
    if (!r->state || policy_name_promises(r->policy, m)) return error_memory(r->error);
    for (int s = 0; s < m->S; s++) {
        int known = r->states.count, number = names_add(&r->states, m->state_name[s]);
        if (number < 0) return error_memory(r->error);
        if (number == known) r->state[number] = s;
    }
    for (int a = 0; a < m->A; a++)
        if (names_add(&r->actions, m->action_name[a]) < 0) return error_memory(r->error);
    status = read_head(r, field);
    if (!status) status = read_environments(r, field[TOP_ENVIRONMENTS]);
    if (!status) status = policy_rules_read(r, field[TOP_RULES], field[TOP_PLANS]);
    r->policy->has_policy = r->policy->rule_count > 0;
    return status;
}

static bool is_model(const js_doc *doc, uint32_t at)
{
    return js_kind_of(doc, at) == JS_OBJECT && js_count(doc, at) > 0 && strcmp(js_string(doc, at + 1), "vouch") == 0;
}

vouch_status policy_json_take(vouch_policy **policy, const vouch_model *model, const js_doc *doc, uint32_t at, vouch_error *error)
{
    policy_reader r = {.doc = doc, .error = error, .model = model};
    vouch_status status = is_model(doc, at)
                              ? js_fail(doc, at, error, "this is a model; expected a policy, as vouch plan -o writes it")
                              : load(&r, at);
    *policy = status ? NULL : r.policy;
    if (status) vouch_policy_free(r.policy);
    names_free(&r.states);
    mem_free(r.state);
    names_free(&r.actions);
    return status;
}

vouch_status policy_json_parse(vouch_policy **policy, const vouch_model *model, const char *name, char *content, size_t length,
                               vouch_error *error)
{
    js_doc doc = {0};
    *policy = NULL;
    vouch_status status = js_parse(&doc, name, content, length, error);
    if (!status) status = policy_json_take(policy, model, &doc, 0, error);
    js_free(&doc);
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

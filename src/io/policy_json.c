/* io/policy_json.c - reading the policy file, and what is in it.
 *
 * A rule says what to do at one node of a policy: at a knowledge state (`environments`, t < L), at a state with the knowledge
 * state at L behind it (`boundary`, t >= L), or at a likelihood vector (`likelihood`, history policies).
 * Figures are written as they were propagated, by %.17g; a figure that does not exist is null. Of the fields only the
 * version, L, T and the rules are needed to read a policy, so that one may be written by hand.
 */
#include "io/policy_json.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "io/json.h"
#include "io/names.h"
#include "mdp/join.h"
#include "policy/policy.h"

enum {
    NUMBER = 1U << JS_NUMBER,
    FIGURE = 1U << JS_NUMBER | 1U << JS_NULL,
    TRUTH = 1U << JS_TRUE | 1U << JS_FALSE,
    STRING = 1U << JS_STRING,
    ARRAY = 1U << JS_ARRAY,
    OBJECT = 1U << JS_OBJECT
};

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
enum { RULE_TIME, RULE_STATE, RULE_ENVIRONMENTS, RULE_BEHIND, RULE_WEIGHTS, RULE_DO, RULE_FIELDS };
static const js_field rule_field[RULE_FIELDS] = {
    [RULE_TIME] = {"time", NUMBER, true},
    [RULE_STATE] = {"state", STRING, true},
    [RULE_ENVIRONMENTS] = {"environments", ARRAY, false},
    [RULE_BEHIND] = {"boundary", OBJECT, false},
    [RULE_WEIGHTS] = {"likelihood", ARRAY, false},
    [RULE_DO] = {"do", OBJECT, true},
};
enum { BEHIND_TIME, BEHIND_STATE, BEHIND_ENVIRONMENTS, BEHIND_FIELDS };
static const js_field behind_field[BEHIND_FIELDS] = {[BEHIND_TIME] = {"time", NUMBER, true},
                                                     [BEHIND_STATE] = {"state", STRING, true},
                                                     [BEHIND_ENVIRONMENTS] = {"environments", ARRAY, true}};

typedef struct policy_reader {
    const js_doc *doc;
    vouch_error *error;
    const vouch_model *model;
    vouch_policy *policy;
    names states, actions;
    int *state; /* owned, [states.count] the first of that name */
} policy_reader;

static double figure(const js_doc *doc, uint32_t at) { return at && js_kind_of(doc, at) == JS_NUMBER ? js_number(doc, at) : NAN; }

static vouch_status find_name(const policy_reader *r, uint32_t at, const names *table, const char *what, int *number)
{
    *number = names_find(table, js_string(r->doc, at));
    return *number >= 0 ? VOUCH_OK : js_fail(r->doc, at, r->error, "the model has no %s \"%.100s\"", what, js_string(r->doc, at));
}

/* State by name and time: what promises remember may depend on the time (model_state_at). */
static vouch_status find_state(const policy_reader *r, uint32_t at, int time, int *state)
{
    vouch_status status = find_name(r, at, &r->states, "state", state);
    if (!status) *state = model_state_at(r->model, r->state[*state], time);
    return status;
}

static int by_number(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* A non-empty list of different environments into env [js_count], ascending. */
static vouch_status read_environment_set(const policy_reader *r, uint32_t at, int *env)
{
    int n = 0;
    for (uint32_t c = at + 1; c < js_end(r->doc, at); c = js_end(r->doc, c)) {
        vouch_status status = js_int(r->doc, c, 0, r->model->K - 1, &env[n++], r->error);
        if (status) return status;
    }
    qsort(env, (size_t)n, sizeof *env, by_number);
    for (int i = 1; i < n; i++)
        if (env[i] == env[i - 1]) return js_fail(r->doc, at, r->error, "the environment %d is listed twice", env[i]);
    return VOUCH_OK;
}

static vouch_status read_likelihood(const policy_reader *r, uint32_t at, double *w)
{
    const js_doc *doc = r->doc;
    double largest = 0;
    int k = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c), k++) {
        vouch_status status = js_expect(doc, c, NUMBER, r->error);
        if (status) return status;
        w[k] = js_number(doc, c);
        if (!(w[k] >= 0 && w[k] <= 1)) return js_fail(doc, c, r->error, "a likelihood must lie between 0 and 1, found %.10g", w[k]);
        largest = fmax(largest, w[k]);
    }
    return largest == 1 ? VOUCH_OK : js_fail(doc, at, r->error, "the largest likelihood must be 1, found %.10g", largest);
}

/* {"a1": 0.25, "a2": 0.75} into the rule, actions ascending. */
static vouch_status read_choice(const policy_reader *r, uint32_t at, policy_rule *rule)
{
    const js_doc *doc = r->doc;
    double sum = 0;
    int n = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int a, place = n;
        vouch_status status = find_name(r, c, &r->actions, "action", &a);
        if (!status) status = js_expect(doc, c + 1, NUMBER, r->error);
        if (status) return status;
        if (model_pair(r->model, rule->state, a) < 0)
            return js_fail(doc, c, r->error, "the action is not available in state \"%.100s\"", r->model->state_name[rule->state]);
        double p = js_number(doc, c + 1);
        if (!(p > 0 && p <= 1))
            return js_fail(doc, c + 1, r->error, "expected a probability above 0 and at most 1, found %.10g", p);
        while (place > 0 && rule->action[place - 1] > a) {
            rule->action[place] = rule->action[place - 1];
            rule->prob[place] = rule->prob[place - 1];
            place--;
        }
        if (place > 0 && rule->action[place - 1] == a) return js_fail(doc, c, r->error, "the action is given twice");
        rule->action[place] = a;
        rule->prob[place] = p;
        sum += p;
        n++;
    }
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        return js_fail(doc, at, r->error, "the probabilities sum to %.10g; expected 1 (within %g)", sum, MODEL_SUM_TOLERANCE);
    if (fabs(sum - 1) > n * DBL_EPSILON)
        for (int i = 0; i < n; i++) rule->prob[i] /= sum;
    return VOUCH_OK;
}

static vouch_status read_rule(policy_reader *r, uint32_t at)
{
    const js_doc *doc = r->doc;
    vouch_policy *policy = r->policy;
    uint32_t field[RULE_FIELDS], behind[BEHIND_FIELDS] = {0};
    int time, state, behind_time = -1, behind_state = -1;
    vouch_status status = js_fields(doc, at, rule_field, RULE_FIELDS, field, r->error);
    if (!status) status = js_int(doc, field[RULE_TIME], -policy->offset, policy->T - policy->offset - 1, &time, r->error);
    if (!status) time += policy->offset;
    if (!status) status = find_state(r, field[RULE_STATE], time, &state);
    if (status) return status;
    if (!!field[RULE_ENVIRONMENTS] + !!field[RULE_BEHIND] + !!field[RULE_WEIGHTS] != 1)
        return js_fail(doc, at, r->error, "expected exactly one of the fields \"environments\", \"boundary\" and \"likelihood\"");
    vouch_rule_kind kind = field[RULE_ENVIRONMENTS] ? VOUCH_RULE_KNOWLEDGE
                           : field[RULE_BEHIND]     ? VOUCH_RULE_BOUNDARY
                                                    : VOUCH_RULE_LIKELIHOOD;
    if (kind == VOUCH_RULE_KNOWLEDGE && time >= policy->L)
        return js_fail(doc, field[RULE_ENVIRONMENTS], r->error,
                       "from time L = %d on rules are keyed by \"boundary\"; this one is for time %d", policy->L, time);
    if (kind == VOUCH_RULE_BOUNDARY) {
        status = js_fields(doc, field[RULE_BEHIND], behind_field, BEHIND_FIELDS, behind, r->error);
        int before = policy->L - policy->offset;
        if (!status) status = js_int(doc, behind[BEHIND_TIME], before, before, &behind_time, r->error);
        behind_time = policy->L;
        if (!status) status = find_state(r, behind[BEHIND_STATE], behind_time, &behind_state);
        if (status) return status;
        if (time < policy->L)
            return js_fail(doc, field[RULE_BEHIND], r->error,
                           "before time L = %d rules are keyed by \"environments\"; this one is for time %d", policy->L, time);
    }
    uint32_t set = kind == VOUCH_RULE_KNOWLEDGE ? field[RULE_ENVIRONMENTS] : behind[BEHIND_ENVIRONMENTS];
    int set_count = kind == VOUCH_RULE_LIKELIHOOD ? 0 : (int)js_count(doc, set), choices = (int)js_count(doc, field[RULE_DO]);
    if (kind != VOUCH_RULE_LIKELIHOOD && set_count < 1) return js_fail(doc, set, r->error, "expected at least one environment");
    if (kind == VOUCH_RULE_LIKELIHOOD && (int)js_count(doc, field[RULE_WEIGHTS]) != policy->K)
        return js_fail(doc, field[RULE_WEIGHTS], r->error, "expected %d likelihoods, one per environment", policy->K);
    if (choices < 1) return js_fail(doc, field[RULE_DO], r->error, "expected at least one action");
    policy_rule *rule = policy_add_rule(policy, kind, set_count, choices);
    if (!rule) return error_memory(r->error);
    rule->time = time;
    rule->state = state;
    rule->boundary_time = behind_time;
    rule->boundary_state = behind_state;
    status = kind == VOUCH_RULE_LIKELIHOOD ? read_likelihood(r, field[RULE_WEIGHTS], rule->likelihood)
                                           : read_environment_set(r, set, rule->env);
    return status ? status : read_choice(r, field[RULE_DO], rule);
}

/* ---- the same node twice ------------------------------------------------------------------------------------- */

typedef struct keyed {
    const policy_rule *rule;
    uint32_t node;
    int K;
} keyed;

static int by_key(const void *x, const void *y)
{
    const policy_rule *a = ((const keyed *)x)->rule, *b = ((const keyed *)y)->rule;
    const int left[] = {(int)a->kind, a->time, a->state, a->boundary_state, a->env_count};
    const int right[] = {(int)b->kind, b->time, b->state, b->boundary_state, b->env_count};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    for (int i = 0; i < a->env_count; i++)
        if (a->env[i] != b->env[i]) return a->env[i] < b->env[i] ? -1 : 1;
    for (int k = 0; a->likelihood && k < ((const keyed *)x)->K; k++)
        if (a->likelihood[k] != b->likelihood[k]) return a->likelihood[k] < b->likelihood[k] ? -1 : 1;
    return 0;
}

static vouch_status refuse_repeated(const policy_reader *r, uint32_t rules)
{
    const vouch_policy *policy = r->policy;
    keyed *list = MEM_NEW(keyed, policy->rule_count);
    if (!list) return error_memory(r->error);
    uint32_t c = rules + 1;
    for (size_t i = 0; i < policy->rule_count; i++, c = js_end(r->doc, c)) list[i] = (keyed){&policy->rules[i], c, policy->K};
    if (policy->rule_count > 1) qsort(list, policy->rule_count, sizeof *list, by_key);
    vouch_status status = VOUCH_OK;
    for (size_t i = 1; i < policy->rule_count && !status; i++)
        if (by_key(&list[i - 1], &list[i]) == 0)
            status = js_fail(r->doc, list[i].node > list[i - 1].node ? list[i].node : list[i - 1].node, r->error,
                             "a second rule for the same node");
    mem_free(list);
    return status;
}

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

static vouch_status load(policy_reader *r)
{
    const js_doc *doc = r->doc;
    const vouch_model *m = r->model;
    uint32_t field[TOP_FIELDS];
    int version;
    vouch_status status = js_fields(doc, 0, top_field, TOP_FIELDS, field, r->error);
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
    for (uint32_t c = field[TOP_RULES] + 1; c < js_end(doc, field[TOP_RULES]) && !status; c = js_end(doc, c))
        status = read_rule(r, c);
    if (!status) status = refuse_repeated(r, field[TOP_RULES]);
    r->policy->has_policy = r->policy->rule_count > 0;
    return status;
}

vouch_status policy_json_parse(vouch_policy **policy, const vouch_model *model, const char *name, char *content, size_t length,
                               vouch_error *error)
{
    js_doc doc = {0};
    policy_reader r = {.doc = &doc, .error = error, .model = model};
    vouch_status status = js_parse(&doc, name, content, length, error);
    if (!status) status = load(&r);
    *policy = status ? NULL : r.policy;
    if (status) vouch_policy_free(r.policy);
    names_free(&r.states);
    mem_free(r.state);
    names_free(&r.actions);
    js_free(&doc);
    return status;
}

vouch_status vouch_policy_read(vouch_policy **policy, const vouch_model *model, const char *path, vouch_error *error)
{
    char *content;
    size_t length;
    *policy = NULL;
    vouch_status status = file_read(path, FILE_CAP, &content, &length, error);
    return status ? status : policy_json_parse(policy, model, path, content, length, error);
}

/* io/policy_json.c - reading the policy file; its format.
 *
 * A rule holds the action at one node of a policy: at a knowledge state (`environments`, t < L), at a state with the knowledge
 * state at L behind it (`boundary`, t >= L), or at a likelihood vector (`likelihood`, history policies). Figures are written as
 * they were propagated, by %.17g; a figure that does not exist is null. Of the fields only the version, L, T and the rules are
 * needed to read a policy, so that one may be written by hand.
 */
#include "io/json.h"

#include "policy/policy.h"

typedef struct policy_reader {
    const js_doc *doc;
    const vouch_model *model;
    vouch_policy *policy;
    names states, actions;
    int *state; /* [states.count] the first of that name */
} policy_reader;

/* ---- rules --------------------------------------------------------------------------------------------------------- */

/* { "time": 3, "state": "s", KEY, "do": { "a": 0.25, "b": 0.75 } }, KEY one of "environments", "boundary" and "likelihood". With
 * the last there may be "follow": { "0": 0.5, "2": 0.5 } instead of "do": from there on plan 0 or 2 is followed. A plan is {
 * "rules": [..] }, whose rules have no KEY. Cost: O(rules log rules). Invariant: each plan is followed by some rule, and has a rule
 * wherever it is followed. */

enum { RULE_TIME, RULE_STATE, RULE_ENVIRONMENTS, RULE_BEHIND, RULE_WEIGHTS, RULE_DO, RULE_FOLLOW, RULE_FIELDS };
static const js_field rule_field[RULE_FIELDS] = {
    {"time", NUMBER, true},       {"state", STRING, true}, {"environments", ARRAY, false}, {"boundary", OBJECT, false},
    {"likelihood", ARRAY, false}, {"do", OBJECT, false},   {"follow", OBJECT, false}};
static const js_field plan_field[] = {{"rules", ARRAY, true}};
enum { BEHIND_TIME, BEHIND_STATE, BEHIND_ENVIRONMENTS, BEHIND_FIELDS };
static const js_field behind_field[BEHIND_FIELDS] = {
    {"time", NUMBER, true}, {"state", STRING, true}, {"environments", ARRAY, true}};

static int find_name(const policy_reader *r, uint32_t at, const names *table, const char *what)
{
    char joined[128];
    const char *name = js_string(r->doc, at);
    int number = names_find(table, name);
    if (number >= 0) return number;
    format_text(joined, sizeof joined, "%.100s @0", name);
    bool is_joined = names_find(table, joined) >= 0;
    js_fail(r->doc, at, "the model has no %s \"%.100s\"%s", what, name,
            is_joined ? "; it was written by vouch convert --joined, and needs a policy planned for it" : "");
}

/* State by name and time: what promises remember may depend on the time (model_state_at). */
static int find_state(const policy_reader *r, uint32_t at, int time)
{
    return model_state_at(r->model, r->state[find_name(r, at, &r->states, "state")], time);
}

/* A non-empty list of different environments into env [js_count], ascending. */
static void read_environment_set(const policy_reader *r, uint32_t at, int *env)
{
    int n = 0;
    for (uint32_t c = at + 1; c < js_end(r->doc, at); c = js_end(r->doc, c)) env[n++] = js_int(r->doc, c, 0, r->model->K - 1);
    qsort(env, (size_t)n, sizeof *env, ascending_ints);
    for (int i = 1; i < n; i++)
        if (env[i] == env[i - 1]) js_fail(r->doc, at, "the environment %d is listed twice", env[i]);
}

static void read_likelihood(const policy_reader *r, uint32_t at, double *w)
{
    const js_doc *doc = r->doc;
    double largest = 0;
    int k = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c), k++) {
        js_expect(doc, c, NUMBER);
        w[k] = js_number(doc, c);
        if (!(w[k] >= 0 && w[k] <= 1)) js_fail(doc, c, "a likelihood must lie between 0 and 1, found %.10g", w[k]);
        largest = fmax(largest, w[k]);
    }
    if (largest != 1) js_fail(doc, at, "the largest likelihood must be 1, found %.10g", largest);
}

/* A probability of a "do" or "follow". */
static double read_probability(const policy_reader *r, uint32_t at)
{
    js_expect(r->doc, at, NUMBER);
    double p = js_number(r->doc, at);
    if (!(p > 0 && p <= 1)) js_fail(r->doc, at, "expected a probability above 0 and at most 1, found %.10g", p);
    return p;
}

/* p [n] adds up to 1, and does so exactly from now on. */
static void check_sum(const policy_reader *r, uint32_t at, double p[], int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i];
    if (!(fabs(sum - 1) <= MODEL_SUM_TOLERANCE))
        js_fail(r->doc, at, "the probabilities sum to %.10g; expected 1 (within %g)", sum, MODEL_SUM_TOLERANCE);
    if (fabs(sum - 1) > n * DBL_EPSILON)
        for (int i = 0; i < n; i++) p[i] /= sum;
}

/* Puts number among number [n], which ascend, and p beside it; false: it is there already. */
static bool put_in_order(int number[], double prob[], int n, int fresh, double p)
{
    int place = n;
    while (place > 0 && number[place - 1] > fresh) {
        number[place] = number[place - 1];
        prob[place] = prob[place - 1];
        place--;
    }
    if (place > 0 && number[place - 1] == fresh) return false;
    number[place] = fresh;
    prob[place] = p;
    return true;
}

/* {"a1": 0.25, "a2": 0.75} into the rule, actions ascending. */
static void read_choice(const policy_reader *r, uint32_t at, policy_rule *rule)
{
    const js_doc *doc = r->doc;
    int n = 0;
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        int a = find_name(r, c, &r->actions, "action");
        if (model_pair(r->model, rule->state, a) < 0)
            js_fail(doc, c, "the action is not available in state \"%.100s\"", r->model->state_name[rule->state]);
        double p = read_probability(r, c + 1);
        if (!put_in_order(rule->action, rule->prob, n++, a, p)) js_fail(doc, c, "the action is given twice");
    }
    check_sum(r, at, rule->prob, n);
}

/* {"0": 0.25, "2": 0.75} into the rule, plans ascending. */
static void read_follow(const policy_reader *r, uint32_t at, policy_rule *rule)
{
    const js_doc *doc = r->doc;
    int n = 0;
    if (js_count(doc, at) < 1) js_fail(doc, at, "expected at least one plan");
    if (policy_follow(r->policy, rule, (int)js_count(doc, at))) escape_memory(r->doc->e);
    for (uint32_t c = at + 1; c < js_end(doc, at); c = js_end(doc, c + 1)) {
        const char *name = js_string(doc, c);
        int j = 0;
        char number[16];
        for (const char *digit = name; *digit >= '0' && *digit <= '9' && j <= r->policy->plans; digit++)
            j = 10 * j + (*digit - '0');
        format_text(number, sizeof number, "%d", j);
        if (strcmp(number, name) != 0 || j >= r->policy->plans) {
            if (r->policy->plans == 0) js_fail(doc, c, "there is no plan \"%.20s\": the file has no \"plans\"", name);
            js_fail(doc, c, "there is no plan \"%.20s\"; expected 0 .. %d", name, r->policy->plans - 1);
        }
        double p = read_probability(r, c + 1);
        if (!put_in_order(rule->follow, rule->share, n++, j, p)) js_fail(doc, c, "the plan is given twice");
    }
    check_sum(r, at, rule->share, n);
}

/* Where the rule is: the node of its boundary, if it has one, else -1. */
typedef struct rule_key {
    vouch_rule_kind kind;
    int time, state, behind_time, behind_state;
} rule_key;

/* Returns the node of its environments. */
static uint32_t read_boundary(const policy_reader *r, uint32_t at, rule_key *key)
{
    const vouch_policy *policy = r->policy;
    uint32_t behind[BEHIND_FIELDS];
    int before = policy->L - policy->offset;
    js_fields(r->doc, at, behind_field, BEHIND_FIELDS, behind);
    js_int(r->doc, behind[BEHIND_TIME], before, before);
    key->behind_time = policy->L;
    key->behind_state = find_state(r, behind[BEHIND_STATE], policy->L);
    if (key->time < policy->L)
        js_fail(r->doc, at, "before time L = %d rules are keyed by \"environments\"; this one is for time %d", policy->L,
                key->time);
    return behind[BEHIND_ENVIRONMENTS];
}

/* Time and state, of rules of plans too. */
static void read_place(const policy_reader *r, const uint32_t field[], rule_key *key)
{
    const vouch_policy *policy = r->policy;
    key->time = js_int(r->doc, field[RULE_TIME], -policy->offset, policy->T - policy->offset - 1) + policy->offset;
    key->state = find_state(r, field[RULE_STATE], key->time);
}

/* An empty rule with this key, and room for the actions of `choices` (0: none). */
static policy_rule *add_rule(const policy_reader *r, const rule_key *key, int set_count, uint32_t choices)
{
    int count = choices ? (int)js_count(r->doc, choices) : 0;
    if (choices && count < 1) js_fail(r->doc, choices, "expected at least one action");
    policy_rule *rule = policy_add_rule(r->policy, key->kind, set_count, count);
    if (!rule) escape_memory(r->doc->e);
    rule->time = key->time;
    rule->state = key->state;
    rule->boundary_time = key->behind_time;
    rule->boundary_state = key->behind_state;
    return rule;
}

static void read_rule(policy_reader *r, uint32_t at)
{
    const js_doc *doc = r->doc;
    uint32_t field[RULE_FIELDS], set = 0;
    rule_key key = {.behind_time = -1, .behind_state = -1};
    js_fields(doc, at, rule_field, RULE_FIELDS, field);
    read_place(r, field, &key);
    if (!!field[RULE_ENVIRONMENTS] + !!field[RULE_BEHIND] + !!field[RULE_WEIGHTS] != 1)
        js_fail(doc, at, "expected exactly one of the fields \"environments\", \"boundary\" and \"likelihood\"");
    if (field[RULE_FOLLOW] && field[RULE_DO]) js_fail(doc, at, "expected one of the fields \"do\" and \"follow\", found both");
    if (field[RULE_FOLLOW] && !field[RULE_WEIGHTS]) js_fail(doc, field[RULE_FOLLOW], "only rules with \"likelihood\" follow plans");
    if (!field[RULE_FOLLOW] && !field[RULE_DO]) js_fail(doc, at, "the field \"do\" is missing");
    key.kind = field[RULE_ENVIRONMENTS] ? VOUCH_RULE_KNOWLEDGE : field[RULE_BEHIND] ? VOUCH_RULE_BOUNDARY : VOUCH_RULE_LIKELIHOOD;
    if (key.kind == VOUCH_RULE_KNOWLEDGE && key.time >= r->policy->L)
        js_fail(doc, field[RULE_ENVIRONMENTS], "from time L = %d on rules are keyed by \"boundary\"; this one is for time %d",
                r->policy->L, key.time);
    if (key.kind == VOUCH_RULE_BOUNDARY) set = read_boundary(r, field[RULE_BEHIND], &key);
    if (key.kind == VOUCH_RULE_KNOWLEDGE) set = field[RULE_ENVIRONMENTS];
    if (set && js_count(doc, set) < 1) js_fail(doc, set, "expected at least one environment");
    if (!set && (int)js_count(doc, field[RULE_WEIGHTS]) != r->policy->K)
        js_fail(doc, field[RULE_WEIGHTS], "expected %d likelihoods, one per environment", r->policy->K);
    policy_rule *rule = add_rule(r, &key, set ? (int)js_count(doc, set) : 0, field[RULE_DO]);
    if (set)
        read_environment_set(r, set, rule->env);
    else
        read_likelihood(r, field[RULE_WEIGHTS], rule->likelihood);
    if (field[RULE_FOLLOW])
        read_follow(r, field[RULE_FOLLOW], rule);
    else
        read_choice(r, field[RULE_DO], rule);
}

/* Plan j, an object with rules that have a time, a state and an action. */
static void read_plan(policy_reader *r, uint32_t at, int j)
{
    const js_doc *doc = r->doc;
    uint32_t rules, field[RULE_FIELDS];
    js_fields(doc, at, plan_field, 1, &rules);
    for (uint32_t c = rules + 1; c < js_end(doc, rules); c = js_end(doc, c)) {
        rule_key key = {.kind = VOUCH_RULE_PLAN, .behind_time = -1, .behind_state = -1};
        js_fields(doc, c, rule_field, RULE_FIELDS, field);
        if (field[RULE_ENVIRONMENTS] || field[RULE_BEHIND] || field[RULE_WEIGHTS] || field[RULE_FOLLOW] || !field[RULE_DO])
            js_fail(doc, c, "expected the fields \"time\", \"state\" and \"do\": a plan looks at nothing else");
        read_place(r, field, &key);
        policy_rule *rule = add_rule(r, &key, 0, field[RULE_DO]);
        rule->plan = j;
        read_choice(r, field[RULE_DO], rule);
    }
}

/* All plans; each is followed by some rule. */
static void read_plans(policy_reader *r, uint32_t at)
{
    vouch_policy *policy = r->policy;
    int j = 0;
    unsigned char *used = ESCAPE_ZERO(r->doc->e, unsigned char, policy->plans);
    for (size_t i = 0; i < policy->rule_count; i++)
        for (int e = 0; e < policy->rules[i].follow_count; e++) used[policy->rules[i].follow[e]] = 1;
    for (uint32_t c = at + 1; c < js_end(r->doc, at); c = js_end(r->doc, c), j++) {
        if (!used[j]) js_fail(r->doc, c, "no rule follows this plan");
        read_plan(r, c, j);
    }
}

/* What rules do that follow plans. */
static void link_plans(const policy_reader *r, uint32_t rules)
{
    size_t lost;
    int plan;
    vouch_status status = plans_link(r->policy, &lost, &plan);
    if (status == VOUCH_ERROR_MEMORY) escape_memory(r->doc->e);
    if (!status) return;
    uint32_t c = rules + 1;
    for (size_t i = 0; i < lost; i++) c = js_end(r->doc, c);
    const policy_rule *rule = &r->policy->rules[lost];
    js_fail(r->doc, c, "plan %d has no rule for time %d, state \"%.100s\", where it begins", plan, rule->time - r->policy->offset,
            r->model->state_name[rule->state]);
}

typedef struct keyed {
    const policy_rule *rule;
    uint32_t node;
    int K;
} keyed;

/* The array of a plan's rules: the value of its only field. */
static uint32_t rules_of_plan(uint32_t plan) { return plan + 2; }

static int by_key(const void *x, const void *y)
{
    const policy_rule *a = ((const keyed *)x)->rule, *b = ((const keyed *)y)->rule;
    const int left[] = {(int)a->kind, a->time, a->state, a->boundary_state, a->env_count, a->plan};
    const int right[] = {(int)b->kind, b->time, b->state, b->boundary_state, b->env_count, b->plan};
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (left[i] != right[i]) return left[i] < right[i] ? -1 : 1;
    for (int i = 0; i < a->env_count; i++)
        if (a->env[i] != b->env[i]) return a->env[i] < b->env[i] ? -1 : 1;
    for (int k = 0; a->likelihood && k < ((const keyed *)x)->K; k++)
        if (a->likelihood[k] != b->likelihood[k]) return a->likelihood[k] < b->likelihood[k] ? -1 : 1;
    return 0;
}

static void refuse_repeated(const policy_reader *r, uint32_t rules, uint32_t plans)
{
    const vouch_policy *policy = r->policy;
    keyed *list = ESCAPE_NEW(r->doc->e, keyed, policy->rule_count);
    size_t i = 0;
    for (uint32_t c = rules + 1; c < js_end(r->doc, rules); c = js_end(r->doc, c), i++)
        list[i] = (keyed){&policy->rules[i], c, policy->K};
    for (uint32_t p = plans + 1, c; plans && p < js_end(r->doc, plans); p = js_end(r->doc, p))
        for (c = rules_of_plan(p) + 1; c < js_end(r->doc, rules_of_plan(p)); c = js_end(r->doc, c), i++)
            list[i] = (keyed){&policy->rules[i], c, policy->K};
    if (policy->rule_count > 1) qsort(list, policy->rule_count, sizeof *list, by_key);
    for (i = 1; i < policy->rule_count; i++)
        if (by_key(&list[i - 1], &list[i]) == 0)
            js_fail(r->doc, list[i].node > list[i - 1].node ? list[i].node : list[i - 1].node, "a second rule for the same node");
}

static void policy_rules_read(policy_reader *r, uint32_t rules, uint32_t plans)
{
    r->policy->plans = plans ? (int)js_count(r->doc, plans) : 0;
    for (uint32_t c = rules + 1; c < js_end(r->doc, rules); c = js_end(r->doc, c)) read_rule(r, c);
    if (plans) read_plans(r, plans);
    refuse_repeated(r, rules, plans);
    link_plans(r, rules);
}

enum {
    TOP_VERSION,
    TOP_MODEL,
    TOP_METHOD,
    TOP_L,
    TOP_T,
    TOP_P,
    TOP_STATUS,
    TOP_SENSE,
    TOP_OBJECTIVE,
    TOP_WEIGHTS,
    TOP_VALUE,
    TOP_MAX_REGRET
};
enum { TOP_BOUND = TOP_MAX_REGRET + 1, TOP_TOTAL_REGRET, TOP_BOUNDED, TOP_ENVIRONMENTS, TOP_RULES, TOP_PLANS, TOP_FIELDS };
static const js_field top_field[TOP_FIELDS] = {{"vouch_policy", NUMBER, true},
                                               {"model", STRING, false},
                                               {"method", STRING, false},
                                               {"L", NUMBER, true},
                                               {"T", NUMBER, true},
                                               {"p", NUMBER, false},
                                               {"status", STRING, false},
                                               {"sense", STRING, false},
                                               {"objective", STRING, false},
                                               {"weights", ARRAY, false},
                                               {"value", FIGURE, false},
                                               {"max_regret", FIGURE, false},
                                               {"bound", FIGURE, false},
                                               {"total_regret", FIGURE, false},
                                               {"optima_bounded", TRUTH, false},
                                               {"environments", ARRAY, false},
                                               {"rules", ARRAY, true},
                                               {"plans", ARRAY, false}};
enum {
    ENV_NAME,
    ENV_OPTIMAL,
    ENV_VALUE,
    ENV_REGRET,
    ENV_PROBABILITY,
    ENV_COMMITMENTS,
    ENV_LARGEST,
    ENV_WORST,
    ENV_DETERMINISM,
    ENV_FIELDS
};
static const js_field env_field[ENV_FIELDS] = {{"name", STRING, true},
                                               {"optimal_value", FIGURE, false},
                                               {"value", FIGURE, false},
                                               {"regret", FIGURE, false},
                                               {"commitment_probability", FIGURE, false},
                                               {"commitments", OBJECT, false},
                                               {"largest_probability", FIGURE | OBJECT, false},
                                               {"worst_probability", FIGURE | OBJECT, false},
                                               {"regret_of_determinism", FIGURE, false}};
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
    const char *sense = field[TOP_SENSE] ? js_string(doc, field[TOP_SENSE]) : "";
    if (strcmp(sense, "min") == 0 && r->model->sense != VOUCH_MINIMISE)
        js_fail(doc, field[TOP_SENSE], "the policy minimises costs, the model has rewards: give --minimise");
    policy->sense = r->model->sense;
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

/* ---- writing ------------------------------------------------------------------------------------------------------- */

/* Writing the policy file; see policy_json.c. */

void json_write_environment(text *t, const char *name, const vouch_environment_figures *f)
{
    js_add(t, "\n    { \"name\": \"%s\", \"optimal_value\": %g, \"value\": %g, \"regret\": %g, \"commitment_probability\": %g",
           name, f->optimal_value, f->value, f->regret, f->commitment_probability);
}

/* {name: value, ..} of the promises. */
static void json_write_promises(text *t, const char *field, const vouch_policy *policy, const double value[])
{
    text_add(t, ", \"%s\": {", field);
    for (int j = 0; j < policy->promises; j++) js_add(t, "%s\"%s\": %g", j ? ", " : " ", policy->promise_name[j], value[j]);
    text_add(t, " }");
}

/* The same in environment k, or a number if promises have no names. value NULL: nothing. */
static void write_by_promise(text *t, const char *field, const vouch_policy *policy, const double value[], int k)
{
    if (value && policy->promise_name)
        json_write_promises(t, field, policy, value + k * policy->promises);
    else if (value)
        js_add(t, ", \"%s\": %g", field, value[k]);
}

void policy_json_write_environments(const vouch_policy *policy, text *t)
{
    for (int k = 0; k < policy->K; k++) {
        text_add(t, k ? "," : "[");
        json_write_environment(t, policy->env_name[k], &policy->figures[k]);
        if (policy->determinism) js_add(t, ", \"regret_of_determinism\": %g", policy->determinism[k]);
        if (policy->promise_name && (policy->commitments || policy->promises == 1)) {
            const double *one = &policy->figures[k].commitment_probability;
            json_write_promises(t, "commitments", policy, policy->commitments ? policy->commitments + k * policy->promises : one);
        }
        write_by_promise(t, "largest_probability", policy, policy->largest_probability, k);
        write_by_promise(t, "worst_probability", policy, policy->worst, k);
        text_add(t, " }");
    }
    text_add(t, "]");
}

void policy_json_write_objective(const vouch_policy *policy, text *t)
{
    if (policy->objective == VOUCH_OBJECTIVE_REGRET) return;
    text_add(t, ", \"objective\": \"%s\"", vouch_objective_text(policy->objective));
    for (int k = 0; k < policy->K && policy->weights; k++) js_add(t, "%s%g", k ? ", " : ", \"weights\": [", policy->weights[k]);
    if (policy->weights) text_add(t, "]");
    js_add(t, ", \"value\": %g", policy_value(policy));
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

static void write_add_rule(text *t, const vouch_policy *policy, const vouch_model *m, const policy_rule *rule)
{
    CHECK_COMPARE(rule->do_count, >, 0);
    js_add(t, "{ \"time\": %d, \"state\": \"%s\"", rule->time - policy->offset, m->state_name[rule->state]);
    if (rule->kind == VOUCH_RULE_KNOWLEDGE) {
        text_add(t, ", \"environments\": ");
        add_set(t, rule);
    } else if (rule->kind == VOUCH_RULE_BOUNDARY) {
        js_add(t, ", \"boundary\": { \"time\": %d, \"state\": \"%s\", \"environments\": ", rule->boundary_time - policy->offset,
               m->state_name[rule->boundary_state]);
        add_set(t, rule);
        text_add(t, " }");
    } else if (rule->kind == VOUCH_RULE_LIKELIHOOD) {
        text_add(t, ", \"likelihood\": ");
        for (int k = 0; k < policy->K; k++) js_add(t, "%s%g", k ? "," : "[", rule->likelihood[k]);
        text_add(t, "]");
    }
    for (int i = 0; i < rule->follow_count; i++)
        js_add(t, "%s\"%d\": %g", i ? ", " : ", \"follow\": { ", rule->follow[i], rule->share[i]);
    for (int i = 0; i < rule->do_count && rule->follow_count == 0; i++)
        js_add(t, "%s\"%s\": %g", i ? ", " : ", \"do\": { ", m->action_name[rule->action[i]], rule->prob[i]);
    text_add(t, " } }");
}

static void add_plans(text *t, const vouch_policy *policy, const vouch_model *m)
{
    int plan = -1;
    for (size_t i = policy->plan_rules; i < policy->rule_count; i++) {
        const policy_rule *rule = &policy->rules[i];
        if (rule->plan != plan) text_add(t, "%s\n    { \"rules\": [", plan < 0 ? ",\n  \"plans\": [" : "] },");
        text_add(t, "%s\n      ", rule->plan != plan ? "" : ",");
        plan = rule->plan;
        write_add_rule(t, policy, m, rule);
    }
    if (plan >= 0) text_add(t, "] }]");
}

void policy_json_write(const vouch_policy *policy, const vouch_model *model, text *t)
{
    js_add(t, "{ \"vouch_policy\": 1, \"model\": \"%s\", \"method\": \"%s\", \"L\": %d, \"T\": %d", policy->model_name,
           policy->method, policy->L, policy->T - policy->offset);
    if (!policy->promise_name) js_add(t, ", \"p\": %g", policy->p);
    text_add(t, ",\n  \"status\": \"%s\"", vouch_plan_outcome_text(policy->outcome));
    if (policy->sense == VOUCH_MINIMISE) text_add(t, ", \"sense\": \"min\"");
    policy_json_write_objective(policy, t);
    js_add(t, ", \"max_regret\": %g, \"bound\": %g, \"total_regret\": %g", policy->max_regret, policy->bound, policy->total_regret);
    policy_json_write_bounded(policy, t);
    text_add(t, ",\n  \"environments\": ");
    policy_json_write_environments(policy, t);
    text_add(t, ",\n  \"rules\": [");
    for (size_t i = 0; i < policy->rule_count && policy->rules[i].kind != VOUCH_RULE_PLAN; i++) {
        text_add(t, "%s\n    ", i ? "," : "");
        write_add_rule(t, policy, model, &policy->rules[i]);
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

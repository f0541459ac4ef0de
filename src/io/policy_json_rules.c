/* io/policy_json_rules.c - see policy_json_rules.h.
 *
 * { "time": 3, "state": "s", KEY, "do": { "a": 0.25, "b": 0.75 } }, KEY one of "environments", "boundary" and "likelihood". With
 * the last there may be "follow": { "0": 0.5, "2": 0.5 } instead of "do": from there on plan 0 or 2 is followed. A plan is {
 * "rules": [..] }, whose rules have no KEY. Cost: O(rules log rules). Invariant: each plan is followed by some rule, and has a rule
 * wherever it is followed.
 */
#include "io/policy_json_rules.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/locale.h"
#include "mdp/join.h"
#include "policy/policy.h"

enum { RULE_TIME, RULE_STATE, RULE_ENVIRONMENTS, RULE_BEHIND, RULE_WEIGHTS, RULE_DO, RULE_FOLLOW, RULE_FIELDS };
static const js_field rule_field[RULE_FIELDS] = {
    [RULE_TIME] = {"time", NUMBER, true},
    [RULE_STATE] = {"state", STRING, true},
    [RULE_ENVIRONMENTS] = {"environments", ARRAY, false},
    [RULE_BEHIND] = {"boundary", OBJECT, false},
    [RULE_WEIGHTS] = {"likelihood", ARRAY, false},
    [RULE_DO] = {"do", OBJECT, false},
    [RULE_FOLLOW] = {"follow", OBJECT, false},
};
static const js_field plan_field[] = {{"rules", ARRAY, true}};
enum { BEHIND_TIME, BEHIND_STATE, BEHIND_ENVIRONMENTS, BEHIND_FIELDS };
static const js_field behind_field[BEHIND_FIELDS] = {[BEHIND_TIME] = {"time", NUMBER, true},
                                                     [BEHIND_STATE] = {"state", STRING, true},
                                                     [BEHIND_ENVIRONMENTS] = {"environments", ARRAY, true}};

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

static int by_number(const void *x, const void *y)
{
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

/* A non-empty list of different environments into env [js_count], ascending. */
static void read_environment_set(const policy_reader *r, uint32_t at, int *env)
{
    int n = 0;
    for (uint32_t c = at + 1; c < js_end(r->doc, at); c = js_end(r->doc, c)) env[n++] = js_int(r->doc, c, 0, r->model->K - 1);
    qsort(env, (size_t)n, sizeof *env, by_number);
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

/* ---- plans ---------------------------------------------------------------------------------------------------- */

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

/* ---- the same node twice ------------------------------------------------------------------------------------- */

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

/* ---- the whole ------------------------------------------------------------------------------------------------ */

void policy_rules_read(policy_reader *r, uint32_t rules, uint32_t plans)
{
    r->policy->plans = plans ? (int)js_count(r->doc, plans) : 0;
    for (uint32_t c = rules + 1; c < js_end(r->doc, rules); c = js_end(r->doc, c)) read_rule(r, c);
    if (plans) read_plans(r, plans);
    refuse_repeated(r, rules, plans);
    link_plans(r, rules);
}

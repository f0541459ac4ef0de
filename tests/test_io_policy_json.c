/* Policy files: exact round trips, every message, and memory that runs out at every allocation. */
#include "test.h"

#include <vouch/vouch.h>

#include "base/text.h"
#include "io/json.h"
#include <vouch/generate.h>
#include "policy/policy.h"

static vouch_model *maze(void)
{
    vouch_model *m;
    vouch_error error = {0};
    vouch_maze_shape shape = {.corridor = 3, .up = 2, .down = 2, .environments = 2, .horizon = 10, .probability = 0.6, .grip = 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, &error), VOUCH_OK);
    return m;
}

static vouch_status parse(vouch_policy **policy, const vouch_model *m, const char *content, vouch_error *error)
{
    char *copy = mem_string(content);
    assert_non_null(copy);
    return policy_json_parse(policy, m, "p.json", copy, strlen(content), error);
}

static const char good[] =
    "{\"vouch_policy\": 1, \"model\": \"t-maze\", \"method\": \"milp-ccl\", \"L\": 1, \"T\": 10, \"p\": 0.6,\n"
    "\"status\": \"optimal\", \"max_regret\": 0.1, \"bound\": null, \"total_regret\": 0.30000000000000004,\n"
    "\"environments\": [{\"name\": \"k1\", \"optimal_value\": 3, \"value\": 2, \"regret\": 1, \"commitment_probability\": 0.7},\n"
    "{\"name\": \"k2\"}],\n"
    "\"rules\": [{\"time\": 0, \"state\": \"x0\", \"environments\": [1, 0], \"do\": {\"east\": 1}},\n"
    "{\"time\": 3, \"state\": \"s\", \"boundary\": {\"time\": 1, \"state\": \"x1\", \"environments\": [1]}, \"do\": {\"west\": "
    "0.75, \"east\": 0.25}},\n"
    "{\"time\": 9, \"state\": \"r\", \"likelihood\": [1, 0.3], \"do\": {\"north\": 1}}]}";

/* Probabilities whose sum is off by rounding, in either direction, are normalised. */
static void test_rounded_probabilities_are_made_whole(void **state)
{
    (void)state;
    vouch_model *m = maze();
    static const double east[] = {0.2499995, 0.2500005};
    for (int i = 0; i < 2; i++) {
        vouch_policy *p;
        vouch_error error = {0};
        char other[2000];
        const char *at = strstr(good, "0.25}");
        assert_non_null(at);
        format_text(other, sizeof other, "%.*s%.7f%s", (int)(at - good), good, east[i], at + strlen("0.25"));
        if (parse(&p, m, other, &error)) fail_msg("%s", error.text);
        const double *prob = p->rules[1].prob;
        assert_near(prob[0], east[i] / (east[i] + 0.75), 1e-15);
        assert_near(prob[1], 0.75 / (east[i] + 0.75), 1e-15);
        vouch_policy_free(p);
    }
    vouch_model_free(m);
}

static void test_reads_what_is_written(void **state)
{
    (void)state;
    vouch_model *m = maze();
    vouch_policy *p, *q;
    vouch_error error = {0};
    if (parse(&p, m, good, &error)) fail_msg("%s", error.text);
    assert_true(p->L == 1 && p->T == 10 && p->p == 0.6 && p->outcome == VOUCH_PLAN_OPTIMAL && p->max_regret == 0.1 &&
                isnan(p->bound));
    assert_true(p->figures[0].value == 2 && isnan(p->figures[1].value));
    assert_int_equal(p->rule_count, 3);
    assert_true(p->rules[0].kind == VOUCH_RULE_KNOWLEDGE && p->rules[0].env[0] == 0 && p->rules[0].env[1] == 1);
    const policy_rule *r = &p->rules[1];
    assert_true(r->kind == VOUCH_RULE_BOUNDARY && r->boundary_time == 1 && r->boundary_state == 1 && r->env_count == 1 &&
                r->env[0] == 1);
    assert_true(r->do_count == 2 && r->action[0] < r->action[1] && r->prob[0] == 0.25 && r->prob[1] == 0.75);
    assert_true(p->rules[2].kind == VOUCH_RULE_LIKELIHOOD && p->rules[2].likelihood[1] == 0.3);
    text once = {0}, twice = {0};
    policy_json_write(p, m, &once);
    if (parse(&q, m, once.data, &error)) fail_msg("%s", error.text);
    policy_json_write(q, m, &twice);
    assert_string_equal(once.data, twice.data);
    text_free(&once);
    text_free(&twice);
    vouch_policy_free(p);
    vouch_policy_free(q);
    vouch_model_free(m);
}

typedef struct changed {
    const char *old, *new, *message;
} changed;

/* The file with one thing changed is refused, and says why. */
static void refuse_all(const char *file, const changed cases[], size_t count)
{
    vouch_model *m = maze();
    for (size_t i = 0; i < count; i++) {
        char content[2048];
        const char *at = strstr(file, cases[i].old);
        assert_non_null(at);
        snprintf(content, sizeof content, "%.*s%s%s", (int)(at - file), file, cases[i].new, at + strlen(cases[i].old));
        vouch_policy *p;
        vouch_error error = {0};
        assert_int_equal(parse(&p, m, content, &error), VOUCH_ERROR_INPUT);
        assert_null(p);
        assert_string_equal(error.text, cases[i].message);
    }
    vouch_model_free(m);
}

static void test_messages(void **state)
{
    (void)state;
    static const changed cases[] = {
        {"\"T\": 10", "\"T\": 9", "p.json:1: T: the policy is for the horizon 9, the model's is 10"},
        {"\"L\": 1", "\"L\": 11", "p.json:1: L: expected a whole number between 0 and 10, found 11"},
        {"\"L\": 1,", "", "p.json:1: the whole file: the field \"L\" is missing"},
        {"0.6,", "1.6,", "p.json:1: p: a probability must lie between 0 and 1, found 1.6"},
        {"optimal\"", "perfect\"", "p.json:2: status: expected optimal, feasible or infeasible"},
        {"\"k2\"", "\"k3\"", "p.json:4: environments[1].name: environment 1 is \"k2\" in the model, \"k3\" here"},
        {",\n{\"name\": \"k2\"}]", "]", "p.json:3: environments: the policy is for 1 environments, the model has 2"},
        {"\"x0\"", "\"x9\"", "p.json:5: rules[0].state: the model has no state \"x9\""},
        {"{\"east\": 1}", "{\"up\": 1}", "p.json:5: rules[0].do.up: the model has no action \"up\""},
        {"{\"east\": 1}", "{\"east\": 0.5}", "p.json:5: rules[0].do: the probabilities sum to 0.5; expected 1 (within 1e-06)"},
        {"{\"east\": 1}", "{\"east\": 0}", "p.json:5: rules[0].do.east: expected a probability above 0 and at most 1, found 0"},
        {"{\"east\": 1}", "{\"east\": 0.5, \"east\": 0.5}", "p.json:5: rules[0].do.east: the action is given twice"},
        {"{\"east\": 1}", "{}", "p.json:5: rules[0].do: expected at least one action"},
        {"[1, 0]", "[1, 1]", "p.json:5: rules[0].environments: the environment 1 is listed twice"},
        {"[1, 0]", "[1, 2]", "p.json:5: rules[0].environments[1]: expected a whole number between 0 and 1, found 2"},
        {"[1, 0]", "[]", "p.json:5: rules[0].environments: expected at least one environment"},
        {"\"time\": 0", "\"time\": 1",
         "p.json:5: rules[0].environments: from time L = 1 on rules are keyed by \"boundary\"; this one is for time 1"},
        {"\"time\": 0", "\"time\": 10", "p.json:5: rules[0].time: expected a whole number between 0 and 9, found 10"},
        {"\"time\": 3", "\"time\": 0",
         "p.json:6: rules[1].boundary: before time L = 1 rules are keyed by \"environments\"; this one is for time 0"},
        {"{\"time\": 1,", "{\"time\": 2,", "p.json:6: rules[1].boundary.time: expected a whole number between 1 and 1, found 2"},
        {"\"environments\": [1, 0], ", "",
         "p.json:5: rules[0]: expected exactly one of the fields \"environments\", \"boundary\" and \"likelihood\""},
        {"[1, 0.3]", "[0.9, 0.3]", "p.json:7: rules[2].likelihood: the largest likelihood must be 1, found 0.9"},
        {"[1, 0.3]", "[1]", "p.json:7: rules[2].likelihood: expected 2 likelihoods, one per environment"},
        {"[1, 0.3]", "[1, -0.3]", "p.json:7: rules[2].likelihood[1]: a likelihood must lie between 0 and 1, found -0.3"},
        {"\"do\": {\"north\": 1}}",
         "\"do\": {\"north\": 1}},\n{\"time\": 9, \"state\": \"r\", \"likelihood\": [1, 0.3], \"do\": {\"east\": 1}}",
         "p.json:8: rules[3]: a second rule for the same node"},
    };
    refuse_all(good, cases, sizeof cases / sizeof *cases);
}

static const char planned[] =
    "{\"vouch_policy\": 1, \"L\": 10, \"T\": 10,\n"
    "\"rules\": [{\"time\": 8, \"state\": \"x0\", \"likelihood\": [1, 0.5], \"do\": {\"east\": 1}},\n"
    "{\"time\": 9, \"state\": \"x1\", \"likelihood\": [1, 0.5], \"follow\": {\"1\": 0.75, \"0\": 0.25}}],\n"
    "\"plans\": [{\"rules\": [{\"time\": 9, \"state\": \"x1\", \"do\": {\"west\": 0.5, \"east\": 0.5}}]},\n"
    "{\"rules\": [{\"time\": 9, \"state\": \"x1\", \"do\": {\"west\": 1}},\n"
    "{\"time\": 8, \"state\": \"x1\", \"do\": {\"west\": 1}}]}]}";

/* Rules that follow plans do, for each plan, what its rule says there. */
static void test_plans_are_read(void **state)
{
    (void)state;
    vouch_model *m = maze();
    vouch_policy *p;
    vouch_rule r;
    vouch_error error = {0};
    if (parse(&p, m, planned, &error)) fail_msg("%s", error.text);
    assert_true(p->plans == 2 && p->plan_rules == 2);
    assert_int_equal(vouch_policy_rules(p), 5);
    vouch_policy_get_rule(p, 0, &r);
    assert_true(r.kind == VOUCH_RULE_LIKELIHOOD && !r.follow && r.plan == -1);
    vouch_policy_get_rule(p, 1, &r);
    assert_true(r.actions == 3 && r.follow[0] == 0 && r.follow[1] == 0 && r.follow[2] == 1);
    assert_true(r.action[0] < r.action[1] && (r.action[2] == r.action[0] || r.action[2] == r.action[1]));
    assert_true(r.probability[0] == 0.125 && r.probability[1] == 0.125 && r.probability[2] == 0.75);
    vouch_policy_get_rule(p, 3, &r); /* rules of a plan by time */
    assert_true(r.kind == VOUCH_RULE_PLAN && r.plan == 1 && r.time == 8 && r.environments == 0 && !r.likelihood);
    assert_int_equal(plans_rule(p, 1, 9, r.state), 4);
    assert_int_equal(plans_rule(p, 0, 8, r.state), -1);
    vouch_policy_free(p);
    vouch_model_free(m);
}

static void test_messages_of_plans(void **state)
{
    (void)state;
    static const changed cases[] = {
        {"\"1\": 0.75", "\"2\": 0.75", "p.json:3: rules[1].follow.2: there is no plan \"2\"; expected 0 .. 1"},
        {"\"1\": 0.75", "\"01\": 0.75", "p.json:3: rules[1].follow.01: there is no plan \"01\"; expected 0 .. 1"},
        {"\"1\": 0.75", "\"\": 0.75", "p.json:3: rules[1].follow.: there is no plan \"\"; expected 0 .. 1"},
        {"\"1\": 0.75", "\"99999999999999999999\": 0.75",
         "p.json:3: rules[1].follow.99999999999999999999: there is no plan \"99999999999999999999\"; expected 0 .. 1"},
        {"\"1\": 0.75", "\"1\": 0.5", "p.json:3: rules[1].follow: the probabilities sum to 0.75; expected 1 (within 1e-06)"},
        {"\"1\": 0.75", "\"1\": 0", "p.json:3: rules[1].follow.1: expected a probability above 0 and at most 1, found 0"},
        {"\"1\": 0.75", "\"1\": \"x\"", "p.json:3: rules[1].follow.1: expected a number, found a string"},
        {"\"1\": 0.75", "\"0\": 0.75", "p.json:3: rules[1].follow.0: the plan is given twice"},
        {"{\"1\": 0.75, \"0\": 0.25}", "{}", "p.json:3: rules[1].follow: expected at least one plan"},
        {"{\"1\": 0.75, \"0\": 0.25}", "{\"1\": 1}", "p.json:4: plans[0]: no rule follows this plan"},
        {"\"follow\"", "\"do\": {\"east\": 1}, \"follow\"",
         "p.json:3: rules[1]: expected one of the fields \"do\" and \"follow\", found both"},
        {"\"do\": {\"east\": 1}}", "\"state\": \"x0\"}", "p.json:2: rules[0].state: the field is given twice"},
        {", \"do\": {\"east\": 1}}", "}", "p.json:2: rules[0]: the field \"do\" is missing"},
        {"\"likelihood\": [1, 0.5], \"follow\"", "\"environments\": [0], \"follow\"",
         "p.json:3: rules[1].follow: only rules with \"likelihood\" follow plans"},
        {"{\"west\": 0.5", "{\"up\": 0.5", "p.json:4: plans[0].rules[0].do.up: the model has no action \"up\""},
        {"[{\"time\": 9, \"state\": \"x1\", \"do\": {\"west\": 0.5, \"east\": 0.5}}]", "[]",
         "p.json:3: rules[1]: plan 0 has no rule for time 9, state \"x1\", where it begins"},
        {"\"do\": {\"west\": 1}},\n", "\"likelihood\": [1, 0.5], \"do\": {\"west\": 1}},\n",
         "p.json:5: plans[1].rules[0]: expected the fields \"time\", \"state\" and \"do\": a plan looks at nothing else"},
        {"\"time\": 8, \"state\": \"x1\"", "\"time\": 9, \"state\": \"x1\"",
         "p.json:6: plans[1].rules[1]: a second rule for the same node"},
        {"\"plans\"", "\"plan\"", "p.json:4: plan: unknown field; did you mean \"plans\"?"},
    };
    refuse_all(planned, cases, sizeof cases / sizeof *cases);
}

/* Of reading and writing a file. */
static void memory_runs_out(const char *file)
{
    vouch_model *m = maze();
    long before = mem_live();
    int failures = 0;
    for (sweep w = {0};;) {
        char *copy = mem_string(file);
        vouch_policy *p = NULL;
        vouch_error error = {0};
        text t = {0};
        sweep_refuse(&w);
        vouch_status status = policy_json_parse(&p, m, "p.json", copy, strlen(file), &error);
        if (status == VOUCH_OK) {
            policy_json_write(p, m, &t);
            if (t.failed) status = VOUCH_ERROR_MEMORY;
        }
        bool last = sweep_ends(&w, status == VOUCH_OK);
        vouch_policy_free(p);
        text_free(&t);
        assert_int_equal(mem_live(), before);
        if (last) break;
        if (status == VOUCH_OK) continue;
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
        failures++;
    }
    assert_true(failures > 20);
    vouch_model_free(m);
}

static void test_memory_runs_out(void **state)
{
    (void)state;
    memory_runs_out(good);
    memory_runs_out(planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reads_what_is_written),
        cmocka_unit_test(test_rounded_probabilities_are_made_whole),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_plans_are_read),
        cmocka_unit_test(test_messages_of_plans),
        cmocka_unit_test(test_memory_runs_out),
    };
    return run_tests(tests);
}

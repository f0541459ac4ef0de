/* Checks of arguments by the public calls, and models with numbers too large: an error that names the argument, never a crash or a
 * sum of infinities. */
#include "test.h"

#include <vouch/vouch.h>

#include "base/memory.h"
#include <vouch/generate.h>
#include "mdp/model.h"

static vouch_model *example(void)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_generate_twin_states(&m, 3, &error), VOUCH_OK);
    return m;
}

static void wrong_plan(const vouch_model *m, const vouch_plan_options *o, const char *word)
{
    vouch_policy *p = NULL;
    vouch_error error = {0};
    assert_int_equal(vouch_plan(&p, m, o, &error), VOUCH_ERROR_ARGUMENT);
    assert_null(p);
    if (!strstr(error.text, word)) fail_msg("\"%s\" lacks \"%s\"", error.text, word);
}

static void wrong_ccil(const vouch_model *m, const vouch_ccil_options *o, const char *word)
{
    vouch_ccil *c = NULL;
    vouch_executor *e = NULL;
    vouch_error error = {0};
    assert_int_equal(vouch_ccil_new(&c, m, o, &error), VOUCH_ERROR_ARGUMENT);
    assert_null(c);
    if (!strstr(error.text, word)) fail_msg("\"%s\" lacks \"%s\"", error.text, word);
    assert_int_equal(vouch_executor_new(&e, m, o, &error), VOUCH_ERROR_ARGUMENT);
    assert_null(e);
}

static void test_options_out_of_range(void **state)
{
    (void)state;
    vouch_model *m = example();
    static const struct {
        size_t at;
        int value;
        const char *word;
    } integer[] = {
        {offsetof(vouch_plan_options, method), 5, "method 5"},
        {offsetof(vouch_plan_options, method), -1, "method -1"},
        {offsetof(vouch_plan_options, method), 7, "method 7"},
        {offsetof(vouch_plan_options, engine), 3, "engine 3"},
        {offsetof(vouch_plan_options, engine), -1, "engine -1"},
        {offsetof(vouch_plan_options, lookahead), -1, "L is -1"},
        {offsetof(vouch_plan_options, lookahead), 4, "L is 4"},
        {offsetof(vouch_plan_options, threads), 0, "threads is 0"},
        {offsetof(vouch_plan_options, threads), -3, "threads"},
        {offsetof(vouch_plan_options, restarts), -1, "restarts"},
        {offsetof(vouch_plan_options, objective), 7, "there is no objective 7"},
        {offsetof(vouch_plan_options, objective), -1, "there is no objective -1"},
    };
    for (size_t i = 0; i < sizeof integer / sizeof *integer; i++) {
        vouch_ccil_options o;
        vouch_ccil_options_init(&o);
        memcpy((char *)&o.plan + integer[i].at, &integer[i].value, sizeof(int));
        wrong_plan(m, &o.plan, integer[i].word);
        wrong_ccil(m, &o, integer[i].word);
    }
    static const struct {
        size_t at;
        double value;
        const char *word;
    } real[] = {{offsetof(vouch_plan_options, gap), -1, "gap"},
                {offsetof(vouch_plan_options, limits.seconds), -1, "time limit"},
                {offsetof(vouch_plan_options, limits.seconds), NAN, "time limit"}};
    for (size_t i = 0; i < sizeof real / sizeof *real; i++) {
        vouch_ccil_options o;
        vouch_ccil_options_init(&o);
        memcpy((char *)&o.plan + real[i].at, &real[i].value, sizeof(double));
        wrong_plan(m, &o.plan, real[i].word);
        wrong_ccil(m, &o, real[i].word);
    }
    static const struct {
        double weight[16]; /* the others are 0 */
        const char *word;
    } weighted[] = {
        {{1, -1}, "the weight -1 of environment"}, {{NAN, 1}, "the weight nan of environment"}, {{0, 0}, "all weights are 0"}};
    vouch_ccil_options o;
    for (size_t i = 0; i < sizeof weighted / sizeof *weighted; i++) {
        vouch_ccil_options_init(&o);
        o.plan.objective = VOUCH_OBJECTIVE_WEIGHTED;
        o.plan.weights = weighted[i].weight;
        wrong_plan(m, &o.plan, weighted[i].word);
    }
    vouch_ccil_options_init(&o);
    o.plan.limits.nodes = -1;
    wrong_plan(m, &o.plan, "limit of work");
    wrong_ccil(m, &o, "limit of work");
    vouch_ccil_options_init(&o);
    o.plan.lookahead = 0;
    wrong_ccil(m, &o, "L is 0");
    vouch_ccil_options_init(&o);
    o.plan.method = VOUCH_METHOD_HISTORY;
    wrong_ccil(m, &o, "CCIL plans with");
    assert_string_equal(vouch_method_text((vouch_method)7), "unknown");
    vouch_model_free(m);
}

/* NULL arguments: tests/prop_null.c. */
static void test_unfinished(void **state)
{
    (void)state;
    vouch_model *raw;
    assert_int_equal(vouch_model_new(&raw, 1, 1, 1, 1), VOUCH_OK);
    wrong_plan(raw, NULL, "not finished");
    wrong_ccil(raw, NULL, "not finished");
    vouch_model_free(raw);
}

/* Simulations need a thread; without options plans take the defaults. */
static void test_defaults(void **state)
{
    (void)state;
    vouch_model *m = example();
    vouch_policy *p;
    vouch_sample sample[9];
    vouch_simulation_options so;
    vouch_simulation_options_init(&so);
    assert_int_equal(vouch_plan(&p, m, NULL, NULL), VOUCH_OK);
    so.threads = 0;
    assert_int_equal(vouch_simulate(p, m, &so, sample, NULL), VOUCH_ERROR_ARGUMENT);
    vouch_policy_free(p);
    vouch_model_free(m);
}

/* A horizon at the end of int: every method ends with the outcome `limit`, CCIL with ERROR_SIZE. */
static void test_horizon_too_long(void **state)
{
    (void)state;
    static const int horizon[] = {INT32_MAX, INT32_MAX - 1, 1 << 30, 2000000};
    vouch_model *m = example();
    for (size_t i = 0; i < sizeof horizon / sizeof *horizon; i++) {
        assert_int_equal(vouch_model_set_horizon(m, horizon[i]), VOUCH_OK);
        for (int method = VOUCH_METHOD_MILP_CCL; method <= VOUCH_METHOD_MDPS_BEST; method++)
            for (int whole = 0; whole < 2; whole++) {
                vouch_plan_options o;
                vouch_policy *p;
                vouch_plan_result r;
                vouch_plan_options_init(&o);
                o.method = (vouch_method)method;
                o.lookahead = whole ? horizon[i] : 1;
                assert_int_equal(vouch_plan(&p, m, &o, NULL), VOUCH_OK);
                vouch_policy_get_result(p, &r);
                assert_int_equal(r.outcome, VOUCH_PLAN_LIMIT);
                assert_false(r.has_policy);
                assert_null(r.largest_probability);
                vouch_policy_free(p);
            }
        vouch_error error = {0};
        vouch_ccil *c;
        assert_int_equal(vouch_ccil_new(&c, m, NULL, &error), VOUCH_ERROR_SIZE);
        assert_non_null(strstr(error.text, "too large: a horizon of"));
    }
    vouch_model_free(m);
    vouch_error error = {0};
    vouch_random_shape shape = {
        .states = 3, .actions = 2, .environments = 2, .horizon = INT32_MAX, .probability = 0.5, .branching = 2, .seed = 1};
    assert_int_equal(vouch_generate_random(&m, &shape, &error), VOUCH_ERROR_SIZE);
    assert_null(m);
}

static void test_rewards_too_large(void **state)
{
    (void)state;
    static const double reward[] = {1e100, -1e100, 1.1e100, -1e308};
    for (int i = 0; i < 4; i++) {
        vouch_model *m;
        vouch_error error = {0};
        vouch_model_fault fault;
        assert_int_equal(vouch_model_new(&m, 1, 1, 2, 100), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, 0, 0, 0, 0, 1, 0), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, 1, 0, 0, 0, 1, reward[i]), VOUCH_OK);
        assert_int_equal(vouch_model_add(m, 1, 0, 0, 0, 0, NAN), VOUCH_ERROR_INPUT);
        assert_int_equal(vouch_model_add(m, 1, 0, 0, 0, 0, INFINITY), VOUCH_ERROR_INPUT);
        assert_int_equal(vouch_model_finish(m, &fault, &error), i < 2 ? VOUCH_OK : VOUCH_ERROR_INPUT);
        if (i >= 2) {
            assert_int_equal(fault.environment, 1);
            assert_non_null(strstr(error.text, "environment \"k2\", state \"s0\", action \"a0\": the reward"));
        } else { /* sums are finite */
            vouch_policy *p;
            vouch_plan_result r;
            assert_int_equal(vouch_plan(&p, m, NULL, &error), VOUCH_OK);
            vouch_policy_get_result(p, &r);
            assert_true(isfinite(r.figures[1].optimal_value) && isfinite(r.total_regret));
            vouch_policy_free(p);
        }
        vouch_model_free(m);
    }
}

/* A model joined with a promise's memory has the labels of its states, and no others. */
static void test_labels(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2, 1, 2, 3), VOUCH_OK);
    for (int i = 0; i < 4; i++) assert_int_equal(vouch_model_add(m, i / 2, i % 2, 0, 1, 1, 0), VOUCH_OK);
    assert_int_equal(vouch_model_add_promise(m, "there", VOUCH_PROMISE_BY, -1, -1), VOUCH_OK);
    assert_int_equal(vouch_model_set_promise_state(m, 0, -1, 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_add_label(m, "end"), VOUCH_OK);
    assert_int_equal(vouch_model_add_label(m, "end"), VOUCH_ERROR_INPUT);
    assert_int_equal(vouch_model_set_label_state(m, 0, 1, 1, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_label_state(m, 1, 1, 1, 1), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_set_label_state(m, 0, 1, 2, 1), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    int S = vouch_model_states(m), last = S - 1;
    assert_string_equal(vouch_model_label_name(m, 0), "end");
    assert_null(vouch_model_label_name(m, 1));
    assert_null(vouch_model_label_name(m, -1));
    assert_int_equal(vouch_model_has_label(m, 0, 1, last), 1);
    assert_int_equal(vouch_model_has_label(m, 0, 0, last), 0);
    assert_int_equal(vouch_model_has_label(m, 0, 1, 0), 0);
    static const int wrong[][3] = {{-1, 1, 1}, {1, 1, 1}, {0, -1, 1}, {0, 2, 1}, {0, 1, -1}, {0, 1, 1000}};
    for (int i = 0; i < 6; i++) assert_int_equal(vouch_model_has_label(m, wrong[i][0], wrong[i][1], wrong[i][2]), 0);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_options_out_of_range), cmocka_unit_test(test_unfinished),
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_horizon_too_long),     cmocka_unit_test(test_rewards_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Promises on average, alone and beside one made in every environment: plans against all deterministic policies, with priors that
 * have zeros, several first states and unseen rewards; other methods and engines against these plans; files and copies.
 * VOUCH_AVERAGES: number of models. */
#include "average_aid.h"

#include <vouch/model_io.h>

#include "io/model_json.h"

enum { MODELS = 500 };
static const long long BRUTE_STEPS = 400000;

static vouch_plan_result planned(const vouch_model *m, vouch_plan_options *o, vouch_policy **policy)
{
    vouch_plan_result r;
    *policy = plan_by(m, o);
    vouch_policy_get_result(*policy, &r);
    return r;
}

static double regret_by(const vouch_model *m, vouch_method method, vouch_engine engine, int L, double least)
{
    vouch_plan_options o = plan_options(method, L);
    vouch_policy *policy;
    o.engine = engine;
    vouch_plan_result r = planned(m, &o, &policy);
    double value = r.has_policy ? r.max_regret : INFINITY;
    if (r.has_policy) {
        vouch_environment_figures figures[MOST_ENVIRONMENTS];
        vouch_error error = {0};
        int kept = 0;
        assert_true(vouch_model_mean_kept(m, vouch_model_find_promise(m, "mean"), mean_of(m, &r)));
        assert_true(r.bound <= value + 1e-9);
        if (vouch_policy_evaluate(policy, m, figures, &kept, &error)) fail_msg("%s", error.text);
        assert_true(kept);
        for (int k = 0; k < r.environments; k++) assert_true(figures[k].regret >= -1e-9);
    }
    if (r.bound > least + 1e-6) fail_msg("bound %.10g of method %d above %.10g", r.bound, (int)method, least);
    vouch_policy_free(policy);
    return value;
}

/* Returns whether all policies were tried. */
static bool against_all(uint64_t seed, kind how, int *found)
{
    double level = drawn_level(seed, how), optimal[MOST_ENVIRONMENTS];
    vouch_model *m = drawn_model(seed, how, &level), *alone = drawn_model(seed, how, NULL);
    int L = (int)(seed % (uint64_t)(m->T + 1));
    brute b;
    for (int k = 0; k < m->K; k++)
        assert_int_equal(dp_constrained(alone, k, how.mixed ? vouch_model_promise_probability(alone, 0, k) : 0, &optimal[k], NULL),
                         VOUCH_OK);
    brute_solve(m, L, optimal, BRUTE_STEPS, &b);
    bool complete = b.complete;
    if (complete) {
        double least = b.found ? b.max_regret : INFINITY;
        double policy = regret_by(m, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_AUTO, L, least);
        double program = regret_by(m, VOUCH_METHOD_MILP_CCL, VOUCH_ENGINE_LP, L, least);
        if (b.found && !(fabs(policy - least) <= 2e-6))
            fail_msg("model %d, L = %d: %.10g, all policies: %.10g", (int)seed, L, policy, least);
        if (!b.found) assert_true(isinf(policy));
        if (b.found && !(fabs(program - least) <= 2e-6))
            fail_msg("model %d, L = %d: LP %.10g, all policies: %.10g", (int)seed, L, program, least);
        if (!b.found) assert_true(isinf(program));
        *found += b.found;
        double history = regret_by(m, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_AUTO, 0, least);
        assert_true(history <= least + 2e-6);
        double lp = regret_by(m, VOUCH_METHOD_HISTORY, VOUCH_ENGINE_LP, 0, least);
        if (!(history == lp) && !(fabs(history - lp) <= 2e-6))
            fail_msg("model %d: history %.10g, by its program %.10g", (int)seed, history, lp);
        double exact = regret_by(m, VOUCH_METHOD_EXACT_CCL, VOUCH_ENGINE_AUTO, L, least);
        assert_true(exact >= history - 2e-6);
        assert_true(exact <= least + 1e-4 || !b.found);
    }
    brute_free(&b);
    vouch_model_free(m);
    vouch_model_free(alone);
    return complete;
}

static void test_all_policies(void **state)
{
    (void)state;
    const char *asked = getenv("VOUCH_AVERAGES");
    int models = asked ? atoi(asked) : MODELS, complete = 0, found = 0;
    for (int i = 0; i < models; i++) complete += against_all((uint64_t)i, kind_of(i), &found);
    print_message("%d models, all policies tried on %d, %d of which keep their promises\n", models, complete, found);
    if (models >= MODELS) assert_true(complete > models * 9 / 10 && found > complete / 2 && found < complete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_all_policies)};
    return run_tests(tests);
}

/* Markov policies written without policy nodes against the evaluation of their rules, on random models. */
#include "test.h"

#include <vouch/vouch.h>

#include "base/memory.h"
#include "base/rng.h"
#include "mdp/model.h"
#include "oracle/wild.h"
#include "policy/policy.h"

enum { MODELS = 300, MOST_ENVIRONMENTS = 4 };

static double *random_table(const vouch_model *m, rng *r)
{
    double *table = MEM_ZERO(double, (size_t)m->T *(size_t)m->pairs);
    assert_non_null(table);
    for (int t = 0; t < m->T; t++)
        for (int s = 0; s < m->S; s++) {
            int first = m->pair_start[s], count = m->pair_start[s + 1] - first;
            if (count > 0) table[(size_t)t * (size_t)m->pairs + (size_t)first + rng_below(r, (uint64_t)count)] = 1;
        }
    return table;
}

/* The table as a policy of m, which promises p. */
static vouch_policy *written(vouch_model *m, double p, const double table[], vouch_model *rescaled)
{
    double optimal[MOST_ENVIRONMENTS];
    assert_int_equal(vouch_model_set_probability(m, p), VOUCH_OK);
    assert_int_equal(model_rescaled(m, &(rescale_options){0}, rescaled), VOUCH_OK);
    for (int k = 0; k < m->K; k++) optimal[k] = m->T * rescaled->scale.spread;
    vouch_policy *policy = policy_new(m->K);
    assert_non_null(policy);
    assert_int_equal(policy_describe(policy, m, "milp-ccl", 0), 0);
    assert_int_equal(table_policy_write(rescaled, table, optimal, policy), VOUCH_OK);
    return policy;
}

static void test_figures(void **state)
{
    (void)state;
    int broken = 0;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        rng r = rng_seed(seed);
        vouch_model *m = wild_model(seed), rescaled;
        vouch_environment_figures figures[MOST_ENVIRONMENTS];
        int kept;
        double *table = random_table(m, &r), least = 1;
        vouch_policy *policy = written(m, 0, table, &rescaled);
        vouch_error error;
        assert_true(policy->has_policy && policy->late);
        if (vouch_policy_evaluate(policy, m, figures, &kept, &error)) fail_msg("seed %d: %s", (int)seed, error.text);
        for (int k = 0; k < m->K; k++) {
            const vouch_environment_figures *told = &policy->figures[k];
            assert_near(told->value, figures[k].value, 1e-9 * (1 + m->T * rescaled.scale.spread));
            assert_near(told->commitment_probability, figures[k].commitment_probability, 1e-12);
            assert_true(told->optimal_value >= figures[k].optimal_value - 1e-6 * (1 + rescaled.scale.spread));
            if (told->commitment_probability < least) least = told->commitment_probability;
        }
        model_rescaled_free(&rescaled);
        vouch_policy_free(policy);
        policy = written(m, least, table, &rescaled);
        assert_true(policy->has_policy);
        model_rescaled_free(&rescaled);
        vouch_policy_free(policy);
        if (least < 0.999) { /* a promise that the least environment breaks */
            policy = written(m, least + 0.001, table, &rescaled);
            assert_true(!policy->has_policy && policy->rule_count == 0);
            model_rescaled_free(&rescaled);
            vouch_policy_free(policy);
            broken++;
        }
        mem_free(table);
        vouch_model_free(m);
    }
    assert_true(broken > MODELS / 4);
}

/* Rules that share the set of all rows are each of all environments when rows of promises become environments. */
static void test_shared_sets_merge(void **state)
{
    (void)state;
    uint64_t seed = 1;
    vouch_model *m = wild_model(seed);
    while (m->K != MOST_ENVIRONMENTS) {
        vouch_model_free(m);
        m = wild_model(++seed);
    }
    vouch_model rows = *m; /* two promises of each of two environments */
    rows.group = 2;
    vouch_policy *policy = policy_new(m->K);
    assert_non_null(policy);
    assert_int_equal(policy_describe(policy, m, "milp-ccl", 0), 0);
    policy_rule *rule = policy_add_sure_rules(policy, 3);
    assert_non_null(rule);
    for (int i = 0; i < 3; i++) rule[i].time = i;
    assert_int_equal(policy->rule_count, 3);
    assert_int_equal(policy_merge(policy, &rows), 0);
    assert_int_equal(policy->K, MOST_ENVIRONMENTS / 2);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(policy->rules[i].env_count, MOST_ENVIRONMENTS / 2);
        for (int k = 0; k < MOST_ENVIRONMENTS / 2; k++) assert_int_equal(policy->rules[i].env[k], k);
        assert_near(policy->rules[i].prob[0], 1, 0);
    }
    vouch_policy_free(policy);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures), cmocka_unit_test(test_shared_sets_merge)};
    return run_tests(tests);
}

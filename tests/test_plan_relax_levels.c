/* Rungs: where likelihood classes are many the search races over limits on them, and the answer stays the same. */
#include "plan_aid.h"

#include <string.h>

#include "base/rng.h"
#include "evaluate_aid.h"

/* Every action of every environment may lead to every state, so that classes multiply with each step. */
static vouch_model *dense(int number)
{
    enum { S = 3, T = 5 };
    vouch_model *m;
    int A = 3, K = 2 + number % 2;
    rng r = rng_seed((uint64_t)number);
    assert_int_equal(vouch_model_new(&m, S, A, K, T), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int s = 0; s < S; s++)
            for (int a = 0; a < A; a++) {
                double weight[S], sum = 0, reward = 10 * rng_unit(&r);
                for (int n = 0; n < S; n++) sum += weight[n] = 0.01 + rng_unit(&r);
                for (int n = 0; n < S; n++) assert_int_equal(vouch_model_add(m, k, s, a, n, weight[n] / sum, reward), VOUCH_OK);
            }
    for (int s = 0; s < S; s++) assert_int_equal(vouch_model_set_commitment(m, s, number % 3 == 0 || s == 0), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, number % 3 == 0 ? 0 : 0.3), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

static void count_races(void *context, vouch_log_level level, const char *message)
{
    (void)level;
    *(int *)context += strstr(message, "likelihood classes, work") != NULL;
}

/* By levels, not by intervals of reach, which end dense models sooner. */
static vouch_plan_options options_of_rungs(const char *without)
{
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 0);
    o.without = without;
    o.tie_break_work = 200;
    return o;
}

static void rungs_leave_the_answer_as_it_is(void **state)
{
    (void)state;
    int races = 0;
    for (int number = 3; number < 7; number++) {
        vouch_model *m = dense(number);
        vouch_plan_options o = options_of_rungs("reach"), finest = options_of_rungs("levels,reach");
        int raced = 0, none = 0;
        o.least_total_regret = finest.least_total_regret = 0;
        o.log = (vouch_log){.level = VOUCH_LOG_DETAIL, .write = count_races, .context = &raced};
        finest.log = (vouch_log){.level = VOUCH_LOG_DETAIL, .write = count_races, .context = &none};
        vouch_policy *by_rungs = plan_by(m, &o), *by_finest = plan_by(m, &finest);
        races += raced;
        assert_int_equal(none, 0);
        assert_int_equal(by_finest->outcome, VOUCH_PLAN_OPTIMAL);
        assert_int_equal(by_rungs->outcome, VOUCH_PLAN_OPTIMAL);
        assert_near(by_rungs->max_regret, by_finest->max_regret, 2e-6);
        assert_sound(m, by_rungs);
        for (o.limits.iterations = 30; o.limits.iterations < 20000;
             o.limits.iterations *= 4) { /* whichever level a limit ends in */
            vouch_policy *early = plan_by(m, &o);
            assert_true(early->bound <= by_finest->max_regret + 1e-9);
            assert_true(!early->has_policy || early->max_regret >= by_finest->bound - 1e-9);
            vouch_policy_free(early);
        }
        vouch_policy_free(by_rungs);
        vouch_policy_free(by_finest);
        vouch_model_free(m);
    }
    assert_true(races > 3);
}

static void any_number_of_threads_gives_the_same_bytes(void **state)
{
    (void)state;
    vouch_model *m = dense(1);
    assert_same_bytes(m, options_of_rungs("reach"));
    vouch_model_free(m);
    /* walks and outcomes have their turns, some of them begun in vain */
    vouch_maze_shape z = {.corridor = 5, .up = 3, .down = 3, .environments = 4, .horizon = 15, .probability = 0.6, .grip = 0.8};
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    vouch_plan_options o = options_of_rungs(NULL);
    o.lookahead = 1;
    assert_same_bytes(m, o);
    vouch_model_free(m);
}

/* Values 3e-7 apart hang on probabilities of 1e-7: less than the tolerance of reduced costs in the relaxations of the integer
 * program. */
static void test_bounds_of_small_probabilities(void **state)
{
    (void)state;
    enum { S = 2, A = 3, K = 4 };
    static const double away[K][A] = {
        {-1, 0, 1e-7}, {-1, 0.5, 1e-7}, {-1, 1e-5, 1e-7}, {-1, 1, 1e-7}};    /* to state 1; -1: no such action */
    static const double rewards[K][S] = {{-1, -1}, {3, -1}, {3, 3}, {3, 3}}; /* of action 1, by successor */
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, S, A, K, 3), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int s = 0; s < S; s++)
            for (int a = 1; a < A; a++)
                for (int n = 0; n < S; n++) {
                    double p = n == 1 ? away[k][a] : 1 - away[k][a];
                    if (p > 0) assert_int_equal(vouch_model_add(m, k, s, a, n, p, a == 1 ? rewards[k][n] : 2), VOUCH_OK);
                }
    for (int s = 0; s < S; s++) assert_int_equal(vouch_model_set_commitment(m, s, 1), VOUCH_OK);
    assert_int_equal(vouch_model_set_probability(m, 1), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    vouch_plan_options o = plan_options(VOUCH_METHOD_MILP_CCL, 1);
    o.engine = VOUCH_ENGINE_LP;
    o.class_limit = 10;
    vouch_policy *p = plan_by(m, &o);
    assert_true(p->max_regret >= 2.9999994 - 1e-9);
    assert_true(p->bound <= 2.9999994 + 1e-8);
    vouch_policy_free(p);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rungs_leave_the_answer_as_it_is),
        cmocka_unit_test(test_bounds_of_small_probabilities),
        cmocka_unit_test(any_number_of_threads_gives_the_same_bytes),
    };
    return run_tests(tests);
}

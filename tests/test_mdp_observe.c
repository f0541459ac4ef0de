/* Which observed rewards are one observation: an equivalence relation, relative at every magnitude, decided once for a model and
 * the same for its parts. */
#include "test.h"

#include <vouch/vouch.h>

#include "base/memory.h"
#include "mdp/model.h"
#include "policy/policy.h"

#include "evaluate_aid.h"

/* One step s0 -> s1 that pays reward[k] in environment k, then `good` steps whose rewards identify the environment. */
static vouch_model *paying(const double reward[], int K)
{
    vouch_model *m;
    vouch_error error = {0};
    assert_int_equal(vouch_model_new(&m, 2, 2, K, 2), VOUCH_OK);
    for (int k = 0; k < K; k++)
        for (int s = 0; s < 2; s++)
            for (int a = 0; a < 2; a++)
                assert_int_equal(vouch_model_add(m, k, s, a, 1, 1, s == 0 ? reward[k] : (a == 0) == (k == 0)), VOUCH_OK);
    if (vouch_model_finish(m, NULL, &error)) fail_msg("%s", error.text);
    return m;
}

static int seen(const vouch_model *m, int k) { return m->env[k].seen[m->env[k].start[0]]; }

static void test_relative_at_every_magnitude(void **state)
{
    (void)state;
    for (double scale = 1e-300; scale < 1e90; scale *= 1e30) {
        double reward[4] = {scale, scale * (1 + 0.9e-9), 2 * scale, -scale};
        vouch_model *m = paying(reward, 4);
        assert_int_equal(seen(m, 0), seen(m, 1));
        assert_int_not_equal(seen(m, 0), seen(m, 2));
        assert_int_not_equal(seen(m, 0), seen(m, 3));
        assert_int_not_equal(seen(m, 2), seen(m, 3));
        vouch_model_free(m);
    }
    double tiny[3] = {0, 1e-12, 0};
    vouch_model *m = paying(tiny, 3);
    assert_int_not_equal(seen(m, 0), seen(m, 1));
    assert_int_equal(seen(m, 0), seen(m, 2));
    vouch_model_free(m);
}

static void test_chains_are_one(void **state)
{
    (void)state;
    double reward[4] = {1, 1 + 1.6e-9, 1 + 0.8e-9, 1 + 4e-9}; /* the first two are joined by the third */
    vouch_model *m = paying(reward, 4), *part;
    vouch_error error = {0};
    assert_int_equal(seen(m, 0), seen(m, 2));
    assert_int_equal(seen(m, 1), seen(m, 2));
    assert_int_not_equal(seen(m, 1), seen(m, 3));
    int pick[2] = {0, 1}; /* without the third they still are */
    assert_int_equal(vouch_model_restrict(&part, m, pick, 2, &error), VOUCH_OK);
    assert_int_equal(seen(part, 0), seen(part, 1));
    /* the copy read from a file tells them apart until it is given the copy's numbers */
    int number[8];
    double tolerance = 0;
    assert_int_equal(vouch_model_observations(part, &tolerance, number), 8);
    assert_true(tolerance == 1e-9);
    assert_int_equal(vouch_model_set_reward_tolerance(part, 0), VOUCH_OK);
    assert_int_not_equal(seen(part, 0), seen(part, 1));
    assert_int_equal(vouch_model_set_observations(part, tolerance, number, 7), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_model_set_observations(part, tolerance, number, 8), VOUCH_OK);
    assert_int_equal(seen(part, 0), seen(part, 1));
    vouch_model_free(part);
    /* asked again with another tolerance, also after finish */
    assert_int_equal(vouch_model_set_reward_tolerance(m, 1e-10), VOUCH_OK);
    assert_int_not_equal(seen(m, 0), seen(m, 2));
    assert_int_not_equal(seen(m, 1), seen(m, 2));
    assert_int_equal(vouch_model_set_reward_tolerance(m, 1e-8), VOUCH_OK);
    assert_int_equal(seen(m, 0), seen(m, 3));
    vouch_model_free(m);
}

/* In any order of environments, the rules of a plan match the walk over its nodes. */
static void test_plans_can_be_followed(void **state)
{
    (void)state;
    static const double apart[6][3] = {{0, 0.8e-9, 1.6e-9}, {0, 1.6e-9, 0.8e-9}, {0.8e-9, 0, 1.6e-9},
                                       {0.8e-9, 1.6e-9, 0}, {1.6e-9, 0, 0.8e-9}, {0, 0.8e-9, 4e-9}};
    for (int i = 0; i < 6; i++)
        for (int L = 0; L <= 2; L++)
            for (int history = 0; history < 2; history++) {
                double reward[3] = {1 + apart[i][0], 1 + apart[i][1], 1 + apart[i][2]};
                vouch_model *m = paying(reward, 3);
                vouch_error error = {0};
                vouch_plan_options o;
                vouch_policy *p;
                vouch_plan_options_init(&o);
                o.lookahead = L;
                if (history) o.method = VOUCH_METHOD_HISTORY;
                if (vouch_plan(&p, m, &o, &error)) fail_msg("%s", error.text);
                vouch_policy_graph *f = NULL;
                if (vouch_policy_graph_new(&f, p, m, &error)) fail_msg("%s", error.text);
                vouch_policy_graph_free(f);
                int kept = 0;
                if (evaluate_again(p, m, &kept, &error)) fail_msg("%s", error.text);
                vouch_policy_free(p);
                vouch_model_free(m);
            }
}

/* An observed reward is matched to the nearest one within the tolerance. */
static void test_agent_sees_the_nearest(void **state)
{
    (void)state;
    static const struct {
        double reward;
        int possible; /* environments after the observation; 0: refused */
    } seen_reward[] = {{1, 2}, {1 + 0.3e-9, 2}, {1 - 0.9e-9, 2}, {1 + 2.5e-9, 1}, {1 + 4e-9, 0}, {1 - 2e-9, 0}, {0, 0}};
    double reward[3] = {1, 1, 1 + 2e-9};
    for (size_t i = 0; i < sizeof seen_reward / sizeof *seen_reward; i++) {
        vouch_model *m = paying(reward, 3);
        vouch_error error = {0};
        vouch_ccil_options o;
        vouch_executor *e;
        vouch_ccil_options_init(&o);
        if (vouch_executor_new(&e, m, &o, &error)) fail_msg("%s", error.text);
        vouch_status status = vouch_executor_observe(e, -1, seen_reward[i].reward, 1, &error);
        assert_int_equal(status, seen_reward[i].possible ? VOUCH_OK : VOUCH_ERROR_INPUT);
        vouch_decision d;
        vouch_executor_decision(e, &d);
        if (!status) assert_int_equal(d.environments, seen_reward[i].possible);
        vouch_executor_free(e);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relative_at_every_magnitude),
        cmocka_unit_test(test_chains_are_one),
        cmocka_unit_test(test_plans_can_be_followed),
        cmocka_unit_test(test_agent_sees_the_nearest),
    };
    return run_tests(tests);
}

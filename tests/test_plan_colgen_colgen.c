/* The bound of a node: stopped early and taken up again it ends where it would have ended at once. */
#include "plan_aid.h"

#include "plan/colgen/colgen.h"

static void test_taken_up_again(void **state)
{
    (void)state;
    for (int number = 0; number < 30; number++) {
        vouch_model *m;
        vouch_random_shape z = {.states = 4,
                                .actions = 3,
                                .environments = 3,
                                .horizon = 4,
                                .probability = number % 3 * 0.2,
                                .branching = 2,
                                .seed = (uint64_t)number};
        assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
        policy_space space;
        colgen *at_once, *resumed;
        colgen_end first, second;
        deadline limit = deadline_start(&(vouch_limits){0});
        space_options so = space_options_for(number % 5);
        so.pareto_cap = PARETO_CAP;
        assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
        assert_int_equal(colgen_new(&space, &at_once), VOUCH_OK);
        assert_int_equal(colgen_new(&space, &resumed), VOUCH_OK);
        assert_int_equal(colgen_start(at_once, NULL, 0), VOUCH_OK);
        assert_int_equal(colgen_solve(at_once, INFINITY, 0, &limit, &first), VOUCH_OK);
        assert_int_equal(colgen_start(resumed, NULL, 0), VOUCH_OK);
        assert_int_equal(colgen_solve(resumed, 100, 0.99, &limit, &second), VOUCH_OK); /* a wide gap will do */
        assert_int_equal(colgen_solve(resumed, INFINITY, 0, &limit, &second), VOUCH_OK);
        assert_int_equal(first, second);
        if (first == COLGEN_SOLVED) {
            assert_near(at_once->bound, resumed->bound, 1e-6);
            assert_near(at_once->mixture, resumed->mixture, 1e-6);
        }
        assert_true(resumed->inductions <= 2 * at_once->inductions + 20);
        colgen_free(at_once);
        colgen_free(resumed);
        space_free(&space);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_taken_up_again)};
    return run_tests(tests);
}

/* The loop of column generation: both phases in turn, a known optimum, and where it ends. */
#include <signal.h>

#include "plan_aid.h"

#include "plan/colgen/colgen.h"

static const double p[2] = {0.5, 0.5}, regret[3][2] = {{0, 3}, {3, 0}, {5, 5}}, pr[3][2] = {{0.2, 0.9}, {0.9, 0.2}, {1, 1}};
static volatile sig_atomic_t over = 1;
static const deadline expired = {.limits = {.interrupt = &over}};

static policy_space two_environments(vouch_model **m)
{
    vouch_random_shape z = {.states = 3, .actions = 2, .environments = 2, .horizon = 2, .branching = 2, .seed = 1};
    policy_space space;
    space_options so = space_options_for(0);
    assert_int_equal(vouch_generate_random(m, &z, NULL), VOUCH_OK);
    assert_int_equal(space_make(*m, &so, &space, NULL), VOUCH_OK);
    return space;
}

static void mixtures_are_found_in_both_phases(void **state)
{
    (void)state;
    vouch_model *m;
    policy_space space = two_environments(&m);
    vouch_status status = VOUCH_OK;
    generation x;
    assert_int_equal(generation_init(&x, &space, true), VOUCH_OK);
    assert_int_equal(generation_begin(&x, MASTER_MAX_REGRET, p, INFINITY, NULL), VOUCH_OK);
    for (int i = 0; i < 3; i++) { /* one of the first two alone misses a promise by .3, both keep them */
        assert_int_equal(generation_add(&x, regret[i], pr[i]), VOUCH_OK);
        assert_near(x.alpha[i], 0, 0);
        assert_true(generation_next(&x, &status));
        assert_int_equal(status, VOUCH_OK);
        assert_int_equal(x.feasible, i > 0);
        assert_near(x.value, i > 0 ? 1.5 : 0.3, 1e-9);
        if (i > 0) assert_near(x.lambda[0] + x.lambda[1], 1, 1e-9);
    }
    assert_near(x.alpha[0], 0.5, 1e-9);
    assert_near(x.alpha[1], 0.5, 1e-9);
    assert_int_equal(x.rounds, 4); /* once more where phase one ended */
    generation_clear(&x);
    space_free(&space);
    vouch_model_free(m);
}

static void it_ends_after_so_many_rounds_or_in_time(void **state)
{
    (void)state;
    vouch_model *m;
    policy_space space = two_environments(&m);
    vouch_status status = VOUCH_OK;
    generation x;
    assert_int_equal(generation_init(&x, &space, true), VOUCH_OK);
    assert_int_equal(generation_begin(&x, MASTER_MAX_REGRET, p, INFINITY, NULL), VOUCH_OK);
    for (int i = 0; i < 2; i++) assert_int_equal(generation_add(&x, regret[i], pr[i]), VOUCH_OK);
    x.most = 1; /* which phase one takes */
    assert_false(generation_next(&x, &status));
    assert_true(x.feasible && !x.limited);
    x.most = 10;
    x.limit = &expired;
    assert_false(generation_next(&x, &status));
    assert_true(x.limited);
    x.limit = NULL;
    assert_true(generation_next(&x, &status));
    status = VOUCH_ERROR_MEMORY; /* of who prices: nothing is solved */
    assert_false(generation_next(&x, &status));
    assert_false(x.limited);
    generation_clear(&x);
    generation_clear(&x);
    space_free(&space);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mixtures_are_found_in_both_phases),
        cmocka_unit_test(it_ends_after_so_many_rounds_or_in_time),
    };
    return run_tests(tests);
}

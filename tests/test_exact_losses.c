/* The best totals with a promise and without, and losses, of a process that is worked out by hand. */
#include "test.h"

#include <math.h>

#include "exact/losses.h"

/* Node 0 may go to node 1, where 1e30 + 2 is paid next, or to node 2 (promised), where 1e30 is; or toss a coin for it. */
static const int option_start[] = {0, 3, 4, 5, 5}, arc_start[] = {0, 1, 2, 4, 5, 6}, arc_to[] = {1, 2, 1, 2, 3, 3},
                 arc_outcome[] = {0, 0, 1, 1, 2, 3};
static const double prob[] = {1, 0.5, 1, 1}, reward[] = {0.15, 0.15, 1e30, 1e30};
static const exact_layers layers = {4, 4, option_start, arc_start, arc_to, arc_outcome, prob, reward};

static void test_shared_rewards_vanish(void **state)
{
    (void)state;
    double loss[5];
    exact_values v;
    assert_int_equal(exact_losses(&layers, NULL, loss, &v), VOUCH_OK);
    assert_near(v.best, 1e30, 1e15);
    assert_true(isnan(v.promised));
    for (int o = 0; o < 5; o++) assert_near(loss[o], 0, 0);
}

/* The same, but node 1 pays 0.3 more and only node 2 leads to the promise: U* mixes, 0.3 is forgone with probability p. */
static void test_promise_costs_its_share(void **state)
{
    (void)state;
    static const int ends[] = {0, 3, 4, 5, 5, 5}, to[] = {1, 2, 1, 2, 3, 4};
    static const double paid[] = {0.15, 0.15, 0.3, 0}, kept[] = {0, 0, 0, 0, 1};
    const exact_layers g = {5, 4, ends, arc_start, to, arc_outcome, prob, paid};
    double loss[5];
    exact_values v;
    assert_int_equal(exact_losses(&g, &(exact_promise){kept, 0.7, 0}, loss, &v), VOUCH_OK);
    assert_near(v.best, 0.45, 1e-15);
    assert_near(v.forgone, 0.7 * 0.3, 1e-16);
    assert_near(v.promised, 0.45 - 0.21, 1e-15);
    assert_near(loss[0], 0, 0);
    assert_near(loss[1], 0.3, 1e-16);
    assert_near(loss[2], 0.15, 1e-16);
    assert_int_equal(exact_losses(&g, &(exact_promise){kept, 1, 0}, loss, &v), VOUCH_OK);
    assert_near(v.forgone, 0.3, 1e-16);
    static const double never[] = {0, 0, 0, 0, 0.5};
    assert_int_equal(exact_losses(&g, &(exact_promise){never, 0.7, 0}, loss, &v), VOUCH_OK);
    assert_true(isinf(v.forgone) && isinf(v.promised));
}

/* A failure of 1e-12 that costs 1e24, in 640 bits: doubles of 1 - 1e-12 have four digits of it. */
static void test_thin_promise(void **state)
{
    (void)state;
    static const int ends[] = {0, 2, 2, 2}, arcs[] = {0, 1, 2}, to[] = {1, 2}, outcome[] = {0, 1};
    static const double one[] = {1, 1}, paid[] = {1e24, 0}, kept[] = {0, 0, 1};
    const exact_layers g = {3, 2, ends, arcs, to, outcome, one, paid};
    double loss[2];
    exact_values v;
    assert_int_equal(exact_losses(&g, &(exact_promise){kept, 0.999999999999, 0}, loss, &v), VOUCH_OK);
    assert_near(v.promised, 1e12, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_rewards_vanish), cmocka_unit_test(test_promise_costs_its_share),
                                       cmocka_unit_test(test_thin_promise)};
    return run_tests(tests);
}

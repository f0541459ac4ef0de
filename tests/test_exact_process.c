/* The best totals with a promise and without, and losses, of a process that is worked out by hand. */
#include "test.h"

#include <math.h>

#include "exact/number.h"
#include "exact/process.h"

/* Node 0 may go to node 1, where 1e30 + 2 is paid next, or to node 2 (promised), where 1e30 is; or toss a coin for it. */
static const int option_start[] = {0, 3, 4, 5, 5}, arc_start[] = {0, 1, 2, 4, 5, 6}, arc_to[] = {1, 2, 1, 2, 3, 3},
                 arc_outcome[] = {0, 0, 1, 1, 2, 3};
static const double prob[] = {1, 0.5, 1, 1}, reward[] = {0.15, 0.15, 1e30, 1e30};
static const exact_layers layers = {4, 4, option_start, arc_start, arc_to, arc_outcome, prob, reward, 0, NULL, NULL};

static void test_shared_rewards_vanish(void **state)
{
    (void)state;
    double loss[5];
    exact_values v;
    assert_int_equal(exact_losses(&layers, &(exact_promises){NULL, NULL, 0}, loss, &v), VOUCH_OK);
    assert_near(v.best, 1e30, 1e15);
    assert_near(v.forgone, 0, 0);
    for (int o = 0; o < 5; o++) assert_near(loss[o], 0, 0);
}

/* The same, but node 1 pays 0.3 more and only node 2 leads to the promise: U* mixes, 0.3 is forgone with probability p. */
static void test_promise_costs_its_share(void **state)
{
    (void)state;
    static const int ends[] = {0, 3, 4, 5, 5, 5}, to[] = {1, 2, 1, 2, 3, 4};
    static const double paid[] = {0.15, 0.15, 0.3, 0}, kept[] = {0, 0, 0, 0, 1}, never[] = {0, 0, 0, 0, 0.5};
    const double *of_end = kept;
    const exact_layers g = {5, 4, ends, arc_start, to, arc_outcome, prob, paid, 1, &of_end, NULL};
    double loss[5];
    exact_values v;
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.7}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_near(v.best, 0.45, 1e-15);
    assert_near(v.forgone, 0.7 * 0.3, 1e-16);
    assert_near(v.promised, 0.45 - 0.21, 1e-15);
    assert_near(loss[0], 0, 0);
    assert_near(loss[1], 0.3, 1e-16);
    assert_near(loss[2], 0.15, 1e-16);
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){1}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_near(v.forgone, 0.3, 1e-16);
    of_end = never;
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.7}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_true(isinf(v.forgone) && isinf(v.promised));
}

/* A failure of 1e-12 that costs 1e24, in 640 bits: doubles of 1 - 1e-12 have four digits of it. */
static void test_thin_promise(void **state)
{
    (void)state;
    static const int ends[] = {0, 2, 2, 2}, arcs[] = {0, 1, 2}, to[] = {1, 2}, outcome[] = {0, 1};
    static const double one[] = {1, 1}, paid[] = {1e24, 0}, kept[] = {0, 0, 1};
    const double *of_end = kept;
    const exact_layers g = {3, 2, ends, arcs, to, outcome, one, paid, 1, &of_end, NULL};
    double loss[2];
    exact_values v;
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.999999999999}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_near(v.promised, 1e12, 1e-3);
}

/* Two promises, of which each of two nodes keeps one, and a third node pays: U* = 1 - .2 - .3 of 1e20. */
static void test_two_promises(void **state)
{
    (void)state;
    static const int ends[] = {0, 3, 3, 3, 3}, arcs[] = {0, 1, 2, 3}, to[] = {1, 2, 3}, outcome[] = {0, 1, 2};
    static const double one[] = {1, 1, 1}, paid[] = {1e20, 1, 2}, first[] = {0, 0, 1, 0}, second[] = {0, 0, 0, 1};
    static const double *const kept[] = {first, second};
    const exact_layers g = {4, 3, ends, arcs, to, outcome, one, paid, 2, kept, NULL};
    double loss[3];
    exact_values v;
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.2, 0.3}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_near(v.promised, 5e19 + 0.8, 1e4);
    assert_near(v.forgone, 5e19 - 0.8, 1e4);
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.7, 0.4}, NULL, 0}, loss, &v), VOUCH_OK);
    assert_true(isinf(v.forgone));
    assert_int_equal(exact_losses(&g, &(exact_promises){(double[]){0.7, 0}, NULL, 0.2}, loss, &v), VOUCH_OK);
    assert_near(v.promised, 5e19, 1e4);
}

/* The promises of a policy, and prices under which no policy is worth more than U*. */
static void test_policy_and_prices(void **state)
{
    (void)state;
    static const int ends[] = {0, 2, 2, 2}, arcs[] = {0, 1, 2}, to[] = {1, 2}, outcome[] = {0, 1};
    static const double one[] = {1, 1}, paid[] = {3, 1}, last[] = {0, 0, 1};
    static const double *const kept[] = {last};
    const exact_layers g = {3, 2, ends, arcs, to, outcome, one, paid, 1, kept, NULL};
    exact_memory memory;
    exact_memory_enter(&memory);
    if (setjmp(memory.escape) == 0) {
        exact_process *p = exact_process_new(&g);
        mpf_t *value = exact_numbers(2), *least = exact_numbers(1), *price = exact_numbers(1);
        exact_process_follow(p, (double[]){3, 1}, value);
        assert_near(mpf_get_d(value[0]), 2.5, 0);
        assert_near(mpf_get_d(value[1]), 0.25, 0);
        exact_decimal(least[0], 0.5);
        assert_true(exact_process_optimum(p, least, value[0], price));
        assert_near(mpf_get_d(value[0]), 2, 0);
        assert_near(mpf_get_d(price[0]), 2, 0);
        mpf_set_ui(value[1], 1);
        exact_process_best(p, (int[]){0, -1, -1}, value, NULL, NULL, value);
        assert_near(mpf_get_d(value[0]), 3, 0);
    }
    exact_memory_leave(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shared_rewards_vanish), cmocka_unit_test(test_promise_costs_its_share),
                                       cmocka_unit_test(test_thin_promise), cmocka_unit_test(test_two_promises),
                                       cmocka_unit_test(test_policy_and_prices)};
    return run_tests(tests);
}

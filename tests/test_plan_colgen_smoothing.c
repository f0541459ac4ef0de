/* Steps between multipliers: where they begin, how they grow and shrink, and when there are no more. */
#include "test.h"

#include "plan/colgen/colgen.h"

static void steps_follow_the_slope(void **state)
{
    (void)state;
    double centre[2], aimed[2], lambda[2] = {1, 0};
    const double grows[2] = {-1, 1}, falls[2] = {1, -1};
    smoothing s = {.count = 2, .centre = centre, .aimed = aimed};
    smoothing_begin(&s, lambda, false);
    lambda[0] = 0;
    lambda[1] = 1;
    smoothing_take(&s, lambda); /* the starting point is priced first */
    assert_near(lambda[0], 1, 0);
    double last = 0;
    for (int i = 0; i < 6; i++) {
        s.better = false;
        assert_true(smoothing_fit(&s, lambda, grows, false));
        assert_true(s.length > last || s.length >= 1);
        last = s.length;
        lambda[0] = 0;
        lambda[1] = 1;
        smoothing_take(&s, lambda);
        assert_near(lambda[1], last, 1e-15); /* of the way from 0 to 1 */
        assert_near(lambda[0] + lambda[1], 1, 1e-15);
    }
    assert_near(last, 1, 0);
    assert_true(smoothing_fit(&s, lambda, falls, false));
    assert_true(s.length < 1);
    s.better = true; /* from where the bound is best */
    lambda[0] = lambda[1] = 0.5;
    assert_true(smoothing_fit(&s, lambda, falls, false));
    assert_near(centre[0], 0.5, 0);
}

static void a_policy_found_again_is_passed(void **state)
{
    (void)state;
    double centre[1], aimed[1], lambda[1] = {0};
    const double slope[1] = {0};
    smoothing s = {.count = 1, .centre = centre, .aimed = aimed};
    smoothing_begin(&s, lambda, true);
    assert_true(s.length > 0);
    int rounds = 0;
    for (lambda[0] = 1, smoothing_take(&s, lambda); smoothing_fit(&s, lambda, slope, true); rounds++) assert_true(rounds < 10);
    assert_near(s.length, 1, 0); /* the master's own multipliers were priced before it gave up */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_follow_the_slope),
        cmocka_unit_test(a_policy_found_again_is_passed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* A search starts again after 1000 nodes near the cutoff in which the bound gained less than a tenth of what is missing, then after
 * 2000, and so on. */
#include "test.h"

#include <math.h>

#include "plan/search/stagnation.h"

/* The number of nodes, in steps of 10, at which a tree that begins now is to start again; -1: it is not within 20 000. */
static long long restarted(stagnation *s, double bound, double cutoff, double gain)
{
    stagnation_begin(s, bound, 0);
    for (long long nodes = 10; nodes <= 20000; nodes += 10)
        if (stagnation_note(s, bound += gain, cutoff, nodes)) return nodes;
    return -1;
}

static void twice_as_long_each_time(void **state)
{
    (void)state;
    stagnation s = {0};
    assert_int_equal(restarted(&s, 0.9, 1, 0), 1000);
    s.restarts = 1;
    assert_int_equal(restarted(&s, 0.9, 1, 0), 2000);
    s.restarts = 3;
    assert_int_equal(restarted(&s, -1.1, -1, 0), 8000); /* sums of rewards to be lost may be negative */
    s.restarts = 1000;
    assert_int_equal(restarted(&s, 0.9, 1, 0), -1);
}

static void not_while_the_bound_moves(void **state)
{
    (void)state;
    stagnation s = {0};
    assert_int_equal(restarted(&s, 0.8, 1, 1e-3), -1);   /* a tenth of .2 in 20 steps */
    assert_int_equal(restarted(&s, 0.9, 1, 1e-6), 1000); /* 1e-4 of .1 in 100 steps */
}

static void not_far_from_the_cutoff(void **state)
{
    (void)state;
    stagnation s = {0};
    assert_int_equal(restarted(&s, 0.6, 1, 0), -1);
    assert_int_equal(restarted(&s, 0.6, INFINITY, 0), -1);
    assert_int_equal(restarted(&s, -INFINITY, 1, 0), -1);
    stagnation_begin(&s, 0.6, 0);
    for (long long nodes = 10; nodes <= 500; nodes += 10) assert_false(stagnation_note(&s, 0.6, 1, nodes));
    assert_false(stagnation_note(&s, 0.75, 1, 1490)); /* it is near from now on */
    assert_false(stagnation_note(&s, 0.75, 1, 2480));
    assert_true(stagnation_note(&s, 0.75, 1, 2490));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_as_long_each_time),
        cmocka_unit_test(not_while_the_bound_moves),
        cmocka_unit_test(not_far_from_the_cutoff),
    };
    return run_tests(tests);
}

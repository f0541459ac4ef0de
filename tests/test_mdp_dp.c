/* The constrained optimum of one environment where the hull of (Pr, U) is steep: slips so rare that they cost a whole reward for a
 * probability near the rounding of 1. Judge: the whole hull in rational arithmetic (oracle/policies.h). */
#include "plan_aid.h"

#include <signal.h>

#include "base/rng.h"
#include "mdp/dp.h"
#include "mdp/model.h"
#include "oracle/policies.h"

static const long double ROUNDING = 1e-17L; /* of a probability propagated in extended precision */

enum { STATES = 4, ACTIONS = 3, HORIZON = 3 };

/* Each pair goes somewhere but for a slip to the next state. */
static vouch_model *slippery(rng *r)
{
    static const double slips[] = {0, 1e-14, 3e-13, 9e-13, 1.1e-12, 1e-9, 1e-8, 1e-7};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, STATES, ACTIONS, 1, HORIZON), VOUCH_OK);
    assert_int_equal(vouch_model_set_initial(m, 0), VOUCH_OK);
    for (int s = 0; s < STATES; s++) {
        assert_int_equal(vouch_model_set_commitment(m, s, s == 1 || s == 2), VOUCH_OK);
        for (int a = 0; a < ACTIONS; a++) {
            double slip = slips[rng_below(r, 8)], reward = (double)rng_below(r, 5);
            int next = (int)rng_below(r, STATES);
            assert_int_equal(vouch_model_add(m, 0, s, a, next, 1 - slip, reward), VOUCH_OK);
            if (slip > 0) assert_int_equal(vouch_model_add(m, 0, s, a, (next + 1) % STATES, slip, reward), VOUCH_OK);
        }
    }
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    return m;
}

/* What falls short of p, or of the largest probability there is, by rounding in doubles counts as kept. */
static void check_value(const vouch_model *m, double p, double value)
{
    long double low = policies_constrained(m, 0, p + ROUNDING),
                high = policies_constrained(m, 0, fminl(p, policies_reach(m, 0)) - commitment_rounding(m->T) - ROUNDING);
    if (!(value >= low - 1e-14L && value <= high + 1e-14L))
        fail_msg("p = %.17g: U* = %.17g outside %.17Lg .. %.17Lg", p, value, low, high);
}

static void check(const vouch_model *m, double p)
{
    double value;
    assert_int_equal(dp_constrained(m, 0, p, &value, NULL), VOUCH_OK);
    check_value(m, p, value);
}

static void steep_edges_of_the_hull_are_exact(void **state)
{
    (void)state;
    rng r = rng_seed(1);
    for (int i = 0; i < test_part(200, 700); i++) {
        vouch_model *m = slippery(&r);
        double best = dp_best_probability(m, 0);
        check(m, fmin(1, best + 9e-13));
        check(m, nextafter(best, 0));
        check(m, fmax(0, best - 6e-13));
        check(m, 0.5 * best);
        vouch_model_free(m);
    }
}

/* Three vertices on one line but for rounding, two of them so near that the slope between them says little of the third: neither
 * end of the walk may go back to where it was. */
static void vertices_on_one_line_end_the_walk(void **state)
{
    (void)state;
    const vouch_row row[] = {{0, 0, 0, 1, 1 - 1e-7, 0.75},
                             {0, 0, 0, 0, 1e-7, 0.5},
                             {0, 0, 1, 1, 1e-13, 0.25},
                             {0, 0, 1, 0, 1 - 1e-13, 0},
                             {0, 1, 0, 1, 1, 0}};
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2, 2, 1, HORIZON), VOUCH_OK);
    assert_int_equal(vouch_model_set_commitment(m, 0, 1), VOUCH_OK);
    assert_int_equal(vouch_model_add_rows(m, row, sizeof row / sizeof *row, NULL), VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, NULL), VOUCH_OK);
    check(m, 3e-10);
    vouch_model_free(m);
}

/* What counts as kept has an optimum, down to the last digit of p. */
static void test_only_just_kept(void **state)
{
    (void)state;
    rng r = rng_seed(2);
    for (int i = 0; i < test_part(800, 3000); i++) {
        vouch_model *m = slippery(&r);
        double best = dp_best_probability(m, 0), value;
        for (double p = nextafter(best + KEEP_TOLERANCE, 2); p >= best;
             p = p > best + 0.9 * KEEP_TOLERANCE ? nextafter(p, 0) - 1e-15 : p - 1e-13)
            if (commitment_kept(best, p)) {
                assert_int_equal(dp_constrained(m, 0, p, &value, NULL), VOUCH_OK);
                assert_true(isfinite(value));
            }
        vouch_model_free(m);
    }
}

/* Two optima in one walk equal those of two walks to the last bit; at a limit the result is an upper bound. */
static void optima_within_a_limit(void **state)
{
    (void)state;
    static volatile sig_atomic_t over = 1;
    static const deadline expired = {.limits = {.interrupt = &over}};
    rng r = rng_seed(3);
    int short_of_it = 0;
    for (int i = 0; i < test_part(600, 2000); i++) {
        vouch_model *m = slippery(&r);
        double best = dp_best_probability(m, 0), p = i % 3 ? best * rng_unit(&r) : best, low = fmax(0, p - (i % 2 ? 1e-9 : 0.1));
        double value, at_low;
        dp_optima found, late;
        assert_int_equal(dp_constrained(m, 0, p, &value, NULL), VOUCH_OK);
        assert_int_equal(dp_constrained(m, 0, low, &at_low, NULL), VOUCH_OK);
        assert_int_equal(dp_optima_within(m, 0, &p, &low, NULL, &found), VOUCH_OK);
        assert_true(found.known && found.value == value && found.at_low == at_low);
        assert_int_equal(dp_constrained_within(m, 0, (dp_promise){.p = p, .low = low, .limit = &expired}, &late), VOUCH_OK);
        if (late.known) assert_true(late.value == value);
        assert_true(late.value >= value && late.at_low >= at_low);
        short_of_it += late.value > value;
        assert_int_equal(dp_optima_within(m, 0, &p, &low, &expired, &late), VOUCH_OK);
        assert_true(!late.known && late.value >= at_low && late.at_low >= at_low);
        vouch_model_free(m);
    }
    assert_true(short_of_it > test_part(30, 100));
}

/* The edge that an optimum leaves is its policy, and a walk that begins there ends with the same value, also where rewards are
 * others by more than their last digits and another edge is the best. */
static void optima_from_a_kept_edge(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    int mixed = 0, moved = 0;
    for (int i = 0; i < test_part(60, 200); i++) {
        vouch_model *m = slippery(&r);
        double p = dp_best_probability(m, 0) * rng_unit(&r), value, policy[2][HORIZON * STATES * ACTIONS];
        dp_edge edge = {0};
        dp_optima found;
        assert_int_equal(dp_constrained(m, 0, p, &value, policy[0]), VOUCH_OK);
        assert_int_equal(dp_constrained_within(m, 0, (dp_promise){.p = p, .low = p, .keep = &edge}, &found), VOUCH_OK);
        assert_true(found.known && found.value == value && edge.right);
        assert_int_equal(dp_edge_policy(m, 0, &edge, policy[1]), VOUCH_OK);
        assert_memory_equal(policy[0], policy[1], sizeof policy[0]);
        assert_int_equal(dp_constrained_within(m, 0, (dp_promise){.p = p, .low = p, .from = &edge}, &found), VOUCH_OK);
        assert_true(found.value == value);
        mixed += edge.weight > 0;
        for (int q = 0; q < m->pairs; q++) m->env[0].expected[q] += i % 2 ? (double)rng_below(&r, 3) : 1e-9 * rng_unit(&r);
        assert_int_equal(dp_constrained(m, 0, p, &value, policy[1]), VOUCH_OK);
        assert_int_equal(dp_constrained_within(m, 0, (dp_promise){.p = p, .low = p, .from = &edge}, &found), VOUCH_OK);
        assert_near(found.value, value, 1e-6); /* on edges as steep as these rounding of Pr counts */
        moved += memcmp(policy[0], policy[1], sizeof policy[0]) != 0;
        dp_edge_free(&edge);
        vouch_model_free(m);
    }
    if (mixed < test_part(15, 50) || moved < test_part(15, 50)) fail_msg("%d %d", mixed, moved);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steep_edges_of_the_hull_are_exact),
                                       cmocka_unit_test(vertices_on_one_line_end_the_walk), cmocka_unit_test(test_only_just_kept),
                                       cmocka_unit_test(optima_within_a_limit), cmocka_unit_test(optima_from_a_kept_edge)};
    return run_tests(tests);
}

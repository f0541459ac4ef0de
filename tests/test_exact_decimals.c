/* The rational simplex method by factors: decimals as they were written, from any basis, within its limits; against the dictionary.
 */
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "exact_aid.h"

#include "exact/number.h"

static void any_basis(const sample *p, solved *s, rng *r)
{
    for (int v = 0; v < p->m + p->n; v++) s->status[v] = (unsigned char)pick(r, 3);
}

static void solve_decimals(const sample *p, solved *s) { solve_exactly(p, 0, s); }

/* x, y fixed at 1: 0.1 x + 0.2 y = 0.3, which doubles miss by 2^-54. */
static void a_decimal_is_the_fraction_that_was_written(void **state)
{
    (void)state;
    sample p = sample_new(1, 2);
    entry(&p, 0, 0.1);
    close_column(&p, 0);
    entry(&p, 0, 0.2);
    p.rl[0] = p.ru[0] = 0.3;
    for (int j = 0; j < 2; j++) p.cl[j] = p.cu[j] = 1, p.cost[j] = 1e-7;
    p.offset = 0.7;
    solved s;
    slack_basis(&p, &s);
    solve_decimals(&p, &s);
    assert_int_equal(s.end, EXACT_OPTIMAL);
    assert_string_equal(s.a.fraction, "3500001/5000000");
    mem_free(s.a.fraction);
    slack_basis(&p, &s);
    solve_exactly(&p, 1000000, &s);
    assert_int_equal(s.end, EXACT_OPTIMAL);
    sample_free(&p);
}

/* 1 + 2^-32 needs 17 digits: its decimal differs, and the double is meant. Its inverse is small modulo every power of the prime
 * 2^61 - 1 without being whole. */
static void sums_of_powers_of_two_are_what_they_are(void **state)
{
    (void)state;
    static const double number[] = {1 + 0x1p-32, -0.5 - 0x1p-27, 8.5 + 0x1p-27, 0.1, 1.00000001, 0x1p-1000, 1.0 / 3, 0.1 + 0.2};
    static const bool itself[] = {true, true, true, false, false, true, false, false}, meant[] = {1, 1, 1, 1, 1, 1, 1, 0};
    mpq_t as_meant, as_it_is;
    mpq_inits(as_meant, as_it_is, NULL);
    for (size_t k = 0; k < sizeof number / sizeof *number; k++) {
        exact_number(as_meant, number[k], EXACT_MEANT);
        mpq_set_d(as_it_is, number[k]);
        assert_int_equal(mpq_equal(as_meant, as_it_is) != 0, itself[k]);
        assert_int_equal(exact_is_meant(number[k]), meant[k]);
    }
    mpq_clears(as_meant, as_it_is, NULL);
    sample p = sample_new(2, 2); /* x + y = 8, x + (1 + 2^-32) y = 8 + 2^-32 */
    for (int j = 0; j < 2; j++) {
        entry(&p, 0, 1);
        entry(&p, 1, j ? 1 + 0x1p-32 : 1);
        close_column(&p, j);
        p.cu[j] = HUGE_VAL;
    }
    p.rl[0] = p.ru[0] = 8, p.rl[1] = p.ru[1] = 8 + 0x1p-32;
    solved s;
    for (int v = 0; v < 4; v++) s.status[v] = v < 2 ? VOUCH_AT_LOWER : VOUCH_BASIC;
    solve_exactly(&p, 1000000, &s);
    assert_int_equal(s.end, EXACT_OPTIMAL);
    assert_true(s.x[0] == 7 && s.x[1] == 1);
    p.cu[0] = p.cu[1] = 1; /* the rows times 2^32 are whole: multipliers of 2^-32 */
    slack_basis(&p, &s);
    solve_exactly(&p, 10000000, &s);
    assert_int_equal(s.end, EXACT_INFEASIBLE);
    p.rl[0] = -HUGE_VAL;
    slack_basis(&p, &s);
    solve_exactly(&p, 10000000, &s);
    assert_int_equal(s.end, EXACT_INFEASIBLE);
    sample_free(&p);
}

/* 5.66292e26 is a multiple of 10^21, its double is not. */
static void a_large_decimal_is_the_one_that_was_written(void **state)
{
    (void)state;
    mpq_t x, y;
    mpq_inits(x, y, NULL);
    exact_number(x, 5.66292e26, EXACT_DECIMAL);
    mpz_ui_pow_ui(mpq_numref(y), 10, 21);
    mpz_mul_ui(mpq_numref(y), mpq_numref(y), 566292);
    assert_true(mpq_equal(x, y));
    exact_number(x, 5.66292e26, EXACT_MEANT);
    mpq_set_d(y, 5.66292e26);
    assert_true(mpq_equal(x, y));
    mpq_clears(x, y, NULL);
}

/* Whole numbers are the same in both readings, from the slack basis and from any, singular ones too. */
static void readings_of_whole_numbers_agree(void **state)
{
    (void)state;
    rng r = rng_seed(41);
    int count = test_count("VOUCH_LP_DECIMALS", 400), seen[3] = {0};
    for (int k = 0; k < count; k++) {
        sample p = sample_random(&r, MOST, MOST);
        int64_t entries = p.start[p.n];
        for (int64_t e = 0; e < entries; e++) p.value[e] = rint(p.value[e]);
        solved as_meant, as_decimals;
        slack_basis(&p, &as_meant);
        solve_exactly(&p, 1000000000, &as_meant);
        any_basis(&p, &as_decimals, &r);
        solve_decimals(&p, &as_decimals);
        assert_int_equal(as_decimals.end, as_meant.end);
        seen[as_decimals.end]++;
        if (as_decimals.end == EXACT_OPTIMAL) {
            assert_true(as_decimals.a.objective == as_meant.a.objective);
            assert_true(as_decimals.a.bound == as_meant.a.bound);
            assert_non_null(as_decimals.a.fraction);
            mem_free(as_decimals.a.fraction);
            solve_decimals(&p, &as_decimals); /* from where it ended */
            assert_int_equal(as_decimals.a.pivots, 0);
        } else {
            assert_true(as_decimals.a.margin > 0);
        }
        mem_free(as_decimals.a.fraction);
        sample_free(&p);
    }
    print_message("%d optimal, %d infeasible, %d unbounded\n", seen[0], seen[1], seen[2]);
    for (int i = 0; i < 3; i++) assert_true(seen[i] * 40 > count);
}

/* A chain x_j+1 = 3 x_j / 7 of 300 links: a solution of 850 bits. */
static void long_fractions_are_found(void **state)
{
    (void)state;
    enum { LINKS = 300 };
    sample p = sample_new(LINKS, LINKS);
    for (int j = 0; j < LINKS; j++) {
        entry(&p, j, 7);
        if (j + 1 < LINKS) entry(&p, j + 1, -3);
        close_column(&p, j);
        p.cl[j] = -HUGE_VAL, p.cu[j] = HUGE_VAL;
    }
    p.rl[0] = p.ru[0] = 1;
    p.cost[LINKS - 1] = 1;
    vouch_lp *lp = sample_load(&p);
    vouch_lp_options options;
    vouch_lp_options_init(&options);
    options.exact = 1;
    vouch_lp_result r;
    assert_int_equal(vouch_lp_solve(lp, &options), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
    assert_int_equal(strlen(strchr(r.exact_objective, '/') + 1), 254);         /* 7^300 */
    assert_int_equal(strchr(r.exact_objective, '/') - r.exact_objective, 143); /* 3^299 */
    vouch_lp_free(lp);
    sample_free(&p);
}

/* Seconds that are over before the rational part begins leave a limit, never a verdict. */
static void limits_reach_into_the_arithmetic(void **state)
{
    (void)state;
    rng r = rng_seed(2);
    int limits = 0;
    for (int k = 0; k < 20; k++) {
        sample p = sample_random(&r, MOST, MOST);
        vouch_limits over = {.seconds = 1e-9};
        deadline limit = deadline_start(&over);
        limit.start -= 1;
        vouch_lp_data data = sample_data(&p);
        solved s;
        slack_basis(&p, &s);
        s.a = (exact_answer){.x = s.x, .y = s.y, .ray = s.ray};
        s.end = exact_solve(&data, s.status, EXACT_DECIMAL, LLONG_MAX, &limit, &s.a);
        limits += s.end == EXACT_LIMIT;
        assert_true(s.end == EXACT_LIMIT || s.end == EXACT_INFEASIBLE); /* bounds that cross need no arithmetic */
        sample_free(&p);
    }
    assert_true(limits >= 10);
}

static void a_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    int failures = 0;
    for (int k = 0; k < 12; k++) {
        sample p = sample_random(&r, 6, 8);
        for (long allowed = 0;; allowed += 1 + allowed / 20) {
            solved s;
            slack_basis(&p, &s);
            long calls = mem_calls();
            mem_fail_after(allowed);
            solve_decimals(&p, &s);
            mem_fail_after(-1);
            bool failed = mem_calls() - calls > allowed;
            assert_true(!failed || s.end == EXACT_MEMORY);
            assert_true(s.end != EXACT_OPTIMAL || s.a.fraction);
            mem_free(s.a.fraction);
            failures += failed;
            if (!failed) break;
        }
        sample_free(&p);
    }
    assert_true(failures > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_decimal_is_the_fraction_that_was_written),
                                       cmocka_unit_test(a_large_decimal_is_the_one_that_was_written),
                                       cmocka_unit_test(sums_of_powers_of_two_are_what_they_are),
                                       cmocka_unit_test(readings_of_whole_numbers_agree),
                                       cmocka_unit_test(long_fractions_are_found),
                                       cmocka_unit_test(limits_reach_into_the_arithmetic),
                                       cmocka_unit_test(a_failing_allocation_leaves_nothing)};
    return run_tests(tests);
}

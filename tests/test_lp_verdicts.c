/* Outcomes that depend on digits beyond doubles: rows dependent as written, multipliers due to rounding, barely feasible rays; and
 * the outcome where none can be proved. */
#include "lp_aid.h"

#include "lp/problem.h"

enum { ROWS = 3, COLS = 3 };

static const int64_t start[COLS + 1] = {0, 3, 6, 9};
static const int row[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};

static vouch_lp_result solve(const vouch_lp_data *d, int presolve, vouch_lp **lp)
{
    vouch_lp_options options;
    vouch_lp_result r;
    vouch_lp_options_init(&options);
    options.presolve = presolve;
    assert_int_equal(vouch_lp_new(lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(*lp, d, NULL), VOUCH_OK);
    assert_int_equal(vouch_lp_solve(*lp, &options), VOUCH_OK);
    vouch_lp_get_result(*lp, &r);
    return r;
}

/* The third row is the sum of the others as written: 0.7 + 0.1, 0.1 + 0.2, 0.3 + 0.6. In doubles a basis of all three has
 * multipliers of 1e16 and an optimum; there is none. Free columns; without costs in the span of two rows it goes down for ever. */
static void a_sum_of_rows_is_no_further_row(void **state)
{
    (void)state;
    static const double value[] = {0.7, 0.1, 0.8, 0.1, 0.2, 0.3, 0.3, 0.6, 0.9}, cost[COLS] = {1, 2, -1};
    static const double below[COLS] = {-INFINITY, -INFINITY, -INFINITY}, above[COLS] = {INFINITY, INFINITY, INFINITY};
    double lower[ROWS] = {1.1, -INFINITY, -INFINITY}, upper[ROWS] = {1.1, 0.9, 2};
    vouch_lp_data d = {ROWS, COLS, start, row, value, cost, 0, 0, below, above, lower, upper};
    vouch_lp *lp;
    for (int presolve = 0; presolve < 3; presolve++) {
        assert_int_equal(solve(&d, presolve, &lp).outcome, VOUCH_LP_UNBOUNDED);
        vouch_lp_free(lp);
    }
    lower[2] = 2.2, upper[2] = INFINITY; /* the sum is at most 2 */
    for (int presolve = 0; presolve < 3; presolve++) {
        assert_int_equal(solve(&d, presolve, &lp).outcome, VOUCH_LP_INFEASIBLE);
        vouch_lp_free(lp);
    }
}

/* min x - y, 0.3 x - 0.3 (1 + off) y = 0: x + y may grow together, for 1 - 1 / (1 + off) each. */
static void a_ray_gains_however_little(void **state)
{
    (void)state;
    static const int64_t two[] = {0, 1, 2};
    static const int only[] = {0, 0};
    for (int k = 0; k < 6; k++) {
        double far = pow(10, 8 + k), value[] = {0.3, -(3 * far + (k % 2 ? 3 : -3)) / (10 * far)}, cost[] = {1, -1}, zero = 0;
        vouch_lp_data d = {1, 2, two, only, value, cost, 0, 0, NULL, NULL, &zero, &zero};
        vouch_lp *lp;
        vouch_lp_result r = solve(&d, 2, &lp);
        assert_int_equal(r.outcome, k % 2 ? VOUCH_LP_OPTIMAL : VOUCH_LP_UNBOUNDED);
        vouch_lp_free(lp);
    }
}

/* x - (1 + tiny) x' = 0 and x - x' = 0 in free columns with multipliers of 1 / tiny: the rounding error of a reduced cost is
 * unbounded. */
static optimality judged(double tiny, double cost)
{
    static const int64_t three[] = {0, 2, 4, 5};
    static const int rows[] = {0, 1, 0, 1, 1};
    static double x[3], activity[2], reduced[3];
    double value[] = {1, 1, -1 - tiny, -1, 1}, y[] = {-1 / tiny, 1 / tiny}, side[] = {0, 0}, costs[] = {0, 1, cost};
    double below[] = {-INFINITY, -INFINITY, 0}, above[] = {INFINITY, INFINITY, INFINITY};
    vouch_lp_data d = {2, 3, three, rows, value, costs, 0, 0, below, above, side, side};
    optimality o = {.x = x, .y = y, .primal_tol = 1e-6, .dual_tol = 1e-6, .activity = activity, .reduced = reduced, .fine = true};
    bool proved = certify_optimal(&d, &o);
    assert_int_equal(proved, !o.why);
    o.y = NULL;
    double bound = certify_bound(&d, y, 1e-6, reduced);
    assert_true(isinf(bound) || o.sure == BEYOND_DOUBT);
    return o;
}

static void multipliers_that_rounding_makes_prove_nothing(void **state)
{
    (void)state;
    optimality o = judged(0x1p-10, 2048);
    assert_true(!o.why && o.sure == BEYOND_DOUBT && !o.leans);
    o = judged(0x1p-30, 0x1p31); /* the last reduced cost has the right sign by far, the signs of zeros are unknown */
    assert_true(!o.why && o.sure == PLAUSIBLE);
    o = judged(0x1p-50, 0x1p51);
    assert_non_null(o.why);
}

/* y = 3, 0.1 y = 0.3 + 1e-17, which no double tells from 0.3, and a column to grow: a verdict, or a reason. With 17 digits the
 * numbers are what arithmetic left. */
static void what_hangs_on_rounding_is_said_to(void **state)
{
    (void)state;
    static const int64_t two[] = {0, 1, 2};
    static const int rows[] = {0, 1};
    double value[] = {0.1, 1}, cost[] = {0, 1}, below[] = {3, 0}, above[] = {3, INFINITY};
    double lower[] = {0.3, -INFINITY}, upper[] = {0.3, INFINITY};
    vouch_lp_data d = {2, 2, two, rows, value, cost, 0, 1, below, above, lower, upper};
    vouch_lp *lp;
    vouch_lp_result r = solve(&d, 2, &lp);
    assert_int_equal(r.outcome, VOUCH_LP_UNBOUNDED); /* as written 0.3 = 0.1 3, though not in doubles */
    assert_null(r.reason);
    vouch_lp_free(lp);
    lower[0] = upper[0] = 0.1 + 0.2; /* 0.30000000000000004 */
    r = solve(&d, 2, &lp);
    assert_true(r.outcome == VOUCH_LP_UNBOUNDED || r.reason);
    vouch_lp_free(lp);
    lower[0] = upper[0] = 0.3000000000000003; /* 16 digits: meant */
    r = solve(&d, 2, &lp);
    assert_true((r.outcome == VOUCH_LP_INFEASIBLE && r.reason) || r.outcome == VOUCH_LP_UNBOUNDED);
    vouch_lp_free(lp);
}

/* A ray that only the 15th digit of thirds makes: at the optimum that doubles find a row's multiplier is 0 but for rounding, on the
 * side that no bound of the row allows. */
static void a_multiplier_of_the_wrong_sign_is_looked_into(void **state)
{
    (void)state;
    static const int64_t columns[] = {0, 2, 6, 11};
    static const int rows[] = {0, 3, 0, 1, 3, 4, 0, 1, 2, 3, 4};
    static const double third = 0.333333333333333, thirds = 0.666666666666667;
    const double value[] = {-third, -third, thirds, third, 0.333333333333334, third, -third, thirds, thirds, -1, thirds};
    static const double cost[] = {1, -1, 0}, below[] = {0, 0, 0}, above[] = {INFINITY, INFINITY, INFINITY};
    static const double lower[] = {1e-15, 0.506666666666667, -INFINITY, -2.406666666666666, 1.666666666666667};
    static const double upper[] = {INFINITY, INFINITY, 1.333333333333334, INFINITY, INFINITY};
    vouch_lp_data d = {5, 3, columns, rows, value, cost, 0, 1, below, above, lower, upper};
    vouch_lp *lp;
    vouch_lp_result r = solve(&d, 2, &lp);
    assert_int_equal(r.outcome, VOUCH_LP_UNBOUNDED);
    assert_non_null(r.reason);
    vouch_lp_free(lp);
}

/* At least 1 - 2^-e, and c times that at most as much: one point is feasible. If some numbers are read as decimals and others as
 * doubles none is, but with either reading alone one is. */
static void readings_that_are_mixed_prove_nothing(void **state)
{
    (void)state;
    static const int64_t two[] = {0, 1, 1};
    static const int first = 0;
    int decided = 0;
    for (int c = 3; c <= 21; c += 2)
        for (int e = 30; e <= 44; e++) {
            double least = 1 - ldexp(1, -e), value = c, cost[] = {0, 1}, below[] = {least, -INFINITY};
            double above[] = {INFINITY, INFINITY}, lower = -INFINITY, upper = c * least;
            vouch_lp_data d = {1, 2, two, &first, &value, cost, 0, 0, below, above, &lower, &upper};
            vouch_lp *lp;
            vouch_lp_options exact;
            vouch_lp_options_init(&exact);
            exact.exact = 1;
            vouch_lp_result r = solve(&d, 2, &lp);
            bool infeasible = r.outcome == VOUCH_LP_INFEASIBLE;
            assert_true(r.outcome != VOUCH_LP_UNSOLVED || r.reason);
            decided += r.outcome != VOUCH_LP_UNSOLVED;
            assert_int_equal(vouch_lp_solve(lp, &exact), VOUCH_OK);
            vouch_lp_get_result(lp, &r);
            assert_true(!infeasible || r.outcome == VOUCH_LP_INFEASIBLE);
            vouch_lp_free(lp);
        }
    assert_true(decided > 75); /* of 150 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sum_of_rows_is_no_further_row),
                                       cmocka_unit_test(a_ray_gains_however_little),
                                       cmocka_unit_test(multipliers_that_rounding_makes_prove_nothing),
                                       cmocka_unit_test(what_hangs_on_rounding_is_said_to),
                                       cmocka_unit_test(a_multiplier_of_the_wrong_sign_is_looked_into),
                                       cmocka_unit_test(readings_that_are_mixed_prove_nothing)};
    return run_tests(tests);
}

/* Tolerances: constants of the objective do not change them, and rows of small coefficients are not spent on the objective. */
#include <math.h>

#include "test.h"

#include <vouch/mip.h>

/* max 6 x + 4 y + 5 z, 7 x + 6 y + 3 z <= 8: (1, 0, 0) of 6, next to (0, 0, 1) of 5, by much less than 1e-9 of the constant. */
static void a_constant_is_no_part_of_a_tolerance(void **state)
{
    (void)state;
    static const int64_t start[] = {0, 1, 2, 3, 3};
    static const int row[] = {0, 0, 0};
    static const double value[] = {7, 6, 3}, zero[] = {0, 0, 0, 1}, one[] = {1, 1, 1, 1}, side = 8;
    for (double large = 1e6; large < 2e12; large *= 10)
        for (int way = 0; way < 4; way++) {
            double sign = way % 2 ? -1 : 1, added = (way < 2 ? 1 : -1) * large;
            for (int fixed = 0; fixed < 2; fixed++) {
                double cost[] = {6 * sign, 4 * sign, 5 * sign, fixed ? added : 0};
                vouch_lp_data d = {1, 4, start, row, value, cost, fixed ? 0 : added, sign > 0, zero, one, NULL, &side};
                vouch_lp *lp;
                vouch_mip *mip;
                vouch_mip_result r;
                vouch_mip_options options;
                vouch_mip_options_init(&options);
                options.gap_relative = options.gap_absolute = 0;
                options.presolve = way % 2;
                assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
                assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
                for (int j = 0; j < 3; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
                assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
                assert_int_equal(vouch_mip_solve(mip, &options), VOUCH_OK);
                vouch_mip_get_result(mip, &r);
                assert_int_equal(r.outcome, VOUCH_MIP_OPTIMAL);
                assert_true(r.objective == added + 6 * sign && r.bound == r.objective);
                assert_null(r.reason);
                vouch_mip_free(mip);
                vouch_lp_free(lp);
            }
        }
}

/* Largest coefficients of the rows 1e8 and .16, sides 1e6 and 6e-4: the tolerance of the second is worth 1.2e-3 of the objective,
 * and the only point with the integers (-1, 1, 0) is worth -168/13. */
static void a_small_row_is_not_spent(void **state)
{
    (void)state;
    static const int64_t start[] = {0, 2, 5, 8, 12, 16};
    static const int row[] = {2, 3, 0, 1, 2, 0, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3};
    static const double value[] = {0.0703125, -0.0009765625,    100663296, 0.15625,   -24,    131072,         0.015625, 0.00390625,
                                   -229376,   -0.0003662109375, 0.0625,    0.0078125, 327680, 0.000244140625, -0.09375, 0.00390625};
    static const double cost[] = {-5, -3072, -3, 5, -6}, cl[] = {-2, -0.001953125, 0, -2, -1},
                        cu[] = {1, 0.00390625, 1, 4, INFINITY};
    static const double rl[] = {1081344, 0.0006103515625, -0.3828125, -INFINITY},
                        ru[] = {1081344, 0.0006103515625, 0.046875, 0.0244140625};
    vouch_lp_data d = {4, 5, start, row, value, cost, 1, true, cl, cu, rl, ru};
    vouch_lp *lp;
    vouch_mip *mip;
    vouch_mip_result r;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < 4; j++)
        if (j != 1) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    assert_int_equal(r.outcome, VOUCH_MIP_OPTIMAL);
    assert_true(fabs(r.objective + 168 / 13.0) < 1e-7);
    assert_true(fabs(r.bound + 168 / 13.0) < 1e-6);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_constant_is_no_part_of_a_tolerance),
                                       cmocka_unit_test(a_small_row_is_not_spent)};
    return run_tests(tests);
}

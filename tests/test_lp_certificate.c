/* Certificates by hand: which directions prove that a program is unbounded. */
#include "test.h"

#include "lp/problem.h"

enum { ROWS = 3, COLS = 4 };

/* min -x0:  x0 - x1 = 0,  x2 + x3 = 1,  x0 - x1 + x3 >= 0;  x >= 0. Up for ever along (1, 1, 0, 0). */
static const int64_t start[COLS + 1] = {0, 2, 4, 5, 7};
static const int row[] = {0, 2, 0, 2, 1, 1, 2};
static const double entry[] = {1, 1, -1, -1, 1, 1, 1}, cost[COLS] = {-1}, zero[COLS];
static const double lower[ROWS] = {0, 1, 0}, upper[ROWS] = {0, 1, INFINITY};
static const double none[COLS] = {INFINITY, INFINITY, INFINITY, INFINITY};
static const vouch_lp_data program = {ROWS, COLS, start, row, entry, cost, 0, 0, zero, none, lower, upper};

static double quality(double x0, double x1, double x2, double x3)
{
    double ray[COLS] = {x0, x1, x2, x3}, activity[ROWS];
    return certify_ray(&program, ray, activity);
}

static void a_ray_keeps_rows_and_bounds_and_gains(void **state)
{
    (void)state;
    assert_near(quality(2, 2, 0, 0), 1, 0);
    assert_near(quality(0, 0, 0, 0), 0, 0);
    assert_near(quality(-1, -1, 0, 0), 0, 0);      /* bounds */
    assert_near(quality(1, 1 + 1e-9, 0, 0), 0, 0); /* the first row */
    assert_near(quality(1, 1, 1, 1), 0, 0);        /* the second */
    assert_near(quality(1, 1, 1, -1), 0, 0);       /* a bound */
    assert_near(quality(0, 0, NAN, 0), 0, 0);
    vouch_lp_data flat = program;
    flat.cost = zero;
    double ray[COLS] = {1, 1, 0, 0}, activity[ROWS];
    assert_near(certify_ray(&flat, ray, activity), 0, 0);
}

/* The second row has only rounding errors of zeros, and would cancel nothing. */
static void what_solves_leave_of_a_zero_is_no_part_of_a_ray(void **state)
{
    (void)state;
    assert_near(quality(1, 1, 3e-34, 0), 1, 0);
    assert_near(quality(1e3, 1e3, 0, 1e-13), 1, 0);
    assert_near(quality(1, 1, 1e-15, 1e-33), 1, 0);
    assert_near(quality(1, 1, -1e-13, 0), 1, 0); /* the wrong way, too */
    assert_near(quality(1, 1, 1e-12, 0), 0, 0);  /* no noise */
    double ray[COLS] = {1, 1, 3e-34, 1e-19}, activity[ROWS];
    assert_near(certify_ray(&program, ray, activity), 1, 0);
    assert_true(ray[0] == 1 && ray[1] == 1 && ray[2] == 0 && ray[3] == 0); /* the result satisfies the rows exactly */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_keeps_rows_and_bounds_and_gains),
        cmocka_unit_test(what_solves_leave_of_a_zero_is_no_part_of_a_ray),
    };
    return run_tests(tests);
}

/* Sums, unions and merging of sets of points: against all sums, one by one. */
#include "test.h"

#include <stdbool.h>

#include "base/rng.h"
#include "know/pairs.h"

enum { MOST = 16, TRIALS = 2000 };
static const double SAME = 0x1p-50;

/* 1 .. MOST points, sorted as sets are; coarse: coordinates that repeat and sums that coincide. */
static int draw(rng *r, bool coarse, nondominated x[])
{
    int n = 1 + (int)rng_below(r, MOST);
    double u = 0, q = 1;
    for (int i = 0; i < n; i++) {
        u += coarse ? 1 + (double)rng_below(r, 3) : 0.01 + rng_unit(r);
        q -= coarse ? 1 / 64.0 : 0.06 * (0.01 + rng_unit(r));
        x[i] = (nondominated){u, q, i, -i};
    }
    return n;
}

static bool sorted(const nondominated x[], int n)
{
    for (int i = 1; i < n; i++)
        if (!(x[i].q < x[i - 1].q && x[i].u > x[i - 1].u)) return false;
    return true;
}

static bool covered(const nondominated x[], int n, double u, double q)
{
    for (int i = 0; i < n; i++)
        if (x[i].u >= u && x[i].q >= q) return true;
    return false;
}

static void test_sum(void **state)
{
    (void)state;
    rng r = rng_seed(1);
    nondominated space[2][2 * MOST * MOST];
    pareto_front s = {.most = MOST, .same_u = SAME, .same_q = SAME, .rows = {space[0], space[1]}};
    int exacts = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        nondominated a[MOST], b[MOST], out[MOST];
        bool coarse = trial % 2;
        long long before = s.work;
        int na = draw(&r, coarse, a), nb = draw(&r, coarse, b);
        double factor = trial % 3 ? 0.5 : 1;
        int n = front_sum(&s, a, na, b, nb, factor, out);
        assert_int_equal(s.work - before, na * nb);
        assert_true(n >= 1 && n <= MOST && sorted(out, n));
        bool exact = na * nb <= MOST;
        for (int i = 0; i < na; i++)
            for (int j = 0; j < nb; j++) assert_true(covered(out, n, a[i].u + factor * b[j].u, a[i].q + factor * b[j].q));
        for (int i = 0; i < n; i++) {
            double u = a[out[i].from].u + factor * b[out[i].to].u, q = a[out[i].from].q + factor * b[out[i].to].q;
            assert_true(out[i].q == q && out[i].u >= u); /* the part that keeps the promise best */
            if (exact) assert_near(out[i].u, u, 64 * SAME);
        }
        exacts += exact;
    }
    assert_true(exacts > TRIALS / 8);
}

static void test_thin(void **state)
{
    (void)state;
    rng r = rng_seed(2);
    for (int trial = 0; trial < TRIALS; trial++) {
        nondominated a[MOST], x[MOST];
        pareto_front s = {.most = 1 + (int)rng_below(&r, MOST), .same_u = SAME, .same_q = SAME};
        int n = draw(&r, trial % 2, a);
        memcpy(x, a, sizeof x);
        int left = front_thin(&s, x, n);
        assert_true(left >= 1 && left <= s.most && sorted(x, left));
        if (n <= s.most) assert_int_equal(left, n);
        for (int i = 0; i < n; i++) assert_true(covered(x, left, a[i].u, a[i].q));
        for (int i = 0; i < left; i++) { /* no coordinate beyond those there were */
            assert_true(x[i].u <= a[n - 1].u && x[i].q <= a[0].q);
            assert_true(a[x[i].from].q == x[i].q);
        }
    }
}

/* Points apart by rounding become one, and no chain of them moves far. */
static void test_same(void **state)
{
    (void)state;
    nondominated x[MOST];
    for (int i = 0; i < MOST; i++) x[i] = (nondominated){1 + i * 0x1p-52, 0.5 - i * 0x1p-5, i, 0};
    pareto_front s = {.most = MOST, .same_u = SAME, .same_q = SAME};
    int n = front_thin(&s, x, MOST);
    assert_int_equal(n, 4); /* 5 points each within 2^-50 */
    for (int i = 0; i < n; i++) assert_true(x[i].u - (1 + x[i].from * 0x1p-52) <= SAME);
}

static void test_unite(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    for (int trial = 0; trial < TRIALS; trial++) {
        nondominated a[MOST], b[MOST], out[2 * MOST];
        int na = draw(&r, trial % 2, a), nb = trial % 5 ? draw(&r, trial % 2, b) : 0;
        int n = front_unite(a, na, b, nb, out);
        assert_true(sorted(out, n));
        for (int i = 0; i < na; i++) assert_true(covered(out, n, a[i].u, a[i].q));
        for (int i = 0; i < nb; i++) assert_true(covered(out, n, b[i].u, b[i].q));
        for (int i = 0; i < n; i++) {
            bool there = false;
            for (int j = 0; j < na; j++) there |= a[j].u == out[i].u && a[j].q == out[i].q;
            for (int j = 0; j < nb; j++) there |= b[j].u == out[i].u && b[j].q == out[i].q;
            assert_true(there);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),
        cmocka_unit_test(test_thin),
        cmocka_unit_test(test_same),
        cmocka_unit_test(test_unite),
    };
    return run_tests(tests);
}

/* la/dense: small systems have the digits of plain loops with any BLAS; calls of several threads do not interfere. */
#include "la/dense.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/rng.h"
#include "test.h"

enum { MOST = 32, LEAST = 3, THREADS = 4, ROUNDS = 10000 };
enum { OWN = 64 }; /* rows up to which no BLAS is asked */

static double matrix[MOST + 1][MOST * MOST], inverse[MOST + 1][MOST * MOST];
static int wrong[THREADS];

static int invert(int n, double a[])
{
    int pivot[MOST];
    memcpy(a, matrix[n], sizeof matrix[n]);
    return dense_invert(n, a, 1e-9, pivot);
}

static void invert_many(void *context, int task, int thread)
{
    (void)context, (void)thread;
    double a[MOST * MOST];
    for (int k = 0; k < ROUNDS; k++) {
        int n = LEAST + (7 * k + task) % (MOST - LEAST + 1);
        wrong[task] += invert(n, a) != 0 || memcmp(a, inverse[n], sizeof(double) * (size_t)n * (size_t)n) != 0;
    }
}

static void threads_do_not_mix(void **state)
{
    (void)state;
    rng r = rng_seed(5);
    for (int n = LEAST; n <= MOST; n++) {
        for (int k = 0; k < n * n; k++) matrix[n][k] = rng_unit(&r) - 0.5;
        assert_int_equal(invert(n, inverse[n]), 0);
    }
    pool *p = pool_new(THREADS);
    assert_non_null(p);
    pool_run(p, THREADS, invert_many, NULL);
    pool_free(p);
    for (int k = 0; k < THREADS; k++) assert_int_equal(wrong[k], 0);
}

/* ---- the digits ---------------------------------------------------------------------------------------------------- */

/* Gauss, by rows and one entry at a time; swap as dense_factor's. */
static int plain_factor(int rows, int cols, double a[], double least, int swap[])
{
    for (int k = 0; k < cols; k++) {
        double *pivot = a + k * rows;
        swap[k] = k;
        for (int i = k + 1; i < rows; i++) {
            if (fabs(pivot[i]) > fabs(pivot[swap[k]])) swap[k] = i;
        }
        for (int j = 0; j < cols; j++) {
            double other = a[j * rows + k];
            a[j * rows + k] = a[j * rows + swap[k]];
            a[j * rows + swap[k]] = other;
        }
        if (!(fabs(pivot[k]) > least)) return k + 1;
        for (int i = k + 1; i < rows; i++) {
            pivot[i] /= pivot[k];
            for (int j = k + 1; j < cols; j++) a[j * rows + i] -= pivot[i] * a[j * rows + k];
        }
    }
    return 0;
}

/* x := T^-1 x, by columns of T */
static void plain_solve(dense_triangle which, int n, const double a[], int rows, double x[])
{
    bool lower = which == DENSE_UNIT_LOWER;
    for (int step = 0; step < n; step++) {
        int k = lower ? step : n - 1 - step;
        if (!lower) x[k] /= a[k * rows + k];
        for (int i = lower ? k + 1 : 0; i < (lower ? n : k); i++) x[i] -= a[k * rows + i] * x[k];
    }
}

/* As many zeros as in bases, and no -0: if a column is skipped, a 0 may have either sign. */
static void draw(rng *r, int cells, double part, double a[])
{
    for (int k = 0; k < cells; k++) a[k] = rng_unit(r) < part ? rng_unit(r) - 0.5 : 0;
}

static void assert_same(int cells, const double a[], const double b[])
{
    for (int k = 0; k < cells; k++) assert_true(a[k] == b[k]);
}

static void factors_and_inverses_have_the_digits_of_plain_loops(void **state)
{
    (void)state;
    static double a[OWN * OWN], own[OWN * OWN], plain[OWN * OWN], unit[OWN];
    rng r = rng_seed(11);
    int singular = 0, regular = 0;
    for (int trial = 0; trial < 400; trial++) {
        int n = 1 + trial % OWN, cols = trial % 3 ? n : (n + 1) / 2, own_swap[OWN], swap[OWN];
        draw(&r, n * n, trial % 2 ? 1 : 0.2, a);
        for (int k = 0; k < n && trial % 4; k++) a[k * n + k] += 1;
        memcpy(own, a, sizeof a), memcpy(plain, a, sizeof a);
        int failed = plain_factor(n, cols, plain, 1e-9, swap);
        assert_int_equal(dense_factor(n, cols, own, 1e-9, own_swap, NULL), failed);
        singular += failed != 0, regular += failed == 0;
        if (failed) continue;
        assert_same(n * cols, own, plain);
        assert_memory_equal(own_swap, swap, sizeof(int) * (size_t)cols);
        if (cols < n) continue;
        memcpy(own, a, sizeof a);
        assert_int_equal(dense_invert(n, own, 1e-9, own_swap), 0);
        for (int j = 0; j < n; j++) {
            for (int i = 0; i < n; i++) unit[i] = i == j;
            for (int t = 0; t < n; t++) {
                double other = unit[t];
                unit[t] = unit[swap[t]];
                unit[swap[t]] = other;
            }
            plain_solve(DENSE_UNIT_LOWER, n, plain, n, unit);
            plain_solve(DENSE_UPPER, n, plain, n, unit);
            assert_same(n, own + j * n, unit);
        }
    }
    assert_true(singular > 10 && regular > 100);
}

static void solves_and_products_have_the_digits_of_plain_loops(void **state)
{
    (void)state;
    static double a[OWN * OWN];
    double x[OWN], y[OWN], own[OWN], plain[OWN];
    rng r = rng_seed(12);
    for (int rows = 1; rows <= OWN; rows++) {
        int cols = 1 + (int)(rng_unit(&r) * rows), n = 1 + (int)(rng_unit(&r) * rows);
        draw(&r, rows * rows, 1, a), draw(&r, rows, 0.6, x), draw(&r, rows, 1, y);
        for (int lower = 0; lower < 2; lower++) {
            memcpy(own, x, sizeof own), memcpy(plain, x, sizeof plain);
            dense_trsv(lower ? DENSE_UNIT_LOWER : DENSE_UPPER, false, n, a, rows, own);
            plain_solve(lower ? DENSE_UNIT_LOWER : DENSE_UPPER, n, a, rows, plain);
            assert_same(rows, own, plain);
            /* the transpose: T' own = x, to rounding */
            memcpy(own, x, sizeof own);
            dense_trsv(lower ? DENSE_UNIT_LOWER : DENSE_UPPER, true, n, a, rows, own);
            for (int k = 0; k < n; k++) {
                double sum = lower ? own[k] : 0, scale = 1;
                for (int i = lower ? k + 1 : 0; i < (lower ? n : k + 1); i++) {
                    sum += a[k * rows + i] * own[i];
                    scale += fabs(a[k * rows + i] * own[i]);
                }
                assert_near(sum, x[k], 1e-13 * scale);
            }
        }
        memcpy(own, y, sizeof own), memcpy(plain, y, sizeof plain);
        dense_gemv_add(rows, cols, -0.75, a, x, own);
        for (int j = 0; j < cols; j++) {
            for (int i = 0; i < rows; i++) plain[i] += -0.75 * x[j] * a[j * rows + i];
        }
        assert_same(rows, own, plain);
        dense_gemv_t_of(rows, cols, a, x, own);
        for (int j = 0; j < cols; j++) {
            plain[j] = 0;
            for (int i = 0; i < rows; i++) plain[j] += a[j * rows + i] * x[i];
        }
        assert_same(cols, own, plain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_mix),
        cmocka_unit_test(factors_and_inverses_have_the_digits_of_plain_loops),
        cmocka_unit_test(solves_and_products_have_the_digits_of_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

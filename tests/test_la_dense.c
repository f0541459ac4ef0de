/* la/dense: what threads ask of the library does not mix. */
#include "la/dense.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/rng.h"
#include "test.h"

enum { MOST = 32, LEAST = 3, THREADS = 4, ROUNDS = 10000 };

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_do_not_mix)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

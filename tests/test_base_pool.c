/* The pool runs every task once, for any number of threads, repeatedly. */
#include "test.h"

#include "base/pool.h"

static void square(void *context, int i, int thread)
{
    (void)thread;
    ((long *)context)[i] += (long)i * i;
}

static void test_every_task_runs_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        long result[100] = {0};
        pool *p = pool_new(threads);
        assert_non_null(p);
        for (int run = 0; run < 50; run++) pool_run(p, 100, square, result);
        for (long i = 0; i < 100; i++) assert_int_equal(result[i], 50 * i * i);
        pool_run(p, 0, square, result);
        pool_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_task_runs_once)};
    return run_tests(tests);
}

/* Work aside is done once, whether or not its end is waited for at once. */
#include "test.h"

#include "base/pool.h"

static void add_up(void *context)
{
    long *sum = context;
    for (long i = 1; i <= 1000; i++) *sum += i;
}

static void what_is_begun_is_done(void **state)
{
    (void)state;
    aside *a[20];
    long sum[20] = {0};
    for (int i = 0; i < 20; i++) assert_non_null(a[i] = aside_begin(add_up, &sum[i]));
    for (int i = 0; i < 20; i++) {
        aside_end(a[i]);
        assert_int_equal(sum[i], 500500);
    }
    aside_end(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_begun_is_done)};
    return run_tests(tests);
}

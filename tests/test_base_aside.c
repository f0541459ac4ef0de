/* Work aside is done once, whether or not its end is waited for at once. */
#include "test.h"

#include "base/aside.h"

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

static void count(void *context)
{
    pace *p = context;
    for (long long i = 1; i <= 1000; i++) pace_tell(p, i);
    pace_end(p);
}

static void how_far_it_has_come_is_waited_for(void **state)
{
    (void)state;
    pace p;
    pace_open(&p);
    aside *a = aside_begin(count, &p);
    assert_non_null(a);
    assert_false(pace_reached(&p, 0));
    assert_false(pace_reached(&p, 999));
    assert_true(pace_reached(&p, 1000));
    aside_end(a);
    pace_tell(NULL, 1);
    pace_close(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_begun_is_done),
                                       cmocka_unit_test(how_far_it_has_come_is_waited_for)};
    return run_tests(tests);
}

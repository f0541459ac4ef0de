/* Allocation: overflow, failure injection, growth, live count. */
#include "test.h"

#include "base/memory.h"

static void a_size_that_overflows_is_refused(void **state)
{
    (void)state;
    assert_null(mem_alloc(SIZE_MAX / 4, 16));
    assert_null(mem_zero(SIZE_MAX, 2));
}

static void allocations_fail_from_the_chosen_one_on(void **state)
{
    (void)state;
    mem_fail_after(1);
    void *a = mem_alloc(1, 8);
    void *b = mem_alloc(1, 8);
    void *c = mem_resize(a, 100, 8);
    mem_fail_after(-1);
    assert_non_null(a);
    assert_null(b);
    assert_null(c);
    mem_free(a);
}

static void one_allocation_fails_alone(void **state)
{
    (void)state;
    mem_fail_once(1);
    void *a = mem_alloc(1, 8);
    void *b = mem_alloc(1, 8);
    void *c = mem_alloc(1, 8);
    mem_fail_after(-1);
    assert_non_null(a);
    assert_null(b);
    assert_non_null(c);
    mem_free(a);
    mem_free(c);
}

static void a_reserved_array_grows_and_keeps_its_items(void **state)
{
    (void)state;
    int *block = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(mem_reserve((void **)&block, &capacity, (size_t)i, sizeof *block), 0);
        block[i] = i;
    }
    for (int i = 0; i < 1000; i++) assert_int_equal(block[i], i);
    mem_free(block);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(allocations_fail_from_the_chosen_one_on),
        cmocka_unit_test(one_allocation_fails_alone),
        cmocka_unit_test(a_reserved_array_grows_and_keeps_its_items),
    };
    return run_tests(tests);
}

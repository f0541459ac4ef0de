/* Arrays that live and die together: aligned, apart, zeroed where asked, one flag for all failures. */
#include "test.h"

#include "base/arena.h"

static void arrays_are_aligned_and_apart(void **state)
{
    (void)state;
    arena a = {0};
    unsigned char *part[200];
    for (int i = 0; i < 200; i++) {
        part[i] = ARENA_NEW(&a, unsigned char, i);
        assert_non_null(part[i]);
        assert_int_equal((uintptr_t)part[i] % _Alignof(max_align_t), 0);
        memset(part[i], i, (size_t)i);
    }
    for (int i = 0; i < 200; i++)
        for (int k = 0; k < i; k++) assert_int_equal(part[i][k], i);
    assert_false(a.failed);
    assert_true(mem_live() < 10); /* few blocks for many arrays */
    arena_free(&a);
    assert_int_equal(mem_live(), 0);
}

static void the_zeroing_variant_zeroes_memory_used_before(void **state)
{
    (void)state;
    static const int lengths[] = {3000, 200000}; /* the latter has a block of its own */
    for (int round = 0; round < 4; round++) {
        arena a = {0};
        int n = lengths[round % 2];
        unsigned char *before = ARENA_NEW(&a, unsigned char, 10);
        double *x = ARENA_ZERO(&a, double, n);
        assert_int_equal((uintptr_t)x % _Alignof(max_align_t), 0);
        before[9] = 1;
        for (int i = 0; i < n; i++) {
            assert_true(x[i] == 0);
            x[i] = 7;
        }
        arena_free(&a);
    }
}

static void an_empty_array_is_no_failure(void **state)
{
    (void)state;
    arena a = {0};
    assert_non_null(ARENA_NEW(&a, double, 0));
    assert_false(a.failed);
    arena_free(&a);
}

static void a_negative_or_overflowing_size_fails(void **state)
{
    (void)state;
    arena a = {0};
    assert_null(ARENA_NEW(&a, double, -1));
    assert_true(a.failed);
    arena_free(&a);
    assert_false(a.failed);
    assert_null(ARENA_ZERO(&a, double, SIZE_MAX / 4));
    assert_true(a.failed);
    arena_free(&a);
}

static void a_failure_is_remembered_and_all_is_freed(void **state)
{
    (void)state;
    for (long after = 0; after < 3; after++) {
        arena a = {0};
        mem_fail_after(after);
        for (int i = 0; i < 6; i++) (void)ARENA_NEW(&a, double, 100 << i);
        mem_fail_after(-1);
        assert_true(a.failed);
        assert_non_null(ARENA_NEW(&a, int, 5)); /* later ones may succeed; the flag stays */
        assert_true(a.failed);
        arena_free(&a);
        assert_int_equal(mem_live(), 0);
    }
}

static void an_arena_may_hold_its_own_owner(void **state)
{
    (void)state;
    typedef struct owner {
        arena memory;
        double *x;
    } owner;
    arena a = {0};
    owner *o = ARENA_ZERO(&a, owner, 1);
    o->x = ARENA_NEW(&a, double, 10000);
    o->memory = a;
    arena_free(&o->memory);
    assert_int_equal(mem_live(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_aligned_and_apart),
        cmocka_unit_test(the_zeroing_variant_zeroes_memory_used_before),
        cmocka_unit_test(an_empty_array_is_no_failure),
        cmocka_unit_test(a_negative_or_overflowing_size_fails),
        cmocka_unit_test(a_failure_is_remembered_and_all_is_freed),
        cmocka_unit_test(an_arena_may_hold_its_own_owner),
    };
    return run_tests(tests);
}

/* Allocation: overflow, failure injection, growth, live count. */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
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

static void what_passes_the_limit_is_refused(void **state)
{
    (void)state;
    enum { LIMIT = 1 << 20, PART = 1 << 17, MOST = 16 };
    size_t before = mem_used();
    long failures = mem_failures(), met = mem_limit_met();
    const deadline none = {0};
    void *block[MOST];
    int count = 0;
    mem_limit(before + LIMIT);
    assert_false(mem_scarce());
    assert_false(deadline_expired(&none));
    while (count < MOST && (block[count] = mem_alloc(1, PART - 64))) count++;
    assert_int_equal(count, LIMIT / PART);
    assert_true(mem_scarce());
    assert_true(deadline_expired(&none));
    assert_true(mem_limit_met() > met && mem_failures() > failures);
    mem_failures_settled(failures);
    assert_int_equal(mem_failures(), failures);
    assert_null(mem_resize(block[0], 1, 2 * PART));
    void *smaller = mem_resize(block[0], 1, 8);
    assert_non_null(block[0] = smaller);
    assert_non_null(block[0] = mem_resize(block[0], 1, PART / 2));
    while (count > 0) mem_free(block[--count]);
    assert_false(mem_scarce());
    assert_int_equal(mem_used(), before);
    mem_limit(0);
    void *large = mem_alloc(1, 2 * LIMIT);
    assert_non_null(large);
    mem_free(large);
}

static void processes_share_what_the_limit_leaves(void **state)
{
    (void)state;
    mem_limit(0);
    assert_int_equal(mem_share(3), 0);
    mem_limit(mem_used() + 300);
    assert_int_equal(mem_share(3), 100);
    assert_int_equal(mem_share(1), 300);
    mem_limit(mem_used() + 2);
    assert_int_equal(mem_share(3), 1); /* 0 would be no limit */
    mem_limit(0);
}

static void the_machine_is_asked_once_much_is_taken(void **state)
{
    (void)state;
    mem_limit(MEM_SHARE_OF_MACHINE);
    assert_int_equal(mem_limited(), 0);
    void *large = mem_alloc(1, (size_t)40 << 20);
    assert_non_null(large);
    assert_true(mem_limited() > 0 && mem_limited() < mem_of_machine());
    mem_free(large);
    mem_limit(0);
}

static void lay_down(const char *root, const char *name, const char *text)
{
    char path[256];
    for (size_t i = 1; name[i]; i++) {
        if (name[i] != '/') continue;
        snprintf(path, sizeof path, "%s%.*s", root, (int)i, name);
        (void)mkdir(path, 0700);
    }
    snprintf(path, sizeof path, "%s%s", root, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void the_smallest_limit_of_the_machine_counts(void **state)
{
    (void)state;
    char root[] = "/tmp/vouch.memory.XXXXXX", remove[64];
    assert_non_null(mkdtemp(root));
    assert_int_equal(mem_of_machine_at(root), 0);
    lay_down(root, "/proc/meminfo", "MemFree: 5 kB\nMemTotal:       2000 kB\n");
    assert_int_equal(mem_of_machine_at(root), 2000 << 10);
    lay_down(root, "/proc/self/cgroup", "1:cpu:/x\n0::/a/b\n");
    assert_int_equal(mem_of_machine_at(root), 2000 << 10);
    lay_down(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
    assert_int_equal(mem_of_machine_at(root), 2000 << 10);
    lay_down(root, "/sys/fs/cgroup/a/memory.max", "1000000\n"); /* of the group above */
    assert_int_equal(mem_of_machine_at(root), 1000000);
    lay_down(root, "/sys/fs/cgroup/a/b/memory.max", "3000000\n");
    assert_int_equal(mem_of_machine_at(root), 1000000);
    lay_down(root, "/proc/self/cgroup", "2:cpu,memory:/outside\n");
    lay_down(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "900000\n"); /* a container, whose root it is */
    assert_int_equal(mem_of_machine_at(root), 900000);
    snprintf(remove, sizeof remove, "rm -r %s", root);
    assert_int_equal(system(remove), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_size_that_overflows_is_refused),
        cmocka_unit_test(allocations_fail_from_the_chosen_one_on),
        cmocka_unit_test(one_allocation_fails_alone),
        cmocka_unit_test(a_reserved_array_grows_and_keeps_its_items),
        cmocka_unit_test(what_passes_the_limit_is_refused),
        cmocka_unit_test(processes_share_what_the_limit_leaves),
        cmocka_unit_test(the_machine_is_asked_once_much_is_taken),
        cmocka_unit_test(the_smallest_limit_of_the_machine_counts),
    };
    return run_tests(tests);
}

/* Tables of names: numbers in the order of addition, found again for any names. */
#include "test.h"

#include "base/rng.h"
#include "io/file.h"

enum { NAMES = 300, WIDTH = 40 };

static int find_one_by_one(char list[][WIDTH], int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0) return i;
    return -1;
}

/* Names that count up, now and then one that does not; with zeros in front, long, empty, or nine and more digits. */
static void draw(rng *r, const char *prefix, int next, char name[WIDTH])
{
    static const char *const form[] = {
        "%s%d",          "%s%d",         "%s%d", "%s%d", "%s%d", "%s0%d", "%s%d_", "a%s%d", "%sa_name_of_many_letters%d",
        "%s9999999%02d", "%s000000000%d"};
    enum { FORMS = sizeof form / sizeof *form, SURELY = 60 };
    int number = rng_below(r, SURELY) ? next : (int)rng_below(r, 2000);
    snprintf(name, WIDTH, form[rng_below(r, SURELY) ? 0 : rng_below(r, FORMS)], prefix, number);
    if (rng_below(r, 200) == 0) name[rng_below(r, strlen(name) + 1)] = '\0';
}

static void names_are_found_as_one_by_one(void **state)
{
    (void)state;
    static const char *const prefix[] = {"s", "", "x0", "state of a long name ", "R1", "7", "\xC3\xA4"};
    static char list[NAMES][WIDTH];
    rng r = rng_seed(11);
    for (int round = 0; round < 200; round++) {
        names n = {0};
        const char *with = prefix[rng_below(&r, sizeof prefix / sizeof *prefix)];
        int count = 0, first = rng_below(&r, 2) ? 0 : (int)rng_below(&r, 120);
        if (rng_below(&r, 20) == 0) first = 999999900;
        for (int i = 0; i < NAMES; i++) {
            char name[WIDTH];
            draw(&r, with, first + i, name);
            int known = find_one_by_one(list, count, name);
            assert_int_equal(names_find(&n, name), known);
            assert_int_equal(names_add(&n, name), known >= 0 ? known : count);
            if (known < 0) memcpy(list[count++], name, WIDTH);
            draw(&r, with, first + (int)rng_below(&r, NAMES), name);
            assert_int_equal(names_find(&n, name), find_one_by_one(list, count, name));
        }
        assert_int_equal(n.count, count);
        for (int i = 0; i < count; i++) assert_string_equal(names_text(&n, i), list[i]);
        for (int i = 0; i < count; i++) assert_int_equal(names_find(&n, list[i]), i);
        names_free(&n);
    }
}

static void names_that_count_up_need_no_table(void **state)
{
    (void)state;
    names n = {0};
    for (int i = 0; i < 1000; i++) {
        char name[WIDTH];
        snprintf(name, sizeof name, "s%d", i);
        assert_int_equal(names_add(&n, name), i);
    }
    assert_int_equal(n.numbered, 1000);
    assert_int_equal(n.slots, 0);
    names_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_found_as_one_by_one),
        cmocka_unit_test(names_that_count_up_need_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* How a node is divided: what is left to be fixed, and that nothing is branched on twice. */
#include "mip/branch.h"
#include "test.h"

enum { COLS = 4 };

typedef struct scene_of_columns {
    unsigned char integer[COLS];
    double lower[COLS], upper[COLS], x[COLS];
    mip_model model;
    mip_search s;
} scene_of_columns;

/* Column 0 is continuous, the others are integer in [0, 5]. */
static mip_search *columns(scene_of_columns *c)
{
    *c = (scene_of_columns){.integer = {0, 1, 1, 1}, .upper = {5, 5, 5, 5}};
    c->model = (mip_model){.n = COLS, .integer = c->integer};
    c->s = (mip_search){.model = &c->model, .dom = {.lower = c->lower, .upper = c->upper}, .lp = {.x = c->x}};
    return &c->s;
}

static void the_column_furthest_from_whole_is_taken(void **state)
{
    (void)state;
    scene_of_columns c;
    double at = NAN;
    mip_search *s = columns(&c);
    c.x[0] = 2.5; /* continuous: never */
    c.x[1] = 1e-7;
    c.x[2] = 3 - 2e-7;
    assert_int_equal(branch_least_integral(s, &at), 2);
    assert_true(at == c.x[2]);
    c.x[2] = 5 + 2e-7; /* within the bounds it is whole */
    assert_int_equal(branch_least_integral(s, &at), 1);
    assert_true(at == c.x[1]);
}

/* Where all are whole: the first free one, divided so that both sides are smaller; and when all are fixed none,
 * or the same node would come back for ever. */
static void whole_columns_are_fixed_one_by_one(void **state)
{
    (void)state;
    scene_of_columns c;
    double at = NAN;
    mip_search *s = columns(&c);
    c.x[1] = 0, c.x[2] = 5, c.x[3] = 2;
    int order[] = {1, 2, 3};
    for (int i = 0; i < 3; i++) {
        int j = order[i];
        assert_int_equal(branch_least_integral(s, &at), j);
        assert_true(floor(at) >= c.lower[j] && floor(at) + 1 <= c.upper[j]);
        assert_true(floor(at) == c.x[j] || floor(at) + 1 == c.x[j]);
        c.lower[j] = c.upper[j] = c.x[j];
    }
    assert_int_equal(branch_least_integral(s, &at), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_column_furthest_from_whole_is_taken),
                                       cmocka_unit_test(whole_columns_are_fixed_one_by_one)};
    return run_tests(tests);
}

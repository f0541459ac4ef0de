/* Branching: the remaining candidates, and no column is branched on twice. */
#include "mip/search.h"
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
    c->s =
        (mip_search){.model = &c->model, .dom = {.lower = c->lower, .upper = c->upper}, .lp = {.x = c->x}, .tree = {.id_step = 1}};
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

/* Without a point: the widest column, in its middle, at the bound it has, or at 0. */
static void without_a_point_the_widest_column_is_halved(void **state)
{
    (void)state;
    static const struct {
        double lower, upper, below; /* the lower child's new bound */
    } cases[] = {{-3, 8, 2}, {0, 7, 3}, {4, INFINITY, 4}, {-INFINITY, 9, 8}, {-INFINITY, INFINITY, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scene_of_columns c;
        mip_search *s = columns(&c);
        mip_node *parent = node_new(NULL, 1, NULL, 0), *out[2];
        assert_int_equal(vouch_lp_new(&s->lp.relax.lp), VOUCH_OK);
        c.lower[0] = -1e9; /* continuous */
        c.lower[2] = cases[i].lower, c.upper[2] = cases[i].upper;
        assert_true(branch_blindly(s, parent, out));
        assert_int_equal(s->tree.ids, 2);
        for (int k = 0; k < 2; k++) {
            const bound_change *change = out[k]->change;
            assert_true(out[k]->parent == parent && out[k]->depth == 1 && out[k]->branch_col == -1);
            assert_true(out[k]->changes == 1 && change->col == 2 && out[k]->up == (k == 1));
            assert_true(change->lower == (k ? cases[i].below + 1 : cases[i].lower));
            assert_true(change->upper == (k ? cases[i].upper : cases[i].below));
            node_release(out[k]);
        }
        node_release(parent);
        for (int j = 1; j < COLS; j++) c.lower[j] = c.upper[j] = 3;
        assert_false(branch_blindly(s, NULL, out));
        vouch_lp_free(s->lp.relax.lp);
    }
}

/* The first set with two members that may be nonzero is divided so that each side keeps one of them. */
static void undecided_sets_are_divided_between_open_members(void **state)
{
    (void)state;
    scene_of_columns c;
    mip_search *s = columns(&c);
    int start[] = {0, 2, 4}, member[] = {0, 1, 2, 3}, split = -1;
    c.model.sets = 2, c.model.set_start = start, c.model.set_col = member;
    assert_int_equal(branch_undecided_set(s, &split), 0);
    assert_int_equal(split, 0);
    c.upper[1] = 0; /* column 1 is 0: the first set is decided */
    assert_int_equal(branch_undecided_set(s, &split), 1);
    assert_int_equal(split, 2);
    c.lower[3] = c.upper[3] = 0;
    assert_int_equal(branch_undecided_set(s, &split), -1);
    c.lower[3] = -2;
    assert_int_equal(branch_undecided_set(s, &split), 1);
    start[1] = 4, c.model.sets = 1; /* 0, (1), 2, 3 */
    assert_int_equal(branch_undecided_set(s, &split), 0);
    assert_int_equal(split, 0);
    c.upper[0] = 0; /* 2, 3 */
    assert_int_equal(branch_undecided_set(s, &split), 0);
    assert_int_equal(split, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_column_furthest_from_whole_is_taken),
                                       cmocka_unit_test(whole_columns_are_fixed_one_by_one),
                                       cmocka_unit_test(without_a_point_the_widest_column_is_halved),
                                       cmocka_unit_test(undecided_sets_are_divided_between_open_members)};
    return run_tests(tests);
}

/* What deciding on a choice has gained is the mean of the shares that its children closed, with one share more of the mean over all. */
#include "plan_aid.h"

#include "plan/bnb/branching_record.h"

static void shares_are_means(void **state)
{
    (void)state;
    vouch_model *m;
    policy_space space;
    branching_record r;
    vouch_maze_shape z = {.corridor = 3, .up = 2, .down = 2, .environments = 2, .horizon = 8, .grip = 0.8, .probability = 0.5};
    assert_int_equal(vouch_generate_t_maze(&m, &z, NULL), VOUCH_OK);
    space_options so = space_options_for(0);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    assert_int_equal(branching_record_new(space.g, &r), VOUCH_OK);
    tree_node root = {.made = {.node = -1, .option = -1}, .bound = 1},
              near = {.parent = &root, .made = {0, 0, 0, 0, false}, .bound = 1.5},
              far = {.parent = &root, .made = {0, 1, 0, 0, false}, .bound = 1};
    node_result open = {.end = VOUCH_NODE_BRANCHED}, empty = {.end = VOUCH_NODE_INFEASIBLE}, left = {.limit = true};
    assert_int_equal(branching_record_mean(&r)[0], 51); /* a fifth is expected of all */
    branching_record_note(&r, &near, &open, 3);         /* a quarter */
    branching_record_note(&r, &far, &open, 3);          /* nothing */
    branching_record_note(&r, &far, &open, INFINITY);
    branching_record_note(&r, &far, &left, 3);
    branching_record_note(&r, &root, &open, 3);
    const unsigned char *mean = branching_record_mean(&r); /* over all an eighth */
    assert_int_equal(mean[0], (int)(255 * (0.25 + 0.125) / 2));
    assert_int_equal(mean[1], (int)(255 * 0.125 / 2));
    assert_int_equal(mean[2], (int)(255 * 0.125));
    branching_record_note(&r, &far, &empty, 3);
    assert_true(branching_record_mean(&r)[1] > 100);
    branching_record_clear(&r);
    space_free(&space);
    vouch_model_free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares_are_means)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

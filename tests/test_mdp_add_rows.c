/* Rows of a model added at once: the same model as row by row, and errors name the wrong row. */
#include "test.h"

#include <vouch/vouch.h>

static vouch_model *with_rows(const vouch_row row[], size_t count, vouch_status *status, vouch_error *error)
{
    vouch_model *m;
    assert_int_equal(vouch_model_new(&m, 2, 1, 2, 3), VOUCH_OK);
    *status = vouch_model_add_rows(m, row, count, error);
    return m;
}

static void rows_at_once_are_rows_one_by_one(void **state)
{
    (void)state;
    const vouch_row row[] = {
        {0, 0, 0, 0, 0.25, 1}, {0, 0, 0, 1, 0.75, 2}, {0, 1, 0, 1, 1, 0}, {1, 0, 0, 1, 1, 2}, {1, 1, 0, 1, 1, 0}};
    vouch_status status;
    vouch_error error = {0};
    vouch_transitions t;
    vouch_model *m = with_rows(row, sizeof row / sizeof *row, &status, &error);
    assert_int_equal(status, VOUCH_OK);
    assert_int_equal(vouch_model_finish(m, NULL, &error), VOUCH_OK);
    vouch_model_get_transitions(m, 0, 0, 0, &t);
    assert_int_equal(t.count, 2);
    assert_true(t.next[1] == 1 && t.probability[1] == 0.75 && t.reward[1] == 2);
    vouch_model_get_transitions(m, 1, 0, 0, &t);
    assert_true(t.count == 1 && t.next[0] == 1 && t.probability[0] == 1);
    assert_int_equal(vouch_model_add_rows(m, row, 1, &error), VOUCH_ERROR_ARGUMENT);
    assert_string_equal(error.text, "the model is finished: rows cannot be added");
    vouch_model_free(m);
}

static void what_is_wrong_is_named(void **state)
{
    (void)state;
    const struct {
        vouch_row row;
        vouch_status status;
        const char *text;
    } wrong[] = {
        {{2, 0, 0, 0, 1, 0}, VOUCH_ERROR_ARGUMENT, "row 1: environment 2; expected 0 to 1"},
        {{0, -1, 0, 0, 1, 0}, VOUCH_ERROR_ARGUMENT, "row 1: state -1; expected 0 to 1"},
        {{0, 0, 1, 0, 1, 0}, VOUCH_ERROR_ARGUMENT, "row 1: action 1; expected 0 to 0"},
        {{0, 0, 0, 2, 1, 0}, VOUCH_ERROR_ARGUMENT, "row 1: next state 2; expected 0 to 1"},
        {{1, 1, 0, 0, -0.5, 0},
         VOUCH_ERROR_INPUT,
         "environment \"k2\", state \"s1\", action \"a0\": a probability must lie between 0 and 1, found -0.5"},
        {{1, 1, 0, 0, NAN, 0},
         VOUCH_ERROR_INPUT,
         "environment \"k2\", state \"s1\", action \"a0\": a probability must lie between 0 and 1, found nan"},
        {{0, 1, 0, 0, 1, INFINITY},
         VOUCH_ERROR_INPUT,
         "environment \"k1\", state \"s1\", action \"a0\": a reward must be a finite number, found inf"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const vouch_row row[] = {{0, 0, 0, 0, 1, 0}, wrong[i].row};
        vouch_status status;
        vouch_error error = {0};
        vouch_model_free(with_rows(row, 2, &status, &error));
        assert_int_equal(status, wrong[i].status);
        assert_string_equal(error.text, wrong[i].text);
    }
    assert_int_equal(vouch_model_add_rows(NULL, NULL, 0, NULL), VOUCH_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_at_once_are_rows_one_by_one),
                                       cmocka_unit_test(what_is_wrong_is_named)};
    return run_tests(tests);
}

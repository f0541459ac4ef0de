/* Transposing: entries where they belong, in ascending order; twice gives the matrix back. */
#include "test.h"

#include "base/transpose.h"

/* Rows 0..2 of 4 columns: (0: 1 at 3, 2 at 0), (1: empty), (2: 3 at 0, 4 at 2, 5 at 3). */
static const int64_t begin[] = {0, 2, 2, 5};
static const int col[] = {3, 0, 0, 2, 3};
static const double entry[] = {1, 2, 3, 4, 5};

static void entries_come_out_by_the_other_index_in_ascending_order(void **state)
{
    (void)state;
    int64_t start[5];
    int index[5];
    double value[5];
    transpose(&(line_matrix){3, begin, col, entry}, 4, start, index, value);
    const int64_t starts[] = {0, 2, 2, 3, 5};
    const int rows[] = {0, 2, 2, 0, 2};
    const double values[] = {2, 3, 4, 1, 5};
    assert_memory_equal(start, starts, sizeof starts);
    assert_memory_equal(index, rows, sizeof rows);
    assert_memory_equal(value, values, sizeof values);
}

static void twice_sorts_each_line(void **state)
{
    (void)state;
    int64_t start[5], again_start[4];
    int index[5], again[5];
    double value[5], again_value[5];
    transpose(&(line_matrix){3, begin, col, entry}, 4, start, index, value);
    transpose(&(line_matrix){4, start, index, value}, 3, again_start, again, again_value);
    const int cols[] = {0, 3, 0, 2, 3};
    const double values[] = {2, 1, 3, 4, 5};
    assert_memory_equal(again_start, begin, sizeof begin);
    assert_memory_equal(again, cols, sizeof cols);
    assert_memory_equal(again_value, values, sizeof values);
}

static void a_pattern_has_no_values_and_an_empty_matrix_no_entries(void **state)
{
    (void)state;
    int64_t start[5];
    int index[5];
    transpose(&(line_matrix){3, begin, col, NULL}, 4, start, index, NULL);
    assert_int_equal(start[4], 5);
    assert_int_equal(index[2], 2);
    const int64_t none[] = {0};
    transpose(&(line_matrix){0, none, NULL, NULL}, 4, start, NULL, NULL);
    for (int i = 0; i < 5; i++) assert_int_equal(start[i], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_come_out_by_the_other_index_in_ascending_order),
        cmocka_unit_test(twice_sorts_each_line),
        cmocka_unit_test(a_pattern_has_no_values_and_an_empty_matrix_no_entries),
    };
    return run_tests(tests);
}

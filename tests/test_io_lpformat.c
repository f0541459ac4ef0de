/* The CPLEX LP reader and writer: common dialects, errors and their messages, round trips. */
#include "test.h"

#include <unistd.h>

#include "io/lpfile.h"
#include "oracle/lptext.h"

static const char everything[] = "\\ a comment\n"
                                 "Maximize\n obj: 3 x + 2y - - 4 z \\ inside\n   + 0 w + 5\n"
                                 "Subject To\n"
                                 " c1: x + y + z <= 10\n"
                                 " c2: -3 <= x - y <= 8\n"
                                 " x >= 2 y + 1\n"
                                 " c4: 5 = x + z + x\n"
                                 " c5: 8 >= z >= 2\n"
                                 " c6: 3 + x < 7\n"
                                 "Bounds\n"
                                 " 0 <= x <= 5\n y >= -inf\n -1e30 <= z <= 4\n w free\n b <= 3\n 2 <= i\n"
                                 "Generals\n i\nBinaries\n c\n b\nSemi-continuous\n z\n"
                                 "SOS\n s1: S1:: x:1 y:2\n S1:: z:1 w:-2.5\n"
                                 "End\n";

static void check_everything(const vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 6);
    assert_int_equal(d.cols, 7); /* x y z w b i c */
    assert_true(d.maximize);
    assert_near(d.offset, 5, 0);
    const double cost[7] = {3, 2, 4, 0, 0, 0, 0};
    const double row[6][2] = {{-INFINITY, 10}, {-3, 8}, {1, INFINITY}, {5, 5}, {2, 8}, {-INFINITY, 4}};
    const double col[7][2] = {{0, 5}, {-INFINITY, INFINITY}, {-INFINITY, 4}, {-INFINITY, INFINITY}, {0, 3}, {2, INFINITY}, {0, 1}};
    for (int i = 0; i < 6; i++) {
        assert_true(d.row_lower[i] == row[i][0]);
        assert_true(d.row_upper[i] == row[i][1]);
    }
    for (int j = 0; j < 7; j++) {
        assert_true(d.cost[j] == cost[j]);
        assert_true(d.col_lower[j] == col[j][0]);
        assert_true(d.col_upper[j] == col[j][1]);
        assert_int_equal(vouch_lp_is_integer(lp, j), j >= 4);
    }
    assert_string_equal(vouch_lp_row_name(lp, 2), "r.3");
    /* rows of x: c1 1, c2 1, r.3 1, c4 2 (added up), c6 1 */
    assert_int_equal(d.start[1], 5);
    assert_near(d.value[3], 2, 0);
    /* y in r.3 moved to the left */
    assert_near(d.value[d.start[1] + 2], -2, 0);
    assert_int_equal(vouch_lp_sos1_count(lp), 2);
}

static void every_section_is_read(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(everything, "f.lp");
    check_everything(lp);
    vouch_lp_free(lp);
}

static void keywords_are_names_elsewhere(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("min obj: st + bin\nst\n end: st >= 1\n bounds : bin + st >= 2\nend\n", "f.lp");
    assert_int_equal(vouch_lp_rows(lp), 2);
    assert_string_equal(vouch_lp_row_name(lp, 0), "end");
    assert_string_equal(vouch_lp_col_name(lp, 1), "bin");
    vouch_lp_free(lp);
}

#define OBJ "min\n obj: x + y\nst\n"

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } broken[] = {
        {"", "f:1: an empty file, expected \"minimize\" or \"maximize\""},
        {"x + y\n", "f:1: \"x\", expected \"minimize\" or \"maximize\""},
        {"min x st\n", "f:1: \"st\" after the objective, expected \"subject to\""},
        {OBJ " c: x + y\n end\n", "f:5: \"end\", expected <=, >= or ="},
        {OBJ " c: x <= 3\n c: y <= 2\nend\n", "f:5: row \"c\" appears a second time"},
        {OBJ " c: x <= y <= 4\nend\n", "f:4: columns beside the middle of a row with two relations, expected numbers there"},
        {OBJ " c: 1 <= y >= 4\nend\n", "f:4: the two relations of a row differ, expected l <= .. <= u"},
        {OBJ " c: [ x ^ 2 ] <= 4\nend\n",
         "f:4: a quadratic term ([ .. ]), which is not supported: vouch solves linear and mixed-integer linear programs"},
        {OBJ " c: x + <= 4\nend\n", "f:4: a sign without a term, expected a number or a column"},
        {OBJ " c: x <= \nend\n", "f:5: \"end\", expected a term of a row"},
        {OBJ "bounds\n x <= \nend\n", "f:6: \"end\", expected a number"},
        {OBJ "bounds\n x y\nend\n", "f:5: \"y\", expected a relation or \"free\""},
        {OBJ "bounds\n x >= inf\nend\n", "f:6: an infinite bound leaves no value to the column, expected a finite number"},
        {OBJ "generals\n 3\nend\n", "f:5: \"3\", expected a column or the next section"},
        {OBJ "sos\n x:1\nend\n", "f:6: \"x\" outside of a set, expected S1:: or S2::"},
        {OBJ "min\n x\nend\n", "f:4: a second objective, expected one"},
        {OBJ " c: x ^ 2 <= 3\nend\n",
         "f:4: a power (^), which is not supported: vouch solves linear and mixed-integer linear programs"},
        {OBJ " \x01\nend\n", "f:4: byte 1, expected text"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {

        lptext_refused(broken[k].text, VOUCH_FORMAT_LP, broken[k].message);
    }
}

static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    for (sweep w = {0};;) {
        vouch_lp *lp;
        sweep_refuse(&w);
        vouch_status status = vouch_lp_read_text(&lp, everything, sizeof everything - 1, "f.lp", VOUCH_FORMAT_AUTO, NULL, NULL);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        if (status == VOUCH_OK) {
            check_everything(lp);
            vouch_lp_free(lp);
        } else {
            assert_int_equal(status, VOUCH_ERROR_MEMORY);
            assert_null(lp);
        }
        assert_int_equal(mem_live(), 0);
        if (last) return;
    }
}

static void random_problems_come_back_as_written(void **state)
{
    (void)state;
    uint64_t rounds = (uint64_t)test_count("VOUCH_TEST_ROUNDS", 500);
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        vouch_lp *lp = lptext_random(seed);
        text out = {0};
        assert_int_equal(lpformat_write(lp, VOUCH_FORMAT_LP, &out, NULL), VOUCH_OK);
        vouch_lp *back = lptext_read(out.data, "f.lp");
        lptext_same(lp, back, *vouch_lp_col_name(lp, 0) != '\0');
        vouch_lp_free(back);
        text_free(&out);
        vouch_lp_free(lp);
    }
}

/* l <= .. <= u is not read by every solver: two rows in the file, one again when it is read. */
static void a_row_with_two_sides_is_two_rows(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("minimize\n obj: x + y\nsubject to\n a: 1 <= x + 2 y <= 4\n b: x - y >= 0\n"
                               " c: -2 <= y <= 7\nend\n",
                               "f.lp"),
             *back;
    text out = {0};
    assert_int_equal(vouch_lp_rows(lp), 3);
    assert_int_equal(lpformat_write(lp, VOUCH_FORMAT_LP, &out, NULL), VOUCH_OK);
    assert_non_null(strstr(out.data, " a: x + 2 y >= 1\n a~up: x + 2 y <= 4\n"));
    back = lptext_read(out.data, "f.lp");
    lptext_same(lp, back, true);
    vouch_lp_free(back);
    text_free(&out);
    vouch_lp_free(lp);
    /* other entries, sides or places: rows of their own */
    lp = lptext_read("minimize\n obj: x + y\nsubject to\n a: x + 2 y >= 1\n a~up: x + y <= 4\n"
                     " b: x >= 1\n b~up: x >= 2\n c: y >= 0\n d: y <= 5\n c~up: y <= 9\n e: x + y >= 1\n"
                     " e~up: x <= 3\nend\n",
                     "f.lp");
    assert_int_equal(vouch_lp_rows(lp), 9);
    vouch_lp_free(lp);
}

/* A row whose own name ends like the second of a pair, or is just that ending, is not written by it. */
static void a_name_that_ends_like_a_second_row(void **state)
{
    (void)state;
    static const char *const columns[] = {"~up", "a~up", "b"};
    vouch_lp *lp =
        lptext_read("minimize\n obj: x + y\nsubject to\n a: x + 2 y >= 1\n b: x - y >= 0\n c: x + y <= 5\nend\n", "f.lp");
    for (int i = 0; i < 3; i++) {
        text out = {0};
        assert_int_equal(vouch_lp_set_row_name(lp, 1, columns[i]), VOUCH_OK);
        assert_int_equal(lpformat_write(lp, VOUCH_FORMAT_LP, &out, NULL), VOUCH_OK);
        assert_int_equal(strstr(out.data, "~up") != NULL, 0);
        vouch_lp *back = lptext_read(out.data, "f.lp");
        lptext_same(lp, back, i == 2);
        vouch_lp_free(back);
        text_free(&out);
    }
    vouch_lp_free(lp);
}

/* No reader need take lines without end: CPLEX's own stops at 560 characters. */
static void long_lines_are_broken_and_read_again(void **state)
{
    (void)state;
    enum { COLS = 80, LONGEST = 160 };
    vouch_lp *lp;
    vouch_lp_data data = {.cols = COLS};
    int64_t start[COLS + 1] = {0};
    int index[COLS], longest = 0, length = 0;
    double cost[COLS], weight[COLS];
    char name[40];
    for (int j = 0; j < COLS; j++) index[j] = j, cost[j] = weight[j] = 1.25 + j;
    data.start = start, data.cost = cost, data.index = index, data.value = cost;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &data, NULL), VOUCH_OK);
    assert_int_equal(vouch_lp_add_rows(lp, 1, (int64_t[]){0, COLS}, index, cost, (double[]){1}, (double[]){2}), VOUCH_OK);
    assert_int_equal(vouch_lp_add_sos1(lp, COLS, index, weight), VOUCH_OK);
    for (int j = 0; j < COLS; j++) {
        snprintf(name, sizeof name, "a_column_of_a_longer_name_%d", j);
        assert_int_equal(vouch_lp_set_col_name(lp, j, name), VOUCH_OK);
    }
    text t = {0};
    assert_int_equal(lpformat_write(lp, VOUCH_FORMAT_LP, &t, NULL), VOUCH_OK);
    for (size_t i = 0; i < t.length; i++) {
        length = t.data[i] == '\n' ? 0 : length + 1;
        if (length > longest) longest = length;
    }
    assert_true(longest <= LONGEST);
    text_free(&t);
    vouch_lp_free(lp);
}

static void an_unknown_format_is_refused(void **state)
{
    (void)state;
    vouch_lp *lp;
    vouch_error error = {0};
    static const char content[] = "min\n obj: x\nst\n c: x >= 1\nend\n";
    for (int format = -1; format <= 7; format += 8) {
        assert_int_equal(vouch_lp_read_text(&lp, content, strlen(content), "a.lp", (vouch_lp_format)format, NULL, &error),
                         VOUCH_ERROR_ARGUMENT);
        assert_non_null(strstr(error.text, "a.lp: there is no format"));
        assert_null(lp);
    }
}

/* An infinity is a side like any other, wherever it stands. */
static void infinite_sides_of_rows(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("min\n obj: x\nst\n a: -inf <= x + y <= 4\n b: 3 <= x + y <= infinity\n c: inf >= x + y >= 2\n"
                               " d: x + y <= +inf\n e: -infinity <= x + y\n f: x + y >= -1e30\n g: inf >= x - 2 + y\n"
                               " h: 7 - 2 >= x + y - 1\nend\n",
                               "f.lp");
    static const double side[][2] = {{-INFINITY, 4},        {3, INFINITY},         {2, INFINITY},         {-INFINITY, INFINITY},
                                     {-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, INFINITY}, {-INFINITY, 6}};
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 8);
    assert_int_equal(d.start[2], 16);
    for (int i = 0; i < 8; i++) {
        assert_true(d.row_lower[i] == side[i][0]);
        assert_true(d.row_upper[i] == side[i][1]);
    }
    vouch_lp_free(lp);
}

/* Neither format has words for a row without a value between its bounds, nor for such a column. */
static void what_the_formats_cannot_say_is_not_written(void **state)
{
    (void)state;
    char path[] = "/tmp/vouch-lp-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    vouch_lp *lp = lptext_read("min\n obj: x\nst\n a: x >= 1\n b: x <= 4\nend\n", "f.lp");
    for (int i = 0; i < 2; i++)
        for (int format = VOUCH_FORMAT_MPS_FIXED; format <= VOUCH_FORMAT_LP; format++) {
            vouch_error error = {0};
            char message[24];
            snprintf(message, sizeof message, "row %d ", i + 1);
            assert_int_equal(vouch_lp_write(lp, path, (vouch_lp_format)format, &error), VOUCH_OK);
            assert_int_equal(vouch_lp_set_row_bounds(lp, i, 5, 3), VOUCH_OK);
            assert_int_equal(vouch_lp_write(lp, path, (vouch_lp_format)format, &error), VOUCH_ERROR_INPUT);
            assert_non_null(strstr(error.text, message));
            assert_int_equal(vouch_lp_set_row_bounds(lp, i, -INFINITY, 3), VOUCH_OK);
        }
    vouch_lp_free(lp);
    unlink(path);
}

/* Lines are broken where they grow long, and nowhere else; each row begins a line. */
static void only_long_lines_are_broken(void **state)
{
    (void)state;
    enum { ROWS = 30, LONG = 60 };
    vouch_lp *lp, *again;
    int index[LONG];
    double value[LONG];
    int64_t start[ROWS + 1] = {0};
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    int64_t none[LONG + 1] = {0};
    double zero[LONG] = {0}, one[LONG], below[ROWS], one_each[ROWS];
    for (int j = 0; j < LONG; j++) index[j] = j, value[j] = j + 2, one[j] = 1;
    assert_int_equal(vouch_lp_add_cols(lp, LONG, none, index, value, one, zero, one), VOUCH_OK);
    int at[ROWS];
    for (int i = 0; i < ROWS; i++) at[i] = i, start[i + 1] = i + 1, below[i] = -INFINITY, one_each[i] = 4;
    assert_int_equal(vouch_lp_add_rows(lp, ROWS, start, at, value, below, one_each), VOUCH_OK); /* of one entry each */
    assert_int_equal(vouch_lp_add_rows(lp, 1, (int64_t[]){0, LONG}, index, value, below, one_each), VOUCH_OK);
    text out = {0};
    assert_int_equal(lpformat_write(lp, VOUCH_FORMAT_LP, &out, NULL), VOUCH_OK);
    int rows = 0, lines = 0;
    for (const char *c = strstr(out.data, "\nsubject to\n") + 12; c && strncmp(c, "bounds", 6) != 0 && *c;
         c = strchr(c, '\n') + 1) {
        size_t length = strcspn(c, "\n");
        assert_true(length < 130);
        rows += memchr(c, ':', length) != NULL;
        lines += length > 0;
    }
    assert_int_equal(rows, ROWS + 1);
    assert_in_range(lines - rows, 3, 8);
    assert_int_equal(vouch_lp_read_text(&again, out.data, out.length, "f.lp", VOUCH_FORMAT_AUTO, NULL, NULL), VOUCH_OK);
    lptext_same(lp, again, false);
    vouch_lp_free(again);
    text_free(&out);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_section_is_read),
        cmocka_unit_test(keywords_are_names_elsewhere),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing),
        cmocka_unit_test(only_long_lines_are_broken),
        cmocka_unit_test(random_problems_come_back_as_written),
        cmocka_unit_test(an_unknown_format_is_refused),
        cmocka_unit_test(infinite_sides_of_rows),
        cmocka_unit_test(what_the_formats_cannot_say_is_not_written),
        cmocka_unit_test(a_row_with_two_sides_is_two_rows),
        cmocka_unit_test(a_name_that_ends_like_a_second_row),
        cmocka_unit_test(long_lines_are_broken_and_read_again),
    };
    return run_tests(tests);
}

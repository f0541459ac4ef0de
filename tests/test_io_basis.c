/* Basis files: round trips of every status of every kind of row and column, both layouts, and errors with their line. */
#include "test.h"

#include <unistd.h>

#include "base/rng.h"
#include "io/file.h"
#include "oracle/lptext.h"

enum { MOST = 16 };

static char path[] = "/tmp/vouch-basis-XXXXXX";

static void put(const char *content)
{
    vouch_error error = {0};
    if (file_write(path, content, strlen(content), &error)) fail_msg("%s", error.text);
}

/* A status that a nonbasic row or column with these bounds may have. */
static unsigned char some_status(rng *r, double lower, double upper)
{
    if (lower == upper) return VOUCH_NONBASIC_FIXED;
    if (isinf(lower) && isinf(upper)) return VOUCH_NONBASIC_FREE;
    if (isinf(lower)) return VOUCH_AT_UPPER;
    return isinf(upper) || rng_below(r, 2) ? VOUCH_AT_LOWER : VOUCH_AT_UPPER;
}

/* m basic ones, chosen among rows and columns. */
static void some_basis(rng *r, const vouch_lp_data *d, unsigned char row[], unsigned char col[])
{
    for (int i = 0; i < d->rows; i++) row[i] = VOUCH_BASIC;
    for (int j = 0; j < d->cols; j++) col[j] = some_status(r, d->col_lower[j], d->col_upper[j]);
    for (int i = 0, j = 0; i < d->rows && j < d->cols; i++) {
        if (rng_below(r, 2)) continue;
        row[i] = some_status(r, d->row_lower[i], d->row_upper[i]);
        col[j] = VOUCH_BASIC;
        j += 1 + (int)rng_below(r, 2);
    }
}

/* Names as the writers make them for a problem without its own. */
static void write_highs(const vouch_lp *lp, const unsigned char row[], const unsigned char col[])
{
    static const char digit[] = {[VOUCH_AT_LOWER] = '0',
                                 [VOUCH_BASIC] = '1',
                                 [VOUCH_AT_UPPER] = '2',
                                 [VOUCH_NONBASIC_FREE] = '3',
                                 [VOUCH_NONBASIC_FIXED] = '4'};
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp);
    bool own = *vouch_lp_col_name(lp, 0) != '\0';
    text t = {0};
    text_add(&t, "HiGHS_basis_file v2\nValid\n# Columns %d\n", n);
    for (int j = 0; j < n; j++) text_add(&t, own ? "x(%d) %c\n" : "C%d %c\n", own ? j : j + 1, digit[col[j]]);
    text_add(&t, "# Rows %d\n", m);
    for (int i = 0; i < m; i++) text_add(&t, own ? "row_%d %c\n" : "R%d %c\n", own ? i : i + 1, digit[row[i]]);
    put(t.data);
    text_free(&t);
}

static void any_basis_comes_back(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 300; seed++) {
        vouch_lp *lp = lptext_random(seed);
        vouch_error error = {0};
        vouch_lp_data d;
        unsigned char row[MOST], col[MOST], row_back[MOST], col_back[MOST];
        rng r = rng_seed(seed);
        vouch_lp_view(lp, &d);
        assert_int_equal(vouch_lp_write_basis(lp, path, &error), VOUCH_ERROR_ARGUMENT);
        some_basis(&r, &d, row, col);
        assert_int_equal(vouch_lp_set_basis(lp, row, col), VOUCH_OK);
        for (int highs = 0; highs < 2; highs++) {
            if (highs)
                write_highs(lp, row, col);
            else if (vouch_lp_write_basis(lp, path, &error))
                fail_msg("%s", error.text);
            vouch_lp_forget_basis(lp);
            if (vouch_lp_read_basis(lp, path, &error)) fail_msg("%s", error.text);
            vouch_lp_get_basis(lp, row_back, col_back);
            assert_memory_equal(col, col_back, (size_t)d.cols);
            if (d.rows) assert_memory_equal(row, row_back, (size_t)d.rows);
        }
        vouch_lp_free(lp);
    }
}

/* Statuses that the bounds do not allow are replaced; columns that are not mentioned are nonbasic. */
static void a_basis_keeps_to_the_bounds(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("min\n obj: a + b + c + d\nst\n r: a + b + c + d >= 1\n s: a - b = 0\nbounds\n b free\n c = 3\n"
                               " -inf <= d <= 4\nend\n",
                               "f.lp");
    vouch_error error = {0};
    unsigned char row[2], col[4];
    static const unsigned char rest[] = {VOUCH_AT_LOWER, VOUCH_NONBASIC_FREE, VOUCH_NONBASIC_FIXED, VOUCH_AT_UPPER};
    static const char *const content[] = {"NAME\n* a comment\n\nENDATA\nXU what follows is not read\n",
                                          " UL a\n UL b\n LL c\n LL d\nENDATA\n",
                                          "HiGHS_basis_file v1\nValid\n# Columns 4\na 2\nb 0\nc 2\nd 3\n# Rows 2\nr 1\ns 1\n"};
    for (size_t k = 0; k < 3; k++) {
        put(content[k]);
        if (vouch_lp_read_basis(lp, path, &error)) fail_msg("%s", error.text);
        vouch_lp_get_basis(lp, row, col);
        assert_memory_equal(col, rest, sizeof rest);
        assert_true(row[0] == VOUCH_BASIC && row[1] == VOUCH_BASIC);
    }
    put(" XU a r\n XL b s\nENDATA\n");
    if (vouch_lp_read_basis(lp, path, &error)) fail_msg("%s", error.text);
    vouch_lp_get_basis(lp, row, col);
    assert_true(row[0] == VOUCH_AT_LOWER && row[1] == VOUCH_NONBASIC_FIXED && col[0] == VOUCH_BASIC && col[1] == VOUCH_BASIC);
    vouch_lp_free(lp);
}

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    (void)state;
    static const char *const broken[][2] = {
        {"NAME\n", ":1: the file ends in the middle, expected ENDATA"},
        {"NAME\n ZZ a\n", ":2: \"ZZ\", expected XU, XL, UL or LL"},
        {"\n XU a\n", ":2: \"XU\", expected a column and a row after it"},
        {" UL a r\n", ":1: \"UL\", expected a column after it"},
        {" LL r\n", ":1: \"r\", expected the name of a column"},
        {" XL a a\n", ":1: \"a\", expected the name of a row"},
        {"HiGHS_basis_file v2\nValid\na 1\n", ":3: \"a\", expected # Columns"},
        {"HiGHS_basis_file v2\n# Columns 1\na 5\n", ":3: \"a\", expected a name and a status from 0 to 4"},
        {"HiGHS_basis_file v2\n# Columns 1\na 1 1\n", ":3: \"a\", expected a name and a status from 0 to 4"},
        {"HiGHS_basis_file v2\n# Columns 1\na /\n", ":3: \"a\", expected a name and a status from 0 to 4"},
        {"HiGHS_basis_file v2\n# Columns 1\nr 1\n", ":3: \"r\", expected the name of a column"},
        {"HiGHS_basis_file v2\n# Columns 0\n# Rows 1\na 1\n", ":4: \"a\", expected the name of a row"},
        {"HiGHS_basis_file v2\n# Columns 1\na 1\n", ":3: the file ends in the middle, expected ENDATA"},
    };
    vouch_lp *lp = lptext_read("min\n obj: a\nst\n r: a >= 1\nend\n", "f.lp");
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) {
        vouch_error error = {0};
        char message[160];
        put(broken[k][0]);
        snprintf(message, sizeof message, "%s%s", path, broken[k][1]);
        assert_int_equal(vouch_lp_read_basis(lp, path, &error), VOUCH_ERROR_INPUT);
        assert_string_equal(error.text, message);
        assert_int_equal(vouch_lp_has_basis(lp), 0);
    }
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_basis_comes_back),
        cmocka_unit_test(a_basis_keeps_to_the_bounds),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
    };
    int fd = mkstemp(path);
    if (fd < 0) return 1;
    close(fd);
    int failed = run_tests(tests);
    unlink(path);
    return failed;
}

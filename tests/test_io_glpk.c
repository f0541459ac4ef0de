/* Solutions in glpsol's layouts: values, statuses and duals of rows and columns as they stand, to the character. */
#include "test.h"

#include <unistd.h>

#include "base/rng.h"
#include "io/lpfile.h"
#include "oracle/lptext.h"

static const char *const program =
    "maximize\n obj: 3 x + 2 y - z + w\nst\n low: x + y >= 1\n high: x + 2 y <= 3\n even: x - z = 0.5\n"
    " idle: y + z <= 9\n open: x + z >= -1e30\nbounds\n x <= 2\n z free\n w <= 4\nend\n";

/* Row `high` stands at its bound but for rounding, row `idle` is basic and near its bound by chance. */
static glpk_solution solution(const vouch_lp *lp)
{
    static const double x[] = {2, 0.5, 1.5, 4}, activity[] = {2.5, 3 + 1e-12, 0.5, 9 - 1e-12, 3.5}, dual[] = {0, 1, -1, 1e-17, 0},
                        reduced[] = {3, 1e-18, 0, 1};
    static const unsigned char row[] = {VOUCH_BASIC, VOUCH_AT_UPPER, VOUCH_NONBASIC_FIXED, VOUCH_BASIC, VOUCH_NONBASIC_FREE},
                               col[] = {VOUCH_AT_UPPER, VOUCH_BASIC, VOUCH_BASIC, VOUCH_AT_UPPER};
    return (glpk_solution){lp, false, GLPK_OPTIMAL, 9.5, x, activity, dual, reduced, row, col};
}

static void the_plain_layout(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(program, "f.lp");
    glpk_solution s = solution(lp);
    text out = {0};
    glpk_plain(&s, &out);
    assert_string_equal(out.data, "c Problem:    \nc Rows:       5\nc Columns:    4\nc Non-zeros:  10\nc Status:     OPTIMAL\n"
                                  "c Objective:  obj = 9.5 (MAXimum)\nc\ns bas 5 4 f f 9.5\n"
                                  "i 1 b 2.5 0\ni 2 u 3 1\ni 3 s 0.5 -1\ni 4 b 8.999999999999 0\ni 5 f 3.5 0\n"
                                  "j 1 u 2 3\nj 2 b 0.5 0\nj 3 b 1.5 0\nj 4 u 4 1\ne o f\n");
    text_free(&out);
    vouch_lp_free(lp);
}

/* The table, and the errors of the four conditions: row `idle` is 7 off its sum. */
static void the_report(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "Problem:    \nRows:       5\nColumns:    4\nNon-zeros:  10\nStatus:     OPTIMAL\nObjective:  obj = 9.5 (MAXimum)\n",
        "     1 low          B            2.5             1               \n",
        "     2 high         NU             3                           3             1 \n",
        "     3 even         NS           0.5           0.5             =            -1 \n",
        "     4 idle         B              9                           9 \n",
        "     5 open         NF           3.5                                     < eps\n",
        "     1 x            NU             2             0             2             3 \n",
        "     2 y            B            0.5             0               \n",
        "     3 z            B            1.5                             \n",
        "KKT.PE: max.abs.err = 7.00e+00 on row 4\n        max.rel.err = 5.83e-01 on row 4\n        PRIMAL SOLUTION IS WRONG\n",
        "KKT.PB: max.abs.err = 0.00e+00 on row 0\n        max.rel.err = 0.00e+00 on row 0\n        High quality\n",
        "KKT.DE: max.abs.err = 2.00e+00 on column 3\n        max.rel.err = 6.67e-01 on column 3\n        DUAL SOLUTION IS WRONG\n",
        ("KKT.DB: max.abs.err = 0.00e+00 on row 0\n        max.rel.err = 0.00e+00 on row 0\n        High quality\n\nEnd of "
         "output\n")};
    vouch_lp *lp = lptext_read(program, "f.lp");
    glpk_solution s = solution(lp);
    text out = {0};
    glpk_report(&s, &out);
    const char *at = out.data;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const char *found = strstr(at, parts[i]);
        if (!found) fail_msg("not found after what comes before it: %s", parts[i]);
        at = found + strlen(parts[i]);
    }
    text_free(&out);
    vouch_lp_free(lp);
}

/* The solution read back from these bytes; true: they were taken. */
static bool reads(const vouch_lp *lp, bool mip, const char *bytes, size_t length, text *again)
{
    char path[] = "/tmp/vouch-XXXXXX";
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, bytes, length) == (ssize_t)length && close(file) == 0);
    glpk_reading r;
    vouch_error error = {0};
    vouch_status status = glpk_read(lp, mip, path, &r, &error);
    if (!status && again) glpk_plain(&r.solution, again);
    assert_true(!status || error.text[0]);
    glpk_reading_free(&r);
    unlink(path);
    return !status;
}

/* The report of a solved program in *out, a text of the caller. */
static void write_solved(vouch_lp *lp, bool mip, text *out)
{
    int m = vouch_lp_rows(lp), n = vouch_lp_cols(lp);
    unsigned char *row = calloc((size_t)m + 1, 1), *col = calloc((size_t)n + 1, 1);
    vouch_lp_result r;
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    vouch_lp_get_basis(lp, row, col);
    glpk_solution s = {.lp = lp, .mip = mip, .state = r.outcome == VOUCH_LP_OPTIMAL ? GLPK_OPTIMAL : GLPK_UNDEFINED, .x = r.x};
    s.objective = isfinite(r.objective) ? r.objective : 0;
    s.row_activity = r.row_activity;
    if (!mip) s.row_dual = r.row_dual, s.reduced_cost = r.reduced_cost, s.row_status = row, s.col_status = col;
    glpk_plain(&s, out);
    free(row);
    free(col);
}

/* Written, read and written is the same; without any one of its lines that tell something it is refused, and so it is with one of
 * them twice; with a byte changed it is refused or taken, and then written. */
static void plain_solutions_are_read_back(void **state)
{
    (void)state;
    rng r = rng_seed(43);
    int taken = 0, runs = test_count("VOUCH_SOLUTIONS", 60);
    for (int k = 0; k < runs; k++) {
        bool mip = k % 2;
        vouch_lp *lp = lptext_random((uint64_t)k);
        text first = {0}, again = {0}, other = {0};
        write_solved(lp, mip, &first);
        assert_true(reads(lp, mip, first.data, first.length, &again));
        assert_string_equal(first.data, again.data);
        assert_false(reads(lp, !mip, first.data, first.length, NULL));
        for (const char *line = first.data, *next; *line; line = next) {
            next = strchr(line, '\n') + 1;
            if (*line == 'c') continue;
            other.length = 0;
            text_add(&other, "%.*s%s", (int)(line - first.data), first.data, next);
            assert_false(reads(lp, mip, other.data, other.length, NULL));
            other.length = 0;
            text_add(&other, "%.*s%s", (int)(next - first.data), first.data, line);
            assert_int_equal(reads(lp, mip, other.data, other.length, NULL), *line == 'e');
        }
        for (int change = 0; change < 40; change++) {
            char was, *at = first.data + rng_below(&r, first.length);
            was = *at, *at = "bluf sijeon0123456789.-+\n\t\377"[rng_below(&r, 27)];
            again.length = 0;
            taken += reads(lp, mip, first.data, first.length, &again);
            *at = was;
        }
        text_free(&first);
        text_free(&again);
        text_free(&other);
        vouch_lp_free(lp);
    }
    assert_true(taken > 0 && taken < 40 * runs);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_plain_layout), cmocka_unit_test(the_report),
                                       cmocka_unit_test(plain_solutions_are_read_back)};
    return run_tests(tests);
}

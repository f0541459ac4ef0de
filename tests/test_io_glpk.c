/* Solutions in glpsol's layouts: values, statuses and duals of rows and columns as they stand, to the character. */
#include "test.h"

#include "io/glpk.h"
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

/* The table, and what the four conditions find: row `idle` is 7 off its sum. */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_plain_layout), cmocka_unit_test(the_report)};
    return run_tests(tests);
}

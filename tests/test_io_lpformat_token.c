/* The dialects of the LP format: the same program for any line breaks and labels of rows, and any names of columns, keywords
 * included. */
#include "test.h"

#include "base/rng.h"
#include "io/file.h"
#include "oracle/lptext.h"

enum { MOST_ROWS = 5, MOST_COLS = 6 };

typedef struct program {
    int rows, cols;
    double cost[MOST_COLS], value[MOST_ROWS][MOST_COLS], side[MOST_ROWS], lower[MOST_COLS]; /* whole numbers */
    char relation[MOST_ROWS];
    bool integer[MOST_COLS], open[MOST_COLS]; /* open: no bounds */
    const char *name[MOST_COLS];
} program;

static const char *const word[] = {"end",     "bin",  "st",     "bounds", "max",     "minimize", "int",    "sos1", "semi",
                                   "general", "User", "x[1,2]", "y[0]",   "subject", "End",      "a_b.c!", "lazy", "such"};

static int some(rng *r, int most) { return (int)rng_below(r, (uint64_t)most); }

static program random_program(rng *r)
{
    program p = {.rows = 1 + some(r, MOST_ROWS), .cols = 1 + some(r, MOST_COLS)};
    int shift = some(r, 18);
    for (int j = 0; j < p.cols; j++) {
        p.name[j] = word[(shift + 5 * j) % 18];
        p.cost[j] = some(r, 9) - 4;
        p.integer[j] = some(r, 2);
        p.open[j] = some(r, 3) == 0;
        p.lower[j] = p.open[j] || some(r, 2) ? 0 : -some(r, 5);
    }
    for (int i = 0; i < p.rows; i++) {
        p.relation[i] = "<>="[some(r, 3)];
        p.side[i] = some(r, 19) - 9;
        for (int j = 0; j < p.cols; j++) p.value[i][j] = some(r, 3) ? some(r, 9) - 4 : 0;
    }
    return p;
}

static void write_relation(rng *r, text *t, char relation)
{
    static const char *const less[] = {"<=", "<", "=<", "< ="}, *const more[] = {">=", ">", "=>", ">  ="};
    text_add(t, " %s", relation == '=' ? "=" : relation == '<' ? less[some(r, 4)] : more[some(r, 4)]);
}

static void write_row(rng *r, text *t, const program *p, int i)
{
    bool first = true;
    if (some(r, 2)) text_add(t, "row%d:%s", i, some(r, 2) ? "\n " : " ");
    for (int j = 0; j < p->cols; j++) {
        double v = p->value[i][j];
        if (v == 0 && some(r, 4)) continue;
        const char *sign = v < 0 ? "-" : !first || some(r, 2) ? "+" : "";
        text_add(t, "%s%s%s", first ? " " : some(r, 5) ? " " : "\n", sign, some(r, 2) ? " " : "");
        if (fabs(v) != 1 || some(r, 3) == 0) text_add(t, "%g ", fabs(v));
        text_add(t, "%s", p->name[j]);
        first = false;
    }
    if (first) text_add(t, "0 %s", p->name[0]);
    write_relation(r, t, p->relation[i]);
    text_add(t, " %g\n", p->side[i]);
}

/* Columns in the order of the objective, which names them all. */
static void write_program(rng *r, text *t, const program *p)
{
    if (some(r, 3) == 0) text_add(t, "\xEF\xBB\xBF");
    text_add(t, "\\* a remark *\\\n%s\n obj: ", some(r, 2) ? "Minimize" : "min");
    for (int j = 0; j < p->cols; j++) text_add(t, " + %g %s", p->cost[j], p->name[j]);
    text_add(t, "\n%s\n", some(r, 2) ? "Subject To" : "st");
    for (int i = 0; i < p->rows; i++) write_row(r, t, p, i);
    text_add(t, "Bounds\n");
    for (int j = 0; j < p->cols; j++) {
        if (p->open[j])
            text_add(t, some(r, 2) ? " %s free\n" : " -inf <= %s <= inf\n", p->name[j]);
        else if (p->lower[j] != 0)
            text_add(t, some(r, 2) ? " %s >= %g\n" : " %s > = %g\n", p->name[j], p->lower[j]);
    }
    text_add(t, "Generals\n");
    for (int j = 0; j < p->cols; j++)
        if (p->integer[j]) text_add(t, " %s\n", p->name[j]);
    if (some(r, 4)) text_add(t, "End\n");
}

static void check_program(const vouch_lp *lp, const program *p)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, p->rows);
    assert_int_equal(d.cols, p->cols);
    double value[MOST_ROWS][MOST_COLS] = {{0}};
    for (int j = 0; j < p->cols; j++) {
        assert_string_equal(vouch_lp_col_name(lp, j), p->name[j]);
        assert_true(d.cost[j] == p->cost[j]);
        assert_true(d.col_lower[j] == (p->open[j] ? -INFINITY : p->lower[j]));
        assert_true(d.col_upper[j] == INFINITY);
        assert_int_equal(vouch_lp_is_integer(lp, j), p->integer[j]);
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) value[d.index[k]][j] += d.value[k];
    }
    for (int i = 0; i < p->rows; i++) {
        assert_true(d.row_lower[i] == (p->relation[i] == '<' ? -INFINITY : p->side[i]));
        assert_true(d.row_upper[i] == (p->relation[i] == '>' ? INFINITY : p->side[i]));
        for (int j = 0; j < p->cols; j++) assert_true(value[i][j] == p->value[i][j]);
    }
}

static void programs_in_every_dialect(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        rng r = rng_seed(seed);
        program p = random_program(&r);
        text t = {0};
        write_program(&r, &t, &p);
        vouch_lp *lp;
        vouch_error error = {0};
        if (vouch_lp_read_text(&lp, t.data, t.length, "f.lp", VOUCH_FORMAT_AUTO, NULL, &error) != VOUCH_OK)
            fail_msg("seed %d: %s\n%s", (int)seed, error.text, t.data);
        check_program(lp, &p);
        vouch_lp_free(lp);
        text_free(&t);
    }
}

/* ---- single cases ---- */

#define OBJ "min\n obj: x + y\nst\n"

static void collect(void *context, vouch_log_level level, const char *line)
{
    (void)level;
    text_add(context, "%s;", line);
}

static void notes_are(const char *content, const char *expected)
{
    text notes = {0};
    vouch_log log = {.write = collect, .context = &notes, .level = VOUCH_LOG_ERROR};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_read_text(&lp, content, strlen(content), "f.lp", VOUCH_FORMAT_AUTO, &log, NULL), VOUCH_OK);
    assert_string_equal(notes.data ? notes.data : "", expected);
    vouch_lp_free(lp);
    text_free(&notes);
}

static void nothing_is_skipped_in_silence(void **state)
{
    (void)state;
    notes_are(OBJ " x >= 1\nend\n", "");
    notes_are(OBJ " x >= 1\nend\n\\ a remark\n\n", "");
    notes_are(OBJ " x >= 1\n", "f.lp:5: the file ends without \"end\";");
    notes_are(OBJ " x >= 1\nend\n\nbounds\n x <= 0\n", "f.lp:7: the text after \"end\" is ignored;");
    notes_are(OBJ " x >= 1\nend\n \x01\n", "f.lp:6: the text after \"end\" is ignored;");
}

static void rows_without_entries(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(OBJ " a: = 0\n b: >= -3\n -x + y <= 1\n c: <= 2\n x - y <= 4\n 0 <= 1\nend\n", "f.lp");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 6);
    assert_int_equal(d.start[2], 4);
    assert_true(d.row_lower[1] == -3 && d.row_upper[3] == 2);
    vouch_lp_free(lp);
    lptext_refused(OBJ " <= 3\nend\n", VOUCH_FORMAT_LP, "f:4: \"<=\", expected a term of a row");
}

/* A sum on the right may go on in further lines: no relation follows before the next label. */
static void sums_on_the_right_over_lines(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(OBJ " a: x >= 2\n + y\n - 3\n b: 3 <= x\n - y <= 7\n -x <= 2 y\n -y >= -9\nend\n", "f.lp");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 4);
    assert_true(d.row_lower[0] == -1);
    assert_true(d.row_lower[1] == 3 && d.row_upper[1] == 7);
    assert_true(d.row_upper[2] == 0 && d.row_lower[3] == -9);
    vouch_lp_free(lp);
}

static void other_formats_are_named(void **state)
{
    (void)state;
    static const char quadratic[] =
        "f:2: a quadratic term ([ .. ]), which is not supported: vouch solves linear and mixed-integer linear programs";
    static const char lp_solve[] = "f: this is lp_solve's format, expected CPLEX LP or MPS; lp_solve -S1 -parse -wfmps F.mps FILE "
                                   "writes it as MPS";
    lptext_refused("min\n obj: x + [ x ^2 ] / 2\nst\nend\n", VOUCH_FORMAT_LP, quadratic);
    lptext_refused("/* Objective */\nmax: 143 x + 60 y;\n\n120 x + 210 y <= 15000;\n", VOUCH_FORMAT_LP, lp_solve);
    lptext_refused("// test\nmin: ;\nc1: 3 x1 >= 2;\n", VOUCH_FORMAT_LP, lp_solve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_in_every_dialect), cmocka_unit_test(nothing_is_skipped_in_silence),
        cmocka_unit_test(rows_without_entries),      cmocka_unit_test(sums_on_the_right_over_lines),
        cmocka_unit_test(other_formats_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

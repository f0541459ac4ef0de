/* The MPS reader and writer: every section and bound type, both layouts, errors and their messages. */
#include "test.h"

#include "io/lpfile.h"
#include "oracle/lptext.h"

static const char everything[] = "* a comment\n"
                                 "NAME          EVERY\r\n"
                                 "OBJSENSE\n    MAX\n"
                                 "ROWS\n"
                                 " L  LIM\n N  COST\n G  LOW\n E  EQUAL\n N  FREE\n E  BACK\n"
                                 "COLUMNS\n"
                                 "    X         COST              1.5   LIM                1\n"
                                 "    X         LOW                -1\n"
                                 "    M1        'MARKER'                 'INTORG'\n"
                                 "    I         COST                2   EQUAL              3\n"
                                 "    J         BACK                1\n"
                                 "    M2        'MARKER'                 'INTEND'\n"
                                 "    Y         LIM              1D+1   FREE               4\n"
                                 "    Z         BACK               -1\n"
                                 "    W         LOW                 2\n"
                                 "RHS\n"
                                 "    RHS       LIM                10   COST              -7\n"
                                 "    RHS       LOW               -20   EQUAL              3\n"
                                 "    OTHER     LIM                99\n"
                                 "RANGES\n"
                                 "    RNG       LIM                 4   LOW                6\n"
                                 "    RNG       EQUAL              -2   BACK               5\n"
                                 "BOUNDS\n"
                                 " UP BND       X                  -1\n"
                                 " LI BND       Y                   2\n"
                                 " UI BND       Y                   9\n"
                                 " MI BND       Z\n"
                                 " BV BND       W\n"
                                 " UP BND       J                  30\n"
                                 "ENDATA\n"
                                 "what follows is ignored\n";

static void check_everything(const vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_string_equal(vouch_lp_name(lp), "EVERY");
    assert_string_equal(vouch_lp_objective_name(lp), "COST");
    assert_int_equal(d.rows, 5);
    assert_int_equal(d.cols, 6);
    assert_true(d.maximize);
    assert_near(d.offset, 7, 0); /* minus the entry */
    const double row[5][2] = {{6, 10}, {-20, -14}, {1, 3}, {-INFINITY, INFINITY}, {0, 5}};
    const double col[6][2] = {{-INFINITY, -1}, {0, 1}, {0, 30}, {2, 9}, {-INFINITY, INFINITY}, {0, 1}};
    const int integer[6] = {0, 1, 1, 1, 0, 1};
    for (int i = 0; i < 5; i++) {
        assert_true(d.row_lower[i] == row[i][0]);
        assert_true(d.row_upper[i] == row[i][1]);
    }
    for (int j = 0; j < 6; j++) {
        assert_true(d.col_lower[j] == col[j][0]);
        assert_true(d.col_upper[j] == col[j][1]);
        assert_int_equal(vouch_lp_is_integer(lp, j), integer[j]);
    }
    assert_string_equal(vouch_lp_row_name(lp, 3), "FREE");
    assert_near(d.value[d.start[3]], 10, 0);
}

static void every_section_and_bound_is_read(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(everything, "every.mps");
    check_everything(lp);
    vouch_lp_free(lp);
}

/* The same cards with TABs and without set names. */
static void the_free_layout_is_read(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("NAME a_long_name\nROWS\n N\tcost\n L\ta_row_with_a_long_name\nCOLUMNS\n x "
                               "cost 1 a_row_with_a_long_name 2\n y cost -1\nRHS\n a_row_with_a_long_name 8\n"
                               "RANGES\n a_row_with_a_long_name 3\nBOUNDS\n UP y 4\n FR x\n SC y 5\nSOS\n S1 "
                               "set\n x 1\n y 2\nENDATA\n",
                               "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_true(d.row_lower[0] == 5 && d.row_upper[0] == 8);
    assert_true(d.col_lower[0] == -INFINITY && d.col_upper[0] == INFINITY && d.col_upper[1] == 5);
    assert_int_equal(vouch_lp_sos1_count(lp), 1);
    vouch_lp_free(lp);
}

static void names_with_blanks_are_fixed(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("NAME          B\nROWS\n N  OBJ 1\n G  ROW A 1\nCOLUMNS\n    COL A     OBJ 1               1.   ROW "
                               "A 1            2.\n"
                               "RHS\n              ROW A 1             3.\nBOUNDS\n UP           COL A               7.\nENDATA\n",
                               "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_string_equal(vouch_lp_row_name(lp, 0), "ROW A 1");
    assert_string_equal(vouch_lp_col_name(lp, 0), "COL A");
    assert_true(d.row_lower[0] == 3 && d.col_upper[0] == 7 && d.cost[0] == 1 && d.value[0] == 2);
    vouch_lp_free(lp);
}

static void a_semicontinuous_column_becomes_binary(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("NAME\nROWS\n N c\nCOLUMNS\n s c 1\nBOUNDS\n LO b s 2\n SC b s 5\nENDATA\n", "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 2);
    assert_int_equal(d.cols, 2);
    assert_true(d.col_lower[0] == 0 && d.col_upper[0] == 5 && d.col_upper[1] == 1);
    assert_int_equal(vouch_lp_is_integer(lp, 1), 1);
    vouch_lp_free(lp);
}

/* min x + y/10, x + y >= -7, x in [-5, -2] or 0, y in [3, 4] or 0: a bound of either sign, in both formats alike. */
static void a_semicontinuous_column_may_be_negative(void **state)
{
    (void)state;
    static const char *const written[] = {
        "NAME\nROWS\n N c\n G r\nCOLUMNS\n x c 1 r 1\n y c 0.1 r 1\nRHS\n b r -4\nBOUNDS\n LO b x -5\n SC b x -2\n LO b y 3\n SC b "
        "y 4\nENDATA\n",
        "min\n c: x + 0.1 y\nst\n r: x + y >= -4\nbounds\n -5 <= x <= -2\n 3 <= y <= 4\nsemi-continuous\n x y\nend\n"};
    for (int k = 0; k < 2; k++) {
        vouch_lp *lp = lptext_read(written[k], k ? "f.lp" : "f");
        vouch_lp_data d;
        vouch_lp_view(lp, &d);
        assert_int_equal(d.rows, 5);
        assert_int_equal(d.cols, 4);
        assert_true(d.col_lower[0] == -5 && d.col_upper[0] == 0 && d.col_lower[1] == 0 && d.col_upper[1] == 4);
        assert_string_equal(vouch_lp_row_name(lp, 1), "x.on");
        for (int64_t e = d.start[2]; e < d.start[3]; e++) assert_true(d.value[e] == (d.index[e] == 1 ? 2 : 5)); /* -2 b, -5 b */
        assert_int_equal(vouch_lp_is_integer(lp, 2), 1);
        vouch_lp_free(lp);
    }
}

static void lazy_constraints_are_rows(void **state)
{
    (void)state;
    vouch_lp *lp =
        lptext_read("NAME\nROWS\n N c\n G r\nLAZYCONS\n L l\nCOLUMNS\n x c 1 r 1\n x l 1\nRHS\n b r 2 l 5\nENDATA\n", "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 2);
    assert_true(d.row_lower[0] == 2 && d.row_upper[1] == 5);
    vouch_lp_free(lp);
    lp = lptext_read("min\n c: x\nst\n r: x >= 2\nlazy constraints\n l: x <= 5\nend\n", "f.lp");
    vouch_lp_view(lp, &d);
    assert_int_equal(d.rows, 2);
    assert_true(d.row_lower[0] == 2 && d.row_upper[1] == 5);
    vouch_lp_free(lp);
}

#define HEAD "NAME t\nROWS\n N cost\n L r\n"
#define COLS "COLUMNS\n x cost 1 r 1\n"

static void what_is_wrong_is_refused_with_its_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } broken[] = {
        {"", "f:0: the file ends in the middle, expected ENDATA"},
        {HEAD COLS, "f:6: the file ends in the middle, expected ENDATA"},
        {"ROWS\n X r\n", "f:2: row type \"X\", expected N, L, G or E"},
        {HEAD " G r\n", "f:5: row \"r\" appears a second time"},
        {HEAD "COLUMNS\n x q 1\n", "f:6: row \"q\" is unknown, expected a name of the ROWS section"},
        {HEAD "COLUMNS\n x r 1e\n", "f:6: \"1e\", expected a number"},
        {HEAD "COLUMNS\n x r nan\n", "f:6: \"nan\", expected a number"},
        {HEAD "COLUMNS\n x r inf\n", "f:6: \"inf\", expected a finite number"},
        {HEAD "COLUMNS\n x r 1\n x r 2\n", "f:7: row \"r\" appears a second time in column \"x\""},
        {HEAD "COLUMNS\n x r 1\n y r 1\n x cost 2\n", "f:8: column \"x\" appears a second time, expected its entries in one place"},
        {HEAD "COLUMNS\n x r 1 cost\n", "f:6: 4 fields, expected a column and one or two pairs of row and number"},
        {HEAD COLS "RHS\n R r -1e30\n", "f:8: right-hand side \"-1e30\", expected a finite number"},
        {HEAD COLS "BOUNDS\n XX B x 1\n", "f:8: bound type \"XX\", expected LO, UP, FX, FR, MI, PL, BV, LI, UI, SC or SI"},
        {HEAD COLS "BOUNDS\n UP B q 1\n", "f:8: column \"q\" is unknown, expected a name of the COLUMNS section"},
        {HEAD COLS "BOUNDS\n LO B x inf\n", "f:8: bound \"inf\" leaves no value to the column, expected a finite number"},
        {HEAD "COLUMNS\n x cost 1\n y cost 1\n z cost 1\nSOS\n S1 s\n x 1\n y 2\n z 3\n S1 t\n y 1\n x 2\n z 3\n y 4\n",
         "f:18: column \"y\" appears a second time in its set"},
        {HEAD "COLUMNS\n x cost 1\n y cost 1\nSOS\n S1 s\n x 1\n x 2\n", "f:11: column \"x\" appears a second time in its set"},
        {HEAD COLS "SOS\n S3 s\n", "f:8: \"S3\", expected a card S1 or S2 that opens a set"},
        {HEAD COLS "QUADOBJ\n x x 1\n",
         "f:7: section QUADOBJ: quadratic terms are not supported: vouch solves linear and mixed-integer linear programs"},
        {HEAD COLS "GENCONS\n", "f:7: section GENCONS, which is Gurobi's own and not supported"},
        {HEAD COLS "MORE\n",
         "f:7: section \"MORE\", expected NAME, OBJSENSE, ROWS, COLUMNS, RHS, RANGES, BOUNDS, SOS, INDICATORS or "
         "ENDATA"},
        {HEAD COLS "INDICATORS\n IF r x 2\n", "f:8: \"2\", expected 0 or 1"},
        {HEAD COLS "INDICATORS\n IF q x 1\n", "f:8: row \"q\" is unknown, expected a name of the ROWS section"},
        {HEAD COLS "INDICATORS\n IF r q 1\n", "f:8: column \"q\" is unknown, expected a name of the COLUMNS section"},
        {HEAD COLS "INDICATORS\n r x 1\n", "f:8: expected IF, a row, a column, and 0 or 1"},
        {HEAD COLS "INDICATORS\n IF r x 1\n IF r x 0\n", "f:9: row \"r\" has two indicators, expected one"},
        {HEAD COLS "INDICATORS\n IF r x 1\nENDATA\n",
         "f:9: column \"x\" of an indicator is not binary, expected it among the binaries"},
        {"COLUMNS\n", "f:1: section COLUMNS before ROWS"},
        {HEAD "RHS\n", "f:5: section RHS before COLUMNS"},
        {"OBJNAME\n other\nROWS\n N cost\nCOLUMNS\n x cost 1\nENDATA\n",
         "f:7: objective \"other\" is not among the rows of type N"},
        {" x\n", "f:1: a card outside of any section, expected a section's name in column 1"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++)
        lptext_refused(broken[k].text, VOUCH_FORMAT_MPS_FREE, broken[k].message);
}

/* OBJSENSE after ROWS has its card below it, and COLUMNS goes on. */
static void a_late_sense_is_read(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(HEAD "OBJSENSE\n    MAX\n" COLS "ENDATA\n", "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_true(d.cols == 1 && d.maximize);
    vouch_lp_free(lp);
    lptext_refused(HEAD "OBJSENSE\n", VOUCH_FORMAT_MPS_FREE, "f:5: the file ends, expected MAX or MIN");
}

/* The layout that gets further tells. */
static void the_error_further_down_is_told(void **state)
{
    (void)state;
    lptext_refused(HEAD COLS "BOUNDS\n UP B q 1\nENDATA\n", VOUCH_FORMAT_MPS,
                   "f:8: column \"q\" is unknown, expected a name of the COLUMNS section");
    lptext_refused("NAME          B\nROWS\n N  OBJ 1\n G  ROW A 1\nCOLUMNS\n    COL A     OBJ 1              "
                   " 1.   ROW B 1            2.\nENDATA\n",
                   VOUCH_FORMAT_MPS, "f:6: row \"ROW B 1\" is unknown, expected a name of the ROWS section");
}

static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    for (sweep w = {0};;) {
        vouch_lp *lp;
        vouch_error error = {0};
        sweep_refuse(&w);
        vouch_status status = vouch_lp_read_text(&lp, everything, sizeof everything - 1, "f", VOUCH_FORMAT_AUTO, NULL, &error);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        if (status == VOUCH_OK) {
            check_everything(lp);
            text out = {0};
            vouch_status s = VOUCH_OK;
            sweep q = {0};
            do {
                sweep_refuse(&q);
                s = mps_write(lp, VOUCH_FORMAT_MPS_FREE, &out, NULL);
                text_free(&out);
                assert_true(s == VOUCH_OK || s == VOUCH_ERROR_MEMORY);
            } while (!sweep_ends(&q, s == VOUCH_OK));
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
        vouch_lp *lp = lptext_random(seed), *back;
        text out = {0};
        assert_int_equal(mps_write(lp, VOUCH_FORMAT_MPS_FREE, &out, NULL), VOUCH_OK);
        back = lptext_read(out.data, "f");
        lptext_same(lp, back, *vouch_lp_col_name(lp, 0) != '\0');
        vouch_lp_free(back);
        text fixed = {0};
        vouch_status status = mps_write(lp, VOUCH_FORMAT_MPS_FIXED, &fixed, NULL); /* exact, or refused */
        assert_true(status == VOUCH_OK || status == VOUCH_ERROR_INPUT);
        if (status == VOUCH_OK) {
            assert_int_equal(vouch_lp_read_text(&back, fixed.data, fixed.length, "f", VOUCH_FORMAT_MPS_FIXED, NULL, NULL),
                             VOUCH_OK);
            lptext_same(lp, back, false);
            vouch_lp_free(back);
        }
        text_free(&fixed);
        text_free(&out);
        vouch_lp_free(lp);
    }
}

static vouch_lp *one_column(double cost, bool maximize)
{
    const int64_t start[] = {0, 1};
    const int index[] = {0};
    const double one[] = {1}, upper[] = {3};
    vouch_lp_data d = {.rows = 1,
                       .cols = 1,
                       .start = start,
                       .index = index,
                       .value = one,
                       .cost = &cost,
                       .offset = 2,
                       .maximize = maximize,
                       .row_upper = upper};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    return lp;
}

static void fixed_loses_no_digit(void **state)
{
    (void)state;
    const double fits[] = {0.12345678901, -0.1234567891, 1e-300, 123456789012.0};
    for (int k = 0; k < 5; k++) {
        vouch_lp *lp = one_column(k < 4 ? fits[k] : 1.0 / 3, false), *back;
        text out = {0};
        vouch_error error = {0};
        vouch_status status = mps_write(lp, VOUCH_FORMAT_MPS_FIXED, &out, &error);
        if (k < 4) {
            assert_int_equal(status, VOUCH_OK);
            back = lptext_read(out.data, "f");
            lptext_same(lp, back, false);
            vouch_lp_free(back);
        } else {
            assert_int_equal(status, VOUCH_ERROR_INPUT);
            assert_non_null(strstr(error.text, "0.3333333333333333"));
        }
        text_free(&out);
        vouch_lp_free(lp);
    }
}

/* With its own signs; files with a negated objective, noted in a comment, are still read. */
static void a_maximisation_is_written_as_one(void **state)
{
    (void)state;
    for (int fixed = 0; fixed < 2; fixed++) {
        vouch_lp *lp = one_column(4, true), *back;
        text out = {0};
        assert_int_equal(mps_write(lp, fixed ? VOUCH_FORMAT_MPS_FIXED : VOUCH_FORMAT_MPS_FREE, &out, NULL), VOUCH_OK);
        assert_non_null(strstr(out.data, "OBJSENSE\n    MAX\n"));
        back = lptext_read(out.data, "f");
        lptext_same(lp, back, false);
        vouch_lp_free(back);
        /* from ROWS on, as those see it who know no OBJSENSE */
        assert_int_equal(vouch_lp_read_text(&back, strstr(out.data, "ROWS"), strlen(strstr(out.data, "ROWS")), "f",
                                            fixed ? VOUCH_FORMAT_MPS_FIXED : VOUCH_FORMAT_MPS_FREE, NULL, NULL),
                         VOUCH_OK);
        vouch_lp_data d;
        vouch_lp_view(back, &d);
        assert_true(!d.maximize && d.cost[0] == 4 && d.offset == 2);
        vouch_lp_free(back);
        text_free(&out);
        vouch_lp_free(lp);
    }
    vouch_lp *lp = lptext_read("NAME t\n" MPS_NEGATED "\nROWS\n N c\n L r\nCOLUMNS\n x c -4 r 1\nRHS\n b r 3\nENDATA\n", "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_true(d.maximize && d.cost[0] == 4);
    vouch_lp_free(lp);
}

/* A fixed card without a name goes on with the column before it, as in GLPK's examples. */
static void a_column_without_a_name_goes_on(void **state)
{
    (void)state;
    vouch_lp *lp =
        lptext_read("NAME\nROWS\n N  c\n L  r\n L  s\nCOLUMNS\n    x         c                 1      r                 2\n"
                    "              s                 3\nENDATA\n",
                    "f");
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    assert_int_equal(d.cols, 1);
    assert_int_equal(d.start[1], 2);
    assert_true(d.value[1] == 3);
    vouch_lp_free(lp);
}

/* A name that fixed columns cannot hold, and none: the section alone, and the program comes back. */
static void a_program_without_a_name(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read("NAME\nROWS\n N c\n L r\nCOLUMNS\n x c 1 r 2\nRHS\n b r 3\nENDATA\n", "f"), *again;
    text out = {0};
    assert_int_equal(mps_write(lp, VOUCH_FORMAT_MPS_FIXED, &out, NULL), VOUCH_OK);
    assert_int_equal(strncmp(out.data, "NAME\nROWS\n", 10), 0);
    assert_int_equal(vouch_lp_read_text(&again, out.data, out.length, "f.mps", VOUCH_FORMAT_AUTO, NULL, NULL), VOUCH_OK);
    lptext_same(lp, again, true);
    assert_string_equal(vouch_lp_name(again), "");
    vouch_lp_free(again);
    text_free(&out);
    assert_int_equal(mps_write(lp, VOUCH_FORMAT_MPS_FREE, &out, NULL), VOUCH_OK);
    assert_int_equal(strncmp(out.data, "NAME          unnamed FREE\n", 27), 0);
    text_free(&out);
    vouch_lp_free(lp);
}

/* In the fixed layout a field 5 that begins with $ makes the rest of the card a comment; field 2 may begin so. */
static void comments_end_cards(void **state)
{
    (void)state;
    static const char with[] = "NAME          X\n"
                               "ROWS\n N  COST\n G  R 1$\n"
                               "COLUMNS\n"
                               "    $X 1      COST                 1   $ dear              99\n"
                               "    $X 1      R 1$                 2\n"
                               "RHS\n"
                               "    $ RHS     R 1$                 3   $\n"
                               "ENDATA\n";
    static const char without[] = "NAME          X\n"
                                  "ROWS\n N  COST\n G  R 1$\n"
                                  "COLUMNS\n"
                                  "    $X 1      COST                 1\n"
                                  "    $X 1      R 1$                 2\n"
                                  "RHS\n"
                                  "    $ RHS     R 1$                 3\n"
                                  "ENDATA\n";
    vouch_lp *a = lptext_read(with, "a.mps"), *b = lptext_read(without, "b.mps");
    lptext_same(a, b, true);
    vouch_lp_free(a);
    vouch_lp_free(b);
}

/* Names that were read share a block; one that is set later does not, and a deleted one of either kind leaves the others. */
static void names_that_were_read_can_be_changed(void **state)
{
    (void)state;
    vouch_lp *lp = lptext_read(everything, "every.mps"), *copy;
    const int first[1] = {0};
    assert_int_equal(vouch_lp_set_col_name(lp, 1, "a name longer than the one before"), VOUCH_OK);
    assert_int_equal(vouch_lp_set_col_name(lp, 1, "again"), VOUCH_OK);
    assert_int_equal(vouch_lp_set_row_name(lp, 2, ""), VOUCH_OK);
    assert_int_equal(vouch_lp_delete_cols(lp, 1, first), VOUCH_OK);
    assert_int_equal(vouch_lp_delete_rows(lp, 1, first), VOUCH_OK);
    assert_int_equal(vouch_lp_clone(&copy, lp), VOUCH_OK);
    for (int k = 0; k < 2; k++) {
        const vouch_lp *now = k ? copy : lp;
        assert_string_equal(vouch_lp_col_name(now, 0), "again");
        assert_string_equal(vouch_lp_col_name(now, 1), "J");
        assert_string_equal(vouch_lp_col_name(now, 4), "W");
        assert_string_equal(vouch_lp_row_name(now, 0), "LOW");
        assert_string_equal(vouch_lp_row_name(now, 1), "");
        assert_string_equal(vouch_lp_row_name(now, 3), "BACK");
    }
    assert_int_equal(vouch_lp_delete_cols(lp, 1, first), VOUCH_OK);
    assert_string_equal(vouch_lp_col_name(lp, 0), "J");
    assert_string_equal(vouch_lp_col_name(copy, 0), "again");
    vouch_lp_free(lp);
    vouch_lp_free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_section_and_bound_is_read),
        cmocka_unit_test(the_free_layout_is_read),
        cmocka_unit_test(names_with_blanks_are_fixed),
        cmocka_unit_test(a_semicontinuous_column_becomes_binary),
        cmocka_unit_test(a_semicontinuous_column_may_be_negative),
        cmocka_unit_test(lazy_constraints_are_rows),
        cmocka_unit_test(comments_end_cards),
        cmocka_unit_test(a_program_without_a_name),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_line),
        cmocka_unit_test(a_late_sense_is_read),
        cmocka_unit_test(the_error_further_down_is_told),
        cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing),
        cmocka_unit_test(random_problems_come_back_as_written),
        cmocka_unit_test(fixed_loses_no_digit),
        cmocka_unit_test(a_maximisation_is_written_as_one),
        cmocka_unit_test(a_column_without_a_name_goes_on),
        cmocka_unit_test(names_that_were_read_can_be_changed),
    };
    return run_tests(tests);
}

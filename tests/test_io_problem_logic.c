/* Semicontinuous columns, indicators and SOS sets in both formats: the optimum is that of all ways to choose what is 0 and which
 * rows hold, each a linear program; and what is refused. */
#include "test.h"

#include <vouch/vouch.h>

#include "base/rng.h"
#include "io/file.h"
#include "oracle/lptext.h"

enum { ROWS = 3, COLS = 6, SETS = 2 };

typedef struct program {
    double cost[COLS], lower[COLS], upper[COLS];
    bool semi[COLS], binary[COLS];
    double value[ROWS][COLS], side[ROWS];
    char relation[ROWS];
    int switch_col[ROWS], switch_on[ROWS]; /* column -1: the row always holds */
    int sets, set_type[SETS], set_size[SETS], set_col[SETS][COLS];
} program;

static int some(rng *r, int most) { return (int)rng_below(r, (uint64_t)most); }

/* The last two columns are binary and switch rows; some others lack an upper bound. */
static program random_program(rng *r)
{
    program p = {.sets = some(r, SETS + 1)};
    for (int j = 0; j < COLS; j++) {
        p.cost[j] = some(r, 15) - 6;
        p.binary[j] = j >= COLS - 2;
        p.lower[j] = 0;
        p.upper[j] = p.binary[j] ? 1 : some(r, 3) ? 1 + some(r, 8) : (double)INFINITY;
        if (p.binary[j]) continue;
        p.semi[j] = some(r, 3) == 0;
        if (p.semi[j] && some(r, 4)) p.lower[j] = fmin(p.upper[j], 1 + some(r, 4));
        if (some(r, 5) == 0) p.lower[j] = some(r, 3) ? -some(r, 5) : -(double)INFINITY;
        if (p.semi[j] && some(r, 5) == 0)
            p.upper[j] = -1 - some(r, 3), p.lower[j] = some(r, 2) ? -INFINITY : p.upper[j] - some(r, 4);
    }
    for (int i = 0; i < ROWS; i++) {
        p.relation[i] = "<<>>="[some(r, 5)];
        p.side[i] = some(r, 17) - 5;
        p.switch_col[i] = some(r, 2) ? COLS - 2 + some(r, 2) : -1;
        p.switch_on[i] = some(r, 2);
        for (int j = 0; j < COLS; j++) p.value[i][j] = some(r, 3) ? some(r, 9) - 3 : 0;
        p.value[i][some(r, COLS)] = 1; /* no row is empty */
    }
    for (int s = 0; s < p.sets; s++) {
        p.set_type[s] = 1 + some(r, 2);
        int shift = some(r, COLS);
        p.set_size[s] = 2 + some(r, 3);
        for (int k = 0; k < p.set_size[s]; k++) p.set_col[s][k] = (shift + 5 * k) % COLS;
    }
    return p;
}

/* ---- the truth ---- */

static vouch_lp *load_plain(const program *p)
{
    double cost[COLS], lower[COLS], upper[COLS];
    int64_t start[COLS + 1] = {0};
    vouch_lp_data d = {.cols = COLS, .start = start, .cost = cost, .col_lower = lower, .col_upper = upper};
    vouch_lp *lp;
    for (int j = 0; j < COLS; j++) cost[j] = p->cost[j], lower[j] = p->lower[j], upper[j] = p->upper[j];
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int i = 0; i < ROWS; i++) {
        int index[COLS];
        for (int j = 0; j < COLS; j++) index[j] = j;
        double low = p->relation[i] == '<' ? -INFINITY : p->side[i], high = p->relation[i] == '>' ? INFINITY : p->side[i];
        assert_int_equal(vouch_lp_add_rows(lp, 1, (int64_t[]){0, COLS}, index, p->value[i], &low, &high), VOUCH_OK);
    }
    return lp;
}

/* One choice, its digits in `code`: which semicontinuous columns are 0, the binaries' values, which window of each set may be
 * nonzero. False: there are no more. */
static bool apply_choice(const program *p, vouch_lp *lp, long code)
{
    bool zero[COLS] = {0};
    int fixed[COLS];
    for (int j = 0; j < COLS; j++) {
        fixed[j] = -1;
        if (!p->binary[j] && !p->semi[j]) continue;
        fixed[j] = (int)(code % 2);
        code /= 2;
        if (p->semi[j] && fixed[j] == 0) zero[j] = true;
    }
    for (int s = 0; s < p->sets; s++) {
        int windows = p->set_type[s] == 1 ? p->set_size[s] : p->set_size[s] - 1, w = (int)(code % windows);
        code /= windows;
        for (int k = 0; k < p->set_size[s]; k++)
            if (k < w || k >= w + p->set_type[s]) zero[p->set_col[s][k]] = true;
    }
    if (code > 0) return false;
    for (int j = 0; j < COLS; j++) {
        double low = p->binary[j] ? fixed[j] : p->lower[j], high = p->binary[j] ? fixed[j] : p->upper[j];
        bool reaches = (low <= 0 && high >= 0) || (p->semi[j] && fixed[j] == 0);
        if (zero[j]) high = 0, low = reaches ? 0 : 1; /* crossed: no value */
        if (low > high) low = 1, high = 0;
        assert_int_equal(vouch_lp_set_col_bounds(lp, j, low, high), VOUCH_OK);
    }
    for (int i = 0; i < ROWS; i++) {
        bool holds = p->switch_col[i] < 0 || fixed[p->switch_col[i]] == p->switch_on[i];
        double low = p->relation[i] == '<' || !holds ? -INFINITY : p->side[i];
        double high = p->relation[i] == '>' || !holds ? INFINITY : p->side[i];
        assert_int_equal(vouch_lp_set_row_bounds(lp, i, low, high), VOUCH_OK);
    }
    return true;
}

/* The least value over all choices: INFINITY: none; -INFINITY: unbounded. */
static double least_value(const program *p)
{
    vouch_lp *lp = load_plain(p);
    double best = INFINITY;
    for (long code = 0; apply_choice(p, lp, code); code++) {
        vouch_lp_result r;
        assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
        vouch_lp_get_result(lp, &r);
        if (r.outcome == VOUCH_LP_UNBOUNDED) best = -INFINITY;
        if (r.outcome == VOUCH_LP_OPTIMAL) best = fmin(best, r.objective);
    }
    vouch_lp_free(lp);
    return best;
}

/* ---- the two formats ---- */

static void write_number(text *t, double x) { text_add(t, isinf(x) ? (x < 0 ? "-inf" : "inf") : "%g", x); }

static void write_lp(text *t, const program *p)
{
    text_add(t, "min\n obj:");
    for (int j = 0; j < COLS; j++) text_add(t, " + %g x%d", p->cost[j], j);
    text_add(t, "\nst\n");
    for (int i = 0; i < ROWS; i++) {
        text_add(t, " c%d:", i);
        if (p->switch_col[i] >= 0) text_add(t, " x%d = %d ->", p->switch_col[i], p->switch_on[i]);
        for (int j = 0; j < COLS; j++)
            if (p->value[i][j] != 0) text_add(t, " + %g x%d", p->value[i][j], j);
        text_add(t, " %c %g\n", p->relation[i], p->side[i]);
    }
    text_add(t, "bounds\n");
    for (int j = 0; j < COLS; j++) {
        text_add(t, " ");
        write_number(t, p->lower[j]);
        text_add(t, " <= x%d <= ", j);
        write_number(t, p->upper[j]);
        text_add(t, "\n");
    }
    text_add(t, "binaries\n");
    for (int j = 0; j < COLS; j++)
        if (p->binary[j]) text_add(t, " x%d\n", j);
    text_add(t, "semi-continuous\n");
    for (int j = 0; j < COLS; j++)
        if (p->semi[j]) text_add(t, " x%d\n", j);
    text_add(t, "sos\n");
    for (int s = 0; s < p->sets; s++) {
        text_add(t, " s%d: S%d::", s, p->set_type[s]);
        for (int k = p->set_size[s] - 1; k >= 0; k--) text_add(t, " x%d:%d", p->set_col[s][k], k + 1);
        text_add(t, "\n");
    }
    text_add(t, "end\n");
}

static void write_mps_bounds(text *t, const program *p)
{
    text_add(t, "BOUNDS\n");
    for (int j = 0; j < COLS; j++) {
        if (p->binary[j]) text_add(t, " BV BND x%d\n", j);
        if (isinf(p->lower[j]))
            text_add(t, " MI BND x%d\n", j);
        else
            text_add(t, " LO BND x%d %g\n", j, p->lower[j]);
        if (p->semi[j] && isinf(p->upper[j]))
            text_add(t, " SC BND x%d\n", j);
        else if (isfinite(p->upper[j]))
            text_add(t, " %s BND x%d %g\n", p->semi[j] ? "SC" : "UP", j, p->upper[j]);
    }
}

static void write_mps(text *t, const program *p)
{
    text_add(t, "NAME\nROWS\n N obj\n");
    for (int i = 0; i < ROWS; i++) text_add(t, " %c c%d\n", p->relation[i] == '<' ? 'L' : p->relation[i] == '>' ? 'G' : 'E', i);
    text_add(t, "COLUMNS\n");
    for (int j = 0; j < COLS; j++) {
        text_add(t, " x%d obj %g\n", j, p->cost[j]);
        for (int i = 0; i < ROWS; i++)
            if (p->value[i][j] != 0) text_add(t, " x%d c%d %g\n", j, i, p->value[i][j]);
    }
    text_add(t, "RHS\n");
    for (int i = 0; i < ROWS; i++) text_add(t, " RHS c%d %g\n", i, p->side[i]);
    write_mps_bounds(t, p);
    text_add(t, "SOS\n");
    for (int s = 0; s < p->sets; s++) {
        text_add(t, " S%d set%d\n", p->set_type[s], s);
        for (int k = 0; k < p->set_size[s]; k++) text_add(t, "  x%d %d\n", p->set_col[s][k], k + 1);
    }
    text_add(t, "INDICATORS\n");
    for (int i = 0; i < ROWS; i++)
        if (p->switch_col[i] >= 0) text_add(t, " IF c%d x%d %d\n", i, p->switch_col[i], p->switch_on[i]);
    text_add(t, "ENDATA\n");
}

static void check_text(const text *t, const char *name, double truth, uint64_t seed)
{
    vouch_error error = {0};
    vouch_lp *lp;
    vouch_mip *mip;
    vouch_mip_result r;
    if (vouch_lp_read_text(&lp, t->data, t->length, name, VOUCH_FORMAT_AUTO, NULL, &error) != VOUCH_OK)
        fail_msg("seed %d: %s\n%s", (int)seed, error.text, t->data);
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, NULL), VOUCH_OK);
    vouch_mip_get_result(mip, &r);
    double found = r.outcome == VOUCH_MIP_OPTIMAL      ? r.objective
                   : r.outcome == VOUCH_MIP_INFEASIBLE ? INFINITY
                   : r.outcome == VOUCH_MIP_UNBOUNDED  ? -INFINITY
                                                       : NAN;
    if (!(found == truth || fabs(found - truth) <= 1e-5 * (1 + fabs(truth))))
        fail_msg("seed %d, %s: %g (%s), the truth is %g\n%s", (int)seed, name, found, vouch_mip_outcome_text(r.outcome), truth,
                 t->data);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

static void the_optimum_is_that_of_all_choices(void **state)
{
    (void)state;
    const char *more = getenv("VOUCH_TEST_ROUNDS");
    uint64_t rounds = more ? strtoull(more, NULL, 10) : 300;
    uint64_t finite = 0, empty = 0, unbounded = 0;
    for (uint64_t seed = 1; seed <= rounds; seed++) {
        rng r = rng_seed(seed);
        program p = random_program(&r);
        double truth = least_value(&p);
        (*(isfinite(truth) ? &finite : truth > 0 ? &empty : &unbounded))++;
        text t = {0};
        write_lp(&t, &p);
        check_text(&t, "f.lp", truth, seed);
        t.length = 0;
        write_mps(&t, &p);
        check_text(&t, "f.mps", truth, seed);
        text_free(&t);
    }
    assert_true(finite > rounds / 4 && empty > rounds / 40 && unbounded > rounds / 40);
}

#define OBJ "min\n obj: x + y\nst\n"

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } broken[] = {
        {OBJ " c: y = 1 -> x >= 2\nend\n", "f:5: column \"y\" of an indicator is not binary, expected it among the binaries"},
        {OBJ " c: y = 2 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: 2 y = 1 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: y >= 1 -> x >= 2\nend\n", "f:4: \"->\" after something else than COLUMN = 0 or COLUMN = 1"},
        {OBJ " c: y -> x >= 2\nend\n", "f:4: \"->\", expected <=, >= or ="},
        {OBJ " c: y = 1 -> x = 1 -> x >= 2\nend\n", "f:4: \"->\", expected a term of a row"},
        {OBJ "sos\n S3:: x:1\nend\n", "f:5: set type \"S3\", expected S1 or S2"},
        {OBJ "sos\n S2:: x:1 x:2\nend\n", "f:6: column \"x\" appears a second time in its set"},
        {"max multi-objectives\n a: x\nst\nend\n", "f:1: several objectives are not supported, expected one"},
        {OBJ "general constraints\n r = max ( x , y )\nend\n",
         "f:4: section \"general constraints\", which is Gurobi's own and not supported"},
    };
    for (size_t k = 0; k < sizeof broken / sizeof *broken; k++) lptext_refused(broken[k].text, VOUCH_FORMAT_LP, broken[k].message);
}

static void a_failing_allocation_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(11);
    program p = random_program(&r);
    text t = {0};
    write_lp(&t, &p);
    for (sweep w = {0};;) {
        vouch_lp *lp;
        long live = mem_live();
        sweep_refuse(&w);
        vouch_status status = vouch_lp_read_text(&lp, t.data, t.length, "f.lp", VOUCH_FORMAT_AUTO, NULL, NULL);
        bool last = sweep_ends(&w, status == VOUCH_OK);
        assert_true(status == VOUCH_OK || status == VOUCH_ERROR_MEMORY);
        vouch_lp_free(lp);
        assert_int_equal(mem_live(), live);
        if (last) break;
    }
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_optimum_is_that_of_all_choices),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_failing_allocation_leaves_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

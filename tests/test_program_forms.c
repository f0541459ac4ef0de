/* Paper and compact form: sizes counted by hand, every column and row with a meaning and a name of its own. */
#include "plan_aid.h"

#include "policy/space.h"
#include "program/program.h"

static int by_text(const void *a, const void *b) { return strcmp(a, b); }

static void assert_distinct_names(program *p)
{
    assert_int_equal(program_set_names(p), VOUCH_OK);
    for (int rows = 0; rows < 2; rows++) {
        size_t count = (size_t)(rows ? vouch_lp_rows(p->lp) : vouch_lp_cols(p->lp));
        char(*of_kind)[64] = malloc(count * sizeof *of_kind);
        for (size_t i = 0; i < count; i++) {
            strcpy(of_kind[i], rows ? vouch_lp_row_name(p->lp, (int)i) : vouch_lp_col_name(p->lp, (int)i));
            assert_true(strlen(of_kind[i]) > 0 &&
                        strspn(of_kind[i], "abcdefghijklmnopqrstuvwxyzD_0123456789") == strlen(of_kind[i]));
        }
        qsort(of_kind, count, sizeof *of_kind, by_text);
        for (size_t i = 1; i < count; i++) assert_string_not_equal(of_kind[i - 1], of_kind[i]);
        free(of_kind);
    }
}

static void count_columns(const program *p, int *occupancies, int *indicators)
{
    *occupancies = *indicators = 0;
    for (int j = 0; j < vouch_lp_cols(p->lp); j++) {
        bool integer = vouch_lp_is_integer(p->lp, j);
        assert_int_equal(integer, p->column[j].kind == COLUMN_INDICATOR);
        *indicators += integer;
        *occupancies += p->column[j].kind == COLUMN_OCCUPANCY;
    }
    assert_int_equal(p->column[0].kind, COLUMN_REGRET);
    assert_int_equal(vouch_lp_cols(p->lp), 1 + *occupancies + *indicators);
}

/* The bounds of each kind of row but flow. */
static void assert_row_bounds(const program *p, const double optimal[], double probability)
{
    vouch_lp_data view;
    vouch_lp_view(p->lp, &view);
    for (int i = 0; i < view.rows; i++) {
        const meaning *r = &p->row[i];
        double lower = -INFINITY, upper = INFINITY;
        if (r->kind == ROW_FLOW) continue;
        if (r->kind == ROW_REGRET) lower = optimal[r->env];
        if (r->kind == ROW_COMMITMENT) lower = probability;
        if (r->kind == ROW_ONE_CHOICE) upper = 1;
        if (r->kind == ROW_LINK) upper = 0;
        assert_true(view.row_lower[i] == lower && view.row_upper[i] == upper);
    }
}

/* Link rows read share <= Delta; the first choice everywhere is a point that keeps flow, link and one-choice rows. */
static void assert_shares(const program *p)
{
    vouch_lp_data view;
    vouch_lp_view(p->lp, &view);
    int *pick = calloc((size_t)p->g->nodes, sizeof *pick);
    double *x = calloc((size_t)view.cols, sizeof *x), *reach = calloc((size_t)p->c->classes, sizeof *reach);
    double *activity = calloc((size_t)view.rows, sizeof *activity);
    for (int n = 0; n < p->g->time_start[p->g->T]; n++) pick[n] = p->g->choice_start[n];
    program_point(p, pick, 0, reach, x);
    for (int j = 0; j < view.cols; j++) {
        assert_true(x[j] >= 0 && x[j] <= 1 + 1e-12);
        for (int64_t e = view.start[j]; e < view.start[j + 1]; e++) {
            row_kind kind = p->row[view.index[e]].kind;
            if (kind == ROW_LINK) assert_true(fabs(view.value[e]) == 1);
            if (kind == ROW_FLOW) assert_true(fabs(view.value[e]) <= 1 + 1e-12);
            activity[view.index[e]] += view.value[e] * x[j];
        }
    }
    for (int i = 0; i < view.rows; i++) {
        row_kind kind = p->row[i].kind;
        if (kind == ROW_REGRET || kind == ROW_COMMITMENT) continue;
        assert_true(activity[i] >= view.row_lower[i] - 1e-12 && activity[i] <= view.row_upper[i] + 1e-12);
    }
    free(pick);
    free(x);
    free(reach);
    free(activity);
}

static policy_space space_of(const vouch_model *m, int L)
{
    policy_space space;
    space_options so = space_options_for(L);
    assert_int_equal(space_make(m, &so, &space, NULL), VOUCH_OK);
    return space;
}

static void the_sizes_of_both_forms_are_those_counted_by_hand(void **state)
{
    (void)state;
    static const struct {
        int L, occupancies, indicators, rows;
    } paper[] = {
        /* L = 0: x(t,s,a;k) = 2*2*3*9; flow 2*2*9, regret 9, commitment 9, one choice 2*2 */
        {0, 108, 12, 36 + 18 + 4 + 108},
        /* L = 1: y 3*9; boundaries B{9}, A{9}, A{3} thrice: 27 environments, x = 27*2*3; flow 9 + 27*2, one 1 + 5*2 */
        {1, 27 + 162, 3 + 5 * 6, 9 + 54 + 18 + 11 + 189},
    };
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 2, NULL), VOUCH_OK);
    for (int i = 0; i < 2; i++) {
        policy_space space = space_of(m, paper[i].L);
        program *p;
        int occupancies, indicators;
        assert_int_equal(
            program_paper(space.g, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, &p),
            VOUCH_OK);
        count_columns(p, &occupancies, &indicators);
        assert_int_equal(occupancies, paper[i].occupancies);
        assert_int_equal(indicators, paper[i].indicators);
        assert_int_equal(vouch_lp_rows(p->lp), paper[i].rows);
        assert_distinct_names(p);
        program_free(p);
        space_free(&space);
    }
    /* Only rewards differ: every node is one class, so compact has a column and a link row for each choice: 3 + 2*3. */
    policy_space space = space_of(m, 0);
    program *p;
    int occupancies, indicators;
    assert_int_equal(
        program_compact(space.c, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, true, &p),
        VOUCH_OK);
    count_columns(p, &occupancies, &indicators);
    assert_int_equal(occupancies, 9);
    assert_int_equal(indicators, 9);
    assert_int_equal(vouch_lp_rows(p->lp), 3 + 9 + 9 + 3 + 9);
    assert_distinct_names(p);
    program_free(p);
    assert_int_equal(
        program_compact(space.c, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, false, &p),
        VOUCH_OK);
    count_columns(p, &occupancies, &indicators);
    assert_int_equal(indicators, 0);
    assert_int_equal(vouch_lp_rows(p->lp), 3 + 9 + 9);
    program_free(p);
    space_free(&space);
    vouch_model_free(m);
}

static void every_column_and_row_has_a_name_of_its_own(void **state)
{
    (void)state;
    for (int number = 0; number < 12; number++) {
        vouch_model *m;
        vouch_random_shape z = {.states = 3,
                                .actions = 2,
                                .environments = 3,
                                .horizon = 4,
                                .probability = 0.1,
                                .branching = 2,
                                .seed = (uint64_t)number};
        assert_int_equal(vouch_generate_random(&m, &z, NULL), VOUCH_OK);
        policy_space space = space_of(m, number % 5);
        program *p;
        assert_int_equal(
            program_paper(space.g, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, &p),
            VOUCH_OK);
        assert_row_bounds(p, space.optimal, m->p);
        assert_distinct_names(p);
        program_free(p);
        assert_int_equal(program_compact(space.c,
                                         &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_TOTAL_REGRET, 1, NULL},
                                         true, &p),
                         VOUCH_OK);
        assert_row_bounds(p, space.optimal, m->p);
        assert_distinct_names(p);
        assert_shares(p);
        program_free(p);
        assert_int_equal(
            program_paper(space.g, &(program_aim){space.optimal, space.p, &space.averages, PROGRAM_MAX_REGRET, 0, NULL}, &p),
            VOUCH_OK);
        assert_int_equal(program_set_names(p), VOUCH_OK);
        program_free(p);
        space_free(&space);
        vouch_model_free(m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_sizes_of_both_forms_are_those_counted_by_hand),
                                       cmocka_unit_test(every_column_and_row_has_a_name_of_its_own)};
    return run_tests(tests);
}

/* A trace: events are JSON, thin out and stay within their room; and no solver does anything else because it is watched. */
#include "plan_aid.h"

#include <jansson.h>
#include <string.h>

#include "base/clock.h"
#include "base/trace.h"

/* The events of a trace as an array to be decref'd. */
static json_t *events_of(const vouch_trace *t)
{
    size_t length;
    const char *events = vouch_trace_events(t, &length);
    char *list = mem_alloc(length + 3, 1);
    list[0] = '[';
    memcpy(list + 1, events, length);
    memcpy(list + 1 + length, "]", 2);
    json_error_t error;
    json_t *all = json_loads(list, 0, &error);
    if (!all) fail_msg("events are no JSON: %s", error.text);
    mem_free(list);
    return all;
}

static int count_of(const json_t *events, const char *what)
{
    int count = 0;
    for (size_t i = 0; i < json_array_size(events); i++)
        count += strcmp(json_string_value(json_object_get(json_array_get(events, i), "e")), what) == 0;
    return count;
}

static void add_pivot(vouch_trace *t, int i)
{
    if (!trace_open(t, TRACE_PIVOT, i, "pivot")) return;
    trace_int(t, "i", i);
    trace_reals(t, "x", (double[]){1.0 / 3, INFINITY}, 2);
    trace_close(t);
}

static void events_thin_out_evenly_and_keep_to_their_room(void **state)
{
    (void)state;
    enum { MANY = 400000 };
    vouch_trace *t;
    assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
    for (int i = 0; i < MANY; i++) add_pivot(t, i);
    size_t length;
    (void)vouch_trace_events(t, &length);
    assert_true(length < 2500000);
    json_t *all = events_of(t);
    size_t kept = json_array_size(all);
    assert_true(kept > 1000 && kept < MANY / 2);
    assert_int_equal(t->thinned[TRACE_PIVOT].seen, MANY);
    assert_int_equal(t->thinned[TRACE_PIVOT].kept, (int)kept);
    assert_true(json_is_null(json_array_get(json_object_get(json_array_get(all, 0), "x"), 1)));
    long long last = json_integer_value(json_object_get(json_array_get(all, kept - 1), "i"));
    assert_true(last > MANY - 2 * t->thinned[TRACE_PIVOT].stride);
    json_decref(all);
    /* rare events always have room */
    for (int i = 0; i < MANY; i++)
        if (trace_open(t, TRACE_NODE, 0, "node")) {
            trace_int(t, "id", i);
            trace_close(t);
        }
    assert_true(trace_open(t, TRACE_NOTE, 0, "end"));
    trace_close(t);
    all = events_of(t);
    assert_int_equal(count_of(all, "end"), 1);
    json_decref(all);
    vouch_trace_free(t);
}

static void counters_are_json(void **state)
{
    (void)state;
    vouch_trace *t;
    char counters[200];
    assert_int_equal(vouch_trace_new(&t, 0), VOUCH_OK);
    assert_false(trace_open(t, TRACE_NOTE, 0, "end"));
    trace_stop(t, KERNEL_ftran, trace_start(t));
    trace_stop(t, KERNEL_ftran, trace_start(t));
    trace_count(t, TALLY_divided, 3);
    assert_true(vouch_trace_counters(t, counters, sizeof counters) < sizeof counters);
    json_t *all = json_loads(counters, 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(json_object_get(all, "kernels"), "ftran"), "calls")), 2);
    assert_int_equal(json_integer_value(json_object_get(json_object_get(all, "counts"), "divided")), 3);
    json_decref(all);
    char cut[8];
    assert_int_equal(vouch_trace_counters(t, cut, sizeof cut), strlen(counters));
    vouch_trace_free(t);
}

/* The same plan with and without a trace, threads or not: figures, nodes, inductions. The events, to be decref'd. */
static json_t *assert_watching_changes_no_plan(const vouch_model *m, vouch_method method, int lookahead)
{
    vouch_plan_options o;
    vouch_trace *t;
    vouch_policy *plain, *watched;
    vouch_plan_result a, b;
    vouch_plan_options_init(&o);
    o.method = method;
    o.lookahead = lookahead;
    o.limits.nodes = 300;
    o.threads = 2;
    assert_int_equal(vouch_plan(&plain, m, &o, NULL), VOUCH_OK);
    assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
    o.trace = t;
    assert_int_equal(vouch_plan(&watched, m, &o, NULL), VOUCH_OK);
    vouch_policy_get_result(plain, &a);
    vouch_policy_get_result(watched, &b);
    assert_int_equal(a.nodes, b.nodes);
    assert_int_equal(a.iterations, b.iterations);
    assert_memory_equal(&a.bound, &b.bound, sizeof a.bound);
    assert_memory_equal(&a.max_regret, &b.max_regret, sizeof a.max_regret);
    assert_memory_equal(&a.total_regret, &b.total_regret, sizeof a.total_regret);
    json_t *all = events_of(t);
    assert_int_equal(count_of(all, "node"), (int)t->thinned[TRACE_NODE].seen);
    assert_true(count_of(all, "tree") >= 1);
    vouch_trace_free(t);
    vouch_policy_free(plain);
    vouch_policy_free(watched);
    return all;
}

/* Plans of one time are added up; times beyond the last place count there. */
static void plans_are_counted_by_their_times(void **state)
{
    (void)state;
    enum { TIMES = TRACE_STAGES + 3 };
    vouch_trace *t;
    double began = clock_seconds(), all = 0;
    assert_int_equal(vouch_trace_new(&t, 0), VOUCH_OK);
    for (int time = 0; time < TIMES; time++)
        for (int i = 0; i <= time; i++) {
            long long nodes = trace_nodes(t);
            trace_count(t, TALLY_divided, 1);
            trace_count(t, TALLY_unseen, 2);
            trace_planned(t, 10 * time, nodes, trace_start(t));
        }
    assert_int_equal(t->stages, TRACE_STAGES);
    int later = 0;
    for (int time = TRACE_STAGES - 1; time < TIMES; time++) later += time + 1;
    for (int i = 0; i < TRACE_STAGES; i++) {
        int plans = i == TRACE_STAGES - 1 ? later : i + 1;
        assert_int_equal(t->stage[i].time, 10 * i);
        assert_int_equal(t->stage[i].plans, plans);
        assert_int_equal(t->stage[i].nodes, 3 * plans);
        assert_true(t->stage[i].seconds >= 0);
        all += t->stage[i].seconds;
    }
    assert_true(all <= clock_seconds() - began);
    trace_planned(NULL, 0, trace_nodes(NULL), 0);
    vouch_trace_free(t);
}

static void assert_tells_nodes(json_t *all, int least)
{
    assert_true(count_of(all, "node") >= least);
    json_decref(all);
}

static void watching_changes_no_plan(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 9, NULL), VOUCH_OK);
    assert_tells_nodes(assert_watching_changes_no_plan(m, VOUCH_METHOD_MILP_CCL, 1), 3);
    vouch_model_free(m);
    vouch_random_shape shape = {
        .states = 7, .actions = 3, .environments = 4, .horizon = 6, .probability = 0.5, .branching = 3, .seed = 1};
    assert_int_equal(vouch_generate_random(&m, &shape, NULL), VOUCH_OK);
    assert_tells_nodes(assert_watching_changes_no_plan(m, VOUCH_METHOD_MILP_CCL, 1), 150); /* restarted, and in rounds */
    vouch_model_free(m);
}

static void watching_changes_no_stochastic_plan(void **state)
{
    (void)state;
    vouch_model *m;
    vouch_maze_shape shape = {.corridor = 4, .up = 2, .down = 2, .environments = 3, .horizon = 10, .probability = 0.6, .grip = 0.5};
    assert_int_equal(vouch_generate_t_maze(&m, &shape, NULL), VOUCH_OK);
    json_t *all = assert_watching_changes_no_plan(m, VOUCH_METHOD_HISTORY, 0);
    assert_true(count_of(all, "column") >= 2);
    assert_true(count_of(all, "mixture") >= 1);
    json_decref(all);
    all = assert_watching_changes_no_plan(m, VOUCH_METHOD_EXACT_CCL, 0);
    assert_true(count_of(all, "descent") >= 10);
    assert_tells_nodes(all, 4); /* boxes */
    vouch_model_free(m);
}

/* Each plan that is made is told, with what begins it before it and its figures after it. */
static void watching_changes_no_planning_again(void **state)
{
    (void)state;
    vouch_model *m;
    assert_int_equal(vouch_generate_twin_states(&m, 7, NULL), VOUCH_OK);
    vouch_ccil_result r[2];
    double regret[2];
    vouch_trace *t;
    assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
    for (int watched = 0; watched < 2; watched++) {
        vouch_ccil_options o;
        vouch_ccil *c;
        vouch_ccil_options_init(&o);
        o.plan.threads = 2;
        o.plan.trace = watched ? t : NULL;
        assert_int_equal(vouch_ccil_new(&c, m, &o, NULL), VOUCH_OK);
        assert_int_equal(vouch_ccil_evaluate(c, NULL), VOUCH_OK);
        vouch_ccil_get_result(c, &r[watched]);
        regret[watched] = r[watched].max_regret;
        vouch_ccil_free(c);
    }
    assert_memory_equal(&regret[0], &regret[1], sizeof *regret);
    assert_int_equal(r[0].programs, r[1].programs);
    json_t *all = events_of(t);
    assert_int_equal(count_of(all, "segment"), (int)r[1].programs);
    assert_int_equal(count_of(all, "planned"), (int)r[1].programs);
    json_decref(all);
    vouch_trace_free(t);
    vouch_model_free(m);
}

static vouch_lp *transport(int n, bool integer)
{
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    int64_t start[2] = {0, 0};
    for (int j = 0; j < n; j++)
        assert_int_equal(vouch_lp_add_cols(lp, 1, start, NULL, NULL, (double[]){-(7 + j * 5 % 11)}, (double[]){0}, (double[]){3}),
                         VOUCH_OK);
    for (int i = 0; i < n; i++) {
        int index[8];
        double value[8];
        int64_t row[2] = {0, 0};
        for (int j = 0; j < n && row[1] < 8; j++)
            if ((i * 3 + j * 5) % 7 < 4) {
                index[row[1]] = j;
                value[row[1]++] = 2 + (i * 7 + j * 3) % 5;
            }
        assert_int_equal(vouch_lp_add_rows(lp, 1, row, index, value, (double[]){-INFINITY}, (double[]){17.0 + i % 4}), VOUCH_OK);
    }
    for (int j = 0; j < n && integer; j++) assert_int_equal(vouch_lp_set_integer(lp, j, 1), VOUCH_OK);
    return lp;
}

static void watching_changes_no_linear_program(void **state)
{
    (void)state;
    for (int method = VOUCH_LP_AUTO; method <= VOUCH_LP_DUAL; method++) {
        vouch_lp *plain = transport(60, false), *watched = transport(60, false);
        vouch_lp_options o;
        vouch_trace *t;
        vouch_lp_result a, b;
        vouch_lp_options_init(&o);
        o.method = (vouch_lp_method)method;
        o.presolve = 0;
        assert_int_equal(vouch_lp_solve(plain, &o), VOUCH_OK);
        assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
        o.trace = t;
        assert_int_equal(vouch_lp_solve(watched, &o), VOUCH_OK);
        vouch_lp_get_result(plain, &a);
        vouch_lp_get_result(watched, &b);
        assert_int_equal(a.outcome, VOUCH_LP_OPTIMAL);
        assert_int_equal(a.iterations, b.iterations);
        assert_memory_equal(a.x, b.x, 60 * sizeof *a.x);
        assert_memory_equal(a.row_dual, b.row_dual, 60 * sizeof *a.x);
        json_t *all = events_of(t);
        assert_int_equal(count_of(all, "pivot"), (int)b.iterations);
        json_decref(all);
        vouch_trace_free(t);
        vouch_lp_free(plain);
        vouch_lp_free(watched);
    }
}

/* Each of n workers to one of n places, at whole costs without a pattern. */
static vouch_lp *assignment(int n)
{
    vouch_lp *lp;
    unsigned cost = 1;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    for (int i = 0; i < 2 * n; i++)
        assert_int_equal(vouch_lp_add_rows(lp, 1, (int64_t[]){0, 0}, NULL, NULL, (double[]){i < n ? 1 : -INFINITY},
                                           (double[]){i < n ? INFINITY : 1}),
                         VOUCH_OK);
    for (int j = 0; j < n * n; j++) {
        cost = cost * 1103515245u + 12345u;
        assert_int_equal(vouch_lp_add_cols(lp, 1, (int64_t[]){0, 2}, (int[]){j / n, n + j % n}, (double[]){1, 1},
                                           (double[]){cost >> 16 & 1023}, (double[]){0}, (double[]){INFINITY}),
                         VOUCH_OK);
    }
    return lp;
}

/* Of a program too large to be drawn some pivots are passed over before the trace thins out the others, whose strides must meet. */
static void pivots_of_a_large_program_are_told_to_its_end(void **state)
{
    (void)state;
    for (long long stride = 1; stride <= 8; stride *= 2) {
        vouch_lp *lp = assignment(30);
        vouch_lp_options o;
        vouch_lp_result r;
        vouch_trace *t;
        vouch_lp_options_init(&o);
        o.method = VOUCH_LP_PRIMAL;
        o.presolve = 0;
        assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
        t->thinned[TRACE_PIVOT].stride = stride;
        o.trace = t;
        assert_int_equal(vouch_lp_solve(lp, &o), VOUCH_OK);
        vouch_lp_get_result(lp, &r);
        assert_true(r.iterations > 200);
        json_t *all = events_of(t), *last = NULL;
        int told = 0;
        for (size_t i = 0; i < json_array_size(all); i++) {
            json_t *event = json_array_get(all, i);
            if (strcmp(json_string_value(json_object_get(event, "e")), "pivot") == 0) told++, last = event;
        }
        assert_true(told > r.iterations / (stride > 4 ? stride : 4) - 1 && told < 64 + r.iterations / 4 + 1);
        assert_true(json_integer_value(json_object_get(last, "i")) > r.iterations - 8);
        json_decref(all);
        vouch_trace_free(t);
        vouch_lp_free(lp);
    }
}

static void watching_changes_no_integer_program(void **state)
{
    (void)state;
    vouch_lp *lp = transport(14, true);
    vouch_mip *plain, *watched;
    vouch_mip_options o;
    vouch_trace *t;
    vouch_mip_result a, b;
    vouch_mip_options_init(&o);
    assert_int_equal(vouch_mip_new(&plain, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_new(&watched, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(plain, &o), VOUCH_OK);
    assert_int_equal(vouch_trace_new(&t, 1), VOUCH_OK);
    o.trace = o.lp.trace = t;
    assert_int_equal(vouch_mip_solve(watched, &o), VOUCH_OK);
    vouch_mip_get_result(plain, &a);
    vouch_mip_get_result(watched, &b);
    assert_int_equal(a.outcome, VOUCH_MIP_OPTIMAL);
    assert_int_equal(a.nodes, b.nodes);
    assert_int_equal(a.iterations, b.iterations);
    assert_memory_equal(a.x, b.x, 14 * sizeof *a.x);
    json_t *all = events_of(t);
    assert_int_equal(count_of(all, "node"), (int)b.nodes);
    /* pivots of the relaxations are events, those of trials and heuristics only counted */
    int pivots = count_of(all, "pivot");
    assert_true(pivots > 10 && pivots < t->tally[TALLY_primal_pivots] + t->tally[TALLY_dual_pivots]);
    assert_false(t->within);
    json_decref(all);
    vouch_trace_free(t);
    vouch_mip_free(plain);
    vouch_mip_free(watched);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_thin_out_evenly_and_keep_to_their_room),
        cmocka_unit_test(counters_are_json),
        cmocka_unit_test(plans_are_counted_by_their_times),
        cmocka_unit_test(watching_changes_no_plan),
        cmocka_unit_test(watching_changes_no_stochastic_plan),
        cmocka_unit_test(watching_changes_no_planning_again),
        cmocka_unit_test(watching_changes_no_linear_program),
        cmocka_unit_test(pivots_of_a_large_program_are_told_to_its_end),
        cmocka_unit_test(watching_changes_no_integer_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

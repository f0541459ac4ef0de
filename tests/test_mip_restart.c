/* Restarts of the root: on random packings the optimum is the same as without, and bounds hold at any limit. */
#include "lp_aid.h"

#include <vouch/mip.h>

#include "mip/search.h"

enum { ITEMS = 40, ROWS = 4, PROGRAMS = 12, STOPS = 12, DEFINED = ITEMS + ROWS + 1 };

/* Entries of a column, their sum, and their contribution to sum [ROWS] for the column at `most`. */
static double add_weights(sample *d, rng *r, int most, double sum[])
{
    double weight = 0;
    for (int i = 0; i < ROWS; i++) {
        double a = rng_below(r, 3) ? 5 + (double)rng_below(r, 60) : 0;
        if (a > 0) entry(d, i, a);
        weight += a;
        sum[i] += a * most;
    }
    return weight;
}

/* Packing of ITEMS columns of similar worth a weight, integers and a few continuous ones. */
static vouch_lp *packing(uint64_t seed)
{
    rng r = rng_seed(seed);
    sample d = sample_new(ROWS, ITEMS);
    double sum[ROWS] = {0};
    int most = 1 + (int)rng_below(&r, 2);
    d.maximize = (int)rng_below(&r, 2);
    d.offset = (double)rng_below(&r, 3) * 1000;
    d.start[ITEMS] = 0;
    for (int j = 0; j < ITEMS; j++) {
        double weight = add_weights(&d, &r, most, sum);
        close_column(&d, j);
        d.cu[j] = weight > 0 ? most : 0;
        d.cost[j] = (weight + (double)rng_below(&r, 40)) * (d.maximize ? 1 : -1);
    }
    for (int i = 0; i < ROWS; i++) d.rl[i] = -INFINITY, d.ru[i] = floor(sum[i] / 3);
    vouch_lp *lp = sample_load(&d);
    int continuous = (int)rng_below(&r, 4);
    for (int j = continuous; j < ITEMS; j++) vouch_lp_set_integer(lp, j, 1);
    sample_free(&d);
    return lp;
}

/* A packing of whole numbers with slacks and the objective as columns: the first presolve substitutes these, and columns fixed
 * later leave sums that refer to them. */
static vouch_lp *defined_packing(uint64_t seed)
{
    rng r = rng_seed(seed);
    sample d = sample_new(ROWS + 1, DEFINED);
    double sum[ROWS] = {0};
    d.maximize = (int)rng_below(&r, 2);
    d.start[DEFINED] = 0;
    for (int j = 0; j < ITEMS; j++) {
        double weight = add_weights(&d, &r, 1, sum);
        entry(&d, ROWS, (weight + (double)rng_below(&r, 40)) * (d.maximize ? 1 : -1));
        close_column(&d, j);
        d.cu[j] = weight > 0 ? 1 : 0;
    }
    for (int i = 0; i < ROWS; i++) {
        entry(&d, i, 1);
        close_column(&d, ITEMS + i);
        d.rl[i] = d.ru[i] = d.cu[ITEMS + i] = floor(sum[i] / 3);
    }
    entry(&d, ROWS, -1);
    close_column(&d, ITEMS + ROWS);
    d.cl[ITEMS + ROWS] = -INFINITY;
    d.cu[ITEMS + ROWS] = INFINITY;
    d.cost[ITEMS + ROWS] = 1;
    vouch_lp *lp = sample_load(&d);
    for (int j = 0; j < ITEMS + ROWS; j++) vouch_lp_set_integer(lp, j, 1);
    sample_free(&d);
    return lp;
}

static void count_restarts(void *context, vouch_log_level level, const char *line)
{
    (void)level;
    *(int *)context += strstr(line, "started again") != NULL;
}

typedef struct answer {
    vouch_mip_result result;
    double x[DEFINED];
    int restarts;
} answer;

static answer solve(const vouch_lp *lp, vouch_mip_options o, int n)
{
    answer a = {.restarts = 0};
    vouch_mip *mip;
    o.log = (vouch_log){count_restarts, &a.restarts, VOUCH_LOG_INFO};
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
    vouch_mip_get_result(mip, &a.result);
    if (a.result.has_incumbent) memcpy(a.x, a.result.x, (size_t)n * sizeof *a.x);
    vouch_mip_free(mip);
    return a;
}

static void count_node(void *context, const vouch_mip_node *node)
{
    int *roots = context;
    *roots += node->id == 1;
}

static void restarts_keep_the_optimum(vouch_lp *make(uint64_t seed), int n)
{
    int restarts = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        vouch_lp *lp = make(seed);
        vouch_mip_options o, plain;
        int roots = 0;
        vouch_mip_options_init(&o);
        o.gap_relative = 0;
        plain = o;
        plain.presolve = plain.heuristics = 0;
        answer never = solve(lp, plain, n);
        o.debug_solution = never.x; /* builds with asserts: no node may lose it */
        o.on_node = count_node;
        o.on_node_context = &roots;
        answer a = solve(lp, o, n);
        assert_int_equal(never.restarts, 0);
        assert_int_equal(never.result.outcome, VOUCH_MIP_OPTIMAL);
        assert_int_equal(a.result.outcome, VOUCH_MIP_OPTIMAL);
        assert_int_equal(roots <= 1, 1); /* one root is told */
        if (!(fabs(a.result.objective - never.result.objective) <= 1e-7 * (1 + fabs(never.result.objective))))
            fail_msg("seed %d: %.12g, without restarts %.12g", (int)seed, a.result.objective, never.result.objective);
        restarts += a.restarts;
        vouch_lp_free(lp);
    }
    assert_true(restarts > 0);
}

static void a_restart_keeps_the_optimum(void **state)
{
    (void)state;
    restarts_keep_the_optimum(packing, ITEMS);
}

static void a_restart_keeps_columns_that_were_solved_for(void **state)
{
    (void)state;
    restarts_keep_the_optimum(defined_packing, DEFINED);
}

/* Stopped after every number of nodes and at iterations all along: the bound never passes the optimum, and one is known as soon as
 * the root was started again. */
static void bounds_hold_wherever_a_search_with_a_restart_stops(void **state)
{
    (void)state;
    int stopped_after_restart = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        vouch_lp *lp = packing(seed);
        vouch_lp_data d;
        vouch_mip_options o;
        vouch_lp_view(lp, &d);
        vouch_mip_options_init(&o);
        o.gap_relative = 0;
        answer whole = solve(lp, o, ITEMS);
        double sign = d.maximize ? -1 : 1, best = sign * whole.result.objective, slack = 1e-7 * (1 + fabs(best));
        for (int k = 1; k <= STOPS && whole.restarts > 0; k++) {
            o.limits.nodes = k % 4 == 0 ? k / 4 : 0;
            o.limits.iterations = k % 4 == 0 ? 0 : 1 + whole.result.iterations * k / STOPS;
            answer a = solve(lp, o, ITEMS);
            double bound = sign * a.result.bound;
            if (!(bound <= best + slack)) fail_msg("seed %d, stop %d: bound %.12g, optimum %.12g", (int)seed, k, bound, best);
            if (a.result.has_incumbent) assert_true(sign * a.result.objective >= best - slack);
            if (a.result.outcome == VOUCH_MIP_OPTIMAL) assert_true(sign * a.result.objective <= best + slack);
            stopped_after_restart += a.restarts > 0 && a.result.outcome == VOUCH_MIP_LIMIT;
            assert_true(a.restarts == 0 || isfinite(bound));
        }
        vouch_lp_free(lp);
    }
    assert_true(stopped_after_restart > 0);
}

/* All columns that cost anything are fixed, and nothing is left: the incumbent of value 10 is optimal, as objectives are even. */
static void a_restart_keeps_the_distance_of_objectives(void **state)
{
    (void)state;
    mip_model model = {0};
    mip_search s = {.model = &model, .best = {.found = true, .value = 10, .granularity = 2, .cutoff = 8.1}, .root = {.value = 7}};
    mip_search t = {.model = &model, .best = {.found = true, .value = 10, .cutoff = 10 - 1e-9}, .tree = {.elsewhere = INFINITY}};
    restart_continue(&t, &s);
    t.end.complete = true;
    assert_true(mip_search_bound(&t) == 10);
}

/* x_i + x_{i+1} >= 1 around an odd cycle, all costs 1: (n + 1) / 2 is least. The last column is in no row and costs .5. */
static vouch_lp *cycle(int n)
{
    sample d = sample_new(n, n + 1);
    d.start[n + 1] = 0;
    for (int j = 0; j < n; j++) {
        entry(&d, j, 1);
        entry(&d, (j + 1) % n, 1);
        close_column(&d, j);
    }
    close_column(&d, n);
    for (int j = 0; j <= n; j++) d.cl[j] = 0, d.cu[j] = 1, d.cost[j] = j < n ? 1 : 0.5;
    for (int i = 0; i < n; i++) d.rl[i] = 1, d.ru[i] = INFINITY;
    vouch_lp *lp = sample_load(&d);
    for (int j = 0; j <= n; j++) vouch_lp_set_integer(lp, j, 1);
    sample_free(&d);
    return lp;
}

static void a_start_between_the_objectives_of_the_presolved_program_hides_none(void **state)
{
    (void)state;
    for (int n = 3; n < ITEMS; n += 2) {
        vouch_lp *lp = cycle(n);
        double start[ITEMS + 1];
        vouch_mip_options o;
        vouch_mip_options_init(&o);
        o.heuristics = 0;
        for (int j = 0; j < n; j++) start[j] = j % 2 == 0;
        start[n] = 1; /* presolve fixes it at 0 */
        o.start = start;
        answer a = solve(lp, o, n + 1);
        assert_int_equal(a.result.outcome, VOUCH_MIP_OPTIMAL);
        if (!(fabs(a.result.objective - (n + 1) / 2) <= 1e-9)) fail_msg("%d: %.12g", n, a.result.objective);
        vouch_lp_free(lp);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_restart_keeps_the_optimum),
                                       cmocka_unit_test(a_restart_keeps_columns_that_were_solved_for),
                                       cmocka_unit_test(bounds_hold_wherever_a_search_with_a_restart_stops),
                                       cmocka_unit_test(a_restart_keeps_the_distance_of_objectives),
                                       cmocka_unit_test(a_start_between_the_objectives_of_the_presolved_program_hides_none)};
    return run_tests(tests);
}

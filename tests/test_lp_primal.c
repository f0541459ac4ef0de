/* The primal method on degenerate programs: bounds are widened, and the point stays where it is. */
#include <vouch/trace.h>

#include "lp_aid.h"

enum { ROWS = 60, COLS = 150 };

/* Max c'x, A x <= 0 but in a few rows, 0 <= x <= 1: the start is feasible, and hardly a step moves. */
static sample degenerate(rng *r)
{
    sample p = sample_new(ROWS, COLS);
    for (int i = 0; i < ROWS; i++) {
        p.rl[i] = -INFINITY;
        p.ru[i] = i % 10 == 0 ? 1 + pick(r, 3) : 0;
    }
    for (int j = 0; j < COLS; j++) {
        for (int i = 0; i < ROWS; i++) {
            if (pick(r, 4) == 0) entry(&p, i, (pick(r, 5) < 2 ? -1 : 1) * (1 + pick(r, 9)));
        }
        close_column(&p, j);
        p.cost[j] = 1 + pick(r, 20);
        p.cu[j] = 1;
    }
    p.maximize = 1;
    return p;
}

/* "phase_one":N of the counters. */
static long long in_search_of_a_start(const vouch_trace *trace)
{
    char counters[4000];
    assert_true(vouch_trace_counters(trace, counters, sizeof counters) < sizeof counters);
    const char *at = strstr(counters, "\"phase_one\":");
    return at ? atoll(at + strlen("\"phase_one\":")) : 0;
}

static void a_feasible_start_stays_feasible(void **state)
{
    (void)state;
    rng r = rng_seed(44);
    for (int number = 0; number < 20; number++) {
        sample p = degenerate(&r);
        vouch_lp *lp = sample_load(&p);
        vouch_lp_options options;
        vouch_lp_options_init(&options);
        options.presolve = 0;
        options.method = VOUCH_LP_PRIMAL;
        assert_int_equal(vouch_trace_new(&options.trace, 1), VOUCH_OK);
        vouch_lp_result primal = solve_checked(lp, &options);
        assert_int_equal(primal.outcome, VOUCH_LP_OPTIMAL);
        assert_int_equal(in_search_of_a_start(options.trace), 0);
        double optimum = primal.objective;
        vouch_trace_free(options.trace);
        options.trace = NULL;
        options.method = VOUCH_LP_DUAL;
        vouch_lp_forget_basis(lp);
        assert_near(solve_checked(lp, &options).objective, optimum, 1e-9 * (1 + fabs(optimum)));
        vouch_lp_free(lp);
        sample_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_feasible_start_stays_feasible)};
    return run_tests(tests);
}

/* The root started again: on random packings the value is that of a search that never does. */
#include "lp_aid.h"

#include <vouch/mip.h>

enum { ITEMS = 40, ROWS = 4, PROGRAMS = 12 };

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
        double weight = 0;
        for (int i = 0; i < ROWS; i++) {
            double a = rng_below(&r, 3) ? 5 + (double)rng_below(&r, 60) : 0;
            if (a > 0) entry(&d, i, a);
            weight += a;
            sum[i] += a * most;
        }
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

static void count_restarts(void *context, vouch_log_level level, const char *line)
{
    (void)level;
    *(int *)context += strstr(line, "started again") != NULL;
}

typedef struct answer {
    vouch_mip_result result;
    double x[ITEMS];
    int restarts;
} answer;

static answer solve(const vouch_lp *lp, vouch_mip_options o)
{
    answer a = {.restarts = 0};
    vouch_mip *mip;
    o.log = (vouch_log){count_restarts, &a.restarts, VOUCH_LOG_INFO};
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, &o), VOUCH_OK);
    vouch_mip_get_result(mip, &a.result);
    if (a.result.has_incumbent) memcpy(a.x, a.result.x, sizeof a.x);
    vouch_mip_free(mip);
    return a;
}

static void count_node(void *context, const vouch_mip_node *node)
{
    int *roots = context;
    *roots += node->id == 1;
}

static void a_restart_keeps_the_optimum(void **state)
{
    (void)state;
    int restarts = 0;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        vouch_lp *lp = packing(seed);
        vouch_mip_options o, plain;
        int roots = 0;
        vouch_mip_options_init(&o);
        o.gap_relative = 0;
        plain = o;
        plain.presolve = plain.heuristics = 0;
        answer never = solve(lp, plain);
        o.debug_solution = never.x; /* builds with asserts: no node may lose it */
        o.on_node = count_node;
        o.on_node_context = &roots;
        answer a = solve(lp, o);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_restart_keeps_the_optimum)};
    return run_tests(tests);
}

/* Several searches on one tree: as many threads as one likes, and the same answer, nodes and order of reports to the last bit;
 * limits met to the node. */
#include <string.h>
#include <vouch/mip.h>

#include "base/rng.h"
#include "test.h"

enum { COLUMNS = 36, ROWS = 8 };

/* max value'x, weight'x <= half of the weights in each row, x up to 2, every sixth column continuous: some hundred nodes. */
static vouch_lp *knapsacks(uint64_t seed)
{
    rng r = rng_seed(seed);
    int64_t start[COLUMNS + 1] = {0};
    int index[COLUMNS * ROWS];
    double value[COLUMNS * ROWS], cost[COLUMNS], upper[COLUMNS], capacity[ROWS] = {0};
    for (int j = 0; j < COLUMNS; j++) {
        double sum = 0;
        start[j + 1] = start[j];
        upper[j] = j % 5 ? 1 : 2;
        for (int i = 0; i < ROWS; i++) {
            double w = 10 + (double)rng_below(&r, 90);
            index[start[j + 1]] = i;
            value[start[j + 1]++] = w;
            capacity[i] += floor(w * upper[j] / 2);
            sum += w;
        }
        cost[j] = floor(sum / ROWS) + (double)rng_below(&r, 10);
    }
    vouch_lp_data d = {.rows = ROWS,
                       .cols = COLUMNS,
                       .start = start,
                       .index = index,
                       .value = value,
                       .cost = cost,
                       .maximize = 1,
                       .col_upper = upper,
                       .row_upper = capacity};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < COLUMNS; j++) vouch_lp_set_integer(lp, j, j % 6 != 5);
    return lp;
}

static void mix_in(uint64_t *hash, const void *bytes, size_t count)
{
    const unsigned char *b = bytes;
    for (size_t k = 0; k < count; k++) *hash = (*hash ^ b[k]) * 1099511628211u;
}

/* The reported nodes, in order. */
static void told(void *context, const vouch_mip_node *n)
{
    long long whole[] = {n->id, n->parent, n->depth, n->column, n->end};
    double real[] = {n->lower, n->upper, n->bound};
    mix_in(context, whole, sizeof whole);
    mix_in(context, real, sizeof real);
}

typedef struct answer {
    vouch_mip_result r;
    uint64_t hash; /* of the reports, and of the point */
} answer;

static answer solve(const vouch_lp *lp, vouch_mip_options *o)
{
    answer a = {.hash = 14695981039346656037u};
    vouch_mip *mip;
    o->on_node = told;
    o->on_node_context = &a.hash;
    assert_int_equal(vouch_mip_new(&mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(mip, o), VOUCH_OK);
    vouch_mip_get_result(mip, &a.r);
    if (a.r.x) mix_in(&a.hash, a.r.x, COLUMNS * sizeof(double));
    vouch_mip_free(mip);
    return a;
}

static void assert_same(const answer *a, const answer *b)
{
    assert_int_equal(a->r.outcome, b->r.outcome);
    assert_int_equal(a->r.nodes, b->r.nodes);
    assert_int_equal(a->r.iterations, b->r.iterations);
    assert_true(a->r.objective == b->r.objective && a->r.bound == b->r.bound);
    assert_true(a->hash == b->hash);
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 2; seed <= 4; seed++) {
        vouch_lp *lp = knapsacks(seed);
        vouch_mip_options o;
        vouch_mip_options_init(&o);
        o.cuts = seed % 2 == 0;
        o.heuristics = seed % 3 != 0;
        answer one = solve(lp, &o);
        assert_int_equal(one.r.outcome, VOUCH_MIP_OPTIMAL);
        assert_true(one.r.nodes > 300);
        for (o.threads = 2; o.threads <= 5; o.threads += 1 + (o.threads == 2)) {
            answer more = solve(lp, &o);
            assert_same(&one, &more);
        }
        vouch_lp_free(lp);
    }
}

static int no_point(void *context, const double *x, double *out)
{
    (void)context, (void)x, (void)out;
    return 0;
}

/* A heuristic of the caller's keeps the search one; the optimum is no other, and no node that holds it is lost. */
static void one_search_finds_the_same_optimum(void **state)
{
    (void)state;
    for (uint64_t seed = 11; seed <= 13; seed++) {
        vouch_lp *lp = knapsacks(seed);
        vouch_mip_options o;
        vouch_mip_options_init(&o);
        answer several = solve(lp, &o);
        o.heuristic = no_point;
        answer alone = solve(lp, &o);
        assert_int_equal(alone.r.outcome, VOUCH_MIP_OPTIMAL);
        assert_int_equal(several.r.outcome, VOUCH_MIP_OPTIMAL);
        assert_near(several.r.objective, alone.r.objective, 1e-6);
        vouch_lp_free(lp);
    }
}

static void limits_are_met_to_the_node(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(3);
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.cuts = 0;
    answer whole = solve(lp, &o);
    assert_true(whole.r.nodes > 400);
    int met = 0;
    for (long long most = 120; most < whole.r.nodes; most += 97) {
        o.limits.nodes = most;
        o.threads = 1;
        answer one = solve(lp, &o);
        o.threads = 3;
        answer three = solve(lp, &o);
        assert_same(&one, &three);
        if (one.r.outcome == VOUCH_MIP_OPTIMAL) { /* near a limit one search goes on alone, and may need fewer nodes */
            assert_true(one.r.nodes <= most);
            assert_near(one.r.objective, whole.r.objective, 1e-6);
            continue;
        }
        met++;
        assert_int_equal(one.r.outcome, VOUCH_MIP_LIMIT);
        assert_int_equal(one.r.nodes, most);
        assert_true(one.r.bound >= whole.r.objective - 1e-6); /* maximised: open nodes may contain the optimum */
        assert_true(!one.r.has_incumbent || one.r.objective <= whole.r.objective + 1e-6);
    }
    assert_true(met >= 3);
    vouch_lp_free(lp);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(4);
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    answer right = solve(lp, &o);
    long before = mem_live(), failures = 0;
    o.on_node = NULL;
    for (long k = 1000;; k += k / 2) {
        vouch_mip *mip;
        vouch_mip_result r;
        long start = mem_calls();
        o.threads = 1 + (int)(k % 3);
        mem_fail_after(k);
        vouch_status status = vouch_mip_new(&mip, lp);
        if (!status) status = vouch_mip_solve(mip, &o);
        mem_fail_after(-1);
        failures += status == VOUCH_ERROR_MEMORY;
        if (!status) {
            vouch_mip_get_result(mip, &r);
            assert_near(r.objective, right.r.objective, 1e-6);
        }
        vouch_mip_free(mip);
        assert_int_equal(mem_live(), before);
        if (!status && mem_calls() - start <= k) break;
    }
    assert_true(failures > 5);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_change_nothing), cmocka_unit_test(one_search_finds_the_same_optimum),
        cmocka_unit_test(limits_are_met_to_the_node), cmocka_unit_test(memory_that_runs_out_is_told)};
    return run_tests(tests);
}

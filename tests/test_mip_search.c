/* The public contract of vouch_mip: outcomes, limits, callbacks, starting points, determinism. */
#include "test.h"

#include <signal.h>
#include <stdbool.h>
#include <vouch/mip.h>

#include "base/rng.h"

/* max value'x, weight'x <= capacity in each of `rows` rows, x binary; hard enough to need a tree. */
static vouch_lp *knapsacks(int n, int rows, uint64_t seed)
{
    rng r = rng_seed(seed);
    int64_t start[64] = {0};
    int index[64 * 8];
    double value[64 * 8], cost[64], ones[64], capacity[8] = {0};
    for (int j = 0; j < n; j++) {
        double sum = 0;
        start[j + 1] = start[j];
        for (int i = 0; i < rows; i++) {
            double w = 10 + (double)rng_below(&r, 90);
            index[start[j + 1]] = i;
            value[start[j + 1]++] = w;
            capacity[i] += w / 2;
            sum += w;
        }
        cost[j] = sum / rows + (double)rng_below(&r, 10);
        ones[j] = 1;
    }
    for (int i = 0; i < rows; i++) capacity[i] = floor(capacity[i]);
    vouch_lp_data d = {.rows = rows,
                       .cols = n,
                       .start = start,
                       .index = index,
                       .value = value,
                       .cost = cost,
                       .maximize = 1,
                       .col_upper = ones,
                       .row_upper = capacity};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < n; j++) vouch_lp_set_integer(lp, j, 1);
    return lp;
}

static vouch_mip_result solve(const vouch_lp *lp, const vouch_mip_options *o, vouch_mip **mip)
{
    vouch_mip_result r;
    assert_int_equal(vouch_mip_new(mip, lp), VOUCH_OK);
    assert_int_equal(vouch_mip_solve(*mip, o), VOUCH_OK);
    vouch_mip_get_result(*mip, &r);
    return r;
}

static void every_limit_leaves_point_and_bound(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(40, 5, 7);
    vouch_mip *mip;
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    vouch_mip_result best = solve(lp, &o, &mip);
    assert_int_equal(best.outcome, VOUCH_MIP_OPTIMAL);
    assert_true(best.nodes > 20);
    double optimum = best.objective;
    vouch_mip_free(mip);
    for (int kind = 0; kind < 4; kind++) {
        volatile sig_atomic_t flag = 1;
        vouch_mip_options_init(&o);
        if (kind == 0) o.limits.nodes = 3;
        if (kind == 1) o.limits.iterations = 200;
        if (kind == 2) o.limits.seconds = 1e-3;
        if (kind == 3) o.limits.interrupt = &flag;
        vouch_mip_result r = solve(lp, &o, &mip);
        assert_true(r.outcome == VOUCH_MIP_LIMIT || r.outcome == VOUCH_MIP_INTERRUPTED ||
                    (kind == 2 && r.outcome == VOUCH_MIP_OPTIMAL));
        if (kind == 3) assert_int_equal(r.outcome, VOUCH_MIP_INTERRUPTED);
        assert_true(r.bound >= optimum - 1e-6);
        if (r.has_incumbent)
            assert_true(r.objective <= optimum + 1e-6);
        else
            assert_null(r.x);
        vouch_mip_free(mip);
    }
    vouch_lp_free(lp);
}

static void a_gap_ends_earlier(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(40, 5, 7);
    vouch_mip *exact, *rough;
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    vouch_mip_result a = solve(lp, &o, &exact);
    o.gap_relative = 0.02;
    vouch_mip_result b = solve(lp, &o, &rough);
    assert_int_equal(b.outcome, VOUCH_MIP_OPTIMAL);
    assert_true(b.nodes <= a.nodes);
    assert_true(b.bound - b.objective <= 0.02 * fabs(b.objective) + 1e-9);
    assert_true(b.bound >= a.objective - 1e-6);
    vouch_mip_free(exact);
    vouch_mip_free(rough);
    vouch_lp_free(lp);
}

typedef struct tally {
    long long nodes, roots, last;
    unsigned char branched[100000];
    double root_bound;
} tally;

static void count_node(void *context, const vouch_mip_node *n)
{
    tally *t = context;
    t->nodes++;
    assert_true(n->id >= 1 && n->id < 100000);
    if (n->parent == 0) {
        t->roots++;
        assert_int_equal(n->id, 1);
        assert_int_equal(n->column, -1);
        t->root_bound = n->bound;
    } else {
        assert_true(t->branched[n->parent]); /* parents end before their children */
        assert_true(n->column >= 0 && n->lower <= n->upper);
    }
    if (n->end == VOUCH_NODE_BRANCHED) t->branched[n->id] = 1;
}

static void nodes_are_reported(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(30, 4, 3);
    vouch_mip *mip;
    vouch_mip_options o;
    static tally t;
    vouch_mip_options_init(&o);
    o.on_node = count_node;
    o.on_node_context = &t;
    vouch_mip_result r = solve(lp, &o, &mip);
    assert_int_equal(t.nodes, r.nodes);
    assert_int_equal(t.roots, 1);
    assert_true(t.root_bound >= r.objective - 1e-6);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

static int offer_known(void *context, const double *x, double *out)
{
    (void)x;
    const double *known = context;
    memcpy(out, known + 1, sizeof *out * (size_t)known[0]);
    return 1;
}

static int offer_nonsense(void *context, const double *x, double *out)
{
    int n = *(int *)context;
    for (int j = 0; j < n; j++) out[j] = x[j] + 1; /* breaks every bound: must be refused */
    return 1;
}

static void starts_and_suggestions_are_checked(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(30, 4, 5);
    int n = vouch_lp_cols(lp);
    vouch_mip *mip;
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    vouch_mip_result r = solve(lp, &o, &mip);
    double optimum = r.objective, known[65] = {n};
    memcpy(known + 1, r.x, sizeof *known * (size_t)n);
    vouch_mip_free(mip);

    o.limits.nodes = 1; /* a start alone gives the incumbent */
    o.start = known + 1;
    o.heuristics = 0;
    r = solve(lp, &o, &mip);
    assert_near(r.objective, optimum, 1e-6);
    vouch_mip_free(mip);

    o.start = NULL;
    o.heuristic = offer_known;
    o.heuristic_context = known;
    r = solve(lp, &o, &mip);
    assert_near(r.objective, optimum, 1e-6);
    vouch_mip_free(mip);

    vouch_mip_options_init(&o);
    double all[64];
    for (int j = 0; j < n; j++) all[j] = 1;
    o.start = all; /* overweight */
    o.heuristic = offer_nonsense;
    o.heuristic_context = &n;
    r = solve(lp, &o, &mip);
    assert_int_equal(r.outcome, VOUCH_MIP_OPTIMAL);
    assert_near(r.objective, optimum, 1e-6);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

static void the_same_call_gives_the_same_bytes(void **state)
{
    (void)state;
    vouch_lp *lp = knapsacks(40, 5, 11);
    vouch_mip *a, *b;
    vouch_mip_result r = solve(lp, NULL, &a), q = solve(lp, NULL, &b);
    assert_int_equal(r.nodes, q.nodes);
    assert_int_equal(r.iterations, q.iterations);
    assert_memory_equal(r.x, q.x, sizeof *r.x * 40);
    assert_true(r.bound == q.bound);
    vouch_mip_free(a);
    vouch_mip_free(b);
    vouch_lp_free(lp);
}

/* x <= 2.5 y with y integer and unbounded; and the same without an integer point. */
static void unbounded_and_empty(void **state)
{
    (void)state;
    const int64_t start[] = {0, 1, 2};
    const int index[] = {0, 0};
    vouch_lp_data d = {.rows = 1,
                       .cols = 2,
                       .start = start,
                       .index = index,
                       .value = (const double[]){1, -2.5},
                       .cost = (const double[]){-1, 0},
                       .row_upper = (const double[]){0}};
    vouch_lp *lp;
    vouch_mip *mip;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    vouch_lp_set_integer(lp, 1, 1);
    vouch_mip_result r = solve(lp, NULL, &mip);
    assert_int_equal(r.outcome, VOUCH_MIP_UNBOUNDED);
    assert_true(r.has_incumbent && r.bound == -INFINITY);
    vouch_mip_free(mip);
    vouch_lp_set_col_bounds(lp, 1, 0.25, 0.75);
    r = solve(lp, NULL, &mip);
    assert_int_equal(r.outcome, VOUCH_MIP_INFEASIBLE);
    assert_false(r.has_incumbent);
    assert_true(isnan(r.objective) != 0);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

/* min -x, x <= 3 + y, of x and y at most one nonzero: the relaxation's ray moves both. With a reward on y it may
 * move alone. */
static void a_ray_must_keep_the_sets(void **state)
{
    (void)state;
    const int64_t start[] = {0, 1, 2};
    const int index[] = {0, 0}, members[] = {0, 1};
    const double weight[] = {1, 2};
    vouch_lp_data d = {.rows = 1,
                       .cols = 2,
                       .start = start,
                       .index = index,
                       .value = (const double[]){1, -1},
                       .cost = (const double[]){-1, 0},
                       .row_lower = (const double[]){-INFINITY},
                       .row_upper = (const double[]){3}};
    vouch_lp *lp;
    vouch_mip *mip;
    vouch_mip_options o;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    assert_int_equal(vouch_lp_add_sos1(lp, 2, members, weight), VOUCH_OK);
    vouch_mip_options_init(&o);
    for (o.presolve = 0; o.presolve < 2; o.presolve++) {
        vouch_lp_set_cost(lp, 1, 0);
        vouch_mip_result r = solve(lp, &o, &mip);
        assert_int_equal(r.outcome, VOUCH_MIP_OPTIMAL);
        assert_true(fabs(r.objective + 3) < 1e-9);
        vouch_mip_free(mip);
        vouch_lp_set_cost(lp, 1, -1);
        r = solve(lp, &o, &mip);
        assert_int_equal(r.outcome, VOUCH_MIP_UNBOUNDED);
        assert_true(r.has_incumbent && r.bound == -INFINITY);
        vouch_mip_free(mip);
    }
    vouch_lp_free(lp);
}

/* One of two binaries of almost equal cost, started at the dearer one: too little to go on for, and yet the bound
 * is none above the cheaper one. */
static void a_bound_is_not_rounded_up(void **state)
{
    (void)state;
    const double dear = 1 + 1e-9, start_at[] = {0, 1}, one[] = {1, 1};
    vouch_lp_data d = {.rows = 1,
                       .cols = 2,
                       .start = (const int64_t[]){0, 1, 2},
                       .index = (const int[]){0, 0},
                       .value = one,
                       .cost = (const double[]){1, dear},
                       .col_upper = one,
                       .row_lower = one,
                       .row_upper = one};
    vouch_lp *lp;
    vouch_mip *mip;
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.presolve = 0;
    o.gap_relative = o.gap_absolute = 0;
    o.start = start_at;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    vouch_lp_set_integer(lp, 0, 1);
    vouch_lp_set_integer(lp, 1, 1);
    vouch_mip_result r = solve(lp, &o, &mip);
    assert_int_equal(r.outcome, VOUCH_MIP_OPTIMAL);
    assert_true(r.bound <= 1 && r.bound >= r.objective - 1e-8);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_limit_leaves_point_and_bound),
        cmocka_unit_test(a_gap_ends_earlier),
        cmocka_unit_test(nodes_are_reported),
        cmocka_unit_test(starts_and_suggestions_are_checked),
        cmocka_unit_test(the_same_call_gives_the_same_bytes),
        cmocka_unit_test(unbounded_and_empty),
        cmocka_unit_test(a_ray_must_keep_the_sets),
        cmocka_unit_test(a_bound_is_not_rounded_up),
    };
    return run_tests(tests);
}

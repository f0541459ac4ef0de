/* Ranges of optimal bases: the program solved anew with a bound or a cost moved half the way, and half the way beyond, behaves as
 * they say. */
#include "base/memory.h"
#include "lp_aid.h"

enum { MOST = 12 };

/* Real numbers around a feasible point, so that bases are unique; every column in a box. */
static sample feasible_sample(rng *r)
{
    sample p = sample_new(1 + pick(r, 6), 1 + pick(r, 6));
    double x[MOST], activity[MOST] = {0};
    for (int j = 0; j < p.n; j++) {
        x[j] = 8 * rng_unit(r) - 4;
        p.cl[j] = x[j] - 3 * rng_unit(r), p.cu[j] = x[j] + 3 * rng_unit(r), p.cost[j] = 20 * rng_unit(r) - 10;
        for (int i = 0; i < p.m; i++) {
            double v = 12 * rng_unit(r) - 5;
            if (pick(r, 3) == 0) continue;
            entry(&p, i, v);
            activity[i] += v * x[j];
        }
        close_column(&p, j);
    }
    for (int i = 0; i < p.m; i++) {
        int kind = pick(r, 4);
        p.rl[i] = kind == 0 ? -INFINITY : activity[i] - 4 * rng_unit(r);
        p.ru[i] = kind == 1 ? INFINITY : activity[i] + 4 * rng_unit(r);
        if (kind == 2 && i + 1 < p.n) p.rl[i] = p.ru[i] = activity[i];
    }
    p.maximize = pick(r, 2);
    p.offset = pick(r, 5);
    return p;
}

typedef struct optimum {
    vouch_lp_outcome outcome;
    double objective, value[2 * MOST]; /* value: of small programs */
} optimum;

static optimum solve(const sample *p, unsigned char status[], vouch_lp_range range[])
{
    vouch_lp *lp = sample_load(p);
    vouch_lp_result r;
    optimum o;
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    vouch_lp_get_result(lp, &r);
    o = (optimum){.outcome = r.outcome, .objective = r.objective};
    bool small = p->m + p->n <= 2 * MOST;
    for (int i = 0; small && i < p->m && r.row_activity; i++) o.value[i] = r.row_activity[i];
    for (int j = 0; small && j < p->n && r.x; j++) o.value[p->m + j] = r.x[j];
    if (range) {
        assert_int_equal(r.outcome, VOUCH_LP_OPTIMAL);
        assert_int_equal(vouch_lp_ranges(lp, range), VOUCH_OK);
        vouch_lp_get_basis(lp, status, status + p->m);
    }
    vouch_lp_free(lp);
    return o;
}

/* By how much worse (positive) the program with variable v held at a value is than `linear`. */
static double loss_held_at(const sample *p, int v, double value, double linear)
{
    double *lower = v < p->m ? &p->rl[v] : &p->cl[v - p->m], *upper = v < p->m ? &p->ru[v] : &p->cu[v - p->m];
    double l = *lower, u = *upper;
    *lower = *upper = value;
    optimum o = solve(p, NULL, NULL);
    *lower = l, *upper = u;
    if (o.outcome == VOUCH_LP_INFEASIBLE) return INFINITY;
    assert_int_equal(o.outcome, VOUCH_LP_OPTIMAL);
    return p->maximize ? linear - o.objective : o.objective - linear;
}

static optimum solve_with_cost(const sample *p, int v, double change)
{
    double *cost = malloc((size_t)p->n * sizeof *cost);
    sample moved = *p;
    moved.cost = cost;
    for (int j = 0; j < p->n; j++) {
        cost[j] = p->cost[j] + (v == p->m + j ? change : 0);
        for (int64_t k = p->start[j]; k < p->start[j + 1]; k++)
            if (p->index[k] == v) cost[j] += change * p->value[k];
    }
    optimum o = solve(&moved, NULL, NULL);
    free(cost);
    assert_int_equal(o.outcome, VOUCH_LP_OPTIMAL);
    return o;
}

static bool near(double a, double b) { return fabs(a - b) <= 1e-6 * (1 + fabs(a) + fabs(b)); }

typedef struct tally {
    int bounds, costs, next;
} tally;

static void check_bound(const sample *p, int v, const optimum *o, const vouch_lp_range *r, tally *seen)
{
    for (int up = 0; up < 2; up++) {
        double step = r->value[up] - o->value[v], gain = r->objective[up] - o->objective;
        assert_true(up ? step >= 0 : step <= 0);
        assert_int_equal(isinf(step) != 0, r->limiting[up] < 0);
        if (isinf(step) || fabs(step) < 1e-4) continue;
        assert_true(near(loss_held_at(p, v, o->value[v] + 0.5 * step, o->objective + 0.5 * gain), 0));
        assert_true(loss_held_at(p, v, o->value[v] + 1.5 * step, o->objective + 1.5 * gain) > 1e-9);
        seen->bounds++;
    }
}

static void check_cost(const sample *p, int v, const optimum *o, const vouch_lp_range *r, tally *seen)
{
    double cost = v < p->m ? 0 : p->cost[v - p->m], lower = v < p->m ? p->rl[v] : p->cl[v - p->m],
           upper = v < p->m ? p->ru[v] : p->cu[v - p->m];
    for (int up = 0; up < 2; up++) {
        double step = r->cost[up] - cost;
        assert_true(up ? step >= 0 : step <= 0);
        assert_int_equal(isinf(step) != 0, r->limiting[up] < 0);
        if (isinf(step) || fabs(step) < 1e-4) continue;
        assert_true(near(r->objective[up], o->objective + step * o->value[v]));
        assert_true(near(solve_with_cost(p, v, 0.5 * step).value[v], o->value[v]));
        optimum beyond = solve_with_cost(p, v, step * (1 + 1e-5));
        assert_false(near(beyond.value[v], o->value[v]));
        seen->costs++;
        int by = r->limiting[up];
        bool by_moves_freely = !near(beyond.value[by], by < p->m ? p->rl[by] : p->cl[by - p->m]) &&
                               !near(beyond.value[by], by < p->m ? p->ru[by] : p->cu[by - p->m]);
        if (r->value[up] < lower || r->value[up] > upper || !by_moves_freely) continue;
        assert_true(near(beyond.value[v], r->value[up]));
        seen->next++;
    }
}

static void ranges_end_where_the_basis_changes(void **state)
{
    (void)state;
    rng r = rng_seed(18);
    tally seen = {0};
    int count = test_count("VOUCH_RANGES", 120);
    for (int k = 0; k < count; k++) {
        sample p = feasible_sample(&r);
        vouch_lp_range range[2 * MOST];
        unsigned char status[2 * MOST];
        optimum o = solve(&p, status, range);
        for (int v = 0; v < p.m + p.n; v++) {
            if (status[v] == VOUCH_BASIC)
                check_cost(&p, v, &o, &range[v], &seen);
            else
                check_bound(&p, v, &o, &range[v], &seen);
        }
        sample_free(&p);
    }
    assert_true(seen.bounds > 2 * count && seen.costs > 2 * count && seen.next > count / 2);
}

/* Samples along the diagonal of one program, all of them minima. */
static sample joined(const sample block[], int count, int rows, int cols)
{
    sample p = sample_new(rows, cols);
    for (int b = 0, i = 0, j = 0; b < count; i += block[b].m, j += block[b].n, b++) {
        const sample *q = &block[b];
        memcpy(p.rl + i, q->rl, sizeof *p.rl * (size_t)q->m);
        memcpy(p.ru + i, q->ru, sizeof *p.ru * (size_t)q->m);
        memcpy(p.cl + j, q->cl, sizeof *p.cl * (size_t)q->n);
        memcpy(p.cu + j, q->cu, sizeof *p.cu * (size_t)q->n);
        memcpy(p.cost + j, q->cost, sizeof *p.cost * (size_t)q->n);
        for (int c = 0; c < q->n; c++) {
            for (int64_t k = q->start[c]; k < q->start[c + 1]; k++) entry(&p, i + q->index[k], q->value[k]);
            close_column(&p, j + c);
        }
    }
    return p;
}

/* A program of independent blocks, factorised sparsely, has the ranges of its blocks, each factorised densely. */
static void ranges_of_blocks_are_their_own(void **state)
{
    (void)state;
    enum { BLOCKS = 300 };
    rng r = rng_seed(20);
    sample block[BLOCKS];
    int rows = 0, cols = 0;
    for (int b = 0; b < BLOCKS; b++) {
        block[b] = feasible_sample(&r);
        block[b].maximize = 0;
        rows += block[b].m, cols += block[b].n;
    }
    sample p = joined(block, BLOCKS, rows, cols);
    size_t vars = (size_t)(rows + cols);
    vouch_lp_range *range = malloc(vars * sizeof *range);
    unsigned char *status = malloc(vars);
    double objective = solve(&p, status, range).objective;
    for (int b = 0, i = 0, j = 0; b < BLOCKS; i += block[b].m, j += block[b].n, b++) {
        const sample *q = &block[b];
        vouch_lp_range own[2 * MOST];
        unsigned char own_status[2 * MOST];
        double other = objective - solve(q, own_status, own).objective;
        for (int v = 0; v < q->m + q->n; v++) {
            const vouch_lp_range *x = &own[v], *y = &range[v < q->m ? i + v : rows + j + v - q->m];
            for (int up = 0; up < 2; up++) {
                int by = x->limiting[up];
                assert_int_equal(y->limiting[up], by < 0 ? by : by < q->m ? i + by : rows + j + by - q->m);
                assert_true(x->value[up] == y->value[up] || near(x->value[up], y->value[up]));
                assert_true(x->cost[up] == y->cost[up] || near(x->cost[up], y->cost[up]));
                assert_true(x->objective[up] == y->objective[up] || near(x->objective[up] + other, y->objective[up]));
            }
        }
    }
    for (int b = 0; b < BLOCKS; b++) sample_free(&block[b]);
    sample_free(&p);
    free(range);
    free(status);
}

static void only_an_optimum_has_ranges(void **state)
{
    (void)state;
    rng r = rng_seed(19);
    sample p = feasible_sample(&r);
    vouch_lp_range range[2 * MOST];
    vouch_lp *lp = sample_load(&p);
    assert_int_equal(vouch_lp_ranges(lp, range), VOUCH_ERROR_ARGUMENT);
    assert_int_equal(vouch_lp_solve(lp, NULL), VOUCH_OK);
    for (long allowed = 0;; allowed++) {
        mem_fail_after(allowed);
        vouch_status status = vouch_lp_ranges(lp, range);
        mem_fail_after(-1);
        if (status == VOUCH_OK) {
            assert_true(allowed > 3);
            break;
        }
        assert_int_equal(status, VOUCH_ERROR_MEMORY);
    }
    assert_int_equal(vouch_lp_set_col_bounds(lp, 0, 1, 2), VOUCH_OK);
    assert_int_equal(vouch_lp_ranges(lp, range), VOUCH_ERROR_ARGUMENT);
    vouch_lp_free(lp);
    sample_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ranges_end_where_the_basis_changes),
                                       cmocka_unit_test(ranges_of_blocks_are_their_own),
                                       cmocka_unit_test(only_an_optimum_has_ranges)};
    return run_tests(tests);
}

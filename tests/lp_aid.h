/* tests/lp_aid.h - shared by the tests of linear programs: random problems, comparison of results, checks of certificates by the
 * data alone. */
#ifndef LP_AID_H
#define LP_AID_H

#include <vouch/lp.h>

#include "base/rng.h"
#include "test.h"

/* A dense little problem with its own arrays, columns stored sparsely. */
typedef struct sample {
    int m, n;
    int64_t *start;
    int *index;
    double *value, *cost, *cl, *cu, *rl, *ru;
    int maximize;
    double offset;
} sample;

static inline sample sample_new(int m, int n)
{
    sample p = {.m = m, .n = n};
    size_t cells = (size_t)m * (size_t)n + 1;
    p.start = calloc((size_t)n + 1, sizeof *p.start);
    p.index = malloc(cells * sizeof *p.index);
    p.value = malloc(cells * sizeof *p.value);
    double **vectors[] = {&p.cost, &p.cl, &p.cu, &p.rl, &p.ru};
    for (int i = 0; i < 5; i++) *vectors[i] = calloc((size_t)(i < 3 ? n : m) + 1, sizeof(double));
    return p;
}

static inline void sample_free(sample *p)
{
    void *blocks[] = {p->start, p->index, p->value, p->cost, p->cl, p->cu, p->rl, p->ru};
    for (int i = 0; i < 8; i++) free(blocks[i]);
}

/* A sample column by column: entries go to the end, which start[n] counts. */
static inline void entry(sample *s, int i, double v)
{
    int64_t e = s->start[s->n];
    s->index[e] = i;
    s->value[e] = v;
    s->start[s->n] = e + 1;
}

static inline void close_column(sample *s, int j) { s->start[j + 1] = s->start[s->n]; }

static inline vouch_lp_data sample_data(const sample *p)
{
    return (vouch_lp_data){p->m, p->n, p->start, p->index, p->value, p->cost, p->offset, p->maximize, p->cl, p->cu, p->rl, p->ru};
}

static inline vouch_lp *sample_load(const sample *p)
{
    vouch_lp *lp;
    vouch_error error = {0};
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    vouch_lp_data data = sample_data(p);
    if (vouch_lp_load(lp, &data, &error)) fail_msg("load: %s", error.text);
    return lp;
}

static inline int pick(rng *r, int n) { return (int)rng_below(r, (uint64_t)n); }

/* Small integers, often ties: degenerate, free, fixed, boxed, ranged, infeasible and unbounded all occur. */
static inline sample sample_random(rng *r, int most_rows, int most_cols)
{
    sample p = sample_new(pick(r, most_rows + 1), pick(r, most_cols + 1));
    double density = 0.1 + 0.9 * rng_unit(r);
    int wide = pick(r, 3), entries = 0;
    for (int j = 0; j < p.n; j++) {
        p.start[j] = entries;
        for (int i = 0; i < p.m; i++) {
            if (rng_unit(r) > density) continue;
            double v = wide ? pick(r, 19) - 9 : pick(r, 3) - 1;
            if (v == 0) continue;
            p.index[entries] = i;
            p.value[entries++] = wide == 2 ? v * (0.1 + 10 * rng_unit(r)) : v;
        }
        p.cost[j] = pick(r, 3) ? pick(r, 21) - 10 : 0;
        switch (pick(r, 7)) {
        case 0:
            p.cl[j] = -INFINITY, p.cu[j] = INFINITY;
            break;
        case 1:
            p.cl[j] = -INFINITY, p.cu[j] = pick(r, 9) - 4;
            break;
        case 2:
            p.cl[j] = p.cu[j] = pick(r, 7) - 3;
            break;
        case 3:
        case 4:
            p.cl[j] = pick(r, 7) - 3, p.cu[j] = p.cl[j] + pick(r, 9);
            break;
        default:
            p.cl[j] = pick(r, 4) ? 0 : pick(r, 9) - 4, p.cu[j] = INFINITY;
        }
    }
    p.start[p.n] = entries;
    int slack = pick(r, 3) ? 20 : 4;
    for (int i = 0; i < p.m; i++) {
        double b = pick(r, 2 * slack + 1) - slack;
        switch (pick(r, 6)) {
        case 0:
            p.rl[i] = p.ru[i] = b;
            break;
        case 1:
            p.rl[i] = b, p.ru[i] = INFINITY;
            break;
        case 2:
            p.rl[i] = b, p.ru[i] = b + pick(r, 6);
            break;
        case 3:
            p.rl[i] = -INFINITY, p.ru[i] = pick(r, 4) ? b : INFINITY;
            break;
        default:
            p.rl[i] = -INFINITY, p.ru[i] = fabs(b);
            break;
        }
    }
    p.maximize = pick(r, 2);
    p.offset = pick(r, 2) ? 0 : pick(r, 11) - 5;
    return p;
}

/* Sparse, with doubletons, multiples, slacks and chains of implied bounds, so that every kind of step is taken. */
static inline sample sample_chained_of(rng *r, int most_rows, int most_cols)
{
    sample p = sample_random(r, most_rows, most_cols);
    int m = p.m, n = p.n;
    if (m < 2 || n < 2) return p;
    sample_free(&p);
    p = sample_new(m, n);
    int entries = 0;
    for (int j = 0; j < n; j++) {
        p.start[j] = entries;
        int before = j > 0 ? (int)(p.start[j] - p.start[j - 1]) : 0;
        if (before && pick(r, 4) == 0) { /* a multiple of the column before */
            double factor = pick(r, 2) ? 2 : -1;
            for (int e = 0; e < before; e++) {
                p.index[entries] = p.index[p.start[j - 1] + e];
                p.value[entries++] = factor * p.value[p.start[j - 1] + e];
            }
            p.cost[j] = factor * p.cost[j - 1];
        } else {
            int length = 1 + pick(r, 3), from = pick(r, m);
            for (int e = 0; e < length && e < m; e++) {
                p.index[entries] = (from + e) % m;
                p.value[entries++] = pick(r, 2) ? 1 + pick(r, 3) : -1 - pick(r, 3);
            }
            p.cost[j] = pick(r, 3) ? pick(r, 9) - 4 : 0;
        }
        switch (pick(r, 5)) {
        case 0:
            p.cl[j] = -INFINITY, p.cu[j] = INFINITY;
            break;
        case 1:
            p.cl[j] = -INFINITY, p.cu[j] = pick(r, 9) - 4;
            break;
        case 2:
            p.cl[j] = pick(r, 7) - 3, p.cu[j] = p.cl[j] + pick(r, 9);
            break;
        default:
            p.cl[j] = pick(r, 3), p.cu[j] = INFINITY;
        }
    }
    p.start[n] = entries;
    for (int i = 0; i < m; i++) {
        double b = pick(r, 41) - 20;
        p.rl[i] = pick(r, 4) ? b : -INFINITY;
        p.ru[i] = pick(r, 2) ? b : pick(r, 2) ? fmax(b, 0) + 3 : INFINITY;
    }
    return p;
}

static inline sample sample_chained(rng *r) { return sample_chained_of(r, 10, 10); }

#define CHECK_TOL 1e-6

/* Proves the result of the last solve from data alone; fails the test otherwise. */
static inline void check_result(const vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_result r;
    vouch_lp_view(lp, &d);
    vouch_lp_get_result(lp, &r);
    double sense = d.maximize ? -1 : 1;
    double *activity = calloc((size_t)d.rows + 1, sizeof(double)), primal = d.offset, dual = d.offset;
    if (r.outcome == VOUCH_LP_OPTIMAL || r.outcome == VOUCH_LP_UNBOUNDED) {
        for (int j = 0; j < d.cols; j++) {
            for (int64_t e = d.start[j]; e < d.start[j + 1]; e++) activity[d.index[e]] += d.value[e] * r.x[j];
            assert_true(r.x[j] >= d.col_lower[j] - CHECK_TOL * (1 + fabs(r.x[j])));
            assert_true(r.x[j] <= d.col_upper[j] + CHECK_TOL * (1 + fabs(r.x[j])));
            primal += d.cost[j] * r.x[j];
        }
        for (int i = 0; i < d.rows; i++) {
            assert_near(r.row_activity[i], activity[i], CHECK_TOL * (1 + fabs(activity[i])));
            assert_true(activity[i] >= d.row_lower[i] - CHECK_TOL * (1 + fabs(activity[i])));
            assert_true(activity[i] <= d.row_upper[i] + CHECK_TOL * (1 + fabs(activity[i])));
        }
    }
    if (r.outcome == VOUCH_LP_OPTIMAL) {
        assert_near(r.objective, primal, CHECK_TOL * (1 + fabs(primal)));
        for (int j = 0; j < d.cols; j++) {
            double reduced = d.cost[j];
            for (int64_t e = d.start[j]; e < d.start[j + 1]; e++) reduced -= d.value[e] * r.row_dual[d.index[e]];
            assert_near(r.reduced_cost[j], reduced, CHECK_TOL * (1 + fabs(reduced)));
            double at = sense * reduced > 0 ? d.col_lower[j] : d.col_upper[j];
            if (isinf(at))
                assert_near(reduced, 0, 10 * CHECK_TOL);
            else
                dual += reduced * at;
        }
        for (int i = 0; i < d.rows; i++) {
            double at = sense * r.row_dual[i] > 0 ? d.row_lower[i] : d.row_upper[i];
            if (isinf(at))
                assert_near(r.row_dual[i], 0, 10 * CHECK_TOL);
            else
                dual += r.row_dual[i] * at;
        }
        assert_near(primal, dual, 10 * CHECK_TOL * (1 + fabs(primal)));
        /* Within the tolerances there may be an optimum and no bound: a reduced cost of wrong sign, beyond rounding, on an absent
         * one. */
        if (isinf(r.bound))
            assert_true(r.certificate.dual_infeasibility > 0 && (r.bound < 0) == (sense > 0));
        else
            assert_near(r.bound, dual, 10 * CHECK_TOL * (1 + fabs(primal)));
    }
    if (r.outcome == VOUCH_LP_UNBOUNDED) {
        double gain = 0;
        memset(activity, 0, (size_t)d.rows * sizeof(double));
        for (int j = 0; j < d.cols; j++) {
            if (!isinf(d.col_lower[j])) assert_true(r.ray[j] >= -1e-9);
            if (!isinf(d.col_upper[j])) assert_true(r.ray[j] <= 1e-9);
            gain -= sense * d.cost[j] * r.ray[j];
            for (int64_t e = d.start[j]; e < d.start[j + 1]; e++) activity[d.index[e]] += d.value[e] * r.ray[j];
        }
        assert_true(gain > 1e-9);
        for (int i = 0; i < d.rows; i++) {
            if (!isinf(d.row_lower[i])) assert_true(activity[i] >= -1e-7);
            if (!isinf(d.row_upper[i])) assert_true(activity[i] <= 1e-7);
        }
    }
    if (r.outcome == VOUCH_LP_INFEASIBLE) {
        double margin = 0, crossing = 0;
        assert_true(r.objective == 0);
        for (int j = 0; j < d.cols; j++) crossing = fmax(crossing, d.col_lower[j] - d.col_upper[j]);
        for (int i = 0; i < d.rows; i++) crossing = fmax(crossing, d.row_lower[i] - d.row_upper[i]);
        assert_non_null(r.farkas);
        for (int i = 0; i < d.rows; i++) {
            double at = r.farkas[i] > 0 ? d.row_upper[i] : d.row_lower[i];
            if (r.farkas[i] != 0) margin -= r.farkas[i] * at;
        }
        for (int j = 0; j < d.cols; j++) {
            double g = 0;
            for (int64_t e = d.start[j]; e < d.start[j + 1]; e++) g += r.farkas[d.index[e]] * d.value[e];
            if (fabs(g) < 1e-9) continue;
            margin += g * (g > 0 ? d.col_lower[j] : d.col_upper[j]);
        }
        assert_true(crossing > 0 || margin > 0);
        assert_true(r.certificate.ray_quality > 0);
    }
    assert_int_not_equal(r.outcome, VOUCH_LP_NUMERICAL);
    assert_int_not_equal(r.outcome, VOUCH_LP_UNSOLVED);
    free(activity);
}

static inline vouch_lp_result solve_checked(vouch_lp *lp, const vouch_lp_options *options)
{
    vouch_lp_result r;
    assert_int_equal(vouch_lp_solve(lp, options), VOUCH_OK);
    check_result(lp);
    vouch_lp_get_result(lp, &r);
    return r;
}

/* Same outcome (a problem both infeasible and unbounded in its dual may be called either way only when primal infeasible,
 * which both must find) and objective. */
static inline void assert_same_result(const vouch_lp_result *a, const vouch_lp_result *b)
{
    assert_string_equal(vouch_lp_outcome_text(a->outcome), vouch_lp_outcome_text(b->outcome));
    if (a->outcome == VOUCH_LP_OPTIMAL) assert_near(a->objective, b->objective, 1e-7 * (1 + fabs(a->objective)));
}

#endif

/* oracle/mips.c - see mips.h. */
#include "oracle/mips.h"

#include "test.h"

#include "base/rng.h"

mips mips_make(uint64_t seed)
{
    mips p = {0};
    rng r = rng_seed(seed);
    p.n = 1 + (int)rng_below(&r, 9);
    p.m = (int)rng_below(&r, MIPS_ROWS);
    int continuous = rng_below(&r, 3) == 0 ? 1 + (int)rng_below(&r, 3) : 0;
    int n = p.n + continuous;
    int64_t start[MIPS_COLS + 1] = {0};
    int index[MIPS_COLS * MIPS_ROWS];
    double value[MIPS_COLS * MIPS_ROWS], cost[MIPS_COLS], row_lower[MIPS_ROWS], row_upper[MIPS_ROWS], middle[MIPS_ROWS] = {0};
    bool general = rng_below(&r, 3) == 0, whole_costs = rng_below(&r, 2), packing = rng_below(&r, 4) == 0;
    for (int j = 0; j < n; j++) {
        p.integer[j] = j < p.n;
        p.lower[j] = general && p.integer[j] && p.n <= 5 ? -(double)rng_below(&r, 3) : 0;
        p.upper[j] = general && p.n <= 5 ? p.lower[j] + (double)rng_below(&r, 4) : 1;
        if (!p.integer[j]) p.upper[j] = (double)rng_below(&r, 10);
        cost[j] = (double)rng_below(&r, 21) - 10;
        if (!whole_costs) cost[j] += rng_unit(&r);
        start[j + 1] = start[j];
        for (int i = 0; i < p.m; i++) {
            double a = packing && i < p.m / 2 ? 1 : (double)rng_below(&r, 19) - 9;
            if (rng_below(&r, 2) || a == 0) continue;
            index[start[j + 1]] = i;
            value[start[j + 1]++] = a;
            middle[i] += a * floor(p.lower[j] + (p.upper[j] - p.lower[j]) * rng_unit(&r));
        }
    }
    for (int i = 0; i < p.m; i++) {
        row_lower[i] = -INFINITY;
        row_upper[i] = INFINITY;
        double at = middle[i] + (double)rng_below(&r, 3) - 1;
        switch (rng_below(&r, 5)) {
        case 0:
            row_lower[i] = row_upper[i] = at;
            break;
        case 1:
            row_lower[i] = at;
            break;
        case 2:
            row_lower[i] = at - 3, row_upper[i] = at + 2;
            break;
        default:
            row_upper[i] = at;
            break;
        }
        if (packing && i < p.m / 2) row_lower[i] = -INFINITY, row_upper[i] = 1;
    }
    vouch_lp_data d = {.rows = p.m,
                       .cols = n,
                       .start = start,
                       .index = index,
                       .value = value,
                       .cost = cost,
                       .offset = (double)rng_below(&r, 5),
                       .maximize = (int)rng_below(&r, 2),
                       .col_lower = p.lower,
                       .col_upper = p.upper,
                       .row_lower = row_lower,
                       .row_upper = row_upper};
    assert_int_equal(vouch_lp_new(&p.lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(p.lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < p.n; j++) vouch_lp_set_integer(p.lp, j, 1);
    if (p.n >= 4 && rng_below(&r, 3) == 0) vouch_lp_add_sos1(p.lp, 3, (int[]){0, 1, 3}, NULL);
    p.n = n;
    return p;
}

bool mips_keeps_sets(const vouch_lp *lp, const double *x)
{
    for (int s = 0; s < vouch_lp_sos1_count(lp); s++) {
        int count, nonzero = 0;
        const int *cols;
        const double *weight;
        vouch_lp_sos1(lp, s, &count, &cols, &weight);
        for (int k = 0; k < count; k++) nonzero += fabs(x[cols[k]]) > 1e-9;
        if (nonzero > 1) return false;
    }
    return true;
}

double mips_complete(const mips *p, double *x)
{
    vouch_lp_data d;
    vouch_lp_view(p->lp, &d);
    bool continuous = false;
    for (int j = 0; j < p->n; j++) continuous = continuous || !p->integer[j];
    if (continuous) {
        vouch_lp *fixed;
        vouch_lp_result result;
        assert_int_equal(vouch_lp_clone(&fixed, p->lp), VOUCH_OK);
        for (int j = 0; j < p->n; j++)
            if (p->integer[j]) vouch_lp_set_col_bounds(fixed, j, x[j], x[j]);
        assert_int_equal(vouch_lp_solve(fixed, NULL), VOUCH_OK);
        vouch_lp_get_result(fixed, &result);
        bool found = result.outcome == VOUCH_LP_OPTIMAL;
        if (found)
            memcpy(x, result.x, sizeof *x * (size_t)p->n);
        else
            assert_int_equal(result.outcome, VOUCH_LP_INFEASIBLE);
        vouch_lp_free(fixed);
        if (!found) return NAN;
    } else {
        double sum[MIPS_ROWS] = {0};
        for (int j = 0; j < p->n; j++)
            for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) sum[d.index[k]] += d.value[k] * x[j];
        for (int i = 0; i < p->m; i++)
            if (sum[i] < d.row_lower[i] - 1e-9 || sum[i] > d.row_upper[i] + 1e-9) return NAN;
    }
    double value = d.offset;
    for (int j = 0; j < p->n; j++) value += d.cost[j] * x[j];
    return value;
}

bool mips_first(const mips *p, double *x)
{
    for (int j = 0; j < p->n; j++) x[j] = p->lower[j];
    return true;
}

bool mips_next(const mips *p, double *x)
{
    for (int j = 0; j < p->n; j++) {
        if (!p->integer[j]) continue;
        if (x[j] < p->upper[j]) {
            x[j]++;
            return true;
        }
        x[j] = p->lower[j];
    }
    return false;
}

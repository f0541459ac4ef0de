/* oracle/lptext.c - see lptext.h. */
#include "oracle/lptext.h"

#include "test.h"

#include "base/rng.h"

vouch_lp *lptext_read(const char *text, const char *name)
{
    vouch_lp *lp;
    vouch_error error = {0};
    if (vouch_lp_read_text(&lp, text, strlen(text), name, VOUCH_FORMAT_AUTO, NULL, &error) != VOUCH_OK) fail_msg("%s", error.text);
    return lp;
}

void lptext_refused(const char *text, vouch_lp_format format, const char *message)
{
    vouch_lp *lp;
    vouch_error error = {0};
    assert_int_equal(vouch_lp_read_text(&lp, text, strlen(text), "f", format, NULL, &error), VOUCH_ERROR_INPUT);
    assert_null(lp);
    assert_string_equal(error.text, message);
}

void lptext_same(const vouch_lp *a, const vouch_lp *b, bool names)
{
    vouch_lp_data d, e;
    vouch_lp_view(a, &d);
    vouch_lp_view(b, &e);
    assert_int_equal(d.rows, e.rows);
    assert_int_equal(d.cols, e.cols);
    assert_int_equal(d.maximize != 0, e.maximize != 0);
    assert_true(d.offset == e.offset);
    for (int i = 0; i < d.rows; i++) {
        assert_true(d.row_lower[i] == e.row_lower[i]);
        assert_true(d.row_upper[i] == e.row_upper[i]);
        if (names) assert_string_equal(vouch_lp_row_name(a, i), vouch_lp_row_name(b, i));
    }
    for (int j = 0; j < d.cols; j++) {
        assert_true(d.cost[j] == e.cost[j]);
        assert_true(d.col_lower[j] == e.col_lower[j]);
        assert_true(d.col_upper[j] == e.col_upper[j]);
        assert_int_equal(vouch_lp_is_integer(a, j), vouch_lp_is_integer(b, j));
        assert_int_equal(d.start[j + 1], e.start[j + 1]);
        if (names) assert_string_equal(vouch_lp_col_name(a, j), vouch_lp_col_name(b, j));
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) {
            assert_int_equal(d.index[k], e.index[k]);
            assert_true(d.value[k] == e.value[k]);
        }
    }
    assert_int_equal(vouch_lp_sos1_count(a), vouch_lp_sos1_count(b));
    for (int s = 0; s < vouch_lp_sos1_count(a); s++) {
        int count, other;
        const int *cols, *others;
        const double *weight, *weights;
        vouch_lp_sos1(a, s, &count, &cols, &weight);
        vouch_lp_sos1(b, s, &other, &others, &weights);
        assert_int_equal(count, other);
        for (int k = 0; k < count; k++) assert_int_equal(cols[k], others[k]);
    }
}

static double some_number(rng *r)
{
    double x = (double)rng_below(r, 2000) - 1000;
    switch (rng_below(r, 4)) {
    case 0:
        return x;
    case 1:
        return x / 8;
    case 2:
        return x / 7;
    default:
        return x * (rng_below(r, 2) ? 1e12 : 1e-12) / 3;
    }
}

static void some_bounds(rng *r, double *lower, double *upper)
{
    double x = some_number(r), y = some_number(r);
    *lower = rng_below(r, 3) ? (x < y ? x : y) : -INFINITY;
    *upper = rng_below(r, 3) ? (x < y ? y : x) : INFINITY;
    if (rng_below(r, 5) == 0) *lower = *upper = x;
    if (rng_below(r, 4) == 0) *lower = 0, *upper = rng_below(r, 2) ? INFINITY : fabs(y) + 1;
    if (rng_below(r, 6) == 0) *lower = 0, *upper = 1;
}

vouch_lp *lptext_random(uint64_t seed)
{
    enum { MOST = 12 };
    rng r = rng_seed(seed);
    int m = (int)rng_below(&r, MOST), n = 1 + (int)rng_below(&r, MOST);
    int64_t start[MOST + 2] = {0};
    int index[MOST * MOST + 1];
    double value[MOST * MOST + 1], cost[MOST + 1], bound[4][MOST + 1];
    for (int j = 0; j < n; j++) {
        start[j + 1] = start[j];
        cost[j] = rng_below(&r, 3) ? some_number(&r) : 0;
        some_bounds(&r, &bound[0][j], &bound[1][j]);
        for (int i = 0; i < m; i++) {
            double x = some_number(&r);
            if (rng_below(&r, 3) || x == 0) continue;
            index[start[j + 1]] = i;
            value[start[j + 1]++] = x;
        }
    }
    for (int i = 0; i < m; i++) {
        some_bounds(&r, &bound[2][i], &bound[3][i]);
        if (isfinite(bound[2][i]) && isfinite(bound[3][i]) && bound[2][i] != bound[3][i]) { /* widths that RANGES says exactly */
            bound[2][i] = round(bound[2][i]);
            bound[3][i] = bound[2][i] + 5;
        }
    }
    vouch_lp_data d = {.rows = m,
                       .cols = n,
                       .start = start,
                       .index = index,
                       .value = value,
                       .cost = cost,
                       .offset = rng_below(&r, 2) ? some_number(&r) : 0,
                       .maximize = (int)rng_below(&r, 2),
                       .col_lower = bound[0],
                       .col_upper = bound[1],
                       .row_lower = bound[2],
                       .row_upper = bound[3]};
    vouch_lp *lp;
    assert_int_equal(vouch_lp_new(&lp), VOUCH_OK);
    assert_int_equal(vouch_lp_load(lp, &d, NULL), VOUCH_OK);
    for (int j = 0; j < n; j++) vouch_lp_set_integer(lp, j, rng_below(&r, 3) == 0);
    if (n >= 3) {
        int cols[3] = {0, 1 + (int)rng_below(&r, 2) % (n - 1), n - 1};
        if (cols[1] < cols[2] && cols[1] > 0) vouch_lp_add_sos1(lp, 3, cols, (double[]){1, 2.5, 7});
    }
    if (rng_below(&r, 2)) {
        char name[16];
        for (int i = 0; i < m; i++) snprintf(name, sizeof name, "row_%d", i), vouch_lp_set_row_name(lp, i, name);
        for (int j = 0; j < n; j++) snprintf(name, sizeof name, "x(%d)", j), vouch_lp_set_col_name(lp, j, name);
    }
    return lp;
}

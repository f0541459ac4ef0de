/* Factors of bases with a few long columns: right, and made by work in proportion to the entries. */
#include <math.h>

#include "base/rng.h"
#include "la/lu.h"
#include "test.h"

enum { ROWS = 3000, LONG_MOST = 6 };

static int pick(rng *r, int count) { return (int)(rng_unit(r) * count); }

/* Columns of a lower triangle with entries near the diagonal and in long rows at the end; the first columns are replaced by long
 * ones. */
static sparse bordered(rng *r, int longs)
{
    sparse a = {0};
    int index[ROWS];
    double value[ROWS];
    assert_int_equal(sparse_init(&a, ROWS), 0);
    for (int j = 0; j < ROWS; j++) {
        int count = 0;
        for (int i = 0; i < ROWS; i++) {
            bool own = j < longs || i == j || i == j + 1 + pick(r, 3) || (i >= ROWS - longs && pick(r, 2));
            if (!own) continue;
            index[count] = i;
            value[count++] = (pick(r, 2) ? 1 : -1) * (1 + 2 * rng_unit(r)) * (i == j && j >= longs ? 16 : 1);
        }
        assert_int_equal(sparse_append(&a, count, index, value), 0);
    }
    return a;
}

/* The largest entry of B x - b, or of B'x - b. */
static double residual(const sparse *a, const int head[], const vector *x, const double b[], bool transposed)
{
    double sum[ROWS], most = 0;
    for (int i = 0; i < ROWS; i++) sum[i] = -b[i];
    for (int p = 0; p < ROWS; p++) {
        if (head[p] < ROWS) { /* a logical */
            sum[transposed ? p : head[p]] -= x->value[transposed ? head[p] : p];
            continue;
        }
        int j = head[p] - ROWS;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            if (transposed)
                sum[p] += a->value[e] * x->value[a->index[e]];
            else
                sum[a->index[e]] += a->value[e] * x->value[p];
        }
    }
    for (int i = 0; i < ROWS; i++) most = fmax(most, fabs(sum[i]));
    return most;
}

static void long_columns_wait(void **state)
{
    (void)state;
    rng r = rng_seed(43);
    for (int number = 0; number < 12; number++) {
        int longs = number % (LONG_MOST + 1), head[ROWS], replaced;
        sparse a = bordered(&r, longs);
        for (int p = 0; p < ROWS; p++) head[p] = ROWS + p;
        lu *f = lu_new(ROWS);
        assert_non_null(f);
        assert_int_equal(lu_factor(f, &a, head, LU_THRESHOLD, &replaced), 0);
        assert_int_equal(replaced, 0);
        assert_true(lu_factor_work(f) < 60 * a.start[ROWS]);
        arena memory = {0};
        vector x;
        double b[ROWS];
        vector_init(&x, &memory, ROWS);
        for (int transposed = 0; transposed < 2; transposed++) {
            double size = 1;
            vector_clear(&x);
            x.count = VECTOR_UNLISTED;
            for (int i = 0; i < ROWS; i++) x.value[i] = b[i] = pick(&r, 20) - 10;
            if (transposed)
                lu_btran(f, &x, LU_COST, false);
            else
                lu_ftran(f, &x, LU_COST, false);
            for (int i = 0; i < ROWS; i++) size = fmax(size, fabs(x.value[i]));
            double off = residual(&a, head, &x, b, transposed);
            if (!(off <= 1e-9 * size)) fail_msg("%d long columns, %s: %g of %g", longs, transposed ? "btran" : "ftran", off, size);
        }
        arena_free(&memory);
        lu_free(f);
        sparse_free(&a);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(long_columns_wait)};
    return run_tests(tests);
}

/* Factors of a large basis after hundreds of updates: sparse solves, which apply few of the row transformations, are as accurate as
 * full ones. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/rng.h"
#include "la/lu.h"
#include "test.h"

enum { ROWS = LU_LARGE_ROWS + 200, NEAR = 60, UPDATES = 400, LOOK_EVERY = 10 };

static int pick(rng *r, int count) { return (int)(rng_unit(r) * count); }

/* Columns of two to four entries that lie near each other, all of them within the first NEAR rows or all behind. */
static sparse local_columns(rng *r, int count)
{
    sparse a = {0};
    assert_int_equal(sparse_init(&a, ROWS), 0);
    for (int j = 0; j < count; j++) {
        int entries = 2 + pick(r, 3), first = j % 2 ? pick(r, NEAR - 12) : NEAR + pick(r, ROWS - NEAR - 12), index[4];
        double value[4];
        for (int k = 0; k < entries; k++) {
            index[k] = first + 3 * k + pick(r, 3);
            value[k] = (pick(r, 2) ? 1 : -1) * (1 + rng_unit(r));
        }
        assert_int_equal(sparse_append(&a, entries, index, value), 0);
    }
    return a;
}

typedef struct basis_of {
    const sparse *a;
    int *head;
    double *sum; /* [ROWS] scratch */
} basis_of;

static double entry_times(const basis_of *b, int v, const double x[])
{
    double sum = 0;
    if (v < ROWS) return -x[v];
    for (int64_t e = b->a->start[v - ROWS]; e < b->a->start[v - ROWS + 1]; e++) sum += b->a->value[e] * x[b->a->index[e]];
    return sum;
}

/* The largest entry of B x - b, or of B'x - b, where b has `amount` at each of count rows. */
static double residual(const basis_of *b, const vector *x, const int at[], int count, double amount, bool transposed)
{
    double most = 0;
    for (int i = 0; i < ROWS; i++) b->sum[i] = 0;
    for (int p = 0; p < ROWS; p++) {
        int v = b->head[p];
        if (transposed)
            b->sum[p] = entry_times(b, v, x->value);
        else if (v < ROWS)
            b->sum[v] -= x->value[p];
        else
            for (int64_t e = b->a->start[v - ROWS]; e < b->a->start[v - ROWS + 1]; e++)
                b->sum[b->a->index[e]] += b->a->value[e] * x->value[p];
    }
    for (int k = 0; k < count; k++) b->sum[at[k]] -= amount;
    for (int i = 0; i < ROWS; i++) most = fmax(most, fabs(b->sum[i]));
    return most;
}

static void check_solves(lu *f, const basis_of *b, vector *x, rng *r)
{
    for (int k = 0; k < 4; k++) {
        bool transposed = k % 2, listed = k < 2;
        int at[] = {pick(r, NEAR), NEAR + pick(r, NEAR), 2 * NEAR + pick(r, ROWS - 2 * NEAR)};
        double size = 1;
        vector_clear(x);
        for (int e = 0; e < 3; e++) vector_add(x, at[e], 2);
        if (!listed) x->count = VECTOR_UNLISTED;
        if (transposed)
            lu_btran(f, x, LU_ROW, false);
        else
            lu_ftran(f, x, LU_COLUMN, false);
        for (int i = 0; i < ROWS; i++) size = fmax(size, fabs(x->value[i]));
        double off = residual(b, x, at, 3, 2, transposed);
        if (!(off <= 1e-8 * size)) fail_msg("%s, %d: %g of %g", transposed ? "btran" : "ftran", listed, off, size);
        if (listed)
            for (int i = 0; i < x->count; i++) assert_true(x->value[x->index[i]] != 0);
    }
}

/* Column j enters where its entry is largest. False: it cannot, or the factors are spent. */
static bool replace(lu *f, const basis_of *b, int j, vector *x, vector *row)
{
    int p = -1;
    vector_clear(x);
    for (int64_t e = b->a->start[j]; e < b->a->start[j + 1]; e++) vector_add(x, b->a->index[e], b->a->value[e]);
    lu_ftran(f, x, LU_COLUMN, true);
    for (int k = 0; k < x->count; k++)
        if (p < 0 || fabs(x->value[x->index[k]]) > fabs(x->value[p])) p = x->index[k];
    if (p < 0 || fabs(x->value[p]) < 0.1) return true;
    vector_clear(row);
    vector_add(row, p, 1);
    lu_btran(f, row, LU_ROW, true);
    if (!lu_update(f, p, x->value[p])) return false;
    b->head[p] = ROWS + j;
    return true;
}

static void sparse_solves_meet_what_they_must(void **state)
{
    (void)state;
    rng r = rng_seed(44);
    arena memory = {0};
    vector x, row;
    sparse a = local_columns(&r, 2 * UPDATES);
    basis_of b = {&a, ARENA_NEW(&memory, int, ROWS), ARENA_NEW(&memory, double, ROWS)};
    vector_init(&x, &memory, ROWS);
    vector_init(&row, &memory, ROWS);
    lu *f = lu_new(ROWS);
    int replaced, most = 0;
    assert_non_null(f);
    for (int p = 0; p < ROWS; p++) b.head[p] = p;
    for (int again = 0; again < 2; again++) { /* new factors leave nothing of the old ones */
        assert_int_equal(lu_factor(f, &a, b.head, LU_THRESHOLD, &replaced), 0);
        assert_int_equal(replaced, 0);
        check_solves(f, &b, &x, &r);
        for (int k = 0; k < UPDATES; k++) {
            if (!replace(f, &b, pick(&r, 2 * UPDATES), &x, &row)) fail_msg("update %d was refused", k);
            if (k % LOOK_EVERY == 0) check_solves(f, &b, &x, &r);
        }
        if (f->r_count > most) most = f->r_count;
    }
    assert_true(most > 150);
    lu_free(f);
    sparse_free(&a);
    arena_free(&memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sparse_solves_meet_what_they_must)};
    return run_tests(tests);
}

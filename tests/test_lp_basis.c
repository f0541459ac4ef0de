/* The factorised basis: solves against the definition B x = b, updates against fresh factors, repair of singular bases; dense
 * and sparse side by side. */
#include "test.h"

#include "base/rng.h"
#include "lp/simplex.h"
#include "la/lu.h"

/* Columns with a few entries, many of them shared between columns: kernels of all sizes. */
static sparse random_matrix(rng *r, int m, int n)
{
    sparse a;
    assert_int_equal(sparse_init(&a, m), 0);
    for (int j = 0; j < n; j++) {
        int index[200], count = 0, length = 1 + (int)rng_below(r, rng_below(r, 4) ? 4 : (uint64_t)m);
        double value[200];
        for (int k = 0; k < length; k++) {
            int i = (int)rng_below(r, (uint64_t)m), seen = 0;
            for (int t = 0; t < count; t++) seen |= index[t] == i;
            if (seen) continue;
            index[count] = i;
            value[count++] = rng_below(r, 2) ? (double)rng_below(r, 9) - 4.5 : rng_unit(r) - 0.5;
        }
        assert_int_equal(sparse_append(&a, count, index, value), 0);
    }
    return a;
}

static void add_column(const sparse *a, int v, double factor, double y[])
{
    if (v < a->rows) {
        y[v] -= factor;
        return;
    }
    for (int64_t e = a->start[v - a->rows]; e < a->start[v - a->rows + 1]; e++) y[a->index[e]] += factor * a->value[e];
}

/* Ftran and btran of random sparse and dense right-hand sides give small residuals. */
static void assert_solves(basis *b, const sparse *a, const int head[], rng *r)
{
    int m = a->rows;
    arena memory = {0};
    vector x;
    vector_init(&x, &memory, m);
    double *rest = malloc((size_t)m * sizeof *rest), *given = malloc((size_t)m * sizeof *given);
    for (int round = 0; round < 4; round++) {
        vector_clear(&x);
        memset(given, 0, (size_t)m * sizeof *given);
        int entries = round < 2 ? 1 + (int)rng_below(r, 3) : m;
        for (int k = 0; k < entries; k++) {
            int i = (int)rng_below(r, (uint64_t)m);
            double v = rng_unit(r) + 0.1;
            given[i] += v;
            vector_add(&x, i, v);
        }
        double scale = 1;
        if (round % 2) {
            basis_ftran(b, &x, LU_COLUMN, false);
            memcpy(rest, given, (size_t)m * sizeof *rest);
            for (int p = 0; p < m; p++) {
                add_column(a, head[p], -x.value[p], rest);
                scale = fmax(scale, fabs(x.value[p]));
            }
        } else {
            basis_btran(b, &x, LU_ROW, false);
            for (int p = 0; p < m; p++) {
                double sum = 0;
                if (head[p] < m)
                    sum = -x.value[head[p]];
                else
                    for (int64_t e = a->start[head[p] - m]; e < a->start[head[p] - m + 1]; e++)
                        sum += a->value[e] * x.value[a->index[e]];
                rest[p] = given[p] - sum;
            }
            for (int i = 0; i < m; i++) scale = fmax(scale, fabs(x.value[i]));
        }
        for (int i = 0; i < m; i++) assert_near(rest[i] / scale, 0, 1e-7);
        int listed = 0;
        for (int i = 0; i < m; i++) listed += x.value[i] != 0;
        assert_int_equal(listed, x.count);
    }
    arena_free(&memory);
    free(rest);
    free(given);
}

/* Frees a. */
static void exchange_at_random(vouch_lp_factor kind, sparse a, bool dense_end, rng *r)
{
    int m = a.rows, n = a.cols;
    basis *b = basis_new(m);
    int *head = malloc((size_t)m * sizeof *head), replaced;
    char *basic = calloc((size_t)(m + n), 1);
    /* A start that mixes logicals and columns, possibly singular: the repair is part of the test. */
    for (int p = 0; p < m; p++) head[p] = rng_below(r, 2) && p < n ? m + p : p;
    assert_int_equal(basis_factor(b, &a, head, kind, &replaced), 0);
    for (int p = 0; p < m; p++) {
        assert_false(basic[head[p]]);
        basic[head[p]] = 1;
    }
    assert_int_equal(basis_is_dense(b), kind == VOUCH_FACTOR_DENSE);
    assert_solves(b, &a, head, r);
    arena memory = {0};
    vector col, row;
    vector_init(&col, &memory, m);
    vector_init(&row, &memory, m);
    int updates = 0;
    for (int k = 0; k < (dense_end ? 500 : 150); k++) {
        int q = (int)rng_below(r, (uint64_t)(m + n));
        if (basic[q]) continue;
        vector_clear(&col);
        if (q < m)
            vector_add(&col, q, -1);
        else
            for (int64_t e = a.start[q - m]; e < a.start[q - m + 1]; e++) vector_add(&col, a.index[e], a.value[e]);
        basis_ftran(b, &col, LU_COLUMN, true);
        int p = -1;
        for (int t = 0; t < col.count; t++) {
            int at = col.index[t];
            if (p < 0 || fabs(col.value[at]) > fabs(col.value[p])) p = at;
        }
        if (p < 0 || fabs(col.value[p]) < 0.01) continue;
        basis_row(b, p, &row);
        basic[head[p]] = 0;
        basic[q] = 1;
        head[p] = q;
        bool updated = basis_update(b, p, col.value[p]);
        updates += updated;
        if (!updated || basis_due(b)) {
            assert_int_equal(basis_factor(b, &a, head, kind, &replaced), 0);
            assert_int_equal(replaced, 0);
        }
        if (k % 10 == 0 || dense_end) assert_solves(b, &a, head, r);
    }
    assert_true(updates > 10 || m < 4);
    assert_int_equal(basis_shape(b).tail_rows > 0, dense_end);
    arena_free(&memory);
    free(head);
    free(basic);
    basis_free(b);
    sparse_free(&a);
}

static void sparse_factors_stay_right_when_columns_are_exchanged(void **state)
{
    (void)state;
    rng r = rng_seed(11);
    for (int k = 0; k < 60; k++) {
        int m = 2 + (int)rng_below(&r, 60);
        exchange_at_random(VOUCH_FACTOR_SPARSE, random_matrix(&r, m, 80), false, &r);
    };
    exchange_at_random(VOUCH_FACTOR_SPARSE, random_matrix(&r, 190, 300), false, &r);
}

static void dense_factors_stay_right_when_columns_are_exchanged(void **state)
{
    (void)state;
    rng r = rng_seed(12);
    for (int k = 0; k < 60; k++) {
        int m = 2 + (int)rng_below(&r, 60);
        exchange_at_random(VOUCH_FACTOR_DENSE, random_matrix(&r, m, 80), false, &r);
    };
    exchange_at_random(VOUCH_FACTOR_DENSE, random_matrix(&r, 150, 200), false, &r);
}

/* Three columns of rank two: one must go, and a logical of a row it leaves uncovered comes in. */
static void a_singular_basis_is_repaired(void **state)
{
    (void)state;
    const vouch_lp_factor kinds[] = {VOUCH_FACTOR_DENSE, VOUCH_FACTOR_SPARSE};
    for (int k = 0; k < 2; k++) {
        sparse a;
        assert_int_equal(sparse_init(&a, 3), 0);
        const int rows[3] = {0, 1, 2};
        const double columns[3][3] = {{1, 2, 3}, {2, 4, 6}, {1, 0, 1}};
        for (int j = 0; j < 3; j++) assert_int_equal(sparse_append(&a, 3, rows, columns[j]), 0);
        basis *b = basis_new(3);
        int head[3] = {3, 4, 5}, replaced;
        assert_int_equal(basis_factor(b, &a, head, kinds[k], &replaced), 0);
        assert_int_equal(replaced, 1);
        int logicals = 0;
        for (int p = 0; p < 3; p++) logicals += head[p] < 3;
        assert_int_equal(logicals, 1);
        rng r = rng_seed(5);
        assert_solves(b, &a, head, &r);
        basis_free(b);
        sparse_free(&a);
    }
}

static void a_failing_allocation_is_reported_and_leaves_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(13);
    sparse a = random_matrix(&r, 30, 30);
    for (long k = 0;; k++) {
        int head[30], replaced;
        for (int p = 0; p < 30; p++) head[p] = 30 + p;
        mem_fail_after(k);
        basis *b = basis_new(30);
        int failed = !b || basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced);
        mem_fail_after(-1);
        basis_free(b);
        if (!failed) break;
        assert_true(k < 1000);
    }
    sparse_free(&a);
}

/* A limit that is past stops the elimination of a kernel and leaves the list of basic variables alone; the factors can be made
 * later. */
static void a_limit_stops_the_factorisation(void **state)
{
    (void)state;
    rng r = rng_seed(29);
    sparse a = random_matrix(&r, 60, 60);
    const deadline over = {.limits = {.seconds = 1e-9}};
    basis *b = basis_new(60);
    int head[60], replaced;
    for (int p = 0; p < 60; p++) head[p] = 60 + p;
    basis_set_limit(b, &over);
    assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 1);
    for (int p = 0; p < 60; p++) assert_int_equal(head[p], 60 + p);
    basis_set_limit(b, NULL);
    assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 0);
    assert_solves(b, &a, head, &r);
    basis_free(b);
    sparse_free(&a);
}

/* Full columns replace logicals one after another: when the store for what enters is full the update is refused, new factors have
 * room for more, and no solve is wrong. */
static void a_full_store_asks_for_new_factors(void **state)
{
    (void)state;
    enum { M = 190 };
    rng r = rng_seed(31);
    sparse a;
    assert_int_equal(sparse_init(&a, M), 0);
    for (int j = 0; j < M; j++) {
        int index[M];
        double value[M];
        for (int i = 0; i < M; i++) index[i] = i, value[i] = i == j ? M : rng_unit(&r) - 0.5;
        assert_int_equal(sparse_append(&a, M, index, value), 0);
    }
    basis *b = basis_new(M);
    int head[M], replaced, refused = 0, since = 0, longest[2] = {0, 0};
    for (int p = 0; p < M; p++) head[p] = p;
    assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 0);
    arena memory = {0};
    vector col, row;
    vector_init(&col, &memory, M);
    vector_init(&row, &memory, M);
    assert_false(memory.failed);
    for (int k = 0; k < 3 * M; k++) { /* in, out, in again */
        int p = k % M, q = k / M % 2 ? p : M + p;
        vector_clear(&col);
        if (q < M)
            vector_add(&col, q, -1);
        else
            for (int64_t e = a.start[p]; e < a.start[p + 1]; e++) vector_add(&col, a.index[e], a.value[e]);
        basis_ftran(b, &col, LU_COLUMN, true);
        basis_row(b, p, &row);
        head[p] = q;
        since++;
        if (basis_update(b, p, col.value[p])) continue;
        if (refused < 2) longest[refused] = since;
        refused++;
        since = 0;
        assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 0);
        assert_int_equal(replaced, 0);
        assert_solves(b, &a, head, &r);
    }
    assert_solves(b, &a, head, &r);
    /* One column replaced by itself repeatedly: rows reuse its space, columns use up the store. */
    basis_free(b);
    b = basis_new(M);
    for (int p = 0; p < M; p++) head[p] = p;
    assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 0);
    bool taken = true;
    for (int q = 1; q < 150 && taken; q++) {
        vector_clear(&col);
        for (int64_t e = a.start[q]; e < a.start[q + 1]; e++) vector_add(&col, a.index[e], a.value[e]);
        basis_ftran(b, &col, LU_COLUMN, true);
        if (fabs(col.value[0]) < 0.05) continue;
        basis_row(b, 0, &row);
        head[0] = M + q;
        taken = basis_update(b, 0, col.value[0]);
        if (taken && q % 16 == 0) assert_solves(b, &a, head, &r);
    }
    assert_false(taken);
    if (refused < 2 || longest[0] >= 150 || longest[1] <= longest[0])
        fail_msg("refused %d times, after %d and %d", refused, longest[0], longest[1]);
    arena_free(&memory);
    basis_free(b);
    sparse_free(&a);
}

/* Columns of a few entries, then FULL of about half the rows; the last but one is the last again if `twice`. */
enum { BORDERED = 200, FULL = 150 };
static sparse bordered_matrix(rng *r, bool twice)
{
    sparse a;
    assert_int_equal(sparse_init(&a, BORDERED), 0);
    for (int j = 0; j < BORDERED; j++) {
        int index[BORDERED], count = 0;
        double value[BORDERED];
        rng again = rng_seed(3);
        bool equal = twice && j >= BORDERED - 2;
        for (int i = 0; i < BORDERED; i++) {
            rng *from = equal ? &again : r;
            bool left_out = rng_below(from, 100) >= (j < BORDERED - FULL ? 2 : 50);
            if (left_out && (equal || i != j)) continue;
            index[count] = i;
            value[count++] = rng_unit(from) - 0.5;
        }
        assert_int_equal(sparse_append(&a, count, index, value), 0);
    }
    return a;
}

/* A nearly dense remainder is eliminated by LAPACK with a fraction of the work of sparse elimination; if it is singular, the sparse
 * code finds the columns to replace; a limit stops it. */
static void a_dense_end_is_eliminated_as_one(void **state)
{
    (void)state;
    rng r = rng_seed(37);
    for (int twice = 0; twice < 2; twice++) {
        sparse a = bordered_matrix(&r, twice);
        const deadline over = {.limits = {.seconds = 1e-9}};
        basis *b = basis_new(BORDERED);
        lu *f = lu_new(BORDERED);
        int head[BORDERED], replaced, cubes = FULL * FULL / 3 * FULL;
        for (int p = 0; p < BORDERED; p++) head[p] = BORDERED + p;
        lu_set_limit(f, &over);
        assert_int_equal(lu_factor(f, &a, head, 0.1, &replaced), 1);
        lu_set_limit(f, NULL);
        assert_int_equal(lu_factor(f, &a, head, 0.1, &replaced), 0);
        assert_int_equal(replaced, twice);
        if (twice)
            assert_true(lu_factor_work(f) > 2 * cubes);
        else
            assert_true(lu_factor_work(f) < cubes);
        assert_int_equal(basis_factor(b, &a, head, VOUCH_FACTOR_SPARSE, &replaced), 0);
        assert_int_equal(replaced, 0);
        assert_solves(b, &a, head, &r);
        lu_free(f);
        basis_free(b);
        sparse_free(&a);
    }
}

/* Exchanges of columns in and before a dense end, with columns and logicals: the solves stay right, and the end stays one array. */
static void a_dense_end_follows_exchanges(void **state)
{
    (void)state;
    rng r = rng_seed(41);
    sparse a = bordered_matrix(&r, false), more = bordered_matrix(&r, false);
    for (int j = 0; j < BORDERED; j++) {
        int64_t at = more.start[j];
        assert_int_equal(sparse_append(&a, (int)(more.start[j + 1] - at), more.index + at, more.value + at), 0);
    }
    sparse_free(&more);
    exchange_at_random(VOUCH_FACTOR_SPARSE, a, true, &r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_limit_stops_the_factorisation),
        cmocka_unit_test(a_dense_end_is_eliminated_as_one),
        cmocka_unit_test(a_dense_end_follows_exchanges),
        cmocka_unit_test(sparse_factors_stay_right_when_columns_are_exchanged),
        cmocka_unit_test(dense_factors_stay_right_when_columns_are_exchanged),
        cmocka_unit_test(a_singular_basis_is_repaired),
        cmocka_unit_test(a_full_store_asks_for_new_factors),
        cmocka_unit_test(a_failing_allocation_is_reported_and_leaves_nothing),
    };
    return run_tests(tests);
}

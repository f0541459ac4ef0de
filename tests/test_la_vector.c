/* Vectors with lists, growing sparse matrices, dense kernels: each against the plain definition. */
#include "test.h"

#include "base/rng.h"
#include "la/dense.h"
#include "la/sparse.h"

static void assert_listed(const vector *v)
{
    int listed = 0;
    for (int k = 0; k < v->count; k++) assert_true(v->value[v->index[k]] != 0);
    for (int i = 0; i < v->n; i++) listed += v->value[i] != 0;
    assert_int_equal(listed, v->count);
}

static void test_vector_lists(void **state)
{
    (void)state;
    rng r = rng_seed(1);
    arena memory = {0};
    vector v, w;
    vector_init(&v, &memory, 40);
    vector_init(&w, &memory, 40);
    double plain[40];
    for (int round = 0; round < 200; round++) {
        vector_clear(&v);
        memset(plain, 0, sizeof plain);
        for (int k = (int)rng_below(&r, round % 2 ? 60 : 3); k > 0; k--) {
            int i = (int)rng_below(&r, 40);
            double x = (double)rng_below(&r, 5) - 2;
            if (x == 0) continue;
            plain[i] += x;
            vector_add(&v, i, x);
            assert_listed(&v); /* also after an entry cancelled */
        }
        vector_pack(&v, 1e-14);
        assert_listed(&v);
        vector_copy(&w, &v);
        assert_listed(&w);
        double square = 0;
        for (int i = 0; i < 40; i++) {
            assert_near(w.value[i], plain[i], 0);
            square += plain[i] * plain[i];
        }
        assert_near(vector_square(&w), square, 1e-12);
        w.count = VECTOR_UNLISTED;
        assert_near(vector_square(&w), square, 1e-12);
        vector_pack(&w, 1e-14);
        assert_listed(&w);
        vector_sort(&v);
        assert_listed(&v);
        for (int k = 1; k < v.count; k++) assert_true(v.index[k - 1] < v.index[k]);
    }
    arena_free(&memory);
}

static void test_vector_clear_leaves_nothing(void **state)
{
    (void)state;
    arena memory = {0};
    vector v;
    vector_init(&v, &memory, 100);
    for (int count = 0; count <= 100; count += 10) {
        for (int i = 0; i < count; i++) vector_add(&v, i, 1.0);
        vector_clear(&v);
        for (int i = 0; i < 100; i++) assert_near(v.value[i], 0, 0);
        assert_int_equal(v.count, 0);
    }
    arena_free(&memory);
}

static void test_sparse_transpose_twice(void **state)
{
    (void)state;
    rng r = rng_seed(2);
    for (int round = 0; round < 50; round++) {
        int m = 1 + (int)rng_below(&r, 12), n = (int)rng_below(&r, 12);
        sparse a, t = {0}, back = {0};
        assert_int_equal(sparse_init(&a, m), 0);
        for (int j = 0; j < n; j++) {
            int index[12], count = 0;
            double value[12];
            for (int i = 0; i < m; i++) {
                if (rng_below(&r, 3)) continue;
                index[count] = i;
                value[count++] = rng_unit(&r);
            }
            assert_int_equal(sparse_append(&a, count, index, value), 0);
        }
        assert_int_equal(sparse_transpose(&a, &t), 0);
        assert_int_equal(sparse_transpose(&t, &back), 0);
        assert_int_equal(back.rows, m);
        assert_int_equal(back.cols, n);
        for (int j = 0; j <= n; j++) assert_int_equal(back.start[j], a.start[j]);
        for (int64_t e = 0; e < a.start[n]; e++) {
            assert_int_equal(back.index[e], a.index[e]);
            assert_near(back.value[e], a.value[e], 0);
        }
        sparse_free(&a);
        sparse_free(&t);
        sparse_free(&back);
    }
}

/* Both below and above the size at which the plain loops give way to BLAS. */
static void test_dense_inverse(void **state)
{
    (void)state;
    rng r = rng_seed(3);
    const int sizes[] = {1, 2, 7, 30, 64, 65, 90};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int n = sizes[k];
        size_t cells = (size_t)n * (size_t)n;
        double *a = malloc(cells * sizeof *a), *inverse = malloc(cells * sizeof *inverse);
        double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), *z = malloc((size_t)n * sizeof *z);
        int *pivots = malloc((size_t)n * sizeof *pivots);
        for (size_t i = 0; i < cells; i++) a[i] = inverse[i] = rng_unit(&r) - 0.5;
        for (int i = 0; i < n; i++) x[i] = rng_unit(&r), a[i * n + i] = inverse[i * n + i] = a[i * n + i] + 3;
        assert_int_equal(dense_invert(n, inverse, 1e-10, pivots), 0);
        dense_gemv(n, a, x, y);
        dense_gemv(n, inverse, y, z);
        for (int i = 0; i < n; i++) assert_near(z[i], x[i], 1e-9);
        dense_gemv_t(n, a, x, y);
        dense_gemv_t(n, inverse, y, z);
        for (int i = 0; i < n; i++) assert_near(z[i], x[i], 1e-9);
        /* a + 2 x y' by rank one, tested on a vector of ones */
        double sum = 0;
        for (int i = 0; i < n; i++) z[i] = 1, sum += y[i];
        double *before = malloc((size_t)n * sizeof *before), *after = malloc((size_t)n * sizeof *after);
        dense_gemv(n, a, z, before);
        dense_ger(n, 2.0, x, y, a);
        dense_gemv(n, a, z, after);
        for (int i = 0; i < n; i++) assert_near(after[i], before[i] + 2 * x[i] * sum, 1e-9);
        void *blocks[] = {a, inverse, x, y, z, pivots, before, after};
        for (int i = 0; i < 8; i++) free(blocks[i]);
    }
}

static void test_dense_singular(void **state)
{
    (void)state;
    double a[4] = {1, 2, 2, 4};
    int pivots[2];
    assert_true(dense_invert(2, a, 1e-10, pivots) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vector_lists),           cmocka_unit_test(test_vector_clear_leaves_nothing),
        cmocka_unit_test(test_sparse_transpose_twice), cmocka_unit_test(test_dense_inverse),
        cmocka_unit_test(test_dense_singular),
    };
    return run_tests(tests);
}

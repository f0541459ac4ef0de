/* lp/basis.c - see basis.h.
 *
 * An explicit inverse costs m^2 a solve or update at any sparsity, but accesses memory in order, and e_p' B^-1 is a copy: it is
 * faster for small bases (up to about DENSE_ROWS) and for those with much fill-in. After every factorisation a right-hand side of
 * +-1 entries is solved for in both directions; a relative residual above TOL_RESIDUAL repeats the factorisation with a larger
 * pivot threshold. With F the work of the factorisation and W_k that of k iterations, the mean (F + W_k) / k is least when the next
 * iteration costs more than the mean: then the basis is factorised again (by counts of entries, hence deterministically). */
#include "lp/simplex.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/dense.h"

/* Largest m with the dense inverse by default. bench/factor.c: faster up to 30, 40 and 40 rows for columns of 2, 4 and 8 entries,
 * equally fast up to 30, 50 and 120. */
enum { DENSE_ROWS = 40 };
/* Density of sparse factors, or of the basis, above which bases of at most DENSE_MOST rows become dense; larger ones keep sparse
 * factors with a dense tail (la/lu.c). */
static const double DENSE_FILL = 0.2;
enum { DENSE_MOST = 500, UPDATES_DENSE = 60 };
/* Iterations before the mean is used; cost of an entry of the factorisation relative to one of a solve. */
enum { WORK_LEAST = 16, FACTOR_WEIGHT = 4 };

struct basis {
    arena memory; /* of the arrays below except inverse, itself included */
    int m;
    const deadline *limit;
    lu *sparse_factors; /* made when first needed */
    double *inverse;    /* [m][m] by columns; NULL until first needed */
    bool dense, factored, strict;
    bool filled; /* the last sparse factors were nearly dense */
    int updates;
    long long work_before; /* sparse work at the last update */
    long long last_work;
    vector column, row; /* dense: kept ftran and btran results */
    bool column_kept, row_kept;
    double *scratch; /* [m] of the dense solves */
    double *rest;    /* [m] of the test */
    int *pivots;     /* [m] */
    vector test;
    double residual; /* of the last test solve, relative */
};

basis *basis_new(int m)
{
    arena a = {0};
    basis *b = ARENA_ZERO(&a, basis, 1);
    if (!b) return NULL;
    b->m = m;
    vector_init(&b->column, &a, m);
    vector_init(&b->row, &a, m);
    vector_init(&b->test, &a, m);
    b->scratch = ARENA_NEW(&a, double, m);
    b->rest = ARENA_NEW(&a, double, m);
    b->pivots = ARENA_NEW(&a, int, m);
    b->memory = a;
    if (!a.failed) return b;
    basis_free(b);
    return NULL;
}

void basis_free(basis *b)
{
    if (!b) return;
    lu_free(b->sparse_factors);
    mem_free(b->inverse);
    arena_free(&b->memory);
}

void basis_set_limit(basis *b, const deadline *limit) { b->limit = limit; }

/* ---- factorisation --------------------------------------------------------------------------------------------------------- */

/* +1 and -1 in a fixed irregular pattern, so that errors do not cancel. */
static double test_entry(int i) { return ((unsigned)i * 2654435761u) >> 31 ? 1.0 : -1.0; }

/* The larger of the relative residuals of B x = t and B' y = t. */
static double test_residual(basis *b, const sparse *a, const int head[])
{
    int m = b->m;
    vector *x = &b->test;
    double *rest = b->rest, largest = 0, scale = 1;
    if (m == 0) return 0;

    for (int i = 0; i < m; i++) x->value[i] = rest[i] = test_entry(i);
    x->count = VECTOR_UNLISTED;
    basis_ftran(b, x, LU_COST, false);
    for (int p = 0; p < m; p++) {
        double v = x->value[p];
        if (v == 0) continue;
        scale = larger(scale, fabs(v));
        if (head[p] < m) {
            rest[head[p]] += v;
            continue;
        }
        int j = head[p] - m;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) rest[a->index[e]] -= v * a->value[e];
    }
    for (int i = 0; i < m; i++) largest = larger(largest, fabs(rest[i]));
    double forward = largest / scale;

    for (int i = 0; i < m; i++) x->value[i] = test_entry(i);
    x->count = VECTOR_UNLISTED;
    basis_btran(b, x, LU_COST, false);
    largest = 0, scale = 1;
    for (int p = 0; p < m; p++) {
        double sum = 0;
        if (head[p] < m) {
            sum = -x->value[head[p]];
        } else {
            int j = head[p] - m;
            for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) sum += a->value[e] * x->value[a->index[e]];
        }
        largest = larger(largest, fabs(test_entry(p) - sum));
        scale = larger(scale, fabs(x->value[p]));
    }
    double backward = largest / scale;
    if (!(forward <= backward)) return forward; /* NaN comes through */
    return backward;
}

/* 0; 1: singular or too inaccurate; -1: memory. */
static int invert(basis *b, const sparse *a, const int head[])
{
    int m = b->m;
    CHECK_COMPARE(a->rows, ==, m);
    if (!b->inverse && !(b->inverse = MEM_NEW(double, (size_t)m *(size_t)m))) return -1;
    memset(b->inverse, 0, (size_t)m * (size_t)m * sizeof(double));
    for (int p = 0; p < m; p++) {
        double *column = b->inverse + (size_t)p * (size_t)m;
        if (head[p] < m) {
            column[head[p]] = -1;
            continue;
        }
        int j = head[p] - m;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) column[a->index[e]] = a->value[e];
    }
    int info = dense_invert(m, b->inverse, TOL_LU_PIVOT, b->pivots);
    if (info < 0) return -1;
    b->dense = true;
    if (info > 0) return 1;
    b->residual = test_residual(b, a, head);
    return b->residual <= TOL_RESIDUAL ? 0 : 1;
}

static int factor_sparse(basis *b, const sparse *a, int head[], int *replaced)
{
    if (!b->sparse_factors && !(b->sparse_factors = lu_new(b->m))) return -1;
    lu_set_limit(b->sparse_factors, b->limit);
    b->dense = false;
    *replaced = 0;
    for (double threshold = b->strict ? LU_THRESHOLD_MAX : LU_THRESHOLD;; threshold *= 3) {
        int now;
        if (threshold > LU_THRESHOLD_MAX) threshold = LU_THRESHOLD_MAX;
        int failed = lu_factor(b->sparse_factors, a, head, threshold, &now);
        if (failed) return failed;
        *replaced += now;
        b->residual = test_residual(b, a, head);
        if (b->residual <= TOL_RESIDUAL || threshold >= LU_THRESHOLD_MAX) return 0;
    }
}

static bool all_but_dense(const basis *b, const sparse *a, const int head[])
{
    if (b->m > DENSE_MOST) return false;
    if (b->filled) return true;
    double entries = 0;
    for (int p = 0; p < b->m; p++)
        if (head[p] >= b->m) entries += (double)(a->start[head[p] - b->m + 1] - a->start[head[p] - b->m]);
    return entries >= DENSE_FILL * b->m * b->m;
}

/* Threshold pivoting is backward stable except for growth: a larger residual is a bug. */
static const double RESIDUAL_BROKEN = 1e-2;

static void basis_check(const basis *b, const sparse *a, const int head[])
{
    if (!CHECKING) return;
    for (int p = 0; p < b->m; p++) {
        CHECK(head[p] >= 0 && head[p] < b->m + a->cols);
        CHECK(p == 0 || head[p] != head[p - 1]);
    }
    CHECK_COMPARE(b->residual, <=, RESIDUAL_BROKEN);
}

int basis_factor(basis *b, const sparse *a, int head[], vouch_lp_factor wanted, int *replaced)
{
    b->updates = 0;
    b->column_kept = b->row_kept = false;
    b->factored = false;
    *replaced = 0;
    bool dense = wanted == VOUCH_FACTOR_DENSE || (wanted == VOUCH_FACTOR_AUTO && (b->m <= DENSE_ROWS || all_but_dense(b, a, head)));
    if (dense) {
        int failed = invert(b, a, head);
        if (failed < 0) return -1;
        if (failed) { /* the sparse factors find the columns to replace */
            int stopped = factor_sparse(b, a, head, replaced);
            if (stopped) return stopped;
            if (*replaced) failed = invert(b, a, head);
            if (failed < 0) return -1;
            if (failed) b->dense = false;
        }
    } else {
        int failed = factor_sparse(b, a, head, replaced);
        if (failed) return failed;
    }
    if (!b->dense) b->filled = (double)lu_entries(b->sparse_factors) >= DENSE_FILL * b->m * b->m;
    b->work_before = b->dense ? 0 : lu_work(b->sparse_factors);
    b->last_work = 0;
    b->factored = true;
    basis_check(b, a, head);
    return 0;
}

int basis_copy(basis *to, const basis *from)
{
    size_t size = (size_t)from->m * (size_t)from->m;
    CHECK(to->m == from->m && from->factored);
    to->factored = false;
    if (from->dense) {
        if (!to->inverse && !(to->inverse = MEM_NEW(double, size))) return -1;
        MEM_COPY(to->inverse, from->inverse, size);
        lu_free(to->sparse_factors); /* its density averages belong to other bases */
        to->sparse_factors = NULL;
    } else {
        if (!to->sparse_factors && !(to->sparse_factors = lu_new(to->m))) return -1;
        if (lu_copy(to->sparse_factors, from->sparse_factors)) return -1;
    }
    to->dense = from->dense;
    to->strict = from->strict;
    to->filled = from->filled;
    to->updates = from->updates;
    to->work_before = from->work_before;
    to->last_work = from->last_work;
    to->residual = from->residual;
    to->column_kept = to->row_kept = false;
    to->factored = true;
    return 0;
}

/* ---- solves ---------------------------------------------------------------------------------------------------------------- */

static void dense_solve(basis *b, vector *x, bool transposed, bool keep)
{
    int m = b->m;
    bool few = x->count >= 0 && (transposed ? 8 : 2) * x->count < m;
    if (few)
        memset(b->scratch, 0, (size_t)m * sizeof(double));
    else
        (transposed ? dense_gemv_t : dense_gemv)(m, b->inverse, x->value, b->scratch);
    for (int k = 0; few && k < x->count; k++) {
        int p = x->index[k];
        double v = x->value[p];
        if (!transposed) dense_axpy(m, v, b->inverse + (size_t)p * (size_t)m, b->scratch);
        for (int j = 0; transposed && j < m; j++) b->scratch[j] += v * b->inverse[(size_t)p + (size_t)j * (size_t)m];
    }
    MEM_COPY(x->value, b->scratch, b->m);
    x->count = VECTOR_UNLISTED;
    vector_pack(x, TOL_DROP);
    if (!keep) return;
    vector_copy(transposed ? &b->row : &b->column, x);
    *(transposed ? &b->row_kept : &b->column_kept) = true;
}

void basis_ftran(basis *b, vector *x, lu_kind kind, bool keep)
{
    if (b->m == 0) return;
    CHECK_COMPARE(x->n, >=, b->m);
    if (b->dense)
        dense_solve(b, x, false, keep);
    else
        lu_ftran(b->sparse_factors, x, kind, keep);
}

void basis_btran(basis *b, vector *x, lu_kind kind, bool keep)
{
    if (b->m == 0) return;
    CHECK_COMPARE(x->n, >=, b->m);
    if (b->dense)
        dense_solve(b, x, true, keep);
    else
        lu_btran(b->sparse_factors, x, kind, keep);
}

void basis_row(basis *b, int p, vector *x)
{
    CHECK(p >= 0 && p < b->m);
    vector_clear(x);
    x->index[0] = p;
    x->value[p] = 1;
    x->count = 1;
    basis_btran(b, x, LU_ROW, true);
}

/* B^-1 -= ((alpha - e_p) / alpha_p) (e_p' B^-1) */
static bool dense_update(basis *b, int p, double pivot)
{
    int m = b->m;
    if (!b->column_kept || !b->row_kept || !(fabs(pivot) > TOL_DROP)) return false;
    double *alpha = b->column.value;
    alpha[p] -= 1;
    if (4 * b->row.count < m) {
        for (int k = 0; k < b->row.count; k++) {
            int j = b->row.index[k];
            dense_axpy(m, -b->row.value[j] / pivot, alpha, b->inverse + (size_t)j * (size_t)m);
        }
    } else {
        dense_ger(m, -1 / pivot, alpha, b->row.value, b->inverse);
    }
    if (alpha[p] == 0 && b->column.count >= 0) alpha[p] = VECTOR_CANCELLED;
    b->column_kept = b->row_kept = false;
    return true;
}

bool basis_update(basis *b, int p, double pivot)
{
    CHECK(b->factored);
    CHECK(p >= 0 && p < b->m);
    bool done = b->dense ? dense_update(b, p, pivot) : lu_update(b->sparse_factors, p, pivot);
    if (!done) return false;
    b->updates++;
    if (!b->dense) {
        long long work = lu_work(b->sparse_factors);
        b->last_work = work - b->work_before;
        b->work_before = work;
    }
    return true;
}

basis_refactor basis_due(const basis *b)
{
    if (b->dense) return b->updates >= UPDATES_DENSE ? BASIS_UPDATES : BASIS_KEEP;
    if (b->updates >= lu_updates_most(b->m)) return BASIS_UPDATES;
    if (b->updates < WORK_LEAST) return BASIS_KEEP;
    double spent = FACTOR_WEIGHT * (double)lu_factor_work(b->sparse_factors) + (double)lu_work(b->sparse_factors);
    return (double)b->last_work * b->updates > 2 * spent ? BASIS_WORK : BASIS_KEEP;
}

int basis_updates(const basis *b) { return b->updates; }
bool basis_is_dense(const basis *b) { return b->dense; }
void basis_be_strict(basis *b, bool strict) { b->strict = strict; }

lu_shape basis_shape(const basis *b) { return b->dense || !b->factored ? (lu_shape){0} : lu_look(b->sparse_factors); }

bool basis_row_squares(const basis *b, double weight[])
{
    if (!b->dense) return false;
    int m = b->m;
    for (int p = 0; p < m; p++) weight[p] = 0;
    for (int j = 0; j < m; j++) {
        const double *column = b->inverse + (size_t)j * (size_t)m;
        for (int p = 0; p < m; p++) weight[p] += column[p] * column[p];
    }
    return true;
}

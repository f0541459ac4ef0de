/* la/dense.c - BLAS and LAPACK behind plain C signatures.
 *
 * Matrices of at most SMALL rows use the loops of dense_own.c: a library call costs more than its work, the first one maps 134 MB,
 * and its last digits depend on the processor. BLAS uses one thread, as the matrices are small and callers run several solves in
 * parallel. OpenBLAS built for one thread hands out its buffers without a lock: of 100000 factorisations of 3 to 32 rows on each of
 * four threads some 30 were wrong. Hence the mutex. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "la/dense.h"

#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <pthread.h>
#include <sys/mman.h>

#include "base/check.h"
#include "base/memory.h"

enum { SMALL = 64 };

#ifdef VOUCH_BLAS_REFERENCE
const char *vouch_blas(void) { return "reference BLAS"; }
static void one_thread(void) {}
#else
extern void openblas_set_num_threads(int threads);
extern char *openblas_get_config(void);

const char *vouch_blas(void) { return openblas_get_config(); }
static void one_thread(void) { openblas_set_num_threads(1); }
#endif

static pthread_mutex_t inside = PTHREAD_MUTEX_INITIALIZER;

static void enter(void) { (void)pthread_mutex_lock(&inside); }

static void leave(void) { (void)pthread_mutex_unlock(&inside); }

static void stay_on_one_thread(void)
{
    one_thread();
    (void)pthread_atfork(enter, leave, leave);
}

/* OpenBLAS maps a buffer at the first call of a thread and retries for ever if that fails, so the same mapping is tested first.
 * False: memory. */
static bool set_up(void)
{
    enum { BUFFER = (128 << 20) + (1 << 20) }; /* BUFFER_SIZE of x86-64 builds, and its alignment */
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    static _Thread_local bool asked;
    pthread_once(&once, stay_on_one_thread);
    if (asked) return true;
    void *map = mmap(NULL, BUFFER, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED) return false;
    (void)munmap(map, BUFFER);
    asked = true;
    return true;
}

int dense_invert(int n, double a[], double least, int pivot[])
{
    CHECK_COMPARE(n, >=, 0);
    if (n <= SMALL) return dense_own_invert(n, a, least, pivot);
    if (!set_up()) return -1;
    enter();
    int info = (int)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, n, n, a, n, pivot);
    leave();
    if (info > 0) return info;
    for (int k = 0; k < n; k++)
        if (!(fabs(a[(size_t)k * (size_t)n + (size_t)k]) > least)) return k + 1;
    size_t capacity = (size_t)n * 64;
    double *work = MEM_NEW(double, capacity);
    if (!work) return -1;
    enter();
    info = (int)LAPACKE_dgetri_work(LAPACK_COL_MAJOR, n, a, n, pivot, work, (int)capacity);
    leave();
    mem_free(work);
    return info;
}

enum { PANEL = 64 }; /* columns that dense_factor eliminates at a time */

/* Factorises PANEL columns from `first` on and updates the columns to their right. As dense_factor. */
static int factor_panel(int rows, int cols, double a[], int first, double least, int swap[])
{
    int width = cols - first < PANEL ? cols - first : PANEL;
    double *corner = a + (size_t)first * (size_t)rows + first, *right = corner + (size_t)width * (size_t)rows;
    int below = rows - first - width, others = cols - first - width;
    (void)LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, rows - first, width, corner, rows, swap + first);
    for (int t = first; t < first + width; t++) {
        if (!(fabs(a[(size_t)t * (size_t)rows + (size_t)t]) > least)) return t + 1;
        swap[t] += first; /* still counted from 1, as in LAPACK */
    }
    if (first) LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, first, a, rows, first + 1, first + width, swap, 1);
    if (others) {
        LAPACKE_dlaswp_work(LAPACK_COL_MAJOR, others, a + (size_t)(first + width) * (size_t)rows, rows, first + 1, first + width,
                            swap, 1);
        cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, others, 1, corner, rows, right, rows);
        if (below)
            cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, others, width, -1, corner + width, rows, right, rows, 1,
                        right + width, rows);
    }
    for (int t = first; t < first + width; t++) swap[t]--;
    return 0;
}

int dense_factor(int rows, int cols, double a[], double least, int swap[], const deadline *limit)
{
    CHECK_COMPARE(rows, >=, cols);
    if (rows <= SMALL) return dense_own_factor(rows, cols, a, least, swap);
    if (cols && !set_up()) return -1;
    for (int first = 0; first < cols; first += PANEL) {
        if (limit && deadline_expired(limit)) return DENSE_LIMIT;
        enter();
        int small = factor_panel(rows, cols, a, first, least, swap);
        leave();
        if (small) return small;
    }
    return 0;
}

void dense_trsv(dense_triangle which, bool transposed, int n, const double a[], int rows, double x[])
{
    if (n <= SMALL) {
        dense_own_trsv(which, transposed, n, a, rows, x);
        return;
    }
    bool lower = which == DENSE_UNIT_LOWER;
    enter();
    cblas_dtrsv(CblasColMajor, lower ? CblasLower : CblasUpper, transposed ? CblasTrans : CblasNoTrans,
                lower ? CblasUnit : CblasNonUnit, n, a, rows, x, 1);
    leave();
}

static void gemv(CBLAS_TRANSPOSE how, int rows, int cols, double alpha, const double a[], const double x[], double beta, double y[])
{
    enter();
    cblas_dgemv(CblasColMajor, how, rows, cols, alpha, a, rows, x, 1, beta, y, 1);
    leave();
}

void dense_gemv_add(int rows, int cols, double alpha, const double a[], const double x[], double y[])
{
    if (rows <= SMALL)
        dense_own_add(rows, cols, alpha, a, x, y);
    else
        gemv(CblasNoTrans, rows, cols, alpha, a, x, 1.0, y);
}

void dense_gemv_t_of(int rows, int cols, const double a[], const double x[], double y[])
{
    if (rows <= SMALL)
        dense_own_t(rows, cols, a, x, y);
    else
        gemv(CblasTrans, rows, cols, 1.0, a, x, 0.0, y);
}

void dense_gemv(int n, const double a[], const double x[], double y[])
{
    for (int i = 0; i < n; i++) y[i] = 0;
    dense_gemv_add(n, n, 1.0, a, x, y);
}

void dense_gemv_t(int n, const double a[], const double x[], double y[]) { dense_gemv_t_of(n, n, a, x, y); }

void dense_axpy(int n, double alpha, const double x[], double y[])
{
    if (n > SMALL) {
        cblas_daxpy(n, alpha, x, 1, y, 1);
        return;
    }
    dense_own_axpy(n, alpha, x, y);
}

void dense_ger(int n, double alpha, const double x[], const double y[], double a[])
{
    if (n > SMALL) {
        enter();
        cblas_dger(CblasColMajor, n, n, alpha, x, 1, y, 1, a, n);
        leave();
        return;
    }
    for (int j = 0; j < n; j++)
        if (y[j] != 0) dense_axpy(n, alpha * y[j], x, a + (long)j * n);
}

/* la/lu_solve.c - x := B^-1 x and x := B^-T x with the factors of lu.h.
 *
 * Each triangular solve takes one of two ways. When the right-hand side and, by the record of past solves,
 * the result are sparse, the entries that can become nonzero are found first by a depth-first search in the graph
 * of the triangular matrix (time proportional to the arithmetic done; J. R. Gilbert and T. Peierls, SIAM J. Sci. Stat.
 * Comput. 9 (1988); J. A. J. Hall and K. I. M. McKinnon, Comput. Optim. Appl. 32 (2005)). Otherwise all pivots are
 * passed in order, skipping zeros. Rows of L and U stand beside their columns, so that the transposed solve also skips
 * zeros.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/lu_private.h"
#include "la/tolerance.h"

/* The symbolic search is worth its overhead below these densities of right-hand side and expected result. */
static const double SPARSE_INPUT = 0.05;
static const double SPARSE_RESULT = 0.10;
/* How fast the record of densities forgets. */
static const double DENSITY_MEMORY = 0.8;

int lu_lists_reserve(lu_lists *l, long long need)
{
    if (need <= l->capacity) return 0;
    if (need > INT_MAX || MEM_RESIZE(&l->index, need) || MEM_RESIZE(&l->value, need)) return -1;
    l->capacity = (int)need;
    return 0;
}

/* Finds what the nonzeros of x can reach in the lists t. found[0 .. count-1]: so that whoever changes another stands behind
 * it (found is filled from its end). Returns where the list begins in found. */
static int reach(lu *f, const lu_lists *t, const vector *x)
{
    int at = f->m;
    long long touched = 0;
    for (int k = 0; k < x->count; k++) {
        int top = 0, p = x->index[k];
        if (f->mark[p]) continue;
        f->mark[p] = 1;
        f->stack[0] = p;
        f->stack_next[0] = t->begin[p];
        while (top >= 0) {
            p = f->stack[top];
            int e = f->stack_next[top], end = t->begin[p] + t->length[p];
            while (e < end && f->mark[t->index[e]]) e++;
            if (e < end) {
                int child = t->index[e];
                f->stack_next[top++] = e + 1;
                f->mark[child] = 1;
                f->stack[top] = child;
                f->stack_next[top] = t->begin[child];
            } else {
                touched += t->length[p];
                f->found[--at] = p;
                top--;
            }
        }
    }
    CHECK_COMPARE(at, >=, 0);
    f->work += 2 * touched + x->count;
    return at;
}

#ifdef VOUCH_DEBUG
/* Scratch is clean between solves. */
static void marks_check(const lu *f)
{
    for (int p = 0; p < f->m; p++) CHECK(!f->mark[p]);
}
#endif

/* Solves through the symbolic search; pivot NULL: unit diagonal. The list of x stays known. */
static void solve_reached(lu *f, const lu_lists *t, const double pivot[], vector *x)
{
    int at = reach(f, t, x), count = 0;
    double *value = x->value;
    for (int k = at; k < f->m; k++) {
        int p = f->found[k];
        f->mark[p] = 0;
        double v = value[p];
        if (fabs(v) <= TOL_DROP) {
            value[p] = 0;
            continue;
        }
        CHECK(!pivot || pivot[p] != 0);
        if (pivot) value[p] = v /= pivot[p];
        x->index[count++] = p;
        for (int e = t->begin[p]; e < t->begin[p] + t->length[p]; e++) value[t->index[e]] -= v * t->value[e];
    }
    x->count = count;
#ifdef VOUCH_DEBUG
    marks_check(f);
#endif
}

/* Pivots in the order they are passed. */
typedef struct pivot_pass {
    const int *order; /* positions; -1: none */
    int begin, end;   /* the part of order */
    int step;         /* 1 forward, -1 backward */
    bool listing;     /* the passes cover every position, and the list of the result is made */
    int listed;       /* so far */
} pivot_pass;

/* Where a pass forward may begin, and where one backward: nothing changes before the first place of a nonzero of x, or behind the
 * last. end: of the order. */
static int first_place(const vector *x, const int place[], int end)
{
    for (int k = 0; k < x->count; k++) {
        int at = place[x->index[k]];
        if (at < end) end = at;
    }
    return x->count < 0 ? 0 : end;
}

static int last_place(const vector *x, const int place[], int end)
{
    int behind = 0;
    for (int k = 0; k < x->count; k++) {
        int at = place[x->index[k]] + 1;
        if (at > behind) behind = at;
    }
    return x->count < 0 ? end : behind;
}

/* One pass; the two flags are constants where it is called, so that each kind has a loop of its own. */
static inline void pass_over(lu *f, const lu_lists *t, bool scaled, bool listing, pivot_pass *pass, vector *x)
{
    int step = pass->step, listed = pass->listed;
    double *value = x->value;
    long long touched = 0;
    const int *next = pass->order + (step > 0 ? pass->begin : pass->end - 1);
    for (int left = pass->end - pass->begin; left > 0; left--, next += step) {
        int p = *next;
        if (p < 0) continue;
        double v = value[p];
        if (fabs(v) <= TOL_DROP) {
            value[p] = 0;
            continue;
        }
        if (scaled) value[p] = v /= f->pivot[p];
        if (listing) x->index[listed++] = p;
        const int *index = t->index + t->begin[p];
        const double *entry = t->value + t->begin[p];
        int length = t->length[p];
        for (int e = 0; e < length; e++) value[index[e]] -= v * entry[e];
        touched += length;
    }
    f->work += touched;
    pass->listed = listed;
    x->count = listing ? listed : VECTOR_UNLISTED;
}

/* Of L, or of U; scaled: by the pivots. */
static void solve_ordered(lu *f, const lu_lists *t, bool scaled, pivot_pass *pass, vector *x)
{
    if (!scaled)
        pass_over(f, t, false, pass->listing, pass, x);
    else
        pass_over(f, t, true, true, pass, x);
}

/* Logicals of U: their columns are empty and their pivots -1. */
static void solve_logicals(lu *f, pivot_pass *pass, vector *x)
{
    double *value = x->value;
    int listed = pass->listed;
    for (int at = pass->end - 1; at >= pass->begin; at--) {
        int p = f->u_order[at];
        if (p < 0) continue;
        bool keep = !(fabs(value[p]) <= TOL_DROP);
        x->index[listed] = p;
        listed += keep;
        value[p] = keep ? -value[p] : 0;
    }
    pass->listed = listed;
}

/* U, or U' by its rows: logicals, what else stands before the tail, the tail, and what updates put behind it. */
static void solve_u(lu *f, bool transposed, vector *x)
{
    const lu_lists *t = transposed ? &f->ut : &f->u;
    int logicals = transposed ? 0 : f->logicals, ends[] = {0, logicals, f->m - f->tail.rows, f->m, f->u_count};
    int from = transposed ? first_place(x, f->u_place, f->u_count) : 0;
    int to = transposed ? f->u_count : last_place(x, f->u_place, f->u_count);
    pivot_pass pass = {f->u_order, 0, f->u_count, transposed ? 1 : -1, true, 0};
    for (int part = 0; part < 4; part++) {
        int at = transposed ? part : 3 - part;
        pass.begin = ends[at] > from ? ends[at] : from;
        pass.end = ends[at + 1] < to ? ends[at + 1] : to;
        bool tail = at == 2, skip = pass.begin >= pass.end;
        if (tail && (skip || !(transposed ? lu_tail_solve_ut : lu_tail_solve_u)(f, x))) continue;
        if (at > 0) f->work += (ends[at + 1] - (at == 1 ? 0 : ends[at])) / 4;
        if (skip) continue;
        if (at == 0)
            solve_logicals(f, &pass, x);
        else
            solve_ordered(f, t, !tail, &pass, x);
    }
    x->count = pass.listed;
}

static bool expect_sparse(const lu *f, const vector *x, lu_kind kind, int stage)
{
    return x->count >= 0 && x->count <= SPARSE_INPUT * f->m && f->density[kind][stage] <= SPARSE_RESULT;
}

static void record_density(lu *f, const vector *x, lu_kind kind, int stage)
{
    if (x->count < 0) return;
    double now = (double)x->count / f->m;
    double *mean = &f->density[kind][stage];
    *mean = DENSITY_MEMORY * *mean + (1 - DENSITY_MEMORY) * now;
}

void lu_ftran(lu *f, vector *x, lu_kind kind, bool keep)
{
    if (f->m == 0) return;
    CHECK(kind < LU_KINDS);
    if (expect_sparse(f, x, kind, 0)) {
        if (f->l_count) solve_reached(f, &f->l, NULL, x);
    } else {
        f->work += f->l_count / 4;
        solve_ordered(f, &f->l, false, &(pivot_pass){f->l_order, first_place(x, f->l_place, f->l_count), f->l_count, 1, false, 0},
                      x);
    }
    if (f->tail.rows && lu_tail_solve_l(f, x)) x->count = VECTOR_UNLISTED;
    lu_transform(f, x);
    if (x->count < 0) vector_pack(x, TOL_DROP);
    record_density(f, x, kind, 0);
    if (keep) {
        vector_copy(&f->spike, x);
        f->spike_kept = true;
    }
    if (!f->tail.rows && expect_sparse(f, x, kind, 1))
        solve_reached(f, &f->u, f->pivot, x);
    else
        solve_u(f, false, x);
    record_density(f, x, kind, 1);
}

void lu_btran(lu *f, vector *x, lu_kind kind, bool keep)
{
    if (f->m == 0) return;
    if (!f->tail.rows && expect_sparse(f, x, kind, 0))
        solve_reached(f, &f->ut, f->pivot, x);
    else
        solve_u(f, true, x);
    record_density(f, x, kind, 0);
    if (keep) {
        vector_copy(&f->row, x);
        f->row_kept = true;
    }
    lu_transform_t(f, x);
    if (f->tail.rows && lu_tail_solve_lt(f, x)) x->count = VECTOR_UNLISTED;
    if (expect_sparse(f, x, kind, 1)) {
        if (f->lt_count) solve_reached(f, &f->lt, NULL, x);
    } else {
        f->work += f->lt_count / 4;
        solve_ordered(f, &f->lt, false, &(pivot_pass){f->lt_order, 0, last_place(x, f->lt_place, f->lt_count), -1, false, 0}, x);
        vector_pack(x, TOL_DROP);
    }
    record_density(f, x, kind, 1);
}

long long lu_work(const lu *f) { return f->work; }
long long lu_factor_work(const lu *f) { return f->factor_work; }
lu_shape lu_look(const lu *f)
{
    return (lu_shape){&f->l, &f->u, f->pivot, f->u_order, f->u_count, f->r_begin[f->r_count], f->tail.rows};
}

long long lu_entries(const lu *f)
{
    return (long long)f->tail.rows * f->tail.rows + f->l.used + f->u.used + f->r_begin[f->r_count];
}

/* la/lu_solve.c - x := B^-1 x and x := B^-T x with the factors of lu.h.
 *
 * A triangular solve has two forms. If the right-hand side and, judged by past solves, the result are sparse, a depth-first search
 * in the graph of the triangular matrix finds the entries that can become nonzero, in time proportional to the arithmetic (J. R.
 * Gilbert and T. Peierls, SIAM J. Sci. Stat. Comput. 9 (1988); J. A. J. Hall and K. I. M. McKinnon, Comput. Optim. Appl. 32
 * (2005)). Otherwise all pivots are passed in order, skipping zeros. L and U are stored by rows, too, so that transposed solves
 * also skip zeros.
 *
 * The tail, the last pivots where L and U are nearly dense, is one array in pivot order, solved by BLAS:
 *
 *     L = [ L_h   0  ]     U = [ U_h  U_c  S_h ]     h: pivots before, t: the tail, last: columns that replaced others
 *         [ L_c  L_t ]         [  0   U_t  S_t ]
 *                              [  0    0   S_u ]
 *
 * L_t, U_t, S_t and the same part of the row transformations are in arrays, the others in lists. An entry costs an eighth of one in
 * lists, and both directions read the same array. An update replaces column p of U by one in the last place and clears row p. If p
 * is in the tail, column p of U_t becomes one of the identity and row p is skipped (u_row). Entries of later columns in row p are
 * in lists. So neither the columns of S_t nor the row transformations depend on each other: a product of a matrix with a vector
 * applies them all. */
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/dense.h"
#include "la/lu_private.h"

/* Cost of an entry of the tail relative to one in lists. */
static const double TAIL_COST = 1.0 / 8;

/* ---- the tail ---------------------------------------------------------------------------------------------------------- */

int lu_tail_reserve(lu_tail *tail, int rows)
{
    if (rows <= tail->capacity) return 0;
    size_t size = (size_t)rows, updates = LU_UPDATES;
    if (MEM_RESIZE(&tail->a, size * size) || MEM_RESIZE(&tail->s, updates * size) || MEM_RESIZE(&tail->r, updates * size) ||
        MEM_RESIZE(&tail->x, rows))
        return -1;
    tail->capacity = rows;
    return 0;
}

void lu_tail_free(lu_tail *tail)
{
    mem_free(tail->a);
    mem_free(tail->s);
    mem_free(tail->r);
    mem_free(tail->x);
}

void lu_tail_clear(lu *f)
{
    for (int t = 0; t < f->tail.rows; t++) f->tail.place[f->tail.row[t]] = -1;
    f->tail.rows = 0;
}

void lu_tail_set(lu *f, int rows)
{
    lu_tail *tail = &f->tail;
    tail->rows = rows;
    for (int t = 0; t < rows; t++) {
        CHECK_COMPARE(f->l.length[tail->row[t]], ==, 0);
        tail->place[tail->row[t]] = t;
        tail->u_row[t] = tail->row[t];
    }
}

static double *part_of(const lu_tail *tail, double *matrix, int k) { return matrix + (size_t)k * (size_t)tail->rows; }

void lu_tail_begin_update(lu *f)
{
    size_t bytes = (size_t)f->tail.rows * sizeof(double);
    if (!bytes) return;
    memset(part_of(&f->tail, f->tail.s, f->r_count), 0, bytes);
    memset(part_of(&f->tail, f->tail.r, f->r_count), 0, bytes);
}

static bool takes(lu *f, double *matrix, int index, double value)
{
    int t = f->tail.rows ? f->tail.place[index] : -1;
    if (t < 0 || f->tail.u_row[t] < 0) return false;
    part_of(&f->tail, matrix, f->r_count)[t] = value;
    return true;
}

bool lu_tail_takes_r(lu *f, int index, double value) { return takes(f, f->tail.r, index, value); }
bool lu_tail_takes_s(lu *f, int index, double value) { return takes(f, f->tail.s, index, value); }

void lu_tail_replace(lu *f, int p)
{
    lu_tail *tail = &f->tail;
    if (!tail->rows) return;
    int t = tail->place[p];
    if (t >= 0 && tail->u_row[t] >= 0) {
        double *column = part_of(tail, tail->a, t);
        memset(column, 0, (size_t)t * sizeof *column);
        column[t] = 1;
        tail->u_row[t] = -1;
    }
    for (int k = 0; k < f->r_count; k++) {
        if (tail->s_of[k] == p) tail->s_of[k] = -1;
    }
    tail->s_of[f->r_count] = p;
}

/* tail->x := x at the positions row, 0 where row is -1. False: all are 0. */
static bool gather(lu_tail *tail, const int row[], const vector *x)
{
    bool any = false;
    for (int t = 0; t < tail->rows; t++) {
        tail->x[t] = row[t] < 0 ? 0 : x->value[row[t]];
        any = any || tail->x[t] != 0;
    }
    return any;
}

/* x := x + tail->x at the positions row; then as gather. */
static bool gather_sum(lu_tail *tail, const int row[], vector *x)
{
    for (int t = 0; t < tail->rows; t++) {
        if (row[t] >= 0) x->value[row[t]] += tail->x[t];
    }
    return gather(tail, row, x);
}

/* Solves between the first and the last nonzero of tail->x (there is one) and stores the result in x. */
static void solve(lu *f, dense_triangle which, bool transposed, const int row[], vector *x)
{
    const lu_tail *tail = &f->tail;
    double *value = x->value, *part = tail->x;
    int first = 0, last = tail->rows - 1;
    bool downward = (which == DENSE_UNIT_LOWER) != transposed;
    while (downward && part[first] == 0) first++;
    while (!downward && part[last] == 0) last--;
    int n = last + 1 - first;
    dense_trsv(which, transposed, n, tail->a + (size_t)first * (size_t)(tail->rows + 1), tail->rows, part + first);
    for (int t = first; t <= last; t++) {
        if (row[t] < 0)
            part[t] = 0;
        else if (fabs(part[t]) <= TOL_DROP)
            part[t] = value[row[t]] = 0;
        else
            value[row[t]] = part[t];
    }
    f->work += tail->rows / 4 + (long long)(TAIL_COST * n * n / 2);
}

/* sum := matrix' tail->x */
static void products(lu *f, const double matrix[])
{
    if (!f->r_count) return;
    dense_gemv_t_of(f->tail.rows, f->r_count, matrix, f->tail.x, f->tail.sum);
    f->work += (long long)(TAIL_COST * f->tail.rows * f->r_count);
}

/* tail->x := alpha matrix sum. False: it is 0. */
static bool combine(lu *f, double alpha, const double matrix[])
{
    bool any = false;
    memset(f->tail.x, 0, (size_t)f->tail.rows * sizeof(double));
    for (int k = 0; k < f->r_count && !any; k++) any = f->tail.sum[k] != 0;
    if (!any) return false;
    dense_gemv_add(f->tail.rows, f->r_count, alpha, matrix, f->tail.sum, f->tail.x);
    f->work += (long long)(TAIL_COST * f->tail.rows * f->r_count);
    return true;
}

/* The tail's part of x := L^-1 x; tail->sum[k] := product of the result with row transformation k. False: x is 0 there. */
static bool lu_tail_solve_l(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    if (!gather(tail, tail->row, x)) {
        memset(tail->sum, 0, (size_t)f->r_count * sizeof(double));
        return false;
    }
    solve(f, DENSE_UNIT_LOWER, false, tail->row, x);
    products(f, tail->r);
    return true;
}

/* The tail's part of x := L'^-1 x, after adding tail->sum[k] times row transformation k. False as above. */
static bool lu_tail_solve_lt(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    bool added = combine(f, 1, tail->r), any = gather_sum(tail, tail->row, x);
    if (any) solve(f, DENSE_UNIT_LOWER, true, tail->row, x);
    return any || added;
}

/* The tail's part of x := U^-1 x, once x is computed for replacing columns, and of x := U'^-1 x, with its contributions to those
 * columns. False as above. */
static bool lu_tail_solve_u(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    for (int k = 0; k < f->r_count; k++) tail->sum[k] = tail->s_of[k] < 0 ? 0 : x->value[tail->s_of[k]];
    (void)combine(f, -1, tail->s);
    if (!gather_sum(tail, tail->u_row, x)) return false;
    solve(f, DENSE_UPPER, false, tail->u_row, x);
    return true;
}

static bool lu_tail_solve_ut(lu *f, vector *x)
{
    lu_tail *tail = &f->tail;
    if (!gather(tail, tail->u_row, x)) return false;
    solve(f, DENSE_UPPER, true, tail->u_row, x);
    products(f, tail->s);
    for (int k = 0; k < f->r_count; k++) {
        if (tail->s_of[k] >= 0) x->value[tail->s_of[k]] -= tail->sum[k];
    }
    return true;
}

/* ---- row transformations of updates: R of lu.h -------------------------------------------------------------------------
 *
 * A large basis has thousands of updates between factorisations, and a sparse x has nonzeros in few of them. Chains (of entries of
 * R by index, of transformations by row) find these; bits mark them, in order, with the same result as applying all. Cost: their
 * entries, and a 64th of the number of transformations. */

/* Least number of transformations for the search by chains, and their number for each entry of x. */
enum { MARKED_LEAST = 128, PASSED_AN_ENTRY = 16 };

int lu_transform_reserve(lu *f, long long entries)
{
    if (f->r_capacity >= entries) return 0;
    if (MEM_RESIZE(&f->r_index, entries) || MEM_RESIZE(&f->r_value, entries)) return -1;
    if (f->met.marked && (MEM_RESIZE(&f->met.older_entry, entries) || MEM_RESIZE(&f->met.owner, entries))) return -1;
    f->r_capacity = (int)entries;
    return 0;
}

void lu_transform_init(lu *f, arena *a)
{
    int m = f->m, updates = f->updates_most;
    f->r_row = ARENA_NEW(a, int, updates);
    f->r_begin = ARENA_ZERO(a, int, updates + 1);
    if (m <= LU_LARGE_ROWS) return;
    f->met.newest_entry = ARENA_NEW(a, int, m);
    f->met.newest_row = ARENA_NEW(a, int, m);
    f->met.older_row = ARENA_NEW(a, int, updates);
    f->met.marked = ARENA_ZERO(a, uint64_t, updates / 64 + 1);
    for (int p = 0; !a->failed && p < m; p++) f->met.newest_entry[p] = f->met.newest_row[p] = -1;
}

void lu_transform_free(lu *f)
{
    mem_free(f->r_index);
    mem_free(f->r_value);
    mem_free(f->met.older_entry);
    mem_free(f->met.owner);
}

void lu_transform_clear(lu *f)
{
    for (int r = 0; f->met.marked && r < f->r_count; r++) {
        f->met.newest_row[f->r_row[r]] = -1;
        for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) f->met.newest_entry[f->r_index[e]] = -1;
    }
    f->r_count = f->r_begin[0] = 0;
}

void lu_transform_add(lu *f, int row, int end)
{
    int r = f->r_count++;
    f->r_row[r] = row;
    f->r_begin[r + 1] = end;
    if (!f->met.marked) return;
    f->met.older_row[r] = f->met.newest_row[row];
    f->met.newest_row[row] = r;
    for (int e = f->r_begin[r]; e < end; e++) {
        f->met.older_entry[e] = f->met.newest_entry[f->r_index[e]];
        f->met.newest_entry[f->r_index[e]] = e;
        f->met.owner[e] = r;
    }
}

static void mark(lu *f, int r) { f->met.marked[r / 64] |= (uint64_t)1 << (r % 64); }

/* Marks the transformations later than `after` with an entry at index i; chains lead from new to old. */
static void mark_entries(lu *f, int i, int after)
{
    for (int e = f->met.newest_entry[i]; e >= 0 && f->met.owner[e] > after; e = f->met.older_entry[e]) mark(f, f->met.owner[e]);
}

/* Marks the transformations of row i before `before`. */
static void mark_rows(lu *f, int i, int before)
{
    for (int r = f->met.newest_row[i]; r >= 0; r = f->met.older_row[r])
        if (r < before) mark(f, r);
}

static bool few_are_met(const lu *f, const vector *x)
{
    return f->met.marked && !f->tail.rows && f->r_count >= MARKED_LEAST && x->count >= 0 &&
           x->count <= f->r_count / PASSED_AN_ENTRY;
}

static double product(const lu *f, int r, const double value[])
{
    double sum = f->tail.rows ? f->tail.sum[r] : 0;
    for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) sum += f->r_value[e] * value[f->r_index[e]];
    return sum;
}

/* x := R x; tail.sum has the tail's part. */
static void lu_transform(lu *f, vector *x)
{
    if (!few_are_met(f, x)) {
        for (int r = 0; r < f->r_count; r++) {
            double sum = product(f, r, x->value);
            if (sum != 0) vector_add(x, f->r_row[r], sum);
        }
        f->work += f->r_begin[f->r_count];
        return;
    }
    for (int k = 0; k < x->count; k++) mark_entries(f, x->index[k], -1);
    f->work += f->r_count / 64;
    for (int w = 0; w <= (f->r_count - 1) / 64; w++) {
        while (f->met.marked[w]) {
            int r = 64 * w + __builtin_ctzll(f->met.marked[w]), row = f->r_row[r];
            f->met.marked[w] &= f->met.marked[w] - 1;
            f->work += f->r_begin[r + 1] - f->r_begin[r];
            double sum = product(f, r, x->value);
            if (sum == 0) continue;
            if (x->value[row] == 0) mark_entries(f, row, r);
            vector_add(x, row, sum);
        }
    }
}

static void add_transposed(lu *f, int r, vector *x, bool marks)
{
    double v = x->value[f->r_row[r]];
    for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) {
        if (marks && x->value[f->r_index[e]] == 0) mark_rows(f, f->r_index[e], r);
        vector_add(x, f->r_index[e], v * f->r_value[e]);
    }
    f->work += f->r_begin[r + 1] - f->r_begin[r];
}

/* x := R' x; tail.sum gets the multipliers of the tail's part. */
static void lu_transform_t(lu *f, vector *x)
{
    if (!few_are_met(f, x)) {
        for (int r = f->r_count - 1; r >= 0; r--) {
            double v = x->value[f->r_row[r]];
            if (f->tail.rows) f->tail.sum[r] = v;
            if (v != 0) add_transposed(f, r, x, false);
        }
        return;
    }
    for (int k = 0; k < x->count; k++) mark_rows(f, x->index[k], f->r_count);
    f->work += f->r_count / 64;
    for (int w = (f->r_count - 1) / 64; w >= 0; w--) {
        while (f->met.marked[w]) {
            int bit = 63 - __builtin_clzll(f->met.marked[w]), r = 64 * w + bit;
            f->met.marked[w] ^= (uint64_t)1 << bit;
            if (x->value[f->r_row[r]] != 0) add_transposed(f, r, x, true);
        }
    }
}

/* ---- triangular solves ------------------------------------------------------------------------------------------------- */

/* Most density of right-hand side and of expected result for the symbolic search. */
static const double SPARSE_INPUT = 0.05;
static const double SPARSE_RESULT = 0.10;
/* Weight of the past in the average density. */
static const double DENSITY_MEMORY = 0.8;

int lu_lists_reserve(lu_lists *l, long long need)
{
    if (need <= l->capacity) return 0;
    if (need > INT_MAX || MEM_RESIZE(&l->index, need) || MEM_RESIZE(&l->value, need)) return -1;
    l->capacity = (int)need;
    return 0;
}

/* Finds the entries reachable from the nonzeros of x in the lists t, in topological order, at the end of found. Returns their
 * begin. */
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
static void marks_check(const lu *f)
{
    for (int p = 0; p < f->m; p++) CHECK(!f->mark[p]);
}
#endif

/* Solves through the symbolic search; pivot NULL: unit diagonal. Keeps the list of x. */
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

/* A pass over the pivots in order. */
typedef struct pivot_pass {
    const int *order; /* positions; -1: none */
    int begin, end;   /* the part of order */
    int step;         /* 1 forward, -1 backward */
    bool listing;     /* the passes cover every position and list the nonzeros of the result */
    int listed;
} pivot_pass;

/* The first place of a forward pass and the end of a backward pass: results are 0 before the first nonzero of x, or after the last.
 * end: of the order. */
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

/* The two flags are constants in each call, so that each kind has a loop of its own. */
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

/* L, or U scaled by its pivots. */
static void solve_ordered(lu *f, const lu_lists *t, bool scaled, pivot_pass *pass, vector *x)
{
    if (!scaled)
        pass_over(f, t, false, pass->listing, pass, x);
    else
        pass_over(f, t, true, true, pass, x);
}

/* Logicals of U have empty columns and pivot -1. */
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

/* U, or U' by its rows, in four parts: logicals, pivots before the tail, the tail, columns that updates added. */
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

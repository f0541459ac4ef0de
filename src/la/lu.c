/* la/lu.c - factorises a basis: B = L U with rows and columns permuted.
 *
 * Columns of simplex bases have few entries and are mostly triangular already, so there are three passes:
 *
 * 1. logicals, then column singletons, then row singletons, without arithmetic on the remaining rows;
 *    1b. row singletons that appear once a few long columns are set aside;
 * 2. Markowitz elimination of the remaining kernel: the pivot is the entry (i, j) of least (r_i - 1)(c_j - 1) among those of at
 * least `threshold` times the largest of their column, searched in the few shortest rows and columns;
 * 3. U and L are stored by columns and by rows for the solves.
 *
 * Sources: H. M. Markowitz, Management Science 3 (1957); U. H. Suhl and L. M. Suhl, ORSA J. Computing 2 (1990), for the order of
 * search. Deviations: values are kept by columns only, as a threshold test needs whole columns, and rows hold a pattern; a row
 * singleton below the threshold is accepted while the threshold has its default, since it changes no other entry. */
#include "la/lu.h"

#include <float.h>
#include <limits.h>
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "la/dense.h"

/* ---- x := B^-1 x and x := B^-T x with the factors of lu.h -----------------------------------------------------------------------
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

/* Cost of an entry of the tail relative to one in lists. */
static const double TAIL_COST = 1.0 / 8;

/* ---- the tail ---------------------------------------------------------------------------------------------------------- */

static int lu_tail_reserve(lu_tail *tail, int rows)
{
    if (rows <= tail->capacity) return 0;
    size_t size = (size_t)rows, updates = LU_UPDATES;
    if (MEM_RESIZE(&tail->a, size * size) || MEM_RESIZE(&tail->s, updates * size) || MEM_RESIZE(&tail->r, updates * size) ||
        MEM_RESIZE(&tail->x, rows))
        return -1;
    tail->capacity = rows;
    return 0;
}

/* -1: memory */
static void lu_tail_clear(lu *f)
{
    for (int t = 0; t < f->tail.rows; t++) f->tail.place[f->tail.row[t]] = -1;
    f->tail.rows = 0;
}

/* tail->row is set: no list has entries there. */
static void lu_tail_set(lu *f, int rows)
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

static void lu_tail_begin_update(lu *f)
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

static bool lu_tail_takes_r(lu *f, int index, double value) { return takes(f, f->tail.r, index, value); }
/* Stores the tail's entries of the next row transformation and of the column that replaces the one of p. False: not in the tail. */
static bool lu_tail_takes_s(lu *f, int index, double value) { return takes(f, f->tail.s, index, value); }

/* The stored column becomes the one of position p; called before r_count grows. */
static void lu_tail_replace(lu *f, int p)
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
    for (int k = 0; k < f->r_count; k++)
        if (tail->s_of[k] == p) tail->s_of[k] = -1;
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
    for (int t = 0; t < tail->rows; t++)
        if (row[t] >= 0) x->value[row[t]] += tail->x[t];
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
    for (int t = first; t <= last; t++)
        if (row[t] < 0)
            part[t] = 0;
        else if (fabs(part[t]) <= TOL_DROP)
            part[t] = value[row[t]] = 0;
        else
            value[row[t]] = part[t];
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
    for (int k = 0; k < f->r_count; k++)
        if (tail->s_of[k] >= 0) x->value[tail->s_of[k]] -= tail->sum[k];
    return true;
}

/* ---- row transformations of updates: R of lu.h -------------------------------------------------------------------------
 *
 * A large basis has thousands of updates between factorisations, and a sparse x has nonzeros in few of them. Chains (of entries of
 * R by index, of transformations by row) find these; bits mark them, in order, with the same result as applying all. Cost: their
 * entries, and a 64th of the number of transformations. */

/* Least number of transformations for the search by chains, and their number for each entry of x. */
enum { MARKED_LEAST = 128, PASSED_AN_ENTRY = 16 };

/* -1: memory */
static int lu_transform_reserve(lu *f, long long entries)
{
    if (f->r_capacity >= entries) return 0;
    if (MEM_RESIZE(&f->r_index, entries) || MEM_RESIZE(&f->r_value, entries)) return -1;
    if (f->met.marked && (MEM_RESIZE(&f->met.older_entry, entries) || MEM_RESIZE(&f->met.owner, entries))) return -1;
    f->r_capacity = (int)entries;
    return 0;
}

static void lu_transform_init(lu *f, arena *a)
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

/* Row transformations. */
static void lu_transform_clear(lu *f)
{
    for (int r = 0; f->met.marked && r < f->r_count; r++) {
        f->met.newest_row[f->r_row[r]] = -1;
        for (int e = f->r_begin[r]; e < f->r_begin[r + 1]; e++) f->met.newest_entry[f->r_index[e]] = -1;
    }
    f->r_count = f->r_begin[0] = 0;
}

/* Appends one for the row, with entries r_index and r_value from r_begin[r_count] to `end`. */
static void lu_transform_add(lu *f, int row, int end)
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

/* Room for `need` entries in all. -1: memory */
static int lu_lists_reserve(lu_lists *l, long long need)
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
    for (int p = 0; CHECKING && p < f->m; p++) CHECK(!f->mark[p]);
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

/* ---- Forrest-Tomlin update of the factors when one column of the basis is replaced, and copies of factors -----------------------
 *
 * With s = (R L^-1 of the entering column), column p of U becomes s. Moving p to the end of the order leaves row p as the only one
 * with entries in the wrong place; with z' = e_p' U^-1 (the intermediate result of the btran of e_p) the row is cleared by
 *     row p  +=  sum over j != p of (z_j u_pp) row j,      new diagonal = s_p + sum z_j u_pp s_j = u_pp alpha_p,
 * where alpha_p is entry p of the ftran of the entering column: two values of one number, whose difference measures the error of
 * the factors. Source: J. J. H. Forrest and J. A. Tomlin, Mathematical Programming 2 (1972). Deviation: the multipliers come from
 * the btran that the simplex method computes anyway, not from a separate solve. */

static void drop_from(lu_lists *t, int list, int index)
{
    int e = t->begin[list], last = t->begin[list] + --t->length[list];
    while (t->index[e] != index) e++;
    CHECK_COMPARE(e, <=, last); /* the other copy has it */
    t->index[e] = t->index[last];
    t->value[e] = t->value[last];
}

/* Empties list p of one copy of U, whose entries leave the other copy. */
static void clear_list(lu *f, lu_lists *t, lu_lists *other, int p)
{
    for (int e = t->begin[p]; e < t->begin[p] + t->length[p]; e++) {
        f->work += other->length[t->index[e]];
        drop_from(other, t->index[e], p);
    }
    t->length[p] = 0;
}

/* Appends to a row of U; a full row moves to the end of the store. False: no room there. */
static bool append_to_row(lu *f, int row, int index, double value)
{
    lu_lists *t = &f->ut;
    if (t->length[row] == f->ut_capacity[row]) {
        int length = t->length[row], capacity = 2 * length + 4;
        if (t->used + capacity > t->capacity) return false;
        int from = t->begin[row], to = t->used;
        for (int e = 0; e < length; e++) {
            t->index[to + e] = t->index[from + e];
            t->value[to + e] = t->value[from + e];
        }
        t->begin[row] = to;
        f->ut_capacity[row] = capacity;
        t->used += capacity;
    }
    int at = t->begin[row] + t->length[row]++;
    t->index[at] = index;
    t->value[at] = value;
    return true;
}

/* Room for this many updates suffices in a large basis. */
enum { UPDATES_FIT = 100 };

static bool refuse_for_room(lu *f)
{
    if (f->m < LU_LARGE_ROWS || f->updates < UPDATES_FIT) f->growth *= 2;
    return false;
}

bool lu_update(lu *f, int p, double pivot)
{
    const vector *spike = &f->spike, *z = &f->row;
    CHECK(p >= 0 && p < f->m);
    CHECK(f->u_order[f->u_place[p]] == p);
    if (!f->spike_kept || !f->row_kept || f->updates >= (f->tail.rows ? LU_UPDATES : f->updates_most)) return false;
    f->spike_kept = f->row_kept = false;
    int r = f->r_begin[f->r_count];
    if (r + z->count > f->r_capacity || f->u.used + spike->count > f->u.capacity) return refuse_for_room(f);

    lu_tail_begin_update(f);
    double old = f->pivot[p], diagonal = spike->value[p];
    for (int k = 0; k < z->count; k++) {
        int j = z->index[k];
        if (j == p) continue;
        if (!lu_tail_takes_r(f, j, z->value[j] * old)) {
            f->r_index[r] = j;
            f->r_value[r++] = z->value[j] * old;
        }
        diagonal += z->value[j] * old * spike->value[j];
    }
    double expected = old * pivot;
    if (!(fabs(diagonal - expected) <= TOL_PIVOT_DRIFT * (1 + fabs(expected))) || !(fabs(expected) > TOL_DROP)) return false;

    clear_list(f, &f->u, &f->ut, p);
    clear_list(f, &f->ut, &f->u, p);
    f->u.begin[p] = f->u.used;
    for (int k = 0; k < spike->count; k++) {
        int i = spike->index[k];
        if (i == p || fabs(spike->value[i]) <= TOL_DROP || lu_tail_takes_s(f, i, spike->value[i])) continue;
        int at = f->u.begin[p] + f->u.length[p]++;
        f->u.index[at] = i;
        f->u.value[at] = spike->value[i];
        if (!append_to_row(f, i, p, spike->value[i])) return refuse_for_room(f);
    }
    f->u.used += f->u.length[p];
    lu_tail_replace(f, p);
    f->pivot[p] = diagonal;
    f->u_order[f->u_place[p]] = -1;
    f->u_place[p] = f->u_count;
    f->u_order[f->u_count++] = p;

    f->updates++;
    if (r > f->r_begin[f->r_count] || f->tail.rows) lu_transform_add(f, p, r); /* the tail's columns are numbered by these */
    f->work += z->count + 2 * spike->count;
    CHECK_COMPARE(f->u.used, <=, f->u.capacity);
    CHECK_COMPARE(r, <=, f->r_capacity);
    CHECK_COMPARE(f->u_count, <=, f->m + f->updates_most);
    return true;
}

/* ---- copies ------------------------------------------------------------------------------------------------------------
 *
 * Capacities are copied, too: whether an update is refused for room must not depend on earlier contents of the copy. Cost: O(m +
 * entries), for a tail O(rows^2), a small part of a factorisation. */

static int copy_lists(lu_lists *to, const lu_lists *from, int m)
{
    if (lu_lists_reserve(to, from->capacity)) return -1;
    MEM_COPY(to->begin, from->begin, m);
    MEM_COPY(to->length, from->length, m);
    MEM_COPY(to->index, from->index, from->used);
    MEM_COPY(to->value, from->value, from->used);
    to->used = from->used;
    to->capacity = from->capacity;
    return 0;
}

/* The tail of `to` is empty. */
static int copy_tail(lu *to, const lu *from)
{
    lu_tail *t = &to->tail;
    const lu_tail *f = &from->tail;
    int rows = f->rows;
    if (rows == 0) return 0;
    if (lu_tail_reserve(t, rows)) return -1;
    size_t part = (size_t)rows * (size_t)from->r_count;
    MEM_COPY(t->row, f->row, rows);
    MEM_COPY(t->u_row, f->u_row, rows);
    MEM_COPY(t->a, f->a, (size_t)rows * (size_t)rows);
    MEM_COPY(t->s, f->s, part);
    MEM_COPY(t->r, f->r, part);
    MEM_COPY(t->s_of, f->s_of, from->r_count);
    t->rows = rows;
    for (int k = 0; k < rows; k++) t->place[t->row[k]] = k;
    return 0;
}

static int copy_transforms(lu *to, const lu *from)
{
    if (lu_transform_reserve(to, from->r_capacity)) return -1;
    to->r_capacity = from->r_capacity;
    MEM_COPY(to->r_index, from->r_index, from->r_begin[from->r_count]);
    MEM_COPY(to->r_value, from->r_value, from->r_begin[from->r_count]);
    for (int r = 0; r < from->r_count; r++) {
        to->r_begin[r] = from->r_begin[r];
        lu_transform_add(to, from->r_row[r], from->r_begin[r + 1]);
    }
    return 0;
}

int lu_copy(lu *to, const lu *from)
{
    int m = from->m;
    CHECK(to->m == m && to != from);
    lu_tail_clear(to);
    lu_transform_clear(to);
    lu_lists *lists[] = {&to->l, &to->lt, &to->u, &to->ut};
    const lu_lists *others[] = {&from->l, &from->lt, &from->u, &from->ut};
    for (int k = 0; k < 4; k++)
        if (copy_lists(lists[k], others[k], m)) return -1;
    if (copy_tail(to, from) || copy_transforms(to, from)) return -1;
    int *ints[] = {to->l_place, to->lt_place, to->ut_capacity, to->u_place};
    const int *whole[] = {from->l_place, from->lt_place, from->ut_capacity, from->u_place};
    for (int k = 0; k < 4; k++) MEM_COPY(ints[k], whole[k], m);
    MEM_COPY(to->l_order, from->l_order, from->l_count);
    MEM_COPY(to->lt_order, from->lt_order, from->lt_count);
    MEM_COPY(to->u_order, from->u_order, from->u_count);
    MEM_COPY(to->pivot, from->pivot, m);
    to->l_count = from->l_count;
    to->lt_count = from->lt_count;
    to->u_count = from->u_count;
    to->logicals = from->logicals;
    to->updates = from->updates;
    to->spike_kept = to->row_kept = false;
    memcpy(to->density, from->density, sizeof to->density);
    to->work = from->work;
    to->factor_work = from->factor_work;
    to->growth = from->growth;
    return 0;
}

/* ---- factorises a basis ----------------------------------------------------------------------------------------------------- */

/* The active columns, or rows: growing lists of entries, chained by length. A list that outgrows its capacity moves to the end of
 * the block. */
typedef struct active_lists {
    int *begin, *length, *capacity; /* [m] */
    bool valued;                    /* columns have values, rows only a pattern */
    int *index;
    double *value;
    long long used, size;
    int *first, *next, *back; /* list k of length c is in chain c; first: [m + 1] */
} active_lists;

/* Most long columns that are set aside (pass 1b). */
enum { LU_ASIDE_MOST = 8 };

/* The active submatrix. Slots are positions of the given `head`. */
typedef struct markowitz {
    int m;
    int *row_of, *slot_of;      /* of a slot, of a row: its pivot, -1: none yet */
    int *col_count, *row_count; /* pass 1: active entries */
    int *queue;                 /* pass 1: [2 m] */

    int aside[LU_ASIDE_MOST], aside_count; /* slots of the columns set aside, until the kernel is loaded */
    int aside_from;                        /* place in u_order of the first pivot of pass 1b */

    active_lists col, row;
    double *col_max;    /* largest magnitude; < 0: unknown */
    double *multiplier; /* [m] zero between pivots */
    int *marked;        /* rows of the pivot column */
    char *flag;         /* [m] zero between pivots: 1 a row of the pivot column, 2 seen */

    /* Entries of U made in pass 2: row, slot, value */
    int *u_row, *u_slot;
    double *u_value;
    long long u_used, u_size;
} markowitz;

static inline void active_link(active_lists *l, int k)
{
    int count = l->length[k];
    l->next[k] = l->first[count];
    l->back[k] = -1;
    if (l->first[count] >= 0) l->back[l->first[count]] = k;
    l->first[count] = k;
}

static inline void active_unlink(active_lists *l, int k)
{
    if (l->back[k] >= 0)
        l->next[l->back[k]] = l->next[k];
    else
        l->first[l->length[k]] = l->next[k];
    if (l->next[k] >= 0) l->back[l->next[k]] = l->back[k];
}

/* Appends the pivot of `slot` in `row` to U. */
static inline void lu_take(lu *f, markowitz *k, int row, int slot, double pivot)
{
    CHECK(k->slot_of[row] < 0 && k->row_of[slot] < 0);
    CHECK_COMPARE(f->u_count, <, f->m);
    k->row_of[slot] = row;
    k->slot_of[row] = slot;
    f->pivot[row] = pivot;
    f->u_place[row] = f->u_count;
    f->u_order[f->u_count++] = row;
}

/* Appends an entry to the current column of L. -1: memory */
static inline int lu_add_multiplier(lu *f, int row, double value)
{
    if (f->l.used == f->l.capacity && lu_lists_reserve(&f->l, 2LL * f->l.capacity + 64)) return -1;
    f->l.index[f->l.used] = row;
    f->l.value[f->l.used++] = value;
    return 0;
}

/* Appends an entry to U. -1: memory */
static inline int lu_keep_u(markowitz *k, int row, int slot, double value)
{
    if (k->u_used == k->u_size) {
        long long size = 2 * k->u_size + 4LL * k->m + 64;
        if (MEM_RESIZE(&k->u_row, size) || MEM_RESIZE(&k->u_slot, size) || MEM_RESIZE(&k->u_value, size)) return -1;
        k->u_size = size;
    }
    k->u_row[k->u_used] = row;
    k->u_slot[k->u_used] = slot;
    k->u_value[k->u_used++] = value;
    return 0;
}

static inline int active_reserve(active_lists *l, long long size)
{
    if (size <= l->size) return 0;
    if (size > INT_MAX || MEM_RESIZE(&l->index, size) || (l->valued && MEM_RESIZE(&l->value, size))) return -1;
    l->size = size;
    return 0;
}

/* ---- pass 1: pivots that need no arithmetic on the remaining rows -----------------------------------------------------
 *
 *          c c c r r k k k
 *        c x . . . . . . .      c  column singletons: entries of U above them, nothing below
 *        c   x . . . . . .
 *        c     x . . . . .
 *        r       x              r  row singletons: nothing to the right, multipliers below
 *        r       . x
 *        k       . . * * *      k  the kernel of pass 2
 *        k       . . * * *
 *
 * Cost: a look at each entry of the columns with a pivot and of the rows in which they have entries. */

/* Counts active entries and lists the slots of each active row. */
static int list_rows(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m;
    memset(k->row_count, 0, (size_t)m * sizeof(int));
    long long entries = 0;
    for (int s = 0; s < m; s++) {
        k->col_count[s] = 0;
        if (head[s] < m) continue;
        int j = head[s] - m;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (k->slot_of[i] >= 0) continue;
            k->row_count[i]++;
            k->col_count[s]++;
        }
        entries += k->col_count[s];
        f->factor_work += a->start[j + 1] - a->start[j];
    }
    if (active_reserve(&k->row, entries)) return -1;
    int at = 0;
    for (int i = 0; i < m; i++) {
        k->row.begin[i] = at;
        k->row.length[i] = 0;
        at += k->row_count[i];
    }
    for (int s = 0; s < m; s++) {
        if (head[s] < m) continue;
        int j = head[s] - m;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (k->slot_of[i] < 0) k->row.index[k->row.begin[i] + k->row.length[i]++] = s;
        }
    }
    return 0;
}

static double entry_at(const sparse *a, int j, int row)
{
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++)
        if (a->index[e] == row) return a->value[e];
    return 0;
}

static void take_col_singletons(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m, *queue = k->queue, first = 0, last = 0;
    for (int s = 0; s < m; s++)
        if (head[s] >= m && k->col_count[s] == 1) queue[last++] = s;
    while (first < last) {
        int s = queue[first++], j = head[s] - m;
        if (k->col_count[s] != 1) continue;
        int row = -1;
        double value = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1] && row < 0; e++) {
            if (k->slot_of[a->index[e]] >= 0) continue;
            row = a->index[e];
            value = a->value[e];
        }
        f->factor_work += a->start[j + 1] - a->start[j];
        if (!(fabs(value) > TOL_LU_PIVOT)) continue;
        lu_take(f, k, row, s, value);
        for (int e = k->row.begin[row]; e < k->row.begin[row] + k->row.length[row]; e++) {
            int c = k->row.index[e];
            if (k->row_of[c] < 0 && --k->col_count[c] == 1) queue[last++] = c;
        }
        f->factor_work += k->row.length[row];
    }
}

/* Row singletons of the columns whose row_of is -1. strict: none below the threshold. -1: memory */
static int lu_take_row_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold, bool strict)
{
    int m = k->m, *queue = k->queue, first = 0, last = 0;
    for (int i = 0; i < m; i++) {
        k->row_count[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        for (int e = k->row.begin[i]; e < k->row.begin[i] + k->row.length[i]; e++)
            if (k->row_of[k->row.index[e]] < 0) k->row_count[i]++;
        if (k->row_count[i] == 1) queue[last++] = i;
    }
    while (first < last) {
        int row = queue[first++];
        if (k->slot_of[row] >= 0 || k->row_count[row] != 1) continue;
        int s = -1;
        for (int e = k->row.begin[row]; e < k->row.begin[row] + k->row.length[row] && s < 0; e++)
            if (k->row_of[k->row.index[e]] < 0) s = k->row.index[e];
        int j = head[s] - m;
        double value = entry_at(a, j, row), largest = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++)
            if (k->slot_of[a->index[e]] < 0) largest = larger(largest, fabs(a->value[e]));
        f->factor_work += k->row.length[row] + 2 * (a->start[j + 1] - a->start[j]);
        if (!(fabs(value) > TOL_LU_PIVOT)) continue;
        if ((strict || threshold > LU_THRESHOLD) && fabs(value) < threshold * largest) continue;
        lu_take(f, k, row, s, value);
        f->l.begin[row] = f->l.used;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (k->slot_of[i] >= 0) continue;
            if (lu_add_multiplier(f, i, a->value[e] / value)) return -1;
            if (--k->row_count[i] == 1) queue[last++] = i;
        }
        f->l.length[row] = f->l.used - f->l.begin[row];
        if (f->l.length[row]) f->l_order[f->l_count++] = row;
    }
    return 0;
}

static int lu_take_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    if (list_rows(f, k, a, head)) return -1;
    take_col_singletons(f, k, a, head);
    return f->u_count < f->m ? lu_take_row_singletons(f, k, a, head, threshold, false) : 0;
}

/* ---- pass 1b: row singletons without the few longest columns -----------------------------------------------------------
 *
 * A column with entries in much of the kernel (a mean, a total) costs its length at every pivot in one of its rows. Set aside, it
 * leaves row singletons, which become pivots as in pass 1. Then, before the kernel is loaded, each such column x is updated for
 * each of these pivot rows p in order: u_p := x_p, x_i := x_i - l_ip x_p. A million rows z + e = b with one mean z and one sum over
 * e take a second instead of hours. These pivots change the long columns, so, unlike those of pass 1, they must pass the threshold.
 * Cost: O(m) and the entries of L for each column. */

/* Pass 1b needs this many rows, and columns with at least one ASIDE_PART-th of them. */
enum { ASIDE_ROWS = 2000, ASIDE_PART = 8 };

static long long active_entries(const markowitz *k, const sparse *a, int j)
{
    long long count = 0;
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) count += k->slot_of[a->index[e]] < 0;
    return count;
}

/* Collects the long columns in k->aside. True: there are a few. */
static bool find_long(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m, rows = m - f->u_count;
    k->aside_count = 0;
    if (rows < ASIDE_ROWS) return false;
    for (int s = 0; s < m; s++) {
        if (k->row_of[s] >= 0 || head[s] < m) continue;
        int j = head[s] - m;
        if ((a->start[j + 1] - a->start[j]) * ASIDE_PART < rows || active_entries(k, a, j) * ASIDE_PART < rows) continue;
        if (k->aside_count == LU_ASIDE_MOST) return false;
        k->aside[k->aside_count++] = s;
    }
    f->factor_work += m;
    return k->aside_count > 0;
}

static int lu_set_aside(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    int before = k->aside_from = f->u_count;
    bool found = find_long(f, k, a, head);
    for (int t = 0; found && t < k->aside_count; t++) k->row_of[k->aside[t]] = k->m; /* as if it had a pivot */
    int failed = found ? lu_take_row_singletons(f, k, a, head, threshold, true) : 0;
    for (int t = 0; found && t < k->aside_count; t++) k->row_of[k->aside[t]] = -1;
    if (f->u_count == before) k->aside_count = 0;
    return failed;
}

static bool lu_was_aside(const markowitz *k, int slot)
{
    for (int t = 0; t < k->aside_count; t++)
        if (k->aside[t] == slot) return true;
    return false;
}

/* Updates column j of `slot`, which was set aside, by the pivots of pass 1b: appends its entries of U, and stores the others in
 * k->col at begin[slot], where there is room for m. Returns the place after the last; -1: memory. */
static int lu_follow_aside(lu *f, markowitz *k, const sparse *a, int j, int slot)
{
    double *x = k->multiplier;
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++)
        if (f->u_place[a->index[e]] >= k->aside_from || k->slot_of[a->index[e]] < 0) x[a->index[e]] = a->value[e];
    for (int t = k->aside_from; t < f->u_count; t++) {
        int p = f->u_order[t];
        double v = x[p];
        x[p] = 0;
        if (fabs(v) <= TOL_DROP) continue;
        if (lu_keep_u(k, p, slot, v)) return -1;
        for (int e = f->l.begin[p]; e < f->l.begin[p] + f->l.length[p]; e++) x[f->l.index[e]] -= f->l.value[e] * v;
        f->factor_work += f->l.length[p];
    }
    int to = k->col.begin[slot];
    for (int i = 0; i < k->m; i++) {
        double v = x[i];
        x[i] = 0;
        if (fabs(v) <= TOL_DROP) continue;
        k->col.index[to] = i;
        k->col.value[to++] = v;
    }
    f->factor_work += k->m;
    return to;
}

/* Moves the lists without a pivot to a block about twice as large as they need plus `extra`. */
static int spread(active_lists *l, int m, const int pivoted[], long long extra)
{
    long long live = 0;
    for (int c = 0; c < m; c++)
        if (pivoted[c] < 0) live += l->length[c];
    active_lists wider = {.valued = l->valued};
    if (active_reserve(&wider, 3 * live + 2 * extra + m)) {
        mem_free(wider.index);
        return -1;
    }
    for (int c = 0; c < m; c++) {
        if (pivoted[c] >= 0) continue;
        MEM_COPY(wider.index + wider.used, l->index + l->begin[c], l->length[c]);
        if (l->valued) MEM_COPY(wider.value + wider.used, l->value + l->begin[c], l->length[c]);
        l->begin[c] = (int)wider.used;
        l->capacity[c] = l->length[c];
        wider.used += l->length[c];
    }
    MEM_FREE_ALL(l->index, l->value);
    l->index = wider.index;
    l->value = wider.value;
    l->used = wider.used;
    l->size = wider.size;
    return 0;
}

static int widen(active_lists *l, int m, const int pivoted[], int c, int extra)
{
    int need = l->length[c] + extra;
    if (need <= l->capacity[c]) return 0;
    need += need / 2;
    if (l->used + need > l->size && spread(l, m, pivoted, need)) return -1;
    MEM_COPY(l->index + l->used, l->index + l->begin[c], l->length[c]);
    if (l->valued) MEM_COPY(l->value + l->used, l->value + l->begin[c], l->length[c]);
    l->begin[c] = (int)l->used;
    l->capacity[c] = need;
    l->used += need;
    return 0;
}

/* ---- the kernel of pass 2: columns with values, rows with their pattern ----------------------------------------------- */

/* Room for three times the entries of the kernel. -1: memory */
static int reserve_kernel(markowitz *k, const sparse *a, const int head[])
{
    int m = k->m;
    long long entries = 0;
    for (int s = 0; s < m; s++) {
        k->col.length[s] = 0;
        if (k->row_of[s] < 0 && head[s] >= m) entries += a->start[head[s] - m + 1] - a->start[head[s] - m];
    }
    return active_reserve(&k->col, 3 * entries + m) || active_reserve(&k->row, 3 * entries + m) ? -1 : 0;
}

/* Values by columns, and the number of entries of each row. -1: memory */
static int load_columns(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m;
    memset(k->row_count, 0, (size_t)m * sizeof(int));
    k->col.used = 0;
    for (int s = 0; s < m; s++) {
        if (k->row_of[s] >= 0 || head[s] < m) continue;
        int j = head[s] - m, to = (int)k->col.used;
        k->col.begin[s] = to;
        if (lu_was_aside(k, s)) {
            if ((to = lu_follow_aside(f, k, a, j, s)) < 0) return -1;
        } else {
            for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
                if (k->slot_of[a->index[e]] >= 0) continue;
                k->col.index[to] = a->index[e];
                k->col.value[to++] = a->value[e];
            }
        }
        for (int e = k->col.begin[s]; e < to; e++) k->row_count[k->col.index[e]]++;
        k->col.length[s] = to - k->col.begin[s];
        k->col.capacity[s] = k->col.length[s] + 4;
        k->col.used += k->col.capacity[s];
        k->col_max[s] = -1;
        f->factor_work += a->start[j + 1] - a->start[j];
        if (k->col.used + m > k->col.size && spread(&k->col, m, k->row_of, m)) return -1;
    }
    return 0;
}

static int begin_rows(markowitz *k)
{
    int m = k->m;
    k->row.used = 0;
    for (int i = 0; i < m; i++) {
        k->row.length[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        k->row.begin[i] = (int)k->row.used;
        k->row.capacity[i] = k->row_count[i] + 4;
        k->row.used += k->row.capacity[i];
        if (k->row.used + m > k->row.size && active_reserve(&k->row, 2 * (k->row.used + m))) return -1;
    }
    return 0;
}

/* Between two pivots: scratch is zero, and rows and columns have equally many active entries. */
static void lu_kernel_check(const markowitz *k, const int head[])
{
    if (!CHECKING) return;
    long long by_row = 0, by_col = 0;
    for (int i = 0; i < k->m; i++) {
        CHECK(k->multiplier[i] == 0 && k->flag[i] == 0);
        if (k->slot_of[i] < 0) by_row += k->row.length[i];
    }
    for (int s = 0; s < k->m; s++)
        if (k->row_of[s] < 0 && head[s] >= k->m) by_col += k->col.length[s];
    CHECK_COMPARE(by_row, ==, by_col);
}

static int lu_load_kernel(lu *f, markowitz *k, const sparse *a, const int head[])
{
    if (reserve_kernel(k, a, head) || load_columns(f, k, a, head) || begin_rows(k)) return -1;
    /* The pattern by rows, and the chains of rows and columns. */
    int m = k->m;
    for (int c = 0; c <= m; c++) k->col.first[c] = k->row.first[c] = -1;
    for (int s = m - 1; s >= 0; s--) {
        if (k->row_of[s] >= 0 || head[s] < m) continue;
        for (int e = k->col.begin[s]; e < k->col.begin[s] + k->col.length[s]; e++) {
            int i = k->col.index[e];
            k->row.index[k->row.begin[i] + k->row.length[i]++] = s;
        }
        if (k->col.length[s]) active_link(&k->col, s);
    }
    for (int i = m - 1; i >= 0; i--)
        if (k->slot_of[i] < 0 && k->row.length[i]) active_link(&k->row, i);
    lu_kernel_check(k, head);
    return 0;
}

/* ---- the end of pass 2: a nearly dense remainder -----------------------------------------------------------------------
 *
 * An entry in lists costs many times one in BLAS, so sparse pivoting does not pay once every row and column is long. LAPACK
 * factorises the remainder, each pivot the largest of its column. If it has the greater part of the entries it remains one array
 * (the tail), otherwise its entries join the lists of L and U. */

/* Least and most remaining rows, and the fraction of them that the shortest row and column fill. */
enum { DENSE_LEAST = 64, DENSE_MOST = 6000 };
static const double DENSE_PART = 0.3;
/* Cost of an entry in BLAS relative to one in lists. */
static const double DENSE_COST = 1.0 / 16;

/* merit: least product of the numbers of other entries in a pivot's row and column. */
static bool lu_rest_is_dense(const lu *f, double merit)
{
    double rest = f->m - f->u_count;
    return rest >= DENSE_LEAST && rest <= DENSE_MOST && merit >= DENSE_PART * DENSE_PART * rest * rest;
}

/* Lists the rows or columns of the kernel without a pivot; returns their number. */
static int left(const active_lists *l, int m, const int pivoted[], int list[])
{
    int count = 0;
    for (int i = 0; i < m; i++)
        if (pivoted[i] < 0 && l->length[i]) list[count++] = i;
    return count;
}

/* The remainder becomes the tail if it has at least this fraction of the entries in lists. */
static const double TAIL_PART = 0.5;

static bool stays_dense(const lu *f, const markowitz *k, int rows, int cols)
{
    return rows == cols && f->u_count + cols == f->m && (double)rows * rows >= TAIL_PART * (double)(f->l.used + k->u_used);
}

typedef struct dense_rest {
    int rows, cols, *row, *col;
    int *swap, *place; /* [cols] of dense_factor; [m] index of a matrix row in `row` */
    double *a;         /* [rows * cols] by columns */
} dense_rest;

static void gather_rest(const markowitz *k, dense_rest *d)
{
    size_t rows = (size_t)d->rows;
    for (int r = 0; r < d->rows; r++) d->place[d->row[r]] = r;
    memset(d->a, 0, rows * (size_t)d->cols * sizeof *d->a);
    for (int c = 0; c < d->cols; c++) {
        int begin = k->col.begin[d->col[c]];
        for (int e = begin; e < begin + k->col.length[d->col[c]]; e++)
            d->a[(size_t)c * rows + (size_t)d->place[k->col.index[e]]] = k->col.value[e];
    }
}

/* Stores pivot t of the remainder: its column of L and its row of U. -1: memory */
static int take_dense(lu *f, markowitz *k, const dense_rest *d, int t)
{
    size_t rows = (size_t)d->rows;
    const double *column = d->a + (size_t)t * rows;
    int row = d->row[t];
    f->l.begin[row] = f->l.used;
    for (int r = t + 1; r < d->rows; r++)
        if (fabs(column[r]) >= TOL_DROP && lu_add_multiplier(f, d->row[r], column[r])) return -1;
    f->l.length[row] = f->l.used - f->l.begin[row];
    if (f->l.length[row]) f->l_order[f->l_count++] = row;
    for (int c = t + 1; c < d->cols; c++) {
        double value = d->a[(size_t)c * rows + (size_t)t];
        if (fabs(value) >= TOL_DROP && lu_keep_u(k, row, d->col[c], value)) return -1;
    }
    lu_take(f, k, row, d->col[t], column[t]);
    return 0;
}

static int eliminate_rest(lu *f, markowitz *k, dense_rest *d)
{
    int failed = dense_factor(d->rows, d->cols, d->a, TOL_LU_PIVOT, d->swap, f->limit);
    if (failed < 0) return failed == DENSE_LIMIT ? 1 : -1;
    if (failed > 0) return 2;
    f->factor_work += (long long)(DENSE_COST * d->rows * d->cols * d->cols);
    for (int t = 0; t < d->cols; t++) {
        int other = d->row[d->swap[t]];
        d->row[d->swap[t]] = d->row[t];
        d->row[t] = other;
    }
    if (stays_dense(f, k, d->rows, d->cols)) {
        for (int t = 0; t < d->cols; t++) {
            lu_take(f, k, d->row[t], d->col[t], d->a[(size_t)t * (size_t)d->rows + (size_t)t]);
            f->tail.row[t] = d->row[t];
        }
        lu_tail_set(f, d->cols);
    } else {
        for (int t = 0; t < d->cols; t++)
            if (take_dense(f, k, d, t)) return -1;
    }
    for (int r = 0; r < d->rows; r++) k->row.length[d->row[r]] = 0;
    return 0;
}

/* 0; -1: memory, 1: limit reached, 2: singular (nothing changed). */
static int lu_eliminate_rest(lu *f, markowitz *k)
{
    dense_rest d = {.row = k->marked, .col = k->row_count, .swap = k->queue, .place = k->queue + k->m};
    d.rows = left(&k->row, k->m, k->slot_of, d.row);
    d.cols = left(&k->col, k->m, k->row_of, d.col);
    if (d.cols > d.rows) return 2;
    if (lu_tail_reserve(&f->tail, d.rows)) return -1;
    d.a = f->tail.a;
    gather_rest(k, &d);
    return eliminate_rest(f, k, &d);
}

/* ---- pass 2: Markowitz elimination ------------------------------------------------------------------------------------- */

/* Columns and rows searched after which the best pivot found is accepted. */
enum { SEARCH_LISTS = 4 };

static double col_largest(markowitz *k, int c)
{
    if (k->col_max[c] >= 0) return k->col_max[c];
    double largest = 0;
    for (int e = k->col.begin[c]; e < k->col.begin[c] + k->col.length[c]; e++) largest = larger(largest, fabs(k->col.value[e]));
    return k->col_max[c] = largest;
}

static int find_in_col(const markowitz *k, int c, int row)
{
    int e = k->col.begin[c];
    while (k->col.index[e] != row) e++;
    return e;
}

static void drop_from_row(markowitz *k, int i, int c)
{
    int *list = k->row.index + k->row.begin[i], e = 0;
    while (list[e] != c) e++;
    list[e] = list[--k->row.length[i]];
}

/* A column without an acceptable pivot leaves the active part; a logical replaces it. */
static void reject_col(markowitz *k, int c)
{
    active_unlink(&k->col, c);
    for (int e = k->col.begin[c]; e < k->col.begin[c] + k->col.length[c]; e++) {
        int i = k->col.index[e];
        active_unlink(&k->row, i);
        drop_from_row(k, i, c);
        if (k->row.length[i]) active_link(&k->row, i);
    }
    k->col.length[c] = 0;
}

typedef struct pivot_choice {
    int row, slot; /* -1: none */
    double size, merit;
} pivot_choice;

static void consider(pivot_choice *best, int row, int slot, double size, double merit)
{
    if (merit < best->merit || (merit == best->merit && size > best->size)) *best = (pivot_choice){row, slot, size, merit};
}

static void search_col(lu *f, markowitz *k, int c, double threshold, pivot_choice *best)
{
    double least = larger(threshold * col_largest(k, c), TOL_LU_PIVOT);
    for (int e = k->col.begin[c]; e < k->col.begin[c] + k->col.length[c]; e++) {
        double size = fabs(k->col.value[e]);
        int i = k->col.index[e];
        if (size >= least) consider(best, i, c, size, (double)(k->col.length[c] - 1) * (k->row.length[i] - 1));
    }
    f->factor_work += k->col.length[c];
}

static void search_row(lu *f, markowitz *k, int i, double threshold, pivot_choice *best)
{
    for (int e = k->row.begin[i]; e < k->row.begin[i] + k->row.length[i]; e++) {
        int c = k->row.index[e];
        double merit = (double)(k->col.length[c] - 1) * (k->row.length[i] - 1);
        if (merit > best->merit) continue;
        double size = fabs(k->col.value[find_in_col(k, c, i)]);
        f->factor_work += k->col.length[c];
        if (size >= larger(threshold * col_largest(k, c), TOL_LU_PIVOT)) consider(best, i, c, size, merit);
    }
}

static pivot_choice choose(lu *f, markowitz *k, double threshold)
{
    pivot_choice best = {-1, -1, 0, DBL_MAX};
    int searched = 0;
    for (int count = 1; count <= k->m; count++) {
        if (best.row >= 0 && best.merit <= (double)(count - 1) * (count - 1)) break;
        for (int c = k->col.first[count], next; c >= 0; c = next) {
            next = k->col.next[c];
            if (!(col_largest(k, c) > TOL_LU_PIVOT)) {
                reject_col(k, c);
                continue;
            }
            search_col(f, k, c, threshold, &best);
            if (++searched >= SEARCH_LISTS && best.row >= 0) return best;
            if (count == 1 && best.row >= 0) return best;
        }
        if (best.row >= 0 && best.merit <= (double)count * (count - 1)) break;
        for (int i = k->row.first[count]; i >= 0; i = k->row.next[i]) {
            search_row(f, k, i, count == 1 && threshold <= LU_THRESHOLD ? 0 : threshold, &best);
            if (++searched >= SEARCH_LISTS && best.row >= 0) return best;
            if (count == 1 && best.row >= 0) return best;
        }
    }
    return best;
}

/* Column c minus `factor` times the pivot column: entries change, cancel, or fill in. */
static int subtract(lu *f, markowitz *k, int c, double factor, int marked)
{
    int begin = k->col.begin[c], kept = begin, unseen = marked;
    for (int e = begin; e < begin + k->col.length[c]; e++) {
        int i = k->col.index[e];
        double value = k->col.value[e];
        if (k->flag[i]) {
            value -= factor * k->multiplier[i];
            k->flag[i] = 2;
            unseen--;
            if (fabs(value) < TOL_DROP) {
                drop_from_row(k, i, c);
                continue;
            }
        }
        k->col.index[kept] = i;
        k->col.value[kept++] = value;
    }
    f->factor_work += k->col.length[c] + marked;
    k->col.length[c] = kept - begin;
    if (unseen && widen(&k->col, k->m, k->row_of, c, unseen)) return -1;
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        if (k->flag[i] == 1) {
            double value = -factor * k->multiplier[i];
            if (fabs(value) < TOL_DROP) continue;
            int to = k->col.begin[c] + k->col.length[c]++;
            k->col.index[to] = i;
            k->col.value[to] = value;
            if (widen(&k->row, k->m, k->slot_of, i, 1)) return -1;
            k->row.index[k->row.begin[i] + k->row.length[i]++] = c;
        }
        k->flag[i] = 1;
    }
    return 0;
}

static int eliminate(lu *f, markowitz *k, int row, int slot)
{
    int marked = 0, at = find_in_col(k, slot, row);
    double pivot = k->col.value[at];
    active_unlink(&k->col, slot);
    active_unlink(&k->row, row);
    f->l.begin[row] = f->l.used;
    for (int e = k->col.begin[slot]; e < k->col.begin[slot] + k->col.length[slot]; e++) {
        int i = k->col.index[e];
        if (i == row) continue;
        double multiplier = k->col.value[e] / pivot;
        active_unlink(&k->row, i);
        drop_from_row(k, i, slot);
        if (lu_add_multiplier(f, i, multiplier)) return -1;
        k->multiplier[i] = multiplier;
        k->flag[i] = 1;
        k->marked[marked++] = i;
    }
    f->l.length[row] = marked;
    if (marked) f->l_order[f->l_count++] = row;
    k->col.length[slot] = 0;

    int error = 0;
    for (int r = 0; r < k->row.length[row] && !error; r++) {
        int c = k->row.index[k->row.begin[row] + r];
        if (c == slot) continue;
        active_unlink(&k->col, c);
        int e = find_in_col(k, c, row), last = k->col.begin[c] + k->col.length[c] - 1;
        double factor = k->col.value[e];
        f->factor_work += e - k->col.begin[c];
        k->col.index[e] = k->col.index[last];
        k->col.value[e] = k->col.value[last];
        k->col.length[c]--;
        error = lu_keep_u(k, row, c, factor) || (marked && subtract(f, k, c, factor, marked));
        k->col_max[c] = -1;
        if (k->col.length[c]) active_link(&k->col, c);
    }
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        k->multiplier[i] = 0;
        k->flag[i] = 0;
        if (!error && k->row.length[i]) active_link(&k->row, i);
    }
    lu_take(f, k, row, slot, pivot); /* last, as the list of the row must move with the others */
    return error;
}

/* Entries touched between two readings of the clock: well below a millisecond. */
enum { WORK_PER_READING = 100000 };

static bool out_of_time(const lu *f, long long *read_at)
{
    if (!f->limit || f->factor_work < *read_at) return false;
    *read_at = f->factor_work + WORK_PER_READING;
    return deadline_expired(f->limit);
}

/* -1: memory, 1: limit reached */
static int lu_eliminate_kernel(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    long long read_at = 0;
    bool lists = false; /* the remainder was too singular for dense_factor */
    if (lu_load_kernel(f, k, a, head)) return -1;
    for (pivot_choice c; (c = choose(f, k, threshold)).row >= 0;) {
        if (!lists && lu_rest_is_dense(f, c.merit)) {
            int failed = lu_eliminate_rest(f, k);
            if (failed < 2) return failed;
            lists = true;
        }
        if (eliminate(f, k, c.row, c.slot)) return -1;
        if (out_of_time(f, &read_at)) return 1;
    }
    lu_kernel_check(k, head);
    return 0;
}

/* ---- pass 3: U and L by columns and by rows, by counting: O(entries + m) ----------------------------------------------- */

/* Rows of L, the order of those that have entries, and the places of both orders. */
static int transpose_l(lu *f)
{
    int m = f->m;
    if (lu_lists_reserve(&f->lt, f->l.used)) return -1;
    memset(f->lt.length, 0, (size_t)m * sizeof(int));
    for (int e = 0; e < f->l.used; e++) f->lt.length[f->l.index[e]]++;
    int at = 0;
    for (int i = 0; i < m; i++) {
        f->lt.begin[i] = at;
        at += f->lt.length[i];
        f->lt.length[i] = 0;
    }
    f->lt.used = at;
    for (int t = 0; t < f->l_count; t++) {
        int p = f->l_order[t];
        for (int e = f->l.begin[p]; e < f->l.begin[p] + f->l.length[p]; e++) {
            int i = f->l.index[e], to = f->lt.begin[i] + f->lt.length[i]++;
            f->lt.index[to] = p;
            f->lt.value[to] = f->l.value[e];
        }
    }
    for (int p = 0; p < m; p++) f->l_place[p] = f->l_count;
    for (int t = 0; t < f->l_count; t++) f->l_place[f->l_order[t]] = t;
    f->lt_count = 0;
    for (int t = 0; t < m; t++) {
        int i = f->u_order[t];
        f->lt_place[i] = f->lt.length[i] ? f->lt_count : -1;
        if (f->lt.length[i]) f->lt_order[f->lt_count++] = i;
    }
    return 0;
}

/* Spare room after each row of U, so that few updates have to move it. */
enum { ROW_SPARE = 4 };

/* Counts an entry of U, and stores it when `fill` is set. */
static inline void place_u(lu *f, bool fill, int i, int p, double value)
{
    if (fill) {
        int to = f->u.begin[p] + f->u.length[p], to_row = f->ut.begin[i] + f->ut.length[i];
        f->u.index[to] = i;
        f->u.value[to] = value;
        f->ut.index[to_row] = p;
        f->ut.value[to_row] = value;
    }
    f->u.length[p]++;
    f->ut.length[i]++;
}

/* Entries of column `head[slot]` in rows of pass 1 pivoted before the slot are entries of U; those of pass 2 are in k->u_*. */
static void place_all(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass, bool fill)
{
    int m = f->m;
    for (int s = 0; s < m; s++) {
        if (head[s] < m) continue;
        int j = head[s] - m, p = k->row_of[s];
        int before = f->u_place[p] < first_pass ? f->u_place[p] : first_pass;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++)
            if (f->u_place[a->index[e]] < before) place_u(f, fill, a->index[e], p, a->value[e]);
    }
    for (long long e = 0; e < k->u_used; e++) {
        int s = k->u_slot[e];
        if (head[s] >= m) place_u(f, fill, k->u_row[e], k->row_of[s], k->u_value[e]); /* else replaced */
    }
}

/* Entries reserved for updates: this many for each of the first LU_LARGE_ROWS rows, one for each other row, as entering columns are
 * short relative to a long basis; if they are not, it is factorised sooner. */
enum { SPARE_A_ROW = 20 };

/* Room for U, for entering columns and for row transformations, after counting. -1: memory */
static int reserve_u(lu *f)
{
    int m = f->m;
    long long entries = 0;
    for (int p = 0; p < m; p++) entries += f->u.length[p];
    entries += (long long)f->tail.rows * f->tail.rows / 2;
    long long spare =
        SPARE_A_ROW * (long long)(m < LU_LARGE_ROWS ? m : LU_LARGE_ROWS) + (m < LU_LARGE_ROWS ? 0 : m - LU_LARGE_ROWS);
    long long later = (long long)(f->growth * (double)(entries + spare + 1000));
    if (lu_lists_reserve(&f->u, entries + later)) return -1;
    if (lu_lists_reserve(&f->ut, entries + (long long)ROW_SPARE * m + later)) return -1;
    return lu_transform_reserve(f, later);
}

/* Entries of U lie in rows pivoted before their column, and both copies have equally many. */
static void layout_check(const lu *f)
{
    if (!CHECKING) return;
    long long by_col = 0, by_row = 0;
    for (int p = 0; p < f->m; p++) {
        CHECK(f->u_order[f->u_place[p]] == p);
        CHECK(f->pivot[p] != 0);
        for (int e = f->u.begin[p]; e < f->u.begin[p] + f->u.length[p]; e++)
            CHECK_COMPARE(f->u_place[f->u.index[e]], <, f->u_place[p]);
        by_col += f->u.length[p];
        by_row += f->ut.length[p];
    }
    CHECK_COMPARE(by_col, ==, by_row);
}

static int lu_lay_out(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass)
{
    int m = f->m;
    CHECK_COMPARE(f->u_count, ==, m);
    memset(f->u.length, 0, (size_t)m * sizeof(int));
    memset(f->ut.length, 0, (size_t)m * sizeof(int));
    place_all(f, k, a, head, first_pass, false);
    if (reserve_u(f)) return -1;
    int at = 0, at_row = 0;
    for (int p = 0; p < f->m; p++) {
        f->u.begin[p] = at;
        at += f->u.length[p];
        f->u.length[p] = 0;
        f->ut.begin[p] = at_row;
        f->ut_capacity[p] = f->ut.length[p] + ROW_SPARE;
        at_row += f->ut_capacity[p];
        f->ut.length[p] = 0;
    }
    f->u.used = at;
    f->ut.used = at_row;
    place_all(f, k, a, head, first_pass, true);
    layout_check(f);
    f->factor_work += f->u.used + 2LL * m;
    return transpose_l(f);
}

/* ---- life and the three passes ----------------------------------------------------------------------------------------- */

static markowitz *markowitz_new(arena *a, int m)
{
    markowitz *k = ARENA_ZERO(a, markowitz, 1);
    if (!k) return NULL;
    k->m = m;
    k->col.valued = true;
    int **ints[] = {&k->row_of,    &k->slot_of,    &k->col_count,    &k->row_count, &k->marked,
                    &k->col.begin, &k->col.length, &k->col.capacity, &k->col.next,  &k->col.back,
                    &k->row.begin, &k->row.length, &k->row.capacity, &k->row.next,  &k->row.back};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) *ints[i] = ARENA_NEW(a, int, m);
    k->queue = ARENA_NEW(a, int, 2 * (size_t)m);
    k->col.first = ARENA_NEW(a, int, m + 1);
    k->row.first = ARENA_NEW(a, int, m + 1);
    k->col_max = ARENA_NEW(a, double, m);
    k->multiplier = ARENA_ZERO(a, double, m);
    k->flag = ARENA_ZERO(a, char, m);
    return k;
}

/* Above LU_LARGE_ROWS a factorisation costs as much as many updates: one more update for each ROWS_AN_UPDATE rows. */
enum { UPDATES_SMALL = 100, ROWS_AN_UPDATE = 50 };

int lu_updates_most(int m) { return m <= LU_LARGE_ROWS ? UPDATES_SMALL : UPDATES_SMALL + (m - LU_LARGE_ROWS) / ROWS_AN_UPDATE; }

lu *lu_new(int m)
{
    arena a = {0};
    lu *f = ARENA_ZERO(&a, lu, 1);
    if (!f) return NULL;
    f->m = m;
    f->growth = 2.0;
    lu_lists *lists[] = {&f->l, &f->lt, &f->u, &f->ut};
    bool grown = true;
    for (int i = 0; i < 4; i++) {
        lists[i]->begin = ARENA_ZERO(&a, int, m);
        lists[i]->length = ARENA_ZERO(&a, int, m);
        grown = grown && !lu_lists_reserve(lists[i], 4 * m + 64);
    }
    int **ints[] = {&f->l_order, &f->lt_order, &f->ut_capacity, &f->u_place,    &f->stack,   &f->stack_next,
                    &f->found,   &f->tail.row, &f->tail.u_row,  &f->tail.place, &f->l_place, &f->lt_place};
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) *ints[i] = ARENA_NEW(&a, int, m);
    f->updates_most = lu_updates_most(m) > LU_UPDATES ? lu_updates_most(m) : LU_UPDATES;
    f->u_order = ARENA_NEW(&a, int, m + f->updates_most);
    lu_transform_init(f, &a);
    f->pivot = ARENA_NEW(&a, double, m);
    f->mark = ARENA_ZERO(&a, char, m);
    vector_init(&f->spike, &a, m);
    vector_init(&f->row, &a, m);
    f->tail.s_of = ARENA_NEW(&a, int, LU_UPDATES);
    f->tail.sum = ARENA_NEW(&a, double, LU_UPDATES);
    for (int p = 0; f->tail.place && p < m; p++) f->tail.place[p] = -1;
    f->kernel = markowitz_new(&a, m);
    f->memory = a;
    if (grown && !a.failed) return f;
    lu_free(f);
    return NULL;
}

void lu_free(lu *f)
{
    if (!f) return;
    lu_lists *lists[] = {&f->l, &f->lt, &f->u, &f->ut};
    for (int i = 0; i < 4; i++) MEM_FREE_ALL(lists[i]->index, lists[i]->value);
    MEM_FREE_ALL(f->r_index, f->r_value, f->met.older_entry, f->met.owner);
    MEM_FREE_ALL(f->tail.a, f->tail.s, f->tail.r, f->tail.x);
    markowitz *k = f->kernel;
    if (k) {
        void *grown[] = {k->col.index, k->col.value, k->row.index, k->u_row, k->u_slot, k->u_value};
        for (size_t i = 0; i < sizeof grown / sizeof *grown; i++) mem_free(grown[i]);
    }
    arena_free(&f->memory);
}

void lu_set_limit(lu *f, const deadline *limit) { f->limit = limit; }

/* Logicals get the remaining rows and slots. */
static int replace_rest(lu *f, markowitz *k, int head[])
{
    int count = 0, row = 0;
    for (int s = 0; s < k->m; s++) {
        if (k->row_of[s] >= 0) continue;
        while (k->slot_of[row] >= 0) row++;
        head[s] = row;
        lu_take(f, k, row, s, -1.0);
        count++;
    }
    return count;
}

int lu_factor(lu *f, const sparse *a, int head[], double threshold, int *replaced)
{
    int m = f->m;
    markowitz *k = f->kernel;
    f->work = f->factor_work = 0;
    f->l_count = f->u_count = 0;
    lu_tail_clear(f);
    f->l.used = 0;
    f->updates = 0;
    lu_transform_clear(f);
    f->spike_kept = f->row_kept = false;
    k->u_used = 0;
    memset(f->l.length, 0, (size_t)m * sizeof(int));
    for (int i = 0; i < m; i++) k->row_of[i] = k->slot_of[i] = -1;

    for (int s = 0; s < m; s++)
        if (head[s] < m && k->slot_of[head[s]] < 0) lu_take(f, k, head[s], s, -1.0);
    f->logicals = f->u_count;
    if (f->u_count < m) {
        if (lu_take_singletons(f, k, a, head, threshold)) return -1;
    }
    int first_pass = f->u_count;
    if (lu_set_aside(f, k, a, head, threshold)) return -1;
    if (f->u_count < m) {
        int failed = lu_eliminate_kernel(f, k, a, head, threshold);
        if (failed) return failed;
    }
    *replaced = replace_rest(f, k, head);
    if (lu_lay_out(f, k, a, head, first_pass)) return -1;

    for (int s = 0; s < m; s++) k->queue[k->row_of[s]] = head[s];
    memcpy(head, k->queue, (size_t)m * sizeof(int));
    return 0;
}

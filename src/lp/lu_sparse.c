/* lp/lu_sparse.c - factorises a basis: B = L U with rows and columns permuted.
 *
 * Columns of simplex bases are few entries long and mostly triangular already, so three passes are made:
 *   1. logicals, then columns with a single entry in the rows left, then rows with a single entry in the columns
 *      left: none of these needs arithmetic on the rest;
 *   2. on the kernel that remains, Markowitz pivoting: the entry (i, j) of least (r_i - 1)(c_j - 1) among those of
 *      at least `threshold` times the largest of their column, looked for in the few shortest rows and columns;
 *   3. the pieces are laid out by columns and by rows for the solves.
 * Sources: H. M. Markowitz, Management Science 3 (1957); U. H. Suhl and L. M. Suhl, ORSA J. Computing 2 (1990), for
 * the order of search. Deviations: values are kept by columns only and rows hold a pattern, as a test of
 * the threshold needs whole columns; a row singleton is taken below the threshold while threshold is at its
 * default, since it changes no other entry.
 */
#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lp/lu_private.h"
#include "lp/tolerance.h"

/* Columns and rows looked at before the best pivot found so far is taken. */
#define SEARCH_LISTS 4

/* The active submatrix. Slots are positions of `head` as given; rows are rows. */
typedef struct markowitz {
    int m;
    int *row_of, *slot_of;      /* of slot, of row: pivots made, -1 none yet */
    int *col_count, *row_count; /* pass 1: active entries */
    int *queue;                 /* pass 1: [2 m] */

    int *col_begin, *col_length, *col_room;
    int *col_index;
    double *col_value;
    long long col_used, col_size;
    int *row_begin, *row_length, *row_room;
    int *row_index;
    long long row_used, row_size;

    /* Rows and columns chained by their number of active entries; slot k of count c is in chain c. */
    int *col_first, *col_next, *col_back; /* first: [m + 1] */
    int *row_first, *row_next, *row_back;
    double *col_max;    /* largest magnitude; < 0: unknown */
    double *multiplier; /* [m] zero between pivots */
    int *marked;        /* rows of the pivot column */
    char *flag;         /* [m] zero between pivots: 1 a row of the pivot column, 2 seen */

    /* Entries of U made in pass 2: row, slot, value */
    int *u_row, *u_slot;
    double *u_value;
    long long u_used, u_size;
} markowitz;

struct markowitz *markowitz_new(int m)
{
    markowitz *k = MEM_ZERO(markowitz, 1);
    if (!k) return NULL;
    k->m = m;
    int **ints[] = {&k->row_of,     &k->slot_of,  &k->col_count, &k->row_count,  &k->col_begin,
                    &k->col_length, &k->col_room, &k->row_begin, &k->row_length, &k->row_room,
                    &k->col_next,   &k->col_back, &k->row_next,  &k->row_back,   &k->marked};
    bool ok = true;
    for (size_t i = 0; i < sizeof ints / sizeof *ints; i++) ok = (*ints[i] = MEM_NEW(int, m)) && ok;
    ok = (k->queue = MEM_NEW(int, 2 * (size_t)m)) && ok;
    ok = (k->col_first = MEM_NEW(int, m + 1)) && ok;
    ok = (k->row_first = MEM_NEW(int, m + 1)) && ok;
    ok = (k->col_max = MEM_NEW(double, m)) && ok;
    ok = (k->multiplier = MEM_ZERO(double, m)) && ok;
    ok = (k->flag = MEM_ZERO(char, m)) && ok;
    if (ok) return k;
    markowitz_free(k);
    return NULL;
}

void markowitz_free(struct markowitz *k)
{
    if (!k) return;
    void *blocks[] = {k->row_of,     k->slot_of,   k->col_count, k->row_count, k->queue,      k->col_begin, k->col_length,
                      k->col_room,   k->col_index, k->col_value, k->row_begin, k->row_length, k->row_room,  k->row_index,
                      k->col_first,  k->col_next,  k->col_back,  k->row_first, k->row_next,   k->row_back,  k->col_max,
                      k->multiplier, k->marked,    k->flag,      k->u_row,     k->u_slot,     k->u_value};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) mem_free(blocks[i]);
    mem_free(k);
}

/* ---- chains ------------------------------------------------------------------------------------------------ */

static void chain_in(int first[], int next[], int back[], int count, int k)
{
    next[k] = first[count];
    back[k] = -1;
    if (first[count] >= 0) back[first[count]] = k;
    first[count] = k;
}

static void chain_out(int first[], int next[], int back[], int count, int k)
{
    if (back[k] >= 0)
        next[back[k]] = next[k];
    else
        first[count] = next[k];
    if (next[k] >= 0) back[next[k]] = back[k];
}

static void col_link(markowitz *k, int c) { chain_in(k->col_first, k->col_next, k->col_back, k->col_length[c], c); }
static void col_unlink(markowitz *k, int c) { chain_out(k->col_first, k->col_next, k->col_back, k->col_length[c], c); }
static void row_link(markowitz *k, int i) { chain_in(k->row_first, k->row_next, k->row_back, k->row_length[i], i); }
static void row_unlink(markowitz *k, int i) { chain_out(k->row_first, k->row_next, k->row_back, k->row_length[i], i); }

/* ---- room -------------------------------------------------------------------------------------------------- */

/* Moves all active columns into a block twice as large as they need plus `extra`. */
static int col_spread(markowitz *k, long long extra)
{
    long long live = 0;
    for (int c = 0; c < k->m; c++) {
        if (k->row_of[c] < 0) live += k->col_length[c];
    }
    long long size = 3 * live + 2 * extra + k->m;
    if (size > INT_MAX) return -1;
    int *index = MEM_NEW(int, size);
    double *value = MEM_NEW(double, size);
    if (!index || !value) {
        mem_free(index);
        mem_free(value);
        return -1;
    }
    long long used = 0;
    for (int c = 0; c < k->m; c++) {
        if (k->row_of[c] >= 0) continue;
        MEM_COPY(index + used, k->col_index + k->col_begin[c], k->col_length[c]);
        MEM_COPY(value + used, k->col_value + k->col_begin[c], k->col_length[c]);
        k->col_begin[c] = (int)used;
        k->col_room[c] = k->col_length[c];
        used += k->col_length[c];
    }
    mem_free(k->col_index);
    mem_free(k->col_value);
    k->col_index = index;
    k->col_value = value;
    k->col_used = used;
    k->col_size = size;
    return 0;
}

static int col_widen(markowitz *k, int c, int extra)
{
    int need = k->col_length[c] + extra;
    if (need <= k->col_room[c]) return 0;
    need += need / 2;
    if (k->col_used + need > k->col_size && col_spread(k, need)) return -1;
    MEM_COPY(k->col_index + k->col_used, k->col_index + k->col_begin[c], k->col_length[c]);
    MEM_COPY(k->col_value + k->col_used, k->col_value + k->col_begin[c], k->col_length[c]);
    k->col_begin[c] = (int)k->col_used;
    k->col_room[c] = need;
    k->col_used += need;
    return 0;
}

static int row_spread(markowitz *k, long long extra)
{
    long long live = 0;
    for (int i = 0; i < k->m; i++) {
        if (k->slot_of[i] < 0) live += k->row_length[i];
    }
    long long size = 3 * live + 2 * extra + k->m;
    if (size > INT_MAX) return -1;
    int *index = MEM_NEW(int, size);
    if (!index) return -1;
    long long used = 0;
    for (int i = 0; i < k->m; i++) {
        if (k->slot_of[i] >= 0) continue;
        MEM_COPY(index + used, k->row_index + k->row_begin[i], k->row_length[i]);
        k->row_begin[i] = (int)used;
        k->row_room[i] = k->row_length[i];
        used += k->row_length[i];
    }
    mem_free(k->row_index);
    k->row_index = index;
    k->row_used = used;
    k->row_size = size;
    return 0;
}

static int row_widen(markowitz *k, int i, int extra)
{
    int need = k->row_length[i] + extra;
    if (need <= k->row_room[i]) return 0;
    need += need / 2;
    if (k->row_used + need > k->row_size && row_spread(k, need)) return -1;
    MEM_COPY(k->row_index + k->row_used, k->row_index + k->row_begin[i], k->row_length[i]);
    k->row_begin[i] = (int)k->row_used;
    k->row_room[i] = need;
    k->row_used += need;
    return 0;
}

/* ---- pass 1: triangular parts --------------------------------------------------------------------------------- */

static void take(lu *f, markowitz *k, int row, int slot, double pivot)
{
    k->row_of[slot] = row;
    k->slot_of[row] = slot;
    f->pivot[row] = pivot;
    f->u_place[row] = f->u_count;
    f->u_order[f->u_count++] = row;
}

static int add_multiplier(lu *f, int row, double value)
{
    if (f->l.used == f->l.room && lu_lists_reserve(&f->l, 2LL * f->l.room + 64)) return -1;
    f->l.index[f->l.used] = row;
    f->l.value[f->l.used++] = value;
    return 0;
}

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
    if (entries > INT_MAX) return -1;
    if (entries > k->row_size) {
        int *index = mem_resize(k->row_index, (size_t)entries, sizeof *index);
        if (!index) return -1;
        k->row_index = index;
        k->row_size = entries;
    }
    int at = 0;
    for (int i = 0; i < m; i++) {
        k->row_begin[i] = at;
        k->row_length[i] = 0;
        at += k->row_count[i];
    }
    for (int s = 0; s < m; s++) {
        if (head[s] < m) continue;
        int j = head[s] - m;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (k->slot_of[i] < 0) k->row_index[k->row_begin[i] + k->row_length[i]++] = s;
        }
    }
    return 0;
}

static double entry_at(const sparse *a, int j, int row)
{
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
        if (a->index[e] == row) return a->value[e];
    }
    return 0;
}

static void take_col_singletons(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m, *queue = k->queue, first = 0, last = 0;
    for (int s = 0; s < m; s++) {
        if (head[s] >= m && k->col_count[s] == 1) queue[last++] = s;
    }
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
        take(f, k, row, s, value);
        for (int e = k->row_begin[row]; e < k->row_begin[row] + k->row_length[row]; e++) {
            int c = k->row_index[e];
            if (k->row_of[c] < 0 && --k->col_count[c] == 1) queue[last++] = c;
        }
        f->factor_work += k->row_length[row];
    }
}

static int take_row_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    int m = k->m, *queue = k->queue, first = 0, last = 0;
    /* Columns taken above are gone from the rows; count afresh. */
    for (int i = 0; i < m; i++) {
        k->row_count[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        for (int e = k->row_begin[i]; e < k->row_begin[i] + k->row_length[i]; e++) {
            if (k->row_of[k->row_index[e]] < 0) k->row_count[i]++;
        }
        if (k->row_count[i] == 1) queue[last++] = i;
    }
    while (first < last) {
        int row = queue[first++];
        if (k->slot_of[row] >= 0 || k->row_count[row] != 1) continue;
        int s = -1;
        for (int e = k->row_begin[row]; e < k->row_begin[row] + k->row_length[row] && s < 0; e++) {
            if (k->row_of[k->row_index[e]] < 0) s = k->row_index[e];
        }
        int j = head[s] - m;
        double value = entry_at(a, j, row), largest = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            if (k->slot_of[a->index[e]] < 0) largest = larger(largest, fabs(a->value[e]));
        }
        f->factor_work += k->row_length[row] + 2 * (a->start[j + 1] - a->start[j]);
        if (!(fabs(value) > TOL_LU_PIVOT)) continue;
        if (threshold > LU_THRESHOLD && fabs(value) < threshold * largest) continue;
        take(f, k, row, s, value);
        f->l.begin[row] = f->l.used;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            int i = a->index[e];
            if (k->slot_of[i] >= 0) continue;
            if (add_multiplier(f, i, a->value[e] / value)) return -1;
            if (--k->row_count[i] == 1) queue[last++] = i;
        }
        f->l.length[row] = f->l.used - f->l.begin[row];
        if (f->l.length[row]) f->l_order[f->l_count++] = row;
    }
    return 0;
}

/* ---- pass 2: the kernel ----------------------------------------------------------------------------------------- */

static int load_kernel(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m;
    long long entries = 0;
    for (int s = 0; s < m; s++) {
        k->col_length[s] = 0;
        if (k->row_of[s] < 0 && head[s] >= m) entries += a->start[head[s] - m + 1] - a->start[head[s] - m];
    }
    long long size = 3 * entries + m;
    if (size > INT_MAX) return -1;
    if (size > k->col_size) {
        int *index = mem_resize(k->col_index, (size_t)size, sizeof *index);
        if (!index) return -1;
        k->col_index = index;
        double *value = mem_resize(k->col_value, (size_t)size, sizeof *value);
        if (!value) return -1;
        k->col_value = value;
        k->col_size = size;
    }
    if (size > k->row_size) {
        int *index = mem_resize(k->row_index, (size_t)size, sizeof *index);
        if (!index) return -1;
        k->row_index = index;
        k->row_size = size;
    }
    memset(k->row_count, 0, (size_t)m * sizeof(int));
    k->col_used = k->row_used = 0;
    for (int s = 0; s < m; s++) {
        if (k->row_of[s] >= 0 || head[s] < m) continue;
        int j = head[s] - m, to = (int)k->col_used;
        k->col_begin[s] = to;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            if (k->slot_of[a->index[e]] >= 0) continue;
            k->col_index[to] = a->index[e];
            k->col_value[to++] = a->value[e];
            k->row_count[a->index[e]]++;
        }
        k->col_length[s] = to - k->col_begin[s];
        k->col_room[s] = k->col_length[s] + 4;
        k->col_used += k->col_room[s];
        k->col_max[s] = -1;
        f->factor_work += a->start[j + 1] - a->start[j];
        if (k->col_used + m > k->col_size && col_spread(k, m)) return -1;
    }
    for (int i = 0; i < m; i++) {
        k->row_length[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        k->row_begin[i] = (int)k->row_used;
        k->row_room[i] = k->row_count[i] + 4;
        k->row_used += k->row_room[i];
        if (k->row_used + m > k->row_size) {
            int *index = mem_resize(k->row_index, (size_t)(2 * k->row_used + 2 * m), sizeof *index);
            if (!index) return -1;
            k->row_index = index;
            k->row_size = 2 * k->row_used + 2 * m;
        }
    }
    for (int c = 0; c <= m; c++) k->col_first[c] = k->row_first[c] = -1;
    for (int s = m - 1; s >= 0; s--) {
        if (k->row_of[s] >= 0 || head[s] < m) continue;
        for (int e = k->col_begin[s]; e < k->col_begin[s] + k->col_length[s]; e++) {
            int i = k->col_index[e];
            k->row_index[k->row_begin[i] + k->row_length[i]++] = s;
        }
        if (k->col_length[s]) col_link(k, s);
    }
    for (int i = m - 1; i >= 0; i--) {
        if (k->slot_of[i] < 0 && k->row_length[i]) row_link(k, i);
    }
    return 0;
}

static double col_largest(markowitz *k, int c)
{
    if (k->col_max[c] >= 0) return k->col_max[c];
    double largest = 0;
    for (int e = k->col_begin[c]; e < k->col_begin[c] + k->col_length[c]; e++) {
        largest = larger(largest, fabs(k->col_value[e]));
    }
    return k->col_max[c] = largest;
}

static int find_in_col(const markowitz *k, int c, int row)
{
    int e = k->col_begin[c];
    while (k->col_index[e] != row) e++;
    return e;
}

static void drop_from_row(markowitz *k, int i, int c)
{
    int *list = k->row_index + k->row_begin[i], e = 0;
    while (list[e] != c) e++;
    list[e] = list[--k->row_length[i]];
}

/* A column without an acceptable pivot leaves the active part; it will be replaced. */
static void reject_col(markowitz *k, int c)
{
    col_unlink(k, c);
    for (int e = k->col_begin[c]; e < k->col_begin[c] + k->col_length[c]; e++) {
        int i = k->col_index[e];
        row_unlink(k, i);
        drop_from_row(k, i, c);
        if (k->row_length[i]) row_link(k, i);
    }
    k->col_length[c] = 0;
}

typedef struct choice {
    int row, slot; /* -1: none */
    double size, merit;
} choice;

static void consider(choice *best, int row, int slot, double size, double merit)
{
    if (merit < best->merit || (merit == best->merit && size > best->size)) {
        *best = (choice){row, slot, size, merit};
    }
}

static void search_col(lu *f, markowitz *k, int c, double threshold, choice *best)
{
    double least = larger(threshold * col_largest(k, c), TOL_LU_PIVOT);
    for (int e = k->col_begin[c]; e < k->col_begin[c] + k->col_length[c]; e++) {
        double size = fabs(k->col_value[e]);
        int i = k->col_index[e];
        if (size >= least) consider(best, i, c, size, (double)(k->col_length[c] - 1) * (k->row_length[i] - 1));
    }
    f->factor_work += k->col_length[c];
}

static void search_row(lu *f, markowitz *k, int i, double threshold, choice *best)
{
    for (int e = k->row_begin[i]; e < k->row_begin[i] + k->row_length[i]; e++) {
        int c = k->row_index[e];
        double merit = (double)(k->col_length[c] - 1) * (k->row_length[i] - 1);
        if (merit > best->merit) continue;
        double size = fabs(k->col_value[find_in_col(k, c, i)]);
        f->factor_work += k->col_length[c];
        if (size >= larger(threshold * col_largest(k, c), TOL_LU_PIVOT)) consider(best, i, c, size, merit);
    }
}

static choice choose(lu *f, markowitz *k, double threshold)
{
    choice best = {-1, -1, 0, DBL_MAX};
    int searched = 0;
    for (int count = 1; count <= k->m; count++) {
        if (best.row >= 0 && best.merit <= (double)(count - 1) * (count - 1)) break;
        for (int c = k->col_first[count], next; c >= 0; c = next) {
            next = k->col_next[c];
            if (!(col_largest(k, c) > TOL_LU_PIVOT)) {
                reject_col(k, c);
                continue;
            }
            search_col(f, k, c, threshold, &best);
            if (++searched >= SEARCH_LISTS && best.row >= 0) return best;
            if (count == 1 && best.row >= 0) return best;
        }
        if (best.row >= 0 && best.merit <= (double)count * (count - 1)) break;
        for (int i = k->row_first[count]; i >= 0; i = k->row_next[i]) {
            search_row(f, k, i, count == 1 && threshold <= LU_THRESHOLD ? 0 : threshold, &best);
            if (++searched >= SEARCH_LISTS && best.row >= 0) return best;
            if (count == 1 && best.row >= 0) return best;
        }
    }
    return best;
}

static int keep_u(markowitz *k, int row, int slot, double value)
{
    if (k->u_used == k->u_size) {
        long long size = 2 * k->u_size + 4LL * k->m + 64;
        int *u_row = mem_resize(k->u_row, (size_t)size, sizeof *u_row);
        if (!u_row) return -1;
        k->u_row = u_row;
        int *u_slot = mem_resize(k->u_slot, (size_t)size, sizeof *u_slot);
        if (!u_slot) return -1;
        k->u_slot = u_slot;
        double *u_value = mem_resize(k->u_value, (size_t)size, sizeof *u_value);
        if (!u_value) return -1;
        k->u_value = u_value;
        k->u_size = size;
    }
    k->u_row[k->u_used] = row;
    k->u_slot[k->u_used] = slot;
    k->u_value[k->u_used++] = value;
    return 0;
}

/* Column c minus `factor` times the pivot column: entries change, cancel, or fill in. */
static int subtract(lu *f, markowitz *k, int c, double factor, int marked)
{
    int begin = k->col_begin[c], kept = begin, unseen = marked;
    for (int e = begin; e < begin + k->col_length[c]; e++) {
        int i = k->col_index[e];
        double value = k->col_value[e];
        if (k->flag[i]) {
            value -= factor * k->multiplier[i];
            k->flag[i] = 2;
            unseen--;
            if (fabs(value) < TOL_DROP) {
                drop_from_row(k, i, c);
                continue;
            }
        }
        k->col_index[kept] = i;
        k->col_value[kept++] = value;
    }
    f->factor_work += k->col_length[c] + marked;
    k->col_length[c] = kept - begin;
    if (unseen && col_widen(k, c, unseen)) return -1;
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        if (k->flag[i] == 1) {
            double value = -factor * k->multiplier[i];
            if (fabs(value) < TOL_DROP) continue;
            int to = k->col_begin[c] + k->col_length[c]++;
            k->col_index[to] = i;
            k->col_value[to] = value;
            if (row_widen(k, i, 1)) return -1;
            k->row_index[k->row_begin[i] + k->row_length[i]++] = c;
        }
        k->flag[i] = 1;
    }
    return 0;
}

static int eliminate(lu *f, markowitz *k, int row, int slot)
{
    int marked = 0, at = find_in_col(k, slot, row);
    double pivot = k->col_value[at];
    col_unlink(k, slot);
    row_unlink(k, row);
    f->l.begin[row] = f->l.used;
    for (int e = k->col_begin[slot]; e < k->col_begin[slot] + k->col_length[slot]; e++) {
        int i = k->col_index[e];
        if (i == row) continue;
        double multiplier = k->col_value[e] / pivot;
        row_unlink(k, i);
        drop_from_row(k, i, slot);
        if (add_multiplier(f, i, multiplier)) return -1;
        k->multiplier[i] = multiplier;
        k->flag[i] = 1;
        k->marked[marked++] = i;
    }
    f->l.length[row] = marked;
    if (marked) f->l_order[f->l_count++] = row;
    k->col_length[slot] = 0;

    int error = 0;
    for (int r = 0; r < k->row_length[row] && !error; r++) {
        int c = k->row_index[k->row_begin[row] + r];
        if (c == slot) continue;
        col_unlink(k, c);
        int e = find_in_col(k, c, row), last = k->col_begin[c] + k->col_length[c] - 1;
        double factor = k->col_value[e];
        f->factor_work += e - k->col_begin[c];
        k->col_index[e] = k->col_index[last];
        k->col_value[e] = k->col_value[last];
        k->col_length[c]--;
        error = keep_u(k, row, c, factor) || (marked && subtract(f, k, c, factor, marked));
        k->col_max[c] = -1;
        if (k->col_length[c]) col_link(k, c);
    }
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        k->multiplier[i] = 0;
        k->flag[i] = 0;
        if (!error && k->row_length[i]) row_link(k, i);
    }
    take(f, k, row, slot, pivot); /* only now: until here the list of the row must move with the others */
    return error;
}

/* ---- pass 3: laying out ------------------------------------------------------------------------------------------- */

/* Rows and slots left over are joined by logicals. */
static int replace_rest(lu *f, markowitz *k, int head[])
{
    int count = 0, row = 0;
    for (int s = 0; s < k->m; s++) {
        if (k->row_of[s] >= 0) continue;
        while (k->slot_of[row] >= 0) row++;
        head[s] = row;
        take(f, k, row, s, -1.0);
        count++;
    }
    return count;
}

/* Rows of L, by counting; lt_order names the rows that have any, in pivot order. */
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
    f->lt_count = 0;
    for (int t = 0; t < m; t++) {
        int i = f->u_order[t];
        if (f->lt.length[i]) f->lt_order[f->lt_count++] = i;
    }
    return 0;
}

/* Spare room behind each row of U, so that few columns that enter later need to move it. */
#define ROW_SPARE 4

/* U by columns and by rows. An entry of column `head[slot]` that lies in a row of pass 1 pivoted before the slot is an entry
 * of U as it stands; those of pass 2 are in k->u_*. */
static int lay_out_u(lu *f, markowitz *k, const sparse *a, const int head[], int first_pass)
{
    int m = f->m;
    memset(f->u.length, 0, (size_t)m * sizeof(int));
    memset(f->ut.length, 0, (size_t)m * sizeof(int));
    for (int fill = 0; fill < 2; fill++) {
        for (int s = 0; s < m; s++) {
            if (head[s] < m) continue;
            int j = head[s] - m, p = k->row_of[s];
            int before = f->u_place[p] < first_pass ? f->u_place[p] : first_pass;
            for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
                int i = a->index[e];
                if (f->u_place[i] >= before) continue;
                if (fill) {
                    int to = f->u.begin[p] + f->u.length[p], to_row = f->ut.begin[i] + f->ut.length[i];
                    f->u.index[to] = i;
                    f->u.value[to] = a->value[e];
                    f->ut.index[to_row] = p;
                    f->ut.value[to_row] = a->value[e];
                }
                f->u.length[p]++;
                f->ut.length[i]++;
            }
        }
        for (long long e = 0; e < k->u_used; e++) {
            int i = k->u_row[e], s = k->u_slot[e], p = k->row_of[s];
            if (head[s] < m) continue; /* replaced */
            if (fill) {
                int to = f->u.begin[p] + f->u.length[p], to_row = f->ut.begin[i] + f->ut.length[i];
                f->u.index[to] = i;
                f->u.value[to] = k->u_value[e];
                f->ut.index[to_row] = p;
                f->ut.value[to_row] = k->u_value[e];
            }
            f->u.length[p]++;
            f->ut.length[i]++;
        }
        if (fill) break;
        long long entries = 0;
        for (int p = 0; p < m; p++) entries += f->u.length[p];
        long long later = (long long)(f->growth * (double)(entries + 20LL * m + 1000));
        if (lu_lists_reserve(&f->u, entries + later)) return -1;
        if (lu_lists_reserve(&f->ut, entries + (long long)ROW_SPARE * m + later)) return -1;
        int at = 0, at_row = 0;
        for (int p = 0; p < m; p++) {
            f->u.begin[p] = at;
            at += f->u.length[p];
            f->u.length[p] = 0;
            f->ut.begin[p] = at_row;
            f->ut_room[p] = f->ut.length[p] + ROW_SPARE;
            at_row += f->ut_room[p];
            f->ut.length[p] = 0;
        }
        f->u.used = at;
        f->ut.used = at_row;
        if (f->r_room < later) {
            int *index = mem_resize(f->r_index, (size_t)later, sizeof *index);
            if (!index) return -1;
            f->r_index = index;
            double *value = mem_resize(f->r_value, (size_t)later, sizeof *value);
            if (!value) return -1;
            f->r_value = value;
            f->r_room = (int)later;
        }
    }
    f->factor_work += f->u.used + 2LL * m;
    return 0;
}

void lu_set_limit(lu *f, const deadline *limit) { f->limit = limit; }

/* Entries touched between two readings of the clock: well below a millisecond. */
enum { WORK_PER_READING = 100000 };

static bool out_of_time(const lu *f, long long *read_at)
{
    if (!f->limit || f->factor_work < *read_at) return false;
    *read_at = f->factor_work + WORK_PER_READING;
    return deadline_expired(f->limit);
}

int lu_factor(lu *f, const sparse *a, int head[], double threshold, int *replaced)
{
    int m = f->m;
    markowitz *k = f->kernel;
    long long read_at = 0;
    f->work = f->factor_work = 0;
    f->l_count = f->u_count = 0;
    f->l.used = 0;
    f->r_count = f->r_begin[0] = 0;
    f->spike_kept = f->row_kept = false;
    k->u_used = 0;
    memset(f->l.length, 0, (size_t)m * sizeof(int));
    memset(f->l.begin, 0, (size_t)m * sizeof(int));
    for (int i = 0; i < m; i++) k->row_of[i] = k->slot_of[i] = -1;

    for (int s = 0; s < m; s++) {
        if (head[s] < m && k->slot_of[head[s]] < 0) take(f, k, head[s], s, -1.0);
    }
    if (f->u_count < m) {
        if (list_rows(f, k, a, head)) return -1;
        take_col_singletons(f, k, a, head);
        if (f->u_count < m && take_row_singletons(f, k, a, head, threshold)) return -1;
    }
    int first_pass = f->u_count;
    if (f->u_count < m) {
        if (load_kernel(f, k, a, head)) return -1;
        for (choice c; (c = choose(f, k, threshold)).row >= 0;) {
            if (eliminate(f, k, c.row, c.slot)) return -1;
            if (out_of_time(f, &read_at)) return 1;
        }
    }
    *replaced = replace_rest(f, k, head);
    if (lay_out_u(f, k, a, head, first_pass) || transpose_l(f)) return -1;

    for (int s = 0; s < m; s++) k->queue[k->row_of[s]] = head[s];
    memcpy(head, k->queue, (size_t)m * sizeof(int));
    return 0;
}

/* lp/lu_markowitz.c - pass 2 of a factorisation: Markowitz elimination of the kernel that the singletons leave.
 *
 * The pivot is the entry (i, j) of least (r_i - 1)(c_j - 1) among those of at least `threshold` times the largest of their column,
 * looked for in the few shortest rows and columns. Values are kept by columns; rows hold a pattern, as a test of the threshold needs whole
 * columns. Rows and columns are chained by their number of entries.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "lp/lu_markowitz.h"
#include "lp/tolerance.h"

/* Columns and rows looked at before the best pivot found so far is taken. */
enum { SEARCH_LISTS = 4 };

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

typedef struct pivot_choice {
    int row, slot; /* -1: none */
    double size, merit;
} pivot_choice;

static void consider(pivot_choice *best, int row, int slot, double size, double merit)
{
    if (merit < best->merit || (merit == best->merit && size > best->size)) {
        *best = (pivot_choice){row, slot, size, merit};
    }
}

static void search_col(lu *f, markowitz *k, int c, double threshold, pivot_choice *best)
{
    double least = larger(threshold * col_largest(k, c), TOL_LU_PIVOT);
    for (int e = k->col_begin[c]; e < k->col_begin[c] + k->col_length[c]; e++) {
        double size = fabs(k->col_value[e]);
        int i = k->col_index[e];
        if (size >= least) consider(best, i, c, size, (double)(k->col_length[c] - 1) * (k->row_length[i] - 1));
    }
    f->factor_work += k->col_length[c];
}

static void search_row(lu *f, markowitz *k, int i, double threshold, pivot_choice *best)
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

static pivot_choice choose(lu *f, markowitz *k, double threshold)
{
    pivot_choice best = {-1, -1, 0, DBL_MAX};
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
    if (unseen && lu_widen_col(k, c, unseen)) return -1;
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        if (k->flag[i] == 1) {
            double value = -factor * k->multiplier[i];
            if (fabs(value) < TOL_DROP) continue;
            int to = k->col_begin[c] + k->col_length[c]++;
            k->col_index[to] = i;
            k->col_value[to] = value;
            if (lu_widen_row(k, i, 1)) return -1;
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
        if (lu_add_multiplier(f, i, multiplier)) return -1;
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
    lu_take(f, k, row, slot, pivot); /* only now: until here the list of the row must move with the others */
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

int lu_eliminate_kernel(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    long long read_at = 0;
    if (lu_load_kernel(f, k, a, head)) return -1;
    for (pivot_choice c; (c = choose(f, k, threshold)).row >= 0;) {
        if (eliminate(f, k, c.row, c.slot)) return -1;
        if (out_of_time(f, &read_at)) return 1;
    }
    lu_kernel_check(k, head);
    return 0;
}

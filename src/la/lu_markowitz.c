/* la/lu_markowitz.c - pass 2 of a factorisation: Markowitz elimination of the kernel that the singletons leave.
 *
 * The pivot is the entry (i, j) of least (r_i - 1)(c_j - 1) among those of at least `threshold` times the largest of their column,
 * looked for in the few shortest rows and columns. Values are kept by columns; rows hold a pattern, as a test of the threshold
 * needs whole columns. Rows and columns are chained by their number of entries. Once all of them are long, the rest is taken as a
 * dense matrix (lu_dense.c).
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "la/lu_markowitz.h"
#include "la/tolerance.h"

/* Columns and rows looked at before the best pivot found so far is taken. */
enum { SEARCH_LISTS = 4 };

static double col_largest(markowitz *k, int c)
{
    if (k->col_max[c] >= 0) return k->col_max[c];
    double largest = 0;
    for (int e = k->col.begin[c]; e < k->col.begin[c] + k->col.length[c]; e++) {
        largest = larger(largest, fabs(k->col.value[e]));
    }
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

/* A column without an acceptable pivot leaves the active part; it will be replaced. */
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
    if (merit < best->merit || (merit == best->merit && size > best->size)) {
        *best = (pivot_choice){row, slot, size, merit};
    }
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
    if (unseen && lu_widen_col(k, c, unseen)) return -1;
    for (int t = 0; t < marked; t++) {
        int i = k->marked[t];
        if (k->flag[i] == 1) {
            double value = -factor * k->multiplier[i];
            if (fabs(value) < TOL_DROP) continue;
            int to = k->col.begin[c] + k->col.length[c]++;
            k->col.index[to] = i;
            k->col.value[to] = value;
            if (lu_widen_row(k, i, 1)) return -1;
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
    bool lists = false; /* the rest was too singular to be taken as one */
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

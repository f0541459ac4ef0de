/* la/lu_singleton.c - pass 1 of a factorisation: pivots that need no arithmetic on the rest.
 *
 * Logicals first, then columns with a single entry in the rows left, then rows with a single entry in the columns left:
 *
 *          c c c r r k k k
 *        c x . . . . . . .      c  column singletons: x in the rows left of U, nothing below
 *        c   x . . . . . .
 *        c     x . . . . .
 *        r       x              r  row singletons: nothing to the right, multipliers below
 *        r       . x
 *        k       . . * * *      k  the kernel, left to pass 2
 *        k       . . * * *
 *        k       . . * * *
 *
 * Cost: a look at each entry of the columns taken and of the rows they lie in.
 */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "la/lu_markowitz.h"
#include "la/tolerance.h"

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
        lu_take(f, k, row, s, value);
        for (int e = k->row.begin[row]; e < k->row.begin[row] + k->row.length[row]; e++) {
            int c = k->row.index[e];
            if (k->row_of[c] < 0 && --k->col_count[c] == 1) queue[last++] = c;
        }
        f->factor_work += k->row.length[row];
    }
}

int lu_take_row_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold, bool strict)
{
    int m = k->m, *queue = k->queue, first = 0, last = 0;
    /* Columns taken above are gone from the rows; count afresh. */
    for (int i = 0; i < m; i++) {
        k->row_count[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        for (int e = k->row.begin[i]; e < k->row.begin[i] + k->row.length[i]; e++) {
            if (k->row_of[k->row.index[e]] < 0) k->row_count[i]++;
        }
        if (k->row_count[i] == 1) queue[last++] = i;
    }
    while (first < last) {
        int row = queue[first++];
        if (k->slot_of[row] >= 0 || k->row_count[row] != 1) continue;
        int s = -1;
        for (int e = k->row.begin[row]; e < k->row.begin[row] + k->row.length[row] && s < 0; e++) {
            if (k->row_of[k->row.index[e]] < 0) s = k->row.index[e];
        }
        int j = head[s] - m;
        double value = entry_at(a, j, row), largest = 0;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            if (k->slot_of[a->index[e]] < 0) largest = larger(largest, fabs(a->value[e]));
        }
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

int lu_take_singletons(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    if (list_rows(f, k, a, head)) return -1;
    take_col_singletons(f, k, a, head);
    return f->u_count < f->m ? lu_take_row_singletons(f, k, a, head, threshold, false) : 0;
}

/* la/lu_aside.c - pass 1b of a factorisation: a few long columns wait while what they kept from being triangular is taken.
 *
 * A column with entries in much of the kernel (a mean, a total, a multiplier of everything) costs its length at every pivot in one
 * of its rows. Set aside, it leaves row singletons: those are taken, with multipliers below as in pass 1, and the column x follows
 * once, for each pivot row p taken, in order:  u_p := x_p,  x_i := x_i - l_ip x_p, before the kernel is loaded with what is left of
 * it. A million rows z + e = b with one mean z and one sum over e take a second so, hours without. The pivots change the columns
 * set aside, so they have to pass the threshold, unlike those of pass 1. Cost: O(m) and the entries of L for each column set aside.
 */
#include <math.h>

#include "la/lu_markowitz.h"
#include "la/tolerance.h"

/* Kernels with fewer rows, and columns with less than this part of the rows, go on as they are. */
enum { ASIDE_ROWS = 2000, ASIDE_PART = 8 };

static long long active_entries(const markowitz *k, const sparse *a, int j)
{
    long long count = 0;
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) count += k->slot_of[a->index[e]] < 0;
    return count;
}

/* The long columns into k->aside. Are there any, but few? */
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

int lu_set_aside(lu *f, markowitz *k, const sparse *a, const int head[], double threshold)
{
    int before = k->aside_from = f->u_count;
    bool found = find_long(f, k, a, head);
    for (int t = 0; found && t < k->aside_count; t++) k->row_of[k->aside[t]] = k->m; /* as if it were taken */
    int failed = found ? lu_take_row_singletons(f, k, a, head, threshold, true) : 0;
    for (int t = 0; found && t < k->aside_count; t++) k->row_of[k->aside[t]] = -1;
    if (f->u_count == before) k->aside_count = 0;
    return failed;
}

bool lu_was_aside(const markowitz *k, int slot)
{
    for (int t = 0; t < k->aside_count; t++) {
        if (k->aside[t] == slot) return true;
    }
    return false;
}

int lu_follow_aside(lu *f, markowitz *k, const sparse *a, int j, int slot)
{
    double *x = k->multiplier;
    for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
        if (f->u_place[a->index[e]] >= k->aside_from || k->slot_of[a->index[e]] < 0) x[a->index[e]] = a->value[e];
    }
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

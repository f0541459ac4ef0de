/* la/lu_layout.c - pass 3 of a factorisation: U and L by columns and by rows, as the solves want them.
 *
 * Lists are counted, given their places, and filled: O(entries + m). Columns and rows of U get room for what updates will add.
 */
#include <string.h>

#include "base/memory.h"
#include "la/lu_markowitz.h"

/* Rows of L, by counting; lt_order names the rows that have any, in pivot order. The places of both orders. */
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

/* Spare room behind each row of U, so that few columns that enter later need to move it. */
enum { ROW_SPARE = 4 };

/* One entry of U: counted, and stored once the lists have their places. */
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

/* An entry of column `head[slot]` that lies in a row of pass 1 pivoted before the slot is an entry of U as it stands; those of
 * pass 2 are in k->u_*. */
static void place_all(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass, bool fill)
{
    int m = f->m;
    for (int s = 0; s < m; s++) {
        if (head[s] < m) continue;
        int j = head[s] - m, p = k->row_of[s];
        int before = f->u_place[p] < first_pass ? f->u_place[p] : first_pass;
        for (int64_t e = a->start[j]; e < a->start[j + 1]; e++) {
            if (f->u_place[a->index[e]] < before) place_u(f, fill, a->index[e], p, a->value[e]);
        }
    }
    for (long long e = 0; e < k->u_used; e++) {
        int s = k->u_slot[e];
        if (head[s] >= m) place_u(f, fill, k->u_row[e], k->row_of[s], k->u_value[e]); /* else replaced */
    }
}

/* Entries that updates may add, of each row of the first so many and of each further one 1: spikes are short against a long basis,
 * and where they are not, new factors come sooner. */
enum { SPARE_A_ROW = 20 };

/* Room for U, the columns that will enter and the row transformations, after counting. -1: memory */
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

/* Where each list of U begins; lengths are 0 again. */
static void begin_u(lu *f)
{
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
}

#ifdef VOUCH_DEBUG
/* Entries of U lie in rows pivoted before their column, and both copies have as many. */
static void layout_check(const lu *f)
{
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
#endif

int lu_lay_out(lu *f, const markowitz *k, const sparse *a, const int head[], int first_pass)
{
    int m = f->m;
    CHECK_COMPARE(f->u_count, ==, m);
    memset(f->u.length, 0, (size_t)m * sizeof(int));
    memset(f->ut.length, 0, (size_t)m * sizeof(int));
    place_all(f, k, a, head, first_pass, false);
    if (reserve_u(f)) return -1;
    begin_u(f);
    place_all(f, k, a, head, first_pass, true);
#ifdef VOUCH_DEBUG
    layout_check(f);
#endif
    f->factor_work += f->u.used + 2LL * m;
    return transpose_l(f);
}

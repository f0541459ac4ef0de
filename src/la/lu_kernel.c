/* la/lu_kernel.c - the matrix that pass 2 of a factorisation works on: columns with values, rows with their pattern, each in a
 * block with room to grow; a list that outgrows its room moves to the end, and a block that is full is copied without what has
 * gone.
 */
#include <string.h>

#include "la/lu_markowitz.h"

/* ---- room -------------------------------------------------------------------------------------------------- */

/* Moves the lists of what has no pivot yet into a block twice as large as they need plus `extra`. */
static int spread(active_lists *l, int m, const int pivoted[], long long extra)
{
    long long live = 0;
    for (int c = 0; c < m; c++) {
        if (pivoted[c] < 0) live += l->length[c];
    }
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
    mem_free(l->index);
    mem_free(l->value);
    l->index = wider.index;
    l->value = wider.value;
    l->used = wider.used;
    l->size = wider.size;
    return 0;
}

/* Room for `extra` more entries in list c. */
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

int lu_widen_col(markowitz *k, int c, int extra) { return widen(&k->col, k->m, k->row_of, c, extra); }
int lu_widen_row(markowitz *k, int i, int extra) { return widen(&k->row, k->m, k->slot_of, i, extra); }

/* ---- the kernel ---------------------------------------------------------------------------------------------------- */

/* Room for the kernel and what it will need: three times its entries. -1: memory */
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

/* Values by columns, and how many entries each row has. -1: memory */
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

/* Room for the pattern by rows. -1: memory */
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

/* The pattern by rows, and the chains of rows and columns. */
static void link_kernel(markowitz *k, const int head[])
{
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
    for (int i = m - 1; i >= 0; i--) {
        if (k->slot_of[i] < 0 && k->row.length[i]) active_link(&k->row, i);
    }
}

#ifdef VOUCH_DEBUG
/* Between two pivots: scratch is zero, and of every active row as many entries are in columns as in its own list. */
void lu_kernel_check(const markowitz *k, const int head[])
{
    long long by_row = 0, by_col = 0;
    for (int i = 0; i < k->m; i++) {
        CHECK(k->multiplier[i] == 0 && k->flag[i] == 0);
        if (k->slot_of[i] < 0) by_row += k->row.length[i];
    }
    for (int s = 0; s < k->m; s++) {
        if (k->row_of[s] < 0 && head[s] >= k->m) by_col += k->col.length[s];
    }
    CHECK_COMPARE(by_row, ==, by_col);
}
#endif

int lu_load_kernel(lu *f, markowitz *k, const sparse *a, const int head[])
{
    if (reserve_kernel(k, a, head) || load_columns(f, k, a, head) || begin_rows(k)) return -1;
    link_kernel(k, head);
    lu_kernel_check(k, head);
    return 0;
}

/* lp/lu_kernel.c - the matrix that pass 2 of a factorisation works on: columns with values, rows with their pattern, each in a block with room to
 * grow; a list that outgrows its room moves to the end, and a block that is full is copied without what has gone.
 */
#include <limits.h>
#include <string.h>

#include "base/memory.h"
#include "lp/lu_markowitz.h"

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
        k->col_capacity[c] = k->col_length[c];
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

int lu_widen_col(markowitz *k, int c, int extra)
{
    int need = k->col_length[c] + extra;
    if (need <= k->col_capacity[c]) return 0;
    need += need / 2;
    if (k->col_used + need > k->col_size && col_spread(k, need)) return -1;
    MEM_COPY(k->col_index + k->col_used, k->col_index + k->col_begin[c], k->col_length[c]);
    MEM_COPY(k->col_value + k->col_used, k->col_value + k->col_begin[c], k->col_length[c]);
    k->col_begin[c] = (int)k->col_used;
    k->col_capacity[c] = need;
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
        k->row_capacity[i] = k->row_length[i];
        used += k->row_length[i];
    }
    mem_free(k->row_index);
    k->row_index = index;
    k->row_used = used;
    k->row_size = size;
    return 0;
}

int lu_widen_row(markowitz *k, int i, int extra)
{
    int need = k->row_length[i] + extra;
    if (need <= k->row_capacity[i]) return 0;
    need += need / 2;
    if (k->row_used + need > k->row_size && row_spread(k, need)) return -1;
    MEM_COPY(k->row_index + k->row_used, k->row_index + k->row_begin[i], k->row_length[i]);
    k->row_begin[i] = (int)k->row_used;
    k->row_capacity[i] = need;
    k->row_used += need;
    return 0;
}

/* ---- the kernel ---------------------------------------------------------------------------------------------------- */

/* Room for the kernel and what it will need: three times its entries. -1: memory */
static int reserve_kernel(markowitz *k, const sparse *a, const int head[])
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
    return 0;
}

/* Values by columns, and how many entries each row has. -1: memory */
static int load_columns(lu *f, markowitz *k, const sparse *a, const int head[])
{
    int m = k->m;
    memset(k->row_count, 0, (size_t)m * sizeof(int));
    k->col_used = 0;
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
        k->col_capacity[s] = k->col_length[s] + 4;
        k->col_used += k->col_capacity[s];
        k->col_max[s] = -1;
        f->factor_work += a->start[j + 1] - a->start[j];
        if (k->col_used + m > k->col_size && col_spread(k, m)) return -1;
    }
    return 0;
}

/* Room for the pattern by rows. -1: memory */
static int begin_rows(markowitz *k)
{
    int m = k->m;
    k->row_used = 0;
    for (int i = 0; i < m; i++) {
        k->row_length[i] = 0;
        if (k->slot_of[i] >= 0) continue;
        k->row_begin[i] = (int)k->row_used;
        k->row_capacity[i] = k->row_count[i] + 4;
        k->row_used += k->row_capacity[i];
        if (k->row_used + m <= k->row_size) continue;
        int *index = mem_resize(k->row_index, (size_t)(2 * k->row_used + 2 * m), sizeof *index);
        if (!index) return -1;
        k->row_index = index;
        k->row_size = 2 * k->row_used + 2 * m;
    }
    return 0;
}

/* The pattern by rows, and the chains of rows and columns. */
static void link_kernel(markowitz *k, const int head[])
{
    int m = k->m;
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
}

#ifdef VOUCH_DEBUG
/* Between two pivots: scratch is zero, and of every active row as many entries are in columns as in its own list. */
void lu_kernel_check(const markowitz *k, const int head[])
{
    long long by_row = 0, by_col = 0;
    for (int i = 0; i < k->m; i++) {
        CHECK(k->multiplier[i] == 0 && k->flag[i] == 0);
        if (k->slot_of[i] < 0) by_row += k->row_length[i];
    }
    for (int s = 0; s < k->m; s++) {
        if (k->row_of[s] < 0 && head[s] >= k->m) by_col += k->col_length[s];
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

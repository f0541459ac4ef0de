/* exact/vipr_rows.c - the rows that a proof reasons with, as fractions: those of the program and cuts. See exact/vipr.h. */
#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/number.h"
#include "exact/vipr_private.h"

mpq_t *vipr_fractions(vipr *p, arena *a, int64_t count)
{
    mpq_t *q = ARENA_NEW(a, mpq_t, count + 1);
    if (!q) vipr_out_of_memory(p);
    for (int64_t i = 0; i <= count; i++) mpq_init(q[i]);
    return q;
}

void vipr_clear_fractions(mpq_t *q, int64_t count)
{
    for (int64_t i = 0; q && i <= count; i++) mpq_clear(q[i]);
}

static void list_rows(vipr *p)
{
    const vouch_lp_data *d = &p->data;
    vipr_row_lists *rows = &p->by_row;
    rows->start = ARENA_ZERO(&p->row_arrays, int64_t, d->rows + 2);
    rows->col = ARENA_NEW(&p->row_arrays, int, d->start[d->cols] + 1);
    rows->entry = ARENA_NEW(&p->row_arrays, int64_t, d->start[d->cols] + 1);
    if (p->row_arrays.failed) vipr_out_of_memory(p);
    for (int64_t k = 0; k < d->start[d->cols]; k++) rows->start[d->index[k] + 2]++;
    for (int i = 0; i < d->rows; i++) rows->start[i + 2] += rows->start[i + 1];
    for (int j = 0; j < d->cols; j++)
        for (int64_t k = d->start[j]; k < d->start[j + 1]; k++) {
            int64_t at = rows->start[d->index[k] + 1]++;
            rows->col[at] = j, rows->entry[at] = k;
        }
}

void vipr_load_rows(vipr *p)
{
    const vouch_lp_data *d = &p->data;
    int64_t entries = p->entries = d->start[d->cols];
    arena *a = &p->row_arrays;
    p->low_at = ARENA_NEW(a, int, d->rows + d->cols + 1);
    p->high_at = ARENA_NEW(a, int, d->rows + d->cols + 1);
    p->fraction = ARENA_ZERO(a, char *, d->rows + d->cols + 1);
    if (a->failed) vipr_out_of_memory(p);
    for (int i = 0; i < d->rows + d->cols; i++) p->low_at[i] = p->high_at[i] = -1;
    p->value = vipr_fractions(p, a, entries);
    p->y = vipr_fractions(p, a, d->rows);
    p->row_low = vipr_fractions(p, a, d->rows), p->row_high = vipr_fractions(p, a, d->rows);
    for (int64_t k = 0; k < entries; k++) exact_number(p->value[k], d->value[k], EXACT_DECIMAL);
    for (int i = 0; i < d->rows; i++) {
        if (!isinf(d->row_lower[i])) exact_number(p->row_low[i], d->row_lower[i], EXACT_DECIMAL);
        if (!isinf(d->row_upper[i])) exact_number(p->row_high[i], d->row_upper[i], EXACT_DECIMAL);
    }
    list_rows(p);
}

static void change_rows(vipr *p, const vouch_lp *lp, const int number[])
{
    vouch_lp_data given;
    vouch_lp_view(p->lp, &given);
    int m = p->data.rows, n = p->data.cols, *low_at = p->low_at, *high_at = p->high_at;
    vipr_clear_fractions(p->value, p->entries);
    vipr_clear_fractions(p->y, m);
    vipr_clear_fractions(p->row_low, m);
    vipr_clear_fractions(p->row_high, m);
    p->rows_before = p->row_arrays;
    p->row_arrays = (arena){0};
    vouch_lp_view(lp, &p->data);
    p->data.col_lower = p->low, p->data.col_upper = p->high;
    vipr_load_rows(p);
    for (int i = 0; i < given.rows; i++) p->low_at[i] = low_at[i], p->high_at[i] = high_at[i];
    for (int i = given.rows; i < p->data.rows; i++) p->high_at[i] = number[i - given.rows];
    for (int j = 0; j < n; j++) {
        p->low_at[p->data.rows + j] = low_at[m + j];
        p->high_at[p->data.rows + j] = high_at[m + j];
    }
    arena_free(&p->rows_before);
}

vipr_end vipr_use_rows(vipr *p, const vouch_lp *lp, const int number[])
{
    volatile vipr_end end = VIPR_MEMORY;
    CHECK(p->held_count == 0);
    exact_memory_resume(&p->memory);
    if (setjmp(p->memory.escape) == 0) {
        change_rows(p, lp, number);
        end = VIPR_DONE;
    }
    exact_memory_pause(&p->memory);
    return end;
}

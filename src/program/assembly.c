/* program/assembly.c - see assembly.h. Invariant: start[cols] = entries. */
#include "program/program.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"

void assembly_init(assembly *a, int rows)
{
    *a = (assembly){.rows = rows};
    a->row_lower = MEM_NEW(double, rows);
    a->row_upper = MEM_NEW(double, rows);
    if (!a->row_lower || !a->row_upper || MEM_RESERVE(&a->start, &a->start_capacity, 1)) {
        a->failed = true;
        return;
    }
    for (int i = 0; i < rows; i++) {
        a->row_lower[i] = -INFINITY;
        a->row_upper[i] = INFINITY;
    }
    a->start[0] = 0;
}

void assembly_row(assembly *a, int row, double lower, double upper)
{
    if (a->failed) return;
    CHECK(row >= 0 && row < a->rows && lower <= upper);
    a->row_lower[row] = lower;
    a->row_upper[row] = upper;
}

int assembly_column(assembly *a, double cost, double lower, double upper, bool integer)
{
    size_t n = (size_t)a->cols;
    if (a->failed || MEM_RESERVE(&a->start, &a->start_capacity, n + 1) || MEM_RESERVE(&a->cost, &a->cost_capacity, n) ||
        MEM_RESERVE(&a->lower, &a->lower_capacity, n) || MEM_RESERVE(&a->upper, &a->upper_capacity, n) ||
        MEM_RESERVE(&a->integer, &a->integer_capacity, n)) {
        a->failed = true;
        return 0;
    }
    CHECK(isfinite(cost) && lower < INFINITY && upper > -INFINITY);
    a->cost[n] = cost;
    a->lower[n] = lower;
    a->upper[n] = upper;
    a->integer[n] = integer;
    a->start[n + 1] = a->entries;
    return a->cols++;
}

void assembly_entry(assembly *a, int row, double value)
{
    if (a->failed || value == 0) return;
    size_t n = (size_t)a->entries;
    if (MEM_RESERVE(&a->index, &a->index_capacity, n) || MEM_RESERVE(&a->value, &a->value_capacity, n)) {
        a->failed = true;
        return;
    }
    CHECK(row >= 0 && row < a->rows && isfinite(value) && a->cols > 0);
    a->index[n] = row;
    a->value[n] = value;
    a->start[a->cols] = ++a->entries;
}

vouch_status assembly_finish(assembly *a, double offset, vouch_lp **lp)
{
    vouch_status status = VOUCH_ERROR_MEMORY;
    *lp = NULL;
    if (!a->failed) status = vouch_lp_new(lp);
    if (!status) {
        vouch_lp_data data = {.rows = a->rows,
                              .cols = a->cols,
                              .start = a->start,
                              .index = a->index,
                              .value = a->value,
                              .cost = a->cost,
                              .offset = offset,
                              .col_lower = a->lower,
                              .col_upper = a->upper,
                              .row_lower = a->row_lower,
                              .row_upper = a->row_upper};
        status = vouch_lp_load(*lp, &data, NULL);
        for (int j = 0; j < a->cols && !status; j++)
            if (a->integer[j]) status = vouch_lp_set_integer(*lp, j, 1);
        if (status) {
            vouch_lp_free(*lp);
            *lp = NULL;
        }
    }
    MEM_FREE_ALL(a->start, a->index, a->value, a->cost, a->lower, a->upper, a->integer, a->row_lower, a->row_upper);
    return status;
}

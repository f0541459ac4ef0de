/* la/sparse.c - see sparse.h. */
#include "la/sparse.h"

#include <string.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/transpose.h"

int sparse_init(sparse *a, int rows)
{
    CHECK_COMPARE(rows, >=, 0);
    *a = (sparse){.rows = rows};
    if (sparse_reserve(a, 8, 32)) {
        sparse_free(a);
        return -1;
    }
    a->start[0] = 0;
    return 0;
}

void sparse_free(sparse *a)
{
    mem_free(a->start);
    mem_free(a->index);
    mem_free(a->value);
    *a = (sparse){0};
}

int sparse_reserve(sparse *a, size_t cols, size_t entries)
{
    if (cols + 1 > a->start_capacity) {
        if (MEM_RESIZE(&a->start, cols + 1)) return -1;
        a->start_capacity = cols + 1;
    }
    if (entries > a->entry_capacity) {
        if (MEM_RESIZE(&a->index, entries) || MEM_RESIZE(&a->value, entries)) return -1;
        a->entry_capacity = entries;
    }
    return 0;
}

int sparse_load(sparse *a, int rows, int cols, const int64_t start[], const int index[], const double value[])
{
    CHECK(rows >= 0 && cols >= 0);
    if (sparse_reserve(a, (size_t)cols, (size_t)start[cols])) return -1;
    a->rows = rows;
    a->cols = cols;
    MEM_COPY(a->start, start, cols + 1);
    if (start[cols] == 0) return 0;
    MEM_COPY(a->index, index, start[cols]);
    MEM_COPY(a->value, value, start[cols]);
    return 0;
}

int sparse_append(sparse *a, int64_t count, const int index[], const double value[])
{
    CHECK_COMPARE(count, >=, 0);
    size_t used = (size_t)a->start[a->cols], need = used + (size_t)count;
    size_t cols = (size_t)a->cols + 1;
    if (cols + 1 > a->start_capacity || need > a->entry_capacity) {
        size_t more_cols = cols + 1 > a->start_capacity ? cols + cols / 2 + 8 : cols;
        size_t more = need > a->entry_capacity ? need + need / 2 + 32 : need;
        if (sparse_reserve(a, more_cols, more)) return -1;
    }
    if (count > 0) {
        MEM_COPY(a->index + used, index, count);
        MEM_COPY(a->value + used, value, count);
    }
    for (int64_t e = 0; e < count; e++) CHECK(index[e] >= 0 && index[e] < a->rows);
    a->start[++a->cols] = (int64_t)need;
    return 0;
}

int sparse_transpose(const sparse *a, sparse *t)
{
    if (sparse_reserve(t, (size_t)a->rows, (size_t)a->start[a->cols])) return -1;
    t->rows = a->cols;
    t->cols = a->rows;
    transpose(&(line_matrix){a->cols, a->start, a->index, a->value}, a->rows, t->start, t->index, t->value);
    return 0;
}

/* la/sparse.c - see sparse.h. */
#include "la/sparse.h"

#include <math.h>
#include <stdlib.h>

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
    MEM_FREE_ALL(a->start, a->index, a->value);
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

/* ---- vectors: a list pays while less than about a third of the entries are nonzero -------------------------------------- */

void vector_init(vector *v, arena *a, int n)
{
    CHECK_COMPARE(n, >=, 0);
    *v = (vector){n, 0, ARENA_NEW(a, int, n), ARENA_ZERO(a, double, n)};
}

void vector_clear(vector *v)
{
    CHECK_COMPARE(v->count, <=, v->n);
    if (v->count < 0 || v->count > v->n / 3)
        memset(v->value, 0, (size_t)v->n * sizeof *v->value);
    else
        for (int k = 0; k < v->count; k++) v->value[v->index[k]] = 0;
    v->count = 0;
}

void vector_pack(vector *v, double tiny)
{
    int kept = 0;
    if (v->count < 0) {
        for (int i = 0; i < v->n; i++) { /* no branches, as they would be unpredictable */
            double value = v->value[i];
            bool keep = fabs(value) > tiny;
            v->index[kept] = i;
            kept += keep;
            v->value[i] = keep ? value : 0;
        }
    } else {
        for (int k = 0; k < v->count; k++) {
            int i = v->index[k];
            if (fabs(v->value[i]) > tiny)
                v->index[kept++] = i;
            else
                v->value[i] = 0;
        }
    }
    v->count = kept;
    /* The list names each nonzero once and no zero. */
    if (!CHECKING) return;
    int nonzero = 0;
    for (int i = 0; i < v->n; i++) nonzero += v->value[i] != 0;
    CHECK_COMPARE(v->count, ==, nonzero);
    for (int k = 0; k < v->count; k++) CHECK(v->value[v->index[k]] != 0);
}

/* A pass over all values is faster than sorting more than about a sixteenth of them. */
void vector_sort(vector *v)
{
    if (v->count > v->n / 16) v->count = VECTOR_UNLISTED;
    if (v->count < 0)
        vector_pack(v, 0);
    else
        qsort(v->index, (size_t)v->count, sizeof *v->index, ascending_ints);
}

void vector_copy(vector *to, const vector *from)
{
    CHECK_COMPARE(to->n, ==, from->n);
    vector_clear(to);
    if (from->count < 0) {
        memcpy(to->value, from->value, (size_t)from->n * sizeof *to->value);
    } else {
        for (int k = 0; k < from->count; k++) {
            int i = from->index[k];
            to->index[k] = i;
            to->value[i] = from->value[i];
        }
    }
    to->count = from->count;
}

double vector_square(const vector *v)
{
    double sum = 0;
    if (v->count < 0)
        for (int i = 0; i < v->n; i++) sum += v->value[i] * v->value[i];
    else
        for (int k = 0; k < v->count; k++) sum += v->value[v->index[k]] * v->value[v->index[k]];
    return sum;
}

/* la/sparse.h - sparse matrices by columns, growing at the end, and vectors with a list of their nonzeros. */
#ifndef LA_SPARSE_H
#define LA_SPARSE_H

#include <stdint.h>

#include "base/arena.h"

/* Column j holds entries start[j] .. start[j+1]-1 of index (row) and value. A zeroed struct is valid input of sparse_init. */
typedef struct sparse {
    int rows, cols;
    int64_t *start; /* [cols + 1] */
    int *index;     /* [start[cols]] */
    double *value;  /* the same */
    size_t start_capacity, entry_capacity;
} sparse;

int sparse_init(sparse *a, int rows); /* no columns. 0, or -1: memory */
void sparse_free(sparse *a);
/* Capacity in all. -1: memory (matrix unchanged). */
int sparse_reserve(sparse *a, size_t cols, size_t entries);
/* An empty or zeroed a becomes a copy of this matrix. -1: memory (a may be freed). */
int sparse_load(sparse *a, int rows, int cols, const int64_t start[], const int index[], const double value[]);
/* Appends a column, growing if needed. -1: memory */
int sparse_append(sparse *a, int64_t count, const int index[], const double value[]);
/* t becomes the transpose; initialised or zeroed, its arrays are reused. -1: memory */
int sparse_transpose(const sparse *a, sparse *t);

/* value: [n]. count >= 0: index[0 .. count-1] names each nonzero once, and no zero (a listed entry that cancelled holds
 * VECTOR_CANCELLED). count = VECTOR_UNLISTED: no list. */
typedef struct vector {
    int n;
    int count;
    int *index;
    double *value;
} vector;

#define VECTOR_UNLISTED (-1)
/* Value of a listed entry that cancelled, so that membership can be read off the value; vanishes in any sum. */
#define VECTOR_CANCELLED 1e-100

/* fmax and fmin that compile to one instruction; a NaN in b is returned, one in a is not. */
static inline double larger(double a, double b) { return a > b ? a : b; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* Zero vector of length n with its arrays in a. */
void vector_init(vector *v, arena *a, int n);
void vector_clear(vector *v);
/* Drops entries below `tiny` in magnitude and lists the others. */
void vector_pack(vector *v, double tiny);
/* Lists the nonzeros in ascending order. */
void vector_sort(vector *v);
void vector_copy(vector *to, const vector *from); /* same n */
double vector_square(const vector *v);            /* sum of squares */
/* Adds `amount` at i and maintains the list. */
static inline void vector_add(vector *v, int i, double amount)
{
    double old = v->value[i], now = old + amount;
    if (v->count >= 0) {
        if (old == 0) v->index[v->count++] = i;
        if (now == 0) now = VECTOR_CANCELLED;
    }
    v->value[i] = now;
}

#endif

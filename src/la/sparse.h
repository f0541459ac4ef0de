/* la/sparse.h - sparse matrix by columns, growing at the end. */
#ifndef LA_SPARSE_H
#define LA_SPARSE_H

#include <stddef.h>
#include <stdint.h>

/* Column j holds entries start[j] .. start[j+1]-1 of index (row) and value. Owns its arrays. A zeroed
 * struct is an empty matrix to be given to sparse_init. */
typedef struct sparse {
    int rows, cols;
    int64_t *start; /* [cols + 1] */
    int *index;     /* [start[cols]] */
    double *value;  /* the same */
    size_t start_capacity, entry_capacity;
} sparse;

int sparse_init(sparse *a, int rows); /* no columns. 0, or -1: memory */
void sparse_free(sparse *a);
/* Room for so many columns and entries in all. 0, or -1: memory (matrix unchanged). */
int sparse_reserve(sparse *a, size_t cols, size_t entries);
/* An empty or zeroed a becomes a copy of this matrix. -1: memory (a may be freed). */
int sparse_load(sparse *a, int rows, int cols, const int64_t start[], const int index[], const double value[]);
/* Appends a column; reserves by itself. */
int sparse_append(sparse *a, int64_t count, const int index[], const double value[]);
/* t becomes the transpose (t: initialised or zeroed; its arrays are reused). */
int sparse_transpose(const sparse *a, sparse *t);

#endif

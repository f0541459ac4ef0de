/* base/transpose.h - transposition of a sparse matrix by a stable counting sort, O(entries + lines of both): the entries of each
 * line ascend (F. G. Gustavson, ACM Trans. Math. Software 4 (1978)). */
#ifndef BASE_TRANSPOSE_H
#define BASE_TRANSPOSE_H

#include <stdint.h>

/* Line l (a column, or a row) has entries start[l] .. start[l+1]-1 of index and value. start[0] = 0. */
typedef struct line_matrix {
    int lines;
    const int64_t *start; /* [lines + 1] */
    const int *index;     /* [start[lines]] in 0 .. across-1 */
    const double *value;  /* the same, or NULL: pattern only */
} line_matrix;

/* Writes start [across + 1], index, value (NULL: omitted) [entries], which must not overlap with a. */
void transpose(const line_matrix *a, int across, int64_t start[], int index[], double value[]);

#endif

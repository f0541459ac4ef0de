/* base/transpose.h - a sparse matrix in the other order: rows out of columns, columns out of rows.
 *
 * One counting sort, O(entries + lines of both): the entries of a line come out in ascending order of the lines they were in, and
 * in their old order within one (F. G. Gustavson, ACM Trans. Math. Software 4 (1978)).
 */
#ifndef BASE_TRANSPOSE_H
#define BASE_TRANSPOSE_H

#include <stdint.h>

/* `lines` lines (columns, or rows); entries start[l] .. start[l+1]-1 of index (the line across) and value are those of line l.
 * start[0] = 0. */
typedef struct line_matrix {
    int lines;
    const int64_t *start; /* [lines + 1] */
    const int *index;     /* [start[lines]] in 0 .. across-1 */
    const double *value;  /* the same, or NULL: a pattern alone */
} line_matrix;

/* start: [across + 1], index, value (NULL: not wanted): [entries], to be written; they may not overlap a's. */
void transpose(const line_matrix *a, int across, int64_t start[], int index[], double value[]);

#endif

/* la/lu.h - sparse LU factors of a basis matrix, kept up to date by Forrest-Tomlin.
 *
 * Variables are numbered logicals first: v < m is the logical of row v with column -e_v, v >= m is column
 * v - m of the matrix. Position p of the basis and row p are the same number: a factorisation permutes the list
 * of basic variables so that the one in position p has its pivot in row p. Hence
 *     B = L R_1^-1 .. R_k^-1 U,     U triangular in the order of its pivots.
 */
#ifndef LA_LU_H
#define LA_LU_H

#include <stdbool.h>

#include "base/clock.h"
#include "la/sparse.h"
#include "la/vector.h"

/* Lists indexed by row: entries begin[p] .. begin[p] + length[p] - 1. */
typedef struct lu_lists {
    int *begin, *length; /* [m] */
    int *index;
    double *value;
    int used, capacity; /* of index and value */
} lu_lists;

typedef struct lu lu;

/* Kinds of solves; each keeps its own record of how dense its results are. */
typedef enum lu_kind { LU_COLUMN, LU_EDGE, LU_FLIP, LU_ROW, LU_COST, LU_KINDS } lu_kind;

lu *lu_new(int m); /* NULL: memory */
void lu_free(lu *f);
void lu_set_limit(lu *f, const deadline *limit); /* looked at by lu_factor; NULL: none. It must live as long as f. */

/* Factorises the basis head [m] and permutes head as above. Where the basis is singular, dependent
 * variables give way to logicals: *replaced counts them. threshold: see LU_THRESHOLD.
 * 0; -1: memory; 1: the limit was reached (no factors then, and head is as it was). */
int lu_factor(lu *f, const sparse *a, int head[], double threshold, int *replaced);

/* to, of as many rows, takes over the factors of the other as they are now, updates included, but for a kept ftran or btran. -1:
 * memory, to has no factors. */
int lu_copy(lu *to, const lu *from);

/* x := B^-1 x.  keep: remember the half-way result for the next lu_update. */
void lu_ftran(lu *f, vector *x, lu_kind kind, bool keep);
/* x := B^-T x.  keep: likewise; x must be a unit vector. */
void lu_btran(lu *f, vector *x, lu_kind kind, bool keep);
/* Replaces the variable of position p by the one whose column was the last kept ftran; the last kept btran
 * was of e_p; pivot: entry p of that ftran's result. False: refused (no room, or the new diagonal disagrees
 * with its prediction): the factors are spoilt and must be made anew. Never allocates. */
bool lu_update(lu *f, int p, double pivot);

/* Updates after which factors of m rows should be made anew: factorising a large basis takes as long as many of them. */
int lu_updates_most(int m);

/* Work done since the factorisation, in entries touched; the work of the factorisation itself; entries of the
 * factors now. Deterministic. */
long long lu_work(const lu *f);
long long lu_factor_work(const lu *f);
long long lu_entries(const lu *f);

/* The factors as they are now, for those who look at them. Column p of L and of U is list p, without its diagonal. */
typedef struct lu_shape {
    const lu_lists *l, *u;
    const double *pivot; /* [m] diagonal of U */
    const int *u_order;  /* [u_count] rows in pivot order; -1: moved on */
    int u_count;
    int r_entries; /* of the row transformations of updates */
    int tail_rows; /* entries that the last so many pivots share are in no list: all of them, about; see lu_tail.c */
} lu_shape;
lu_shape lu_look(const lu *f);

#endif

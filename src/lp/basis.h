/* lp/basis.h - the factorised basis matrix behind one driver: dense inverse or sparse LU.
 *
 * B = columns of the variables head [m], numbered as in lu.h. Sparse: Markowitz LU with Forrest-Tomlin
 * updates. Dense: LAPACK's LU turned into the explicit inverse, updated by rank one.
 */
#ifndef LP_BASIS_H
#define LP_BASIS_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "la/sparse.h"
#include "la/lu.h"

typedef struct basis basis;

typedef enum basis_refactor {
    BASIS_KEEP = 0,
    BASIS_UPDATES, /* the most updates allowed were made */
    BASIS_WORK     /* solves have become dearer than a fresh factorisation would make them */
} basis_refactor;

basis *basis_new(int m); /* NULL: memory */
void basis_free(basis *b);
void basis_set_limit(basis *b, const deadline *limit); /* as lu_set_limit */

/* Factorises head [m] of matrix a and may permute head; dependent variables give way to logicals, *replaced
 * counts them. A factorisation whose test solve leaves a large residual is made again with stricter pivoting.
 * 0; -1: memory; 1: the limit was reached. The old factors are gone in either case. */
int basis_factor(basis *b, const sparse *a, int head[], vouch_lp_factor wanted, int *replaced);

/* to, of as many rows, takes over the factors of the other, and whether it is strict; as lu_copy. */
int basis_copy(basis *to, const basis *from);

/* x := B^-1 x and B^-T x; keep as in lu.h. */
void basis_ftran(basis *b, vector *x, lu_kind kind, bool keep);
void basis_btran(basis *b, vector *x, lu_kind kind, bool keep);
/* x := e_p' B^-1, kept. */
void basis_row(basis *b, int p, vector *x);
/* As lu_update. */
bool basis_update(basis *b, int p, double pivot);

basis_refactor basis_due(const basis *b);
int basis_updates(const basis *b); /* since the factorisation */
bool basis_is_dense(const basis *b);
void basis_be_strict(basis *b, bool strict); /* stricter pivoting from now on */
/* What sparse factors look like; l is NULL where there are none. */
lu_shape basis_shape(const basis *b);
/* Squared lengths of the rows of B^-1 into weight [m]: dense only. False: not available. */
bool basis_row_squares(const basis *b, double weight[]);

#endif

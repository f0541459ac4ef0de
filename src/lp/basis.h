/* lp/basis.h - the factorised basis matrix B of the variables head [m], numbered as in lu.h: Markowitz LU with Forrest-Tomlin
 * updates, or the explicit inverse from LAPACK's LU with rank-one updates. */
#ifndef LP_BASIS_H
#define LP_BASIS_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "la/sparse.h"
#include "la/lu.h"

typedef struct basis basis;

typedef enum basis_refactor {
    BASIS_KEEP = 0,
    BASIS_UPDATES, /* the update limit is reached */
    BASIS_WORK     /* solves cost more than after a new factorisation */
} basis_refactor;

basis *basis_new(int m); /* NULL: memory */
void basis_free(basis *b);
void basis_set_limit(basis *b, const deadline *limit); /* as lu_set_limit */

/* Factorises head [m] of matrix a and may permute head; logicals replace dependent variables, *replaced counts them. A large
 * residual of the test solve repeats it with stricter pivoting. 0; -1: memory; 1: limit reached. The old factors are lost in either
 * case. */
int basis_factor(basis *b, const sparse *a, int head[], vouch_lp_factor wanted, int *replaced);

/* Copies factors and strictness to a basis of as many rows; as lu_copy. */
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
/* View of the sparse factors; l is NULL if there are none. */
lu_shape basis_shape(const basis *b);
/* weight [m] := squared lengths of the rows of B^-1. False: sparse factors. */
bool basis_row_squares(const basis *b, double weight[]);

#endif

/* lp/tableau.h - rows of the simplex tableau of a problem's final basis.
 *
 * Row p of B^-1 A is u'A with u = B^-T e_p: the combination of rows with coefficient 0 for all basic variables except the one of
 * position p. Cost: one factorisation of the basis, and one transposed solve a row. */
#ifndef LP_TABLEAU_H
#define LP_TABLEAU_H

#include <vouch/lp.h>

typedef struct tableau tableau;

/* NULL: memory, no basis, or a singular one. lp must outlive it, unchanged. */
tableau *tableau_new(const vouch_lp *lp);
void tableau_free(tableau *t);
int tableau_rows(const tableau *t);
/* The basic column in position p; -1: the slack of a row. */
int tableau_basic_col(const tableau *t, int p);
/* u: [rows], owned by t, valid until the next call. */
const double *tableau_multipliers(tableau *t, int p);
/* VOUCH_BASIC, VOUCH_AT_LOWER, .. of each row: [rows], owned by t. */
const unsigned char *tableau_row_status(const tableau *t);

#endif

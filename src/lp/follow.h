/* lp/follow.h - copies of a program that solve repeatedly from one state of the original, and the work on exact confirmation. */
#ifndef LP_FOLLOW_H
#define LP_FOLLOW_H

#include <vouch/lp.h>

/* After a solve of lp, whose basis may have been set since: factorises the basis if needed and computes the vectors at the start of
 * a solve, once for all copies. ERROR_MEMORY: the basis remains. */
vouch_status lp_make_ready(vouch_lp *lp);
/* copy, a clone of lp with the same rows and columns, gets its bounds of columns, basis, factors and all other state of a solve: it
 * gives the same result to the last bit, independently of its own past. ERROR_MEMORY: copy may be freed or follow again. */
vouch_status lp_follow(vouch_lp *copy, const vouch_lp *lp);
/* Exact work spent on lp; a copy starts with that of the original. */
long long lp_exact_work(const vouch_lp *lp);
void lp_count_exact_work(vouch_lp *lp, long long work); /* adds the work of copies */

/* For callers that solve thousands of programs and accept the tolerances of the certificate: after `work` (exact/exact.h; default
 * EXACT_WORK_CONFIRM_ALL) only claims that doubles leave open are settled exactly. The numbers of lp count as computed: a
 * contradiction smaller than rounding proves nothing, however few digits they have. */
void lp_limit_confirmation(vouch_lp *lp, long long work);

/* ---- rows of the simplex tableau of a problem's final basis ---------------------------------------------------------------------
 *
 * Row p of B^-1 A is u'A with u = B^-T e_p: the combination of rows with coefficient 0 for all basic variables except the one of
 * position p. Cost: one factorisation of the basis, and one transposed solve a row. */

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

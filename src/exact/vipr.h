/* exact/vipr.h - a proof in the format VIPR 1.0 (K. K. H. Cheung, A. Gleixner, D. E. Steffy, IPCO 2017): the program, a
 * solution, and derived constraints, each with the reason why it holds.
 *
 * Constraints are numbered: those of the program, bounds first, then what is derived. Every number is a fraction; the data are read
 * as decimals (exact/number.h). What is derived is checked here in rational arithmetic before it is written down.
 */
#ifndef EXACT_VIPR_H
#define EXACT_VIPR_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "base/clock.h"

typedef struct vipr vipr;

typedef enum vipr_end {
    VIPR_DONE = 0,
    VIPR_OPEN, /* it does not follow: for a solution, there is no better one here */
    VIPR_LIMIT,
    VIPR_MEMORY
} vipr_end;

/* The problem stays the caller's, unchanged. NULL: memory */
vipr *vipr_new(const vouch_lp *problem);
void vipr_free(vipr *p);

/* The best point with the integer columns at x [n], rounded, becomes the solution if it is better than the one there is. */
vipr_end vipr_solve_fixed(vipr *p, const double x[], const deadline *limit);
bool vipr_has_solution(const vipr *p);
double vipr_objective(const vipr *p); /* of the solution there is, in the problem's sense */
/* Where a bound of the relaxation closes a node with something to spare; in the problem's sense; NAN: without a solution. */
double vipr_cutoff(const vipr *p);

/* A cut to be derived by mixed-integer rounding: sum_k factor_k times row_k, of its upper side (side 1), its lower (-1), an
 * equation (0); columns are measured from their lower bounds, those marked in at_upper [n] from their upper ones. */
typedef struct vipr_rounding {
    int rows;
    const int *row;
    const double *factor;
    const signed char *side;
    const bool *at_upper;
    const double *x; /* [n] that it is to cut off; NULL: nothing in particular */
} vipr_rounding;

/* sum_k value_k x[index_k] <= upper, the numbers read as decimals; its constraint's number. */
typedef struct vipr_cut {
    int count, number;
    int *index;    /* [n] the caller's */
    double *value; /* [n] the caller's */
    double upper;
} vipr_cut;

/* Derives a cut, without assumptions held. OPEN: there is none that cuts x off. */
vipr_end vipr_round(vipr *p, const vipr_rounding *from, vipr_cut *made);
/* The rows of lp, which stays the caller's, unchanged but for its columns' bounds, replace those that are in use: first the
 * program's, then cuts of these numbers. Without assumptions held. */
vipr_end vipr_use_rows(vipr *p, const vouch_lp *lp, const int number[]);

/* Derives a bound of col from its row, whose upper side is used or its lower, and the bounds of the row's other columns; *value is
 * what it is then. OPEN: it is no tighter than the one there is, or would cross the other. Without assumptions held. */
vipr_end vipr_tighten(vipr *p, int row, bool row_upper, int col, double *value);

/* An assumption, a bound of an integer column, holds until it is taken back, the last one first. Its number; -1: memory */
int vipr_assume(vipr *p, int col, bool upper, double value);
void vipr_take_back(vipr *p);
/* Under the assumptions held: no point better than the solution, from multipliers of rows: row_dual, or farkas. Its number into
 * *made. */
vipr_end vipr_close(vipr *p, const double y[], bool farkas, int *made);
/* The same from a basis [m + n], by the exact simplex method. OPEN: x [n] is an optimal point better than the solution. */
vipr_end vipr_close_exactly(vipr *p, unsigned char status[], const deadline *limit, double x[], int *made);
/* [depth] Which of the assumptions held did the constraint last closed need? */
const char *vipr_used(const vipr *p);
/* constraint [0] under assumption [0], column <= k, and [1] under [1], column >= k + 1, both taken back: the claim without these.
 * Its number; -1: memory */
int vipr_join(vipr *p, const int constraint[2], const int assumption[2]);

/* The file's bytes, zero-terminated, for mem_free, with this constraint as its claim; NULL: memory. Nothing is made after it. */
char *vipr_text(vipr *p, int claim, size_t *length);
long long vipr_derived(const vipr *p);

#endif

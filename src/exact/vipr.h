/* exact/vipr.h - a proof in the format VIPR 1.0 (K. K. H. Cheung, A. Gleixner, D. E. Steffy, IPCO 2017): the program, a solution,
 * and derived constraints with reasons.
 *
 * Constraints are numbered: bounds of the program, its rows, derived ones. Numbers are fractions, the data read as decimals
 * (exact/number.h). A derivation is checked in rational arithmetic before it is written. */
#ifndef EXACT_VIPR_H
#define EXACT_VIPR_H

#include <vouch/lp.h>

#include "base/clock.h"

typedef struct vipr vipr;

typedef enum vipr_end {
    VIPR_DONE = 0,
    VIPR_OPEN, /* not derivable; for a solution: not better */
    VIPR_LIMIT,
    VIPR_MEMORY
} vipr_end;

/* The caller keeps the problem, unchanged. NULL: memory */
vipr *vipr_new(const vouch_lp *problem);
void vipr_free(vipr *p);

/* The best point with the integer columns at x [n], rounded, replaces the solution if it is better. */
vipr_end vipr_solve_fixed(vipr *p, const double x[], const deadline *limit);
bool vipr_has_solution(const vipr *p);
double vipr_objective(const vipr *p); /* of the solution, in the problem's sense */
/* Bound of the relaxation that closes a node with a margin; in the problem's sense; NAN: without a solution. */
double vipr_cutoff(const vipr *p);

/* Input of mixed-integer rounding: sum_k factor_k times row_k, by its upper side (side 1), its lower (-1), an equation (0); columns
 * are measured from their lower bounds, those in at_upper [n] from their upper ones. */
typedef struct vipr_rounding {
    int rows;
    const int *row;
    const double *factor;
    const signed char *side;
    const bool *at_upper;
    const double *x; /* [n] the point to cut off; NULL: any */
} vipr_rounding;

/* sum_k value_k x[index_k] <= upper, the numbers read as decimals; the number of its constraint. */
typedef struct vipr_cut {
    int count, number;
    int *index;    /* [n] the caller's */
    double *value; /* [n] the caller's */
    double upper;
} vipr_cut;

/* Derives a cut, without active assumptions. OPEN: none that cuts x off. */
vipr_end vipr_round(vipr *p, const vipr_rounding *from, vipr_cut *made);
/* The rows of lp replace the current rows: first those of the program, then cuts with these numbers. The caller keeps lp, unchanged
 * except for bounds of columns. Without active assumptions. */
vipr_end vipr_use_rows(vipr *p, const vouch_lp *lp, const int number[]);

/* Derives *value, a bound of col, from the upper or lower side of a row and the bounds of its other columns. OPEN: not tighter, or
 * it would cross the other bound. Without active assumptions. */
vipr_end vipr_tighten(vipr *p, int row, bool row_upper, int col, double *value);

/* Assumes a bound of an integer column until vipr_take_back, last first. Its number; -1: memory */
int vipr_assume(vipr *p, int col, bool upper, double value);
void vipr_take_back(vipr *p);
/* Under the active assumptions: no point is better than the solution, by multipliers of rows: row_dual, or farkas. *made: its
 * number. */
vipr_end vipr_close(vipr *p, const double y[], bool farkas, int *made);
/* The same from a basis [m + n], by the exact simplex method. OPEN: x [n] is an optimal point better than the solution. */
vipr_end vipr_close_exactly(vipr *p, unsigned char status[], const deadline *limit, double x[], int *made);
/* [depth] The active assumptions that the last closing constraint needs. */
const char *vipr_used(const vipr *p);
/* constraint [0] under assumption [0], column <= k, and [1] under [1], column >= k + 1, both taken back: the claim without them.
 * Its number; -1: memory */
int vipr_join(vipr *p, const int constraint[2], const int assumption[2]);

/* The bytes of the file, zero-terminated, for mem_free, with this constraint as its claim; NULL: memory. The last call. */
char *vipr_text(vipr *p, int claim, size_t *length);
long long vipr_derived(const vipr *p);

#endif

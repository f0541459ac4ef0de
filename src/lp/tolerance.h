/* lp/tolerance.h - every number the simplex method compares with, its default, its range, its reason.
 *
 * Those a caller may want to change are in vouch_lp_options; these are tied to double precision (about 2e-16) and
 * to the scaling, which brings matrix entries near 1.
 */
#ifndef LP_TOLERANCE_H
#define LP_TOLERANCE_H

#include <float.h>

#include "la/lu.h"

/* Row and column of the tableau must agree on the pivot to this, relatively, even with fresh factors. [1e-5, 1e-2] */
#define TOL_PIVOT_DISAGREE 1e-3

/* ---- simplex steps ---- */
/* Pivots: smallest entry the ratio tests look at; grows with the number of updates. [1e-10, 1e-6] */
#define TOL_PIVOT      1e-9
#define TOL_PIVOT_AGED 1e-7
/* An entry of the dual's row this small beside the length of e_p' B^-1 is noise of that solve, not a pivot: taking it would hide
 * that the row proves infeasibility. [1e-12, 1e-9] */
#define TOL_PIVOT_NOISE 1e-10
/* A chosen pivot this small is taken only from a fresh factorisation. [1e-7, 1e-4] */
#define TOL_PIVOT_SMALL 1e-5
/* Of the candidates whose ratios tie, look for one whose entry is at least this part of the largest. [0.01, 0.5] */
#define RATIO_GOOD_PART 0.1
/* A step, or a gain of the objective relative to its size, below this is degenerate. [1e-14, 1e-9] */
#define TOL_STEP 1e-12
/* Steps of the ranges this near to each other, relative to 1 and their size, tie. [1e-12, 1e-8] */
#define TOL_STEP_TIE 1e-10
/* A slope of the dual's long step fallen to this part of its first value is 0 but for rounding. [1e-14, 1e-9] */
#define TOL_SLOPE_FLAT 1e-11
/* Smallest edge weight kept: they are at least 1 in exact arithmetic of a slack start. [1e-8, 1e-2] */
#define WEIGHT_LEAST 1e-4

/* ---- perturbation ---- */
/* Of costs at a cold start, relative to the cost and to 1, or to their mean where that is less. [5e-6, 5e-4] */
#define PERTURB_START 5e-5
/* Size relative to the cost or bound perturbed; a few times the tolerance it must exceed. [1e-8, 1e-5] */
#define PERTURB_COST  5e-7
#define PERTURB_BOUND 5e-7

/* ---- scaling ---- */
/* A matrix whose entries all lie within these needs none. */
#define SCALE_FINE_LOW  0.2
#define SCALE_FINE_HIGH 5.0

/* ---- presolve ---- */
/* Contradictions and dominance are believed beyond this, relative to the terms they come from. [1e-11, 1e-7] */
#define TOL_PRESOLVE 1e-9
/* A column is solved for in an equality only if its entry is at least this part of the others. [1e-4, 0.1] */
#define DOUBLETON_PIVOT  1e-3
#define SINGLETON_PIVOT  1e-3
#define SUBSTITUTE_PIVOT 0.1
/* A sum this small beside its terms is their rounding error, hence 0. [1e-14, 1e-11] */
#define CANCELLED 1e-13

/* ---- certificates on the caller's data, each relative to 1 + the magnitudes involved ---- */
/* Factor on the option's tolerance: unscaling may enlarge a violation. [1, 100] */
#define CERTIFY_SLACK 10.0
/* Gap between the primal and the dual objective. [1e-10, 1e-6] */
#define TOL_CERTIFY_GAP 1e-7
/* Margin of a ray: the contradiction must exceed the rounding of its sum by far. [1e-12, 1e-7] */
#define TOL_CERTIFY_RAY 1e-9
/* A result within these is beyond doubt; one within the tolerances above only is refined, and small programs are then solved
 * exactly. Violations relative to their row: what the data may be off by themselves. [1e-10, 1e-8] */
#define TOL_CLEAR_PRIMAL 1e-9
/* A point further off than this is no solution but for rounding; a nearly parallel row may be missed by as little and decide
 * everything: refined, and confirmed exactly where that is cheap. [1e-14, 1e-11] */
#define TOL_ROUNDING_PRIMAL 1e-12
/* Dual infeasibility and gap likewise: where residuals of 1e-15 leave a gap beyond this, so may the data's own rounding. */
#define TOL_CLEAR_DUAL 1e-9
#define TOL_CLEAR_GAP  1e-9
/* What rounding leaves of a sum that is 0, relative to its largest term, when the multipliers are as exact as doubles: a column
 * without bound may be as far off, and no further, for its multiplier prices a move without end. [1e-15, 1e-12] */
#define TOL_SUM_ZERO 2e-14
/* Of the magnitudes that a sum adds up: what the rounding of data and multipliers may be worth, and no more once refined. */
#define TOL_NOISE (2 * DBL_EPSILON)
/* Noise of a reduced cost on a column without bound, or of a row's activity, relative to 1 + its cost or side: beyond this,
 * rounding may decide; beyond the second, it does, and nothing is certified: multipliers of 1e12 come from rows that are
 * independent by rounding only. [1e-12, 1e-8], [1e-6, 1e-2] */
#define TOL_VAGUE      1e-10
#define TOL_VAGUE_MOST 1e-3
/* The same for reduced costs of a bound, whose multipliers come from the method's own solves. [1e-14, 1e-11] */
#define TOL_BOUND_ZERO 1e-12

/* Rounding of a bound, relative to 1 + its size, that need not be taken off: who stops at a bound leaves more. [1e-13, 1e-10] */
#define TOL_LOSS 1e-11

/* ---- the exact attempt ---- */
/* Work (exact.h) on a program about which doubles say nothing; to confirm what they say within the wider tolerances; to confirm a
 * point that leans on them but is beyond doubt otherwise; and in all for one program until it is loaded anew, so that thousands of
 * solves from a basis stay cheap. */
#define EXACT_WORK_LAST        3000000000LL
#define EXACT_WORK_CONFIRM     100000000LL
#define EXACT_WORK_LEANS       20000000LL
#define EXACT_WORK_TOTAL       6000000000LL
#define EXACT_WORK_CONFIRM_ALL 1000000000LL
#define EXACT_WORK_LEANS_ALL   60000000LL
/* Numbers of more than 16 digits are rounded ones. A contradiction found exactly but smaller than this part of its terms may then
 * be made by that rounding: with the numbers that were meant the program may be feasible (a ray: may end), so nothing is said.
 * [1e-15, 1e-13] */
#define EXACT_MARGIN 1e-14

#endif

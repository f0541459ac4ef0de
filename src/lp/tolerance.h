/* lp/tolerance.h - tolerances of the simplex method with ranges and reasons. Others are options in vouch_lp_options; these depend
 * on double precision (about 2e-16) and on scaling, which brings matrix entries near 1. */
#ifndef LP_TOLERANCE_H
#define LP_TOLERANCE_H

#include <float.h>

#include "la/lu.h"

/* Relative difference of row and column of the tableau at the pivot, with fresh factors. [1e-5, 1e-2] */
#define TOL_PIVOT_DISAGREE 1e-3

/* ---- simplex steps ---- */
/* Least pivot of the ratio tests, with few and with many updates. [1e-10, 1e-6] */
#define TOL_PIVOT      1e-9
#define TOL_PIVOT_AGED 1e-7
/* Least pivot of the dual relative to the length of e_p' B^-1: a smaller entry is noise of that solve and would hide that the row
 * proves infeasibility. [1e-12, 1e-9] */
#define TOL_PIVOT_NOISE 1e-10
/* Least pivot without a fresh factorisation. [1e-7, 1e-4] */
#define TOL_PIVOT_SMALL 1e-5
/* Of tied candidates, one with at least this fraction of the largest entry is chosen. [0.01, 0.5] */
#define RATIO_GOOD_PART 0.1
/* A smaller step, or relative gain of the objective, is degenerate. [1e-14, 1e-9] */
#define TOL_STEP 1e-12
/* Relative difference of tied steps of the ranges. [1e-12, 1e-8] */
#define TOL_STEP_TIE 1e-10
/* Fraction of the first slope of the dual's long step that counts as 0. [1e-14, 1e-9] */
#define TOL_SLOPE_FLAT 1e-11
/* Least edge weight; in exact arithmetic they are at least 1 from a slack start. [1e-8, 1e-2] */
#define WEIGHT_LEAST 1e-4

/* ---- perturbation ---- */
/* Of costs at a cold start, relative to the cost and to 1, or to their mean if less. [5e-6, 5e-4] */
#define PERTURB_START 5e-5
/* Relative to the perturbed cost or bound; a few times the tolerance it must exceed. [1e-8, 1e-5] */
#define PERTURB_COST  5e-7
#define PERTURB_BOUND 5e-7

/* ---- scaling ---- */
/* Matrices with all entries in this range are not scaled. */
#define SCALE_FINE_LOW  0.2
#define SCALE_FINE_HIGH 5.0

/* ---- presolve ---- */
/* Contradictions and dominance count beyond this, relative to their terms. [1e-11, 1e-7] */
#define TOL_PRESOLVE 1e-9
/* Least entry of an eliminated column, relative to the others. [1e-4, 0.1] */
#define DOUBLETON_PIVOT  1e-3
#define SINGLETON_PIVOT  1e-3
#define SUBSTITUTE_PIVOT 0.1
/* A smaller sum relative to its terms is rounding, hence 0. [1e-14, 1e-11] */
#define CANCELLED 1e-13

/* ---- certificates on the caller's data, each relative to 1 + the magnitudes involved ---- */
/* Factor on the option's tolerance, as unscaling may enlarge a violation. [1, 100] */
#define CERTIFY_SLACK 10.0
/* Gap of the primal and the dual objective. [1e-10, 1e-6] */
#define TOL_CERTIFY_GAP 1e-7
/* Margin of a ray, well above the rounding of its sum. [1e-12, 1e-7] */
#define TOL_CERTIFY_RAY 1e-9
/* Results within these are beyond doubt; others within the tolerances are refined, and small programs solved exactly. Violations
 * relative to their row. [1e-10, 1e-8] */
#define TOL_CLEAR_PRIMAL 1e-9
/* A larger violation exceeds rounding; nearly parallel rows may be missed by as little and decide: refined, and confirmed exactly
 * if cheap. [1e-14, 1e-11] */
#define TOL_ROUNDING_PRIMAL 1e-12
/* Likewise for dual infeasibility and gap: if residuals of 1e-15 leave a larger gap, so may the rounding of the data. */
#define TOL_CLEAR_DUAL 1e-9
#define TOL_CLEAR_GAP  1e-9
/* Rounding of a sum that is 0, relative to its largest term, with the most exact multipliers: for a column without bound the limit,
 * as its multiplier prices an unlimited move. [1e-15, 1e-12] */
#define TOL_SUM_ZERO 2e-14
/* Rounding of data and multipliers relative to the magnitudes of a sum, after refinement. */
#define TOL_NOISE (2 * DBL_EPSILON)
/* Noise of a reduced cost of a column without bound, or of an activity, relative to 1 + its cost or side: beyond the first,
 * rounding may decide; beyond the second nothing is certified, as multipliers of 1e12 come from rows that are independent by
 * rounding only. [1e-12, 1e-8], [1e-6, 1e-2] */
#define TOL_VAGUE      1e-10
#define TOL_VAGUE_MOST 1e-3
/* The same for reduced costs of a bound by the method's own multipliers. [1e-14, 1e-11] */
#define TOL_BOUND_ZERO 1e-12

/* Rounding of a bound, relative to 1 + its size, that is not subtracted, as users of a bound allow for more. [1e-13, 1e-10] */
#define TOL_LOSS 1e-11

/* ---- the exact attempt ---- */
/* Work (exact.h): without an answer in doubles; to confirm one within the wider tolerances; to confirm a clear point that leans on
 * them; totals of each for one program until it is loaded again, so that thousands of solves stay cheap. */
#define EXACT_WORK_LAST        3000000000LL
#define EXACT_WORK_CONFIRM     100000000LL
#define EXACT_WORK_LEANS       20000000LL
#define EXACT_WORK_TOTAL       6000000000LL
#define EXACT_WORK_CONFIRM_ALL 1000000000LL
#define EXACT_WORK_LEANS_ALL   60000000LL
/* Numbers of more than 16 digits are rounded. An exact contradiction (or ray) with a smaller relative margin may be due to that
 * rounding and proves nothing. [1e-15, 1e-13] */
#define EXACT_MARGIN 1e-14

#endif

/* lp/judge.h - claims of the engine: unscaled, certified, and, if in doubt, refined or settled exactly. */
#ifndef LP_JUDGE_H
#define LP_JUDGE_H

#include "lp/certificate.h"
#include "lp/problem.h"
#include "lp/simplex.h"

/* The arrays of a result, in one block of the program. */
typedef struct result_arrays {
    double *x, *reduced, *ray;        /* [n] */
    double *activity, *dual, *farkas; /* [m] */
} result_arrays;

/* One solve. */
typedef struct judgement {
    vouch_lp *lp; /* engine and result */
    const vouch_lp_data *data;
    const vouch_lp_options *options;
    const deadline *limit;
    bool fine; /* rounding of the data matters: the numbers are the caller's, and the program is not solved repeatedly */
    result_arrays at;
    certainty sure;  /* of the last certified claim */
    bool leans;      /* its point uses tolerance, or rounding may decide (certificate.h) */
    const char *why; /* the last failed check */
} judgement;

/* Checks, and if in doubt refines, the engine's end, and stores the result; UNSOLVED: not certified. */
vouch_lp_outcome judge_end(judgement *g, run_end end);
/* Stores a ray that proves infeasibility on the caller's data. False: it does not. */
bool judge_infeasible(judgement *g, double ray[]);
/* Is the last claim final without an exact solve? */
bool judge_settled(const judgement *g);
/* Solves exactly from the engine's basis if that needs little work; UNSOLVED: no answer. A claim that only the rounding of the data
 * decides is kept if plausible, otherwise unsolved. -1: memory */
int judge_exactly(judgement *g, vouch_lp_outcome *outcome);
/* Continues from the engine's basis in rational arithmetic, on the data as decimals, to an exact verdict or LIMIT. -1: memory */
int judge_in_decimals(judgement *g, vouch_lp_outcome *outcome);
/* The engine's state at a limit: point, duals, and their bound. */
void judge_unfinished(judgement *g);
/* The bound of a result that is numerical or optimal within tolerances only: the bound of its duals less their rounding. */
void judge_bound(judgement *g, double dual_tol);

#endif

/* lp/judge.h - what the engine claims, unscaled and put before the certificate; what is in doubt there, refined or settled
 * exactly. */
#ifndef LP_JUDGE_H
#define LP_JUDGE_H

#include "lp/certificate.h"
#include "lp/problem.h"

/* The arrays of a result, in one block that the program owns. */
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
    bool fine; /* what only rounding decides counts: the numbers are the caller's, and the program is not solved again and again */
    result_arrays at;
    certainty sure;  /* of the last claim that was certified */
    bool leans;      /* its point uses up tolerance, or rounding may decide (certificate.h) */
    const char *why; /* the check that failed last, in a line */
} judgement;

/* What the engine ended with, once checked, and refined if there is doubt, into the result; UNSOLVED: not certified. */
vouch_lp_outcome judge_end(judgement *g, run_end end);
/* A ray that proves infeasibility on the caller's data becomes the result. */
bool judge_infeasible(judgement *g, double ray[]);
/* Does the last claim stand without an exact solve? */
bool judge_settled(const judgement *g);
/* Solves exactly from the engine's basis, on the data as decimals, if that takes little enough work; UNSOLVED: no answer. What only
 * the rounding of the data decides is left as it was if plausible, and unsolved if not. -1: memory */
int judge_exactly(judgement *g, vouch_lp_outcome *outcome);
/* Goes on from the engine's basis in rational arithmetic, on the data as decimals, to an exact verdict, or LIMIT. -1: memory */
int judge_in_decimals(judgement *g, vouch_lp_outcome *outcome);
/* Whatever the engine has at a limit: its point, its duals, the bound these prove. */
void judge_unfinished(judgement *g);
/* The bound of a result that is optimal within the tolerances only, or numerical: what the duals prove, less their rounding. */
void judge_bound(judgement *g, double dual_tol);

#endif

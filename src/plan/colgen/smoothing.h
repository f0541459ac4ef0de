/* plan/colgen/smoothing.h - the multipliers that a round of column generation prices.
 *
 * With few columns the multipliers of the master jump between corners, whose policies are of little use to a node whose optimal
 * multipliers are near its parent's. So a round steps from the multipliers of the best bound towards the master's,
 *
 *     lambda = centre + length * (aimed - centre),
 *
 * first with length 0, then twice as far if the bound of the last policy increases in that direction, and half as far if not.
 *
 * Source: P. Wentges, Int. Trans. Oper. Res. 4 (1997); A. Pessoa, R. Sadykov, E. Uchoa, F. Vanderbeck, INFORMS J. Comput. 30
 * (2018). O(K) a round.
 */
#ifndef PLAN_COLGEN_SMOOTHING_H
#define PLAN_COLGEN_SMOOTHING_H

#include <stdbool.h>

typedef struct smoothing {
    int count;
    double *centre, *aimed; /* [count] of the best bound; of the last master */
    double length;          /* of the next step: 0 .. 1 */
    bool better;            /* set by the caller: the last priced multipliers gave the best bound */
} smoothing;

/* Starts at lambda [count]. priced: they were priced. */
void smoothing_begin(smoothing *s, const double lambda[], bool priced);
/* Replaces the master's lambda by the multipliers to price. */
void smoothing_take(smoothing *s, double lambda[]);
/* After pricing lambda: the next step. slope [count]: of the bound of its optimal policy; repeated: that policy is not new. False:
 * no step finds another. */
bool smoothing_fit(smoothing *s, const double lambda[], const double slope[], bool repeated);

#endif

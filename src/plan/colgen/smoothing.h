/* plan/colgen/smoothing.h - which multipliers a round of column generation prices.
 *
 * Multipliers of the master jump from corner to corner while columns are few, and the policies that are best there are of no use to
 * a node whose best multipliers are near those of the node above. So a round steps from the multipliers of the best bound towards
 * the master's only,
 *
 *     lambda = centre + length * (aimed - centre),
 *
 * first not at all, then twice as far where the bound of the policy found still grows that way, and half as far where it does not.
 *
 * Source: P. Wentges, Int. Trans. Oper. Res. 4 (1997); A. Pessoa, R. Sadykov, E. Uchoa, F. Vanderbeck, INFORMS J. Comput. 30
 * (2018). O(K) a round. Invariant: multipliers lie between those of a bound and the master's, so that they price one.
 */
#ifndef PLAN_COLGEN_SMOOTHING_H
#define PLAN_COLGEN_SMOOTHING_H

#include <stdbool.h>

typedef struct smoothing {
    int count;
    double *centre, *aimed; /* [count] of the best bound; of the last master */
    double length;          /* of the next step: 0 .. 1 */
    bool better;            /* the last multipliers priced are those of the best bound; set by the caller */
} smoothing;

/* Multipliers lambda [count] are where it begins. priced: they were priced. */
void smoothing_begin(smoothing *s, const double lambda[], bool priced);
/* lambda, which is the master's, becomes what is to be priced. */
void smoothing_take(smoothing *s, double lambda[]);
/* After lambda was priced: the next step. slope [count]: of the bound of the policy that is best there; repeated: that is no new
 * one. False: no step finds another. */
bool smoothing_fit(smoothing *s, const double lambda[], const double slope[], bool repeated);

#endif

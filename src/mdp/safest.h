/* mdp/safest.h - a Markov policy that keeps the promises of every environment, found before anything else is known. */
#ifndef MDP_SAFEST_H
#define MDP_SAFEST_H

#include "base/clock.h"
#include "mdp/model.h"

/* What is promised, and what was found. */
typedef struct safest {
    const double *p;       /* [K] */
    double tolerance;      /* with which p is held */
    const deadline *limit; /* of all rounds but the first; NULL: none */
    int rounds;            /* at most, at least 1 */
    int *choice;           /* [T * S] written: a pair, -1 where a state has none */
    double *U, *Pr;        /* [K] written: exact figures of that policy */
    bool kept;             /* it keeps the promises */
} safest;

/* Of every model's rows. The first round ends at an interrupt only: choice, U and Pr are not written then, and kept is false. Cost of a round: an
 * induction and a half in every environment. ERROR_MEMORY. */
vouch_status safest_markov(const vouch_model *m, safest *out);

#endif

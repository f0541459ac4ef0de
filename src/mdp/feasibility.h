/* mdp/feasibility.h - a Markov policy that keeps the promises of every environment, found before anything else is known. */
#ifndef MDP_FEASIBILITY_H
#define MDP_FEASIBILITY_H

#include "base/clock.h"
#include "mdp/model.h"

/* What is promised, and what was found. */
typedef struct feasibility {
    const double *p;       /* [K] */
    double tolerance;      /* with which p is held */
    const deadline *limit; /* of what is more work than a round of all environments; NULL: none */
    int rounds;            /* of a set of environments: at most, at least 1 */
    int passes;            /* of exchanges where rounds do not succeed, at most */
    bool few;              /* few environments are asked at first, and more where those break their promises */
    int *choice;           /* [T * S] written: a pair, -1 where a state has none */
    double *U, *Pr;        /* [K] written: exact figures of that policy */
    bool kept;             /* it keeps the promises */
} feasibility;

/* Is a round of all rows done in some tenths of a second? */
bool feasibility_is_short(const vouch_model *m);
/* Of every model's rows. Work up to that of one round of all, where that is done in some tenths of a second, ends at an interrupt
 * only: choice, U and Pr are not of one policy then, and kept is false. Cost of a round: an induction and a half in each
 * environment asked. ERROR_MEMORY. */
vouch_status feasible_markov(const vouch_model *m, feasibility *out);

#endif

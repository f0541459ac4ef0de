/* mdp/feasibility.h - a heuristic for a Markov policy that keeps the promises of every environment. */
#ifndef MDP_FEASIBILITY_H
#define MDP_FEASIBILITY_H

#include "base/clock.h"
#include "mdp/model.h"

typedef struct feasibility {
    const double *p;       /* [K] promised */
    double tolerance;      /* of p */
    const deadline *limit; /* of work beyond one round of all environments; NULL: none */
    int rounds;            /* maximum, at least 1, for a set of environments */
    int passes;            /* maximum of exchange passes after unsuccessful rounds */
    bool few;              /* start with few environments, add those with the largest shortfall */
    int *choice;           /* [T * S] written: a pair, -1 where a state has none */
    double *U, *Pr;        /* [K] written: exact figures of that policy */
    bool kept;             /* it keeps the promises */
} feasibility;

/* True if a round of all rows takes at most some tenths of a second. */
bool feasibility_is_short(const vouch_model *m);
/* For a model's rows. If a round is short, work up to that of one round ends only at an interrupt; then kept is false, and choice,
 * U and Pr are not of one policy. Cost of a round: an induction and a half in each environment of the set. ERROR_MEMORY. */
vouch_status feasible_markov(const vouch_model *m, feasibility *out);

#endif

/* tests/oracle/brute.h - the best deterministic L-updates policy, by trying them all.
 *
 * Written from the definitions alone: histories are followed one by one, the consistent environments are a bit mask, and a policy
 * is a table from its information to an action. Nothing is shared with the planner but the model.
 */
#ifndef ORACLE_BRUTE_H
#define ORACLE_BRUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "mdp/model.h"

typedef struct brute {
    const vouch_model *m;
    int L;
    bool complete;      /* every policy was tried; else the work allowed was used up and nothing below holds */
    bool found;         /* some policy keeps the commitment */
    long long policies; /* tried: policies that differ at a decision they reach count apart */
    double max_regret;  /* least, and the least total regret among policies within 1e-9 of it; INFINITY without one */
    double total_regret;
    int *best; /* that policy, by brute_action */
} brute;

enum { BRUTE_PROMISES = 4 };

/* Promises: at most BRUTE_PROMISES, in every environment or on average. optimal [K] = U*_c(k). most_steps: history steps allowed.
 * Environments: at most 16. */
void brute_solve(const vouch_model *m, int L, const double optimal[], long long most_steps, brute *b);
/* Likewise, of the environments in the bit mask `of` only, while the policy knows by all: the others' regrets and promises do not
 * count; promises of all are kept if `promised` has all bits. */
void brute_solve_for(const vouch_model *m, int L, const double optimal[], unsigned of, unsigned promised, long long most_steps,
                     brute *b);
void brute_free(brute *b);

/* Action of the best policy at time t in `state`: t < L with the environments `known` (bits) consistent; t >= L with the
 * knowledge state (boundary, known) at L. -1: never there. */
int brute_action(const brute *b, int t, int state, int boundary, unsigned known);

#endif

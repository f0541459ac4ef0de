/* plan/reach/reach_proof.h - the proof lines of a search by intervals of reach (src/check/FORMAT.md). */
#ifndef PLAN_REACH_REACH_PROOF_H
#define PLAN_REACH_REACH_PROOF_H

#include "plan/reach/reach.h"

typedef struct reach_proof reach_proof;

/* Choices that no policy below `bound` uses. */
typedef struct reach_removed {
    bool regrets;
    double bound;
    const int *choice; /* [count] */
    int count;
} reach_removed;

vouch_status reach_proof_begin(reach_proof *p, const reach_model *r, bool regrets);
void reach_proof_close(reach_proof *p, const reach_model *r, long long id, const reach_set *x, bool regrets);
void reach_proof_remove(reach_proof *p, const reach_model *r, long long id, const reach_set *x, const reach_removed *what);
void reach_proof_branch(reach_proof *p, long long id, int node);
void reach_proof_child(reach_proof *p, long long child, long long id, int choice);
void reach_proof_end(reach_proof *p, double least, bool whole);

#endif

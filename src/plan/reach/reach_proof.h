/* plan/reach/reach_proof.h - the proof lines of a search by intervals of reach (src/check/FORMAT.md, "reach", "unkept", "remove"),
 * written while it runs. */
#ifndef PLAN_REACH_REACH_PROOF_H
#define PLAN_REACH_REACH_PROOF_H

#include "plan/reach/reach.h"
#include "plan/search/proof_writer.h"

/* A line about a case. regrets: it bounds the regret; else it shows that no policy keeps the promises. */
typedef struct reach_line {
    long long id;
    bool regrets;
    double bound;
} reach_line;

/* Case x is closed. */
void reach_proof_close(proof_writer *w, const reach_model *r, const reach_set *x, reach_line line);
/* Bounds the policies of case x that use one of these choices [count]. */
void reach_proof_remove(proof_writer *w, const reach_model *r, const reach_set *x, reach_line line, const int choice[], int count);
void reach_proof_branch(proof_writer *w, long long id, int node);
void reach_proof_child(proof_writer *w, long long made, long long id, int choice);

#endif

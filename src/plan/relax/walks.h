/* plan/relax/walks.h - walks from the best policy (plan/heuristic/threshold_accepting.h) beside a race of levels.
 *
 * CHAINS chains of them begin from the same policy, each with its own random numbers and its share of the work, and on a thread of
 * its own where there are threads; what they have come to is taken in their order. So the policy is the same with any number of
 * threads. Chains, not one: a single one runs alone when what it runs beside has ended.
 * Cost: the work asked for, and an incumbent for each chain.
 */
#ifndef PLAN_RELAX_WALKS_H
#define PLAN_RELAX_WALKS_H

#include "plan/heuristic/beside.h"
#include "plan/heuristic/threshold_accepting.h"

enum { CHAINS = 2 };

typedef struct walk_chain {
    threshold_accepting at, next; /* where its next walk takes up, and that when those begun end */
    beside run;                   /* walks that are begun; empty: none are */
    double work;                  /* that they have */
    bool better;                  /* they have found a better policy than they began with */
} walk_chain;

typedef struct walks {
    walk_chain chain[CHAINS];
    double share;  /* of the work asked for, that walks have */
    double walked; /* what the best policy was worth after the last ones */
} walks;

void walks_init(walks *w, uint64_t seed);
/* Those from the best policy known now begin; with a part of the work only where the last ones from it found none better. None are
 * begun yet. */
vouch_status walks_begin(walks *w, const incumbent *inc, bool threads, double work);
bool walks_begun(const walks *w);
/* What they have come to; they are begun. True: some policy is better than the one they began with. */
bool walks_end(walks *w, incumbent *inc);
/* How many there have been. */
int walks_count(const walks *w);
/* Ends and frees what was begun, whether or not it has been asked for. */
void walks_give_up(walks *w);

#endif

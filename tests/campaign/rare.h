/* tests/campaign/rare.h - models whose failures are rare: with several promises, by every way to plan, with proofs. */
#ifndef CAMPAIGN_RARE_H
#define CAMPAIGN_RARE_H

#include <vouch/model.h>

#include "campaign/bench.h"

typedef struct rare {
    world w;
    world_tree tree;
    int L, kind;
    vouch_model *m;
    double rounding; /* of a sum of rewards in doubles */
    double low[WORLD_K],
        high[WORLD_K];      /* between which U*(k) is; low -INFINITY, high NAN: perhaps, surely nothing keeps the promises */
    double lowest, highest; /* the least maximum regret where all or none of the policies at the edge count */
    double history_bound, attained; /* the most that was proved of all policies; the least that one was seen to have */
} rare;

/* Draws a model and judges the results for it. */
void rare_try(campaign *c, const bench *b, rng *r);

/* Computes the truth for the probabilities w.p; false: U* is not found. */
bool rare_settle(rare *x);
/* Judges the frontier of a promise printed by the program `vouch`. */
void rare_frontier(campaign *c, const bench *b, const rare *x, rng *r);
/* U* of an environment is said to be this. */
void rare_check_optimum(campaign *c, const rare *x, int k, double said, double slack);

#endif

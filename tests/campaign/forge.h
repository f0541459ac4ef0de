/* tests/campaign/forge.h - forged proofs: trees of all policies of a small world whose cases are closed honestly but for one, which
 * contains the refuting policy and is closed by a line that does not prove it. */
#ifndef CAMPAIGN_FORGE_H
#define CAMPAIGN_FORGE_H

#include <stdio.h>

#include "campaign/campaign.h"
#include "oracle/worlds.h"

typedef enum forgery {
    FORGE_NOTHING,
    FORGE_LEAF,
    FORGE_EMPTY,
    FORGE_PAIRS,
    FORGE_VECTORS,
    FORGE_GIVE,
    FORGE_CHILD,
    FORGE_DROP,
    FORGE_FEW,
    FORGE_BRANCH,
    FORGE_OPEN,
    FORGE_MOVED,
    FORGE_CAP,
    FORGE_POLICY,
    FORGERIES
} forgery;
extern const char *const forgery_names[FORGERIES];

enum { SUBJECT_REGRET, SUBJECT_TOTAL, SUBJECT_LEAST, SUBJECT_WEIGHTED, SUBJECTS };

/* A world and the truth about its policies of L updates. */
typedef struct truth {
    world w;
    world_tree tree;
    int L;
    double p;                                            /* that the line "plan" tells, of the first environment */
    double weight[WORLD_K], low[WORLD_K], high[WORLD_K]; /* U*(k) of promises as made, and within the tolerance */
} truth;

#define FORGE_ROUNDING 1e-9 /* of a claim about a policy */
#define FORGE_CLEAR    1e-6 /* what differs by less is not asked */

/* Numbers of places in a proof: a place is written down where it is first named. */
typedef struct forge_names {
    const truth *x;
    FILE *out;
    int *number, named; /* [places] -1: not named yet */
} forge_names;

void forge_names_open(forge_names *n, const truth *x, FILE *out);
void forge_names_close(forge_names *n);
int forge_name(forge_names *n, int place);
/* A complete policy; the line "plan"; a claim (of regrets: the score itself, of values: its negative); environments, with commas.
 */
void forge_policy(forge_names *n, int item);
void forge_head(const truth *x, const char *method, int subject, FILE *out);
void forge_claim(int subject, double value, double bound, FILE *out);
void forge_environments(unsigned of, FILE *out);
/* The best complete policy for this subject, and its score; -1: none keeps the promises. */
int forge_best(const truth *x, int subject, double *score);
/* A policy that does not refute this bound, if there is one; else `item`. */
int forge_above(const truth *x, int subject, double bound, int item, rng *r);
/* Maximum or total regret of a complete policy, with U*(k) = optimum[k]; INFINITY: it breaks a promise in one of `of`. */
double forge_score(const truth *x, int subject, const world_gain *g, const double optimum[], unsigned of);
/* The lines of a proof between `model` and `complete`, forged or honest. bound: the claim; INFINITY: no policy. item: the complete
 * policy to write; -1: none. */
void forge_write(const truth *x, forgery how, int subject, double bound, int item, rng *r, FILE *out);

#endif

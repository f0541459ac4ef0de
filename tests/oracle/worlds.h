/* tests/oracle/worlds.h - small models with several promises, the tree of all deterministic L-updates policies of one, and the best
 * values, randomised or not.
 *
 * Written from the definitions alone; nothing is shared with the planner or with vouch-check. Probabilities are multiples of 1/8
 * and rewards of 1/4, so that sums over few steps are exact in doubles.
 */
#ifndef ORACLE_WORLDS_H
#define ORACLE_WORLDS_H

#include <stdbool.h>

enum { WORLD_S = 4, WORLD_A = 3, WORLD_K = 3, WORLD_J = 2, WORLD_T = 4 };

typedef struct world {
    int S, A, K, J, T; /* begins in state 0; all actions are available */
    double prob[WORLD_K][WORLD_S][WORLD_A][WORLD_S], pay[WORLD_K][WORLD_S][WORLD_A][WORLD_S];
    bool kept[WORLD_J][WORLD_K][WORLD_S];
    double p[WORLD_J][WORLD_K];
    bool unseen;           /* are rewards not observed? */
    double within;         /* error of every probability, which the lists of policies ignore; 0: none */
    bool average[WORLD_J]; /* is the promise, of p[j][0], one of the mean over the prior? */
    double prior[WORLD_K]; /* up to a common factor, if some promise is */
} world;

typedef struct world_gain {
    double u[WORLD_K], pr[WORLD_J][WORLD_K];
} world_gain;

typedef struct world_place { /* where a policy decides; boundary: the place at L that was passed, from then on */
    int t, s, boundary;
    unsigned known; /* bits of the environments consistent until L */
} world_place;

typedef struct world_case { /* the policies that have decided so far as the cases above tell */
    int parent, action;     /* the action at the parent's place */
    int place;              /* where is decided next; -1: all is decided */
    int child[WORLD_A];
    world_gain gain; /* if all is */
} world_case;

typedef struct world_tree {
    world_place *place;
    world_case *item;
    int places, cases;
} world_tree;

/* Of the environments `of`; false: more than `most` cases, and there is none. */
bool world_tree_make(const world *w, int L, unsigned of, int most, world_tree *t);
void world_tree_free(world_tree *t);

/* Figures of the policy that takes action a at a place of the tree with probability chance[place][a]. Returns the first reached
 * place where all of these are 0; else -1. */
int world_follow(const world *w, int L, const world_tree *t, double (*const chance)[WORLD_A], world_gain *g);

/* The largest shortfall of a promise of environment k; of a promise on average. At most 0: all are kept. */
double world_misses(const world *w, const world_gain *gain, int k);
double world_misses_means(const world *w, const world_gain *gain);
/* The largest U(k) of policies of k alone, with coins, that keep its promises, none on average, each with p - less; NAN: none does;
 * INFINITY: there are too many. */
double world_optimum(const world *w, int k, double less);
/* The least of max_k (optimum[k] - U(k)), or (weight not NULL) of sum_k weight[k] (optimum[k] - U(k)), that mixtures of the tree's
 * policies attain that keep all promises; INFINITY: none does. */
double world_mixed(const world *w, const world_tree *t, const double optimum[], const double weight[]);

#endif

/* plan/stage/stagewise_values.h - V_n(x): the best value of history policies from policy node n on, without binding promises.
 *
 *     V_n(x) = max over c of  sum_k x_k R(n,c;k) + sum over next n' of V_n'(x o P(n'|n,c)),     x_k = multiplier * Pr(n|k)
 *
 * V looks `ahead` steps ahead, where the environment is revealed (an information relaxation, plan/relax/levels.h), so it is an
 * upper bound. V is convex and homogeneous in x: V(x + x') <= V(x) + V(x'). Probabilities that meet at a node are added before
 * valuation, which likelihood classes cannot do.
 *
 * Source: src/THEORY.md, 5. Cost: a walk over the successors, exponential in `ahead`; dominated choices are skipped.
 */
#ifndef PLAN_STAGE_STAGEWISE_VALUES_H
#define PLAN_STAGE_STAGEWISE_VALUES_H

#include "base/arena.h"
#include "know/graph.h"

typedef struct stagewise_values {
    const know_graph *g;
    long long visits; /* of policy nodes */
    bool full;        /* V looks to the horizon everywhere */
    int *ahead;       /* [T + 1] steps that V looks ahead from nodes of this time */
    /* made once */
    double *revealed;   /* [nodes * K] optimal value of environment k alone */
    double *after;      /* [choices * K] the same after a choice */
    bool *needless;     /* [choices] dominated at the last time */
    double *last;       /* rewards of considered choices at the last time, by choice, then member of the node's set */
    size_t *last_start; /* [nodes + 1] first of a node */
    double *scratch;    /* [(T + 2) * K] */
    double *earned;     /* [2 * (T + 2) * K] scratch of stagewise_earn */
    double *cost;       /* [2 * nodes] scratch of stagewise_values_reach */
} stagewise_values;

/* The arrays are in the arena. V has no look-ahead until stagewise_values_reach. */
vouch_status stagewise_values_make(stagewise_values *v, const know_graph *g, arena *a);
/* Sets the look-ahead to the largest within `most` visits of one V. */
void stagewise_values_reach(stagewise_values *v, double most);

static inline bool stagewise_considered(const stagewise_values *v, int choice)
{
    return v->g->choice_twin[choice] == choice && !v->needless[choice];
}

/* sum_k x_k R(n,choice;k); x, as everywhere: [K] */
double stagewise_reward(const know_graph *g, int n, int choice, const double x[]);
/* to = x o P of the edge, for the members of its child's set. */
void stagewise_follow(const know_graph *g, int edge, const double x[], double to[]);

/* V_n(x), looking `ahead` steps ahead; t: of n. */
double stagewise_value(stagewise_values *v, int n, int t, int ahead, const double x[]);
/* Value of a choice at n and V after it; ahead: of n, at least 1. */
double stagewise_value_after(stagewise_values *v, int n, int t, int ahead, int choice, const double x[]);

/* Adds to U [K] the rewards in each environment of the policy that attains V_n(lambda o w), starting with `choice` unless -1. */
void stagewise_earn(stagewise_values *v, int n, int t, int ahead, int choice, const double lambda[], const double w[], double U[]);

#endif

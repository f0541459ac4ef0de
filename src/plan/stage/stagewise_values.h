/* plan/stage/stagewise_values.h - V_n(x): what policies of the whole history gain from policy node n on, where no promise binds.
 *
 *     V_n(x) = max over choices of  sum_k x_k R(n,c;k) + sum over what follows of V_n'(x o P(n'|n,c)),     x_k = multiplier *
 * Pr(n|k)
 *
 * It looks `ahead` steps ahead; the environment is revealed there (an information relaxation, plan/relax/levels.h), so that V is
 * never less than what it stands for. V is convex and homogeneous in x: V(x + x') <= V(x) + V(x'). What comes together at a node is
 * to be added up before it is valued, which likelihood classes cannot do.
 *
 * Source: src/THEORY.md, 5. Cost: a walk over what can follow; choices that promise less than another is worth are left out.
 */
#ifndef PLAN_STAGE_STAGEWISE_VALUES_H
#define PLAN_STAGE_STAGEWISE_VALUES_H

#include "base/arena.h"
#include "know/graph.h"

typedef struct stagewise_values {
    const know_graph *g;
    long long visits; /* of policy nodes, so far */
    bool full;        /* V looks to the horizon everywhere */
    int *ahead;       /* [T + 1] how far V looks at nodes of this time */
    /* made once */
    double *revealed;   /* [nodes * K] best of environment k alone from here */
    double *after;      /* [choices * K] the same where it is begun with a choice */
    bool *needless;     /* [choices] at the last time one that another is never less than */
    double *last;       /* rewards of what is considered at the last time, of each choice in the order of its node's members */
    size_t *last_start; /* [nodes + 1] where those of a node begin */
    double *scratch;    /* [(T + 2) * K] */
    double *earned;     /* [2 * (T + 2) * K] scratch of stagewise_earn */
    double *cost;       /* [2 * nodes] scratch of stagewise_values_reach */
} stagewise_values;

/* The arrays are in the arena. V looks nowhere ahead until stagewise_values_reach. */
vouch_status stagewise_values_make(stagewise_values *v, const know_graph *g, arena *a);
/* From now on V looks as far ahead as `most` visits of one V allow. */
void stagewise_values_reach(stagewise_values *v, double most);

static inline bool stagewise_considered(const stagewise_values *v, int choice)
{
    return v->g->choice_twin[choice] == choice && !v->needless[choice];
}

/* sum_k x_k R(n,choice;k); x, as everywhere: [K] */
double stagewise_reward(const know_graph *g, int n, int choice, const double x[]);
/* to = what of x follows the edge, where its child's set has members. */
void stagewise_follow(const know_graph *g, int edge, const double x[], double to[]);

/* V_n(x), looking `ahead` steps ahead; t: of n. */
double stagewise_value(stagewise_values *v, int n, int t, int ahead, const double x[]);
/* A choice at n, and V of what follows it; ahead: of n, at least 1. */
double stagewise_value_after(stagewise_values *v, int n, int t, int ahead, int choice, const double x[]);

/* Adds to U [K] the rewards, in each environment, of the policy behind V_n(lambda o w), begun with `choice` unless that is -1. */
void stagewise_earn(stagewise_values *v, int n, int t, int ahead, int choice, const double lambda[], const double w[], double U[]);

#endif

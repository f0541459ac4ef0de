/* nlp/minimax.h - local minimisation of the largest of several smooth functions over a product of simplices.
 *
 *     min max_k f_k(x)   subject to   g_k(x) >= target_k for all k,   x_j >= 0,  sum of x over each block = 1
 *
 * f and g are multilinear: linear in the variables of one *group* of blocks when the other groups are held fixed. (Regrets and
 * commitment probabilities of a policy are such functions of its action probabilities, a group being one time slice.) */
#ifndef NLP_MINIMAX_H
#define NLP_MINIMAX_H

#include <vouch/lp.h>

#include "base/clock.h"

/* The problem. The functions are the caller's; they are called with x feasible for the simplices. */
typedef struct minimax {
    int K; /* functions f and constraints g */
    int n, blocks, groups;
    const int *block_start; /* [blocks + 1] variables of each block */
    const int *group_start; /* [groups + 1] blocks of each group */
    const double *target;   /* [K], the caller's */
    void *context;
    /* f, g [K] at x [n]. */
    void (*evaluate)(void *context, const double x[], double f[], double g[]);
    /* At the x evaluated last: df [n * K], dg [n * K], entry j * K + k the derivative of f_k by x_j. */
    void (*gradient)(void *context, double df[], double dg[]);
} minimax;

/* Figures of a point: the largest f and the total shortfall of g. */
typedef struct minimax_value {
    double most;      /* max_k f_k */
    double shortfall; /* sum_k max(0, target_k - g_k) */
} minimax_value;

minimax_value minimax_measure(const minimax *p, const double f[], const double g[]);

/* The step: the linear program of the problem linearised at a point, within a box of half width `radius` around it, moving the
 * blocks first .. last - 1 only; a missing g costs `penalty` a unit. Warm from its last basis when the size is the same. */
typedef struct minimax_step minimax_step;

vouch_status minimax_step_new(const minimax *p, minimax_step **step);
void minimax_step_free(minimax_step *step); /* NULL is fine */
/* x [n], the functions there [K] and their derivatives [n * K]. */
typedef struct minimax_point {
    const double *x, *f, *g, *df, *dg;
} minimax_point;

typedef struct minimax_move {
    int first, last; /* blocks */
    double radius, penalty;
} minimax_move;

typedef struct minimax_trial {
    double *y;      /* [n] x moved, feasible for the simplices up to rounding, which is removed; the caller's */
    double model;   /* the linearised value max f + penalty * shortfall, */
    double missing; /* and its shortfall */
} minimax_trial;

/* On *ok *trial is written. limit (NULL: none): not *ok when it passes. */
vouch_status minimax_step_solve(minimax_step *step, const minimax_point *at, const minimax_move *move, const deadline *limit,
                                bool *ok, minimax_trial *trial);
/* The next solve starts cold. */
long long minimax_step_work(const minimax_step *step); /* simplex iterations done */

typedef struct minimax_options {
    int steps;           /* most steps of sequential linear programming between two rounds of slices */
    int rounds;          /* most rounds */
    double radius;       /* first trust region, in probability */
    double radius_least; /* below it a point counts as stationary */
    double better;       /* relative gain of the merit that counts */
    double penalty;      /* first price of a unit of missing g */
    double penalty_most;
    double feasible;    /* shortfall counted as none */
    double good_enough; /* stop when feasible with max f at most this */
    const deadline *limit;
} minimax_options;

void minimax_options_init(minimax_options *options);

/* Scratch of a descent, made once for many starts. */
typedef struct minimax_descent minimax_descent;

vouch_status minimax_descent_new(const minimax *p, minimax_descent **descent);
void minimax_descent_free(minimax_descent *descent); /* NULL is fine */
/* Improves x [n] in place. *value belongs to the x returned. Nothing of earlier descents is used: the same x gives the same end. */
vouch_status minimax_descend(minimax_descent *descent, const minimax_options *options, double x[], minimax_value *value);
long long minimax_descent_work(const minimax_descent *descent);

#endif

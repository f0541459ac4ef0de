/* plan/spatial/corner_search.h - the most that one policy of a box can make of given prices, by branch and bound over corners.
 *
 *     most = max over pi in the box of  sum over (n,a,k) of y(n,a;k) reward(n,a;k)  +  sum over k of mu_k Pr(k)
 *
 * is attained where every policy node is at a corner of its box (plan/spatial/box_corners.h). A node of this tree decides the
 * corners of some policy nodes. What is left is bounded by the induction over likelihood classes (know/box.h), each of which may
 * choose a corner of its own where none is decided:
 *
 *     V(c) = max over corners x allowed at the node of c of  sum_a x_a (w_c' reward(a) + sum over arcs factor * V(c'))
 *
 * Where all classes of a node choose alike everywhere, the bound is attained. Else it branches where agreement costs most:
 *
 *     cost(n) = min over corners x of  sum over classes c at n of  reach(c) * (V(c) - what c makes of x),
 *
 * one child a corner, the largest bound first. Policies are found by taking the corner of least cost at each node and improving it
 * node by node, backwards in time (plan/spatial/corner_slices.h).
 *
 * Source: src/THEORY.md, 6; A. Land, A. Doig, Econometrica 28 (1960). Cost: exponential at worst; a node is an induction and a part
 * of one for each child. Invariant: upper >= the value of every policy of the box >= .. value, attained by `pick`.
 */
#ifndef PLAN_SPATIAL_CORNER_SEARCH_H
#define PLAN_SPATIAL_CORNER_SEARCH_H

#include "base/clock.h"
#include "base/heap.h"
#include "know/classes.h"
#include "plan/spatial/corner_slices.h"

/* Whoever writes down what is shown: the tree begins with case `root`. */
typedef struct corner_witness {
    void *context;
    int root;
    int (*split)(void *context, int number, int node); /* the number of the first corner's case; those of the others follow */
    void (*leaf)(void *context, int number);           /* the induction shows no more than task->least */
} corner_witness;

/* What is asked. */
typedef struct corner_task {
    const double *reward, *mu; /* [choices * K], [K] */
    double least;              /* it does not matter what is made if it is no more than this */
    double near;               /* the bound may be so much more than what is found */
    const deadline *limit;
    const corner_witness *witness; /* NULL: none; else nothing may be worth more than `least` */
} corner_task;

typedef struct corner_search {
    const know_graph *g;
    const know_classes *c;
    const box_corners *at;
    arena memory;   /* of the arrays */
    double *earned; /* [slots] what a slot pays now */
    double *made;   /* [slots] with what follows */
    double *value;  /* [classes] */
    double *reach;  /* [classes] of pick */
    int *decided;   /* [nodes before T] corner, or -1: open */
    double *cost;   /* [corners] as above */
    int *pick;      /* [nodes before T] a policy tried */
    corner_slices *slices;
    const corner_task *task;
    heap open; /* of struct corner_node */
    arena nodes;
    long long ids;
    bool known;        /* best holds a policy of this box */
    int *best;         /* [nodes before T] */
    double found;      /* what it makes at these prices */
    double cut;        /* the largest bound of what was cut off or is decided */
    double inductions; /* so far, in all */
} corner_search;

/* c without Pareto sets; at: of the boxes it is asked about. Both stay the caller's. */
vouch_status corner_search_new(const know_classes *c, const box_corners *at, corner_search **out);
void corner_search_free(corner_search *x); /* NULL is fine */

/* The corners are those of another box. */
void corner_search_enter(corner_search *x);

/* Begins a tree, of prices that stay the caller's until it is ended, with the policy that was best before. */
vouch_status corner_search_begin(corner_search *x, const corner_task *task);
/* Goes on with it for so many inductions. *done: nothing is left that matters. */
vouch_status corner_search_run(corner_search *x, double inductions, bool *done);
/* Tells the witness the leaves that are left of a tree that is done. */
void corner_search_leaves(corner_search *x);
/* No policy of the box makes more, or more than task->least. */
double corner_search_upper(const corner_search *x);
/* A policy of corners pick [nodes before T] is improved, and kept if it is better than what is known. */
void corner_search_offer(corner_search *x, const int pick[]);

#endif

/* know/box.h - inductions over policies in boxes: low <= pi(.|n) <= high at every policy node.
 *
 * Class policies may use another point of the box at each class of a node, so the best one is a backward induction with a
 * fractional knapsack at each class: start at low and raise the best choices to high until the sum is 1. low, high: [choices], sum
 * of low <= 1 <= sum of high over the choices of a node; twins have 0, 0.
 */
#ifndef KNOW_BOX_H
#define KNOW_BOX_H

#include "know/classes.h"

/* Rounding error of the probabilities of a point of a box, and of their sum. */
#define BOX_ROUNDING 1e-12

typedef struct policy_box { /* [choices] */
    const double *low, *high;
} policy_box;

/* One induction: objective, box and arrays. Classes without Pareto slots. */
typedef struct box_induction {
    const know_classes *c;
    const double *reward, *mu; /* [choices * K], [K] */
    policy_box in;
    double *value;   /* [classes] */
    double *prob;    /* [slots] maximising policy */
    double *reach;   /* [classes] of that policy */
    double *scratch; /* [2 * actions] */
} box_induction;

/* The largest value of sum over (choice, k) of y(choice, k) * reward(choice, k) + sum over k of mu_k Pr(k), where y is the
 * occupancy in environment k. Writes value and prob; ties go to the lowest slots. */
double box_backward(const box_induction *x);

/* Occupancies of prob: y [choices * K], Pr [K] and reach are written. */
void box_forward(const box_induction *x, double y[], double Pr[]);

/* loss [choices]: upper bound on the decrease of the value if choice o alone had its range of `narrower`; attained by changing the
 * policy at the classes of o's node only. After box_backward and box_forward. */
void box_loss(const box_induction *x, policy_box narrower, double loss[]);

/* Range of Pr(n | k) over policies in the box: least, most [K]. Two backward inductions for each k. scratch [nodes + 2 * actions].
 */
void box_reach(const know_graph *g, int n, policy_box in, double scratch[], double least[], double most[]);

#endif

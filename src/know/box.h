/* know/box.h - inductions over policies kept within boxes: low <= pi(.|n) <= high at every policy node.
 *
 * Boxes generalise fixed choices. The class policies compared may choose another point of the box at each class of a node, which
 * makes the best one a backward induction: at each class a fractional knapsack, start at low and give what is left to the best
 * choices up to high. low, high: [choices], sum of low <= 1 <= sum of high over the choices of a node; twins have 0, 0.
 */
#ifndef KNOW_BOX_H
#define KNOW_BOX_H

#include "know/classes.h"

/* What rounding may add to the probabilities of a point of a box, and to their sum. */
#define BOX_ROUNDING 1e-12

typedef struct policy_box { /* [choices] */
    const double *low, *high;
} policy_box;

/* One induction: what is maximised, over which policies, and where the arrays are. Classes without Pareto slots. */
typedef struct box_induction {
    const know_classes *c;
    const double *reward, *mu; /* [choices * K], [K] */
    policy_box in;
    double *value;   /* [classes] */
    double *prob;    /* [slots] the policy that attains it */
    double *reach;   /* [classes] of that policy */
    double *scratch; /* [2 * actions] */
} box_induction;

/* The largest value of sum over (choice, k) of y(choice, k) * reward(choice, k) + sum over k of mu_k Pr(k), where y is the
 * occupancy in environment k. Writes value and prob; ties go to the lowest slots. */
double box_backward(const box_induction *x);

/* Occupancies of prob: y [choices * K], Pr [K] and reach are written. */
void box_forward(const box_induction *x, double y[], double Pr[]);

/* What the induction would lose at most if choice o alone had its range of `narrower`, for every choice: loss [choices] written.
 * After box_backward and box_forward. The policy that differs from theirs at the classes of o's node only lies in the narrower
 * box, so that no induction there is worse. */
void box_loss(const box_induction *x, policy_box narrower, double loss[]);

/* Least and most Pr(n | k) over policies in the box, for one node n: least, most [K]. Two backward inductions for each k. scratch
 * [nodes + 2 * actions]. */
void box_reach(const know_graph *g, int n, policy_box in, double scratch[], double least[], double most[]);

#endif

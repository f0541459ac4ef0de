/* know/box.h - inductions over policies kept within boxes: low <= pi(.|n) <= high at every policy node.
 *
 * Boxes generalise fixed choices. The class policies compared may choose another point of the box at each class of a node, which makes the
 * best one a backward induction: at each class a fractional knapsack, start at low and give what is left to the best choices up to high.
 * low, high: [choices], sum of low <= 1 <= sum of high over the choices of a node; twins have 0, 0.
 */
#ifndef KNOW_BOX_H
#define KNOW_BOX_H

#include "know/classes.h"

/* The largest value of sum over (choice, k) of y(choice, k) * reward(choice, k) + sum over k of mu_k Pr(k), where y is the occupancy in
 * environment k. reward: [choices * K]. Classes without Pareto slots. Writes value [classes] and prob [slots], the policy that attains it;
 * ties go to the lowest slots. scratch [actions]. */
double box_backward(const know_classes *c, const double reward[], const double mu[], const double low[], const double high[],
                    double scratch[], double value[], double prob[]);

/* Occupancies of a class policy: y [choices * K], Pr [K] written; reach [classes] scratch. */
void box_forward(const know_classes *c, const double prob[], double reach[], double y[], double Pr[]);

/* What box_backward would lose at most if choice o alone had the range low2[o] .. high2[o], for every choice: loss [choices] written. reward and
 * value as in that induction, reach of the policy it found (box_forward). The policy that differs from that one at the classes of o's node only lies in
 * the narrower box, so that no induction there is worse. scratch [2 * actions]. */
void box_loss(const know_classes *c, const double reward[], const double low[], const double high[], const double low2[],
              const double high2[], const double value[], const double reach[], double scratch[], double loss[]);

/* Least and most Pr(n | k) over policies in the box, for one node n: least, most [K]. Two backward inductions for each k. scratch
 * [nodes + 2 * actions]. */
void box_reach(const know_graph *g, int n, const double low[], const double high[], double scratch[], double least[],
               double most[]);

#endif

/* know/induction.h - one backward induction and one forward pass over likelihood classes.
 *
 * For multipliers lambda, mu >= 0 [K] the best policy that may use the allowed options of each class is found by
 *
 *     V(c) = max over slots:  sum_k lambda_k w_k R(s,a;k) + sum over arcs factor * V(child),
 *     V(c) = sum_k mu_k w_k [s in Phi]  at the horizon;
 *
 * for a Pareto vector (U, Pr) the slot is worth sum_k w_k (lambda_k U(k) + mu_k Pr(k)). Ties go to the lowest slot, so that classes
 * of one node tend to agree. */
#ifndef KNOW_INDUCTION_H
#define KNOW_INDUCTION_H

#include "base/arena.h"
#include "know/classes.h"

/* Lists of the classes, and their slots, reached by allowed options: deep in a search a tenth of all, for many inductions. */
typedef struct reachable_classes {
    const know_classes *c;
    int end;             /* classes of earlier times are listed; 0: none yet */
    int *before;         /* [T + 2] number of listed classes of times below t, for t <= end */
    int *item;           /* [classes] listed classes, ascending */
    int *slot_start;     /* [classes + 1] first allowed slot of each, in slot */
    int *slot;           /* [slots] */
    unsigned char *was;  /* [options] allowed when the lists were made */
    unsigned char *come; /* [classes] scratch */
} reachable_classes;

/* Arrays come from the arena, whose failure flag the caller checks. */
void reachable_init(reachable_classes *l, const know_classes *c, arena *memory);

/* Lists the classes of times below `end` (T + 1 for all) reached by allowed [options]; may list more. Almost free if the options
 * are those of the last call. */
void reachable_find(reachable_classes *l, const unsigned char allowed[], int end);

/* Over the classes and allowed slots of l (reachable_find), times below `end` (T + 1 for all): writes value [classes] and best
 * [classes] (slot; -1 at the horizon or if no option is allowed; may be NULL). Values of later times are inputs. Returns V at the
 * root. V is -INFINITY where no option is allowed. */
double induction_backward(const reachable_classes *l, const double lambda[], const double mu[], int end, double value[],
                          int best[]);

/* Value of a slot of class i, given value [classes] of its successors. */
double induction_slot_value(const know_classes *c, int i, int slot, const double lambda[], const double mu[], const double value[]);

/* Figures of the policy `best`. U, Pr [K] written; reach [classes] scratch. Adds the probability (uniform over environments) of use
 * of each option to mass [options], or by_slot of each slot to mass [slots]; NULL: none. */
void induction_forward(const know_classes *c, const int best[], double reach[], double U[], double Pr[], double mass[],
                       bool by_slot);

/* The same for a policy that uses each slot with probability used [slots]; mass [options] += . */
void induction_spread(const know_classes *c, const double used[], double reach[], double U[], double Pr[], double mass[]);

/* Evaluates a stochastic policy of classes without Pareto slots: prob [slots], summing to 1 over the slots of a reached class.
 * Class i ends if ends [i] < ends [i + 1] (NULL: none does): it has no slots, and later rewards are not counted. reach [classes],
 * U, Pr [K] written. Returns -1, or a reached class whose probabilities do not sum to 1 within 1e-9. */
int induction_evaluate(const know_classes *c, const double prob[], const int ends[], double reach[], double U[], double Pr[]);

/* Optimal values in environment k if it is known, from each choice and each node on:
 *     q_k(n, a) = lambda_k R(s,a;k) + sum over n' P(n'|n,a;k) v_k(n'),   v_k(n) = max over a of q_k(n, a),   mu_k [s in Phi] at T.
 * q [choices * K] and v [nodes * K] are written. */
void induction_informed(const know_graph *g, const double lambda[], const double mu[], double q[], double v[]);

/* ---- inductions over policies in boxes: low <= pi(.|n) <= high at every policy node ---------------------------------------------
 *
 * Class policies may use another point of the box at each class of a node, so the best one is a backward induction with a
 * fractional knapsack at each class: start at low and raise the best choices to high until the sum is 1. low, high: [choices], sum
 * of low <= 1 <= sum of high over the choices of a node; twins have 0, 0. */

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

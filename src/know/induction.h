/* know/induction.h - one backward induction and one forward pass over likelihood classes.
 *
 * For multipliers lambda, mu >= 0 [K] the best policy that may use the allowed options of each class is found by
 *
 *     V(c) = max over slots:  sum_k lambda_k w_k R(s,a;k) + sum over arcs factor * V(child),
 *     V(c) = sum_k mu_k w_k [s in Phi]  at the horizon;
 *
 * for a Pareto vector (U, Pr) the slot is worth sum_k w_k (lambda_k U(k) + mu_k Pr(k)). Ties go to the lowest slot, so that
 * classes of one node tend to agree.
 */
#ifndef KNOW_INDUCTION_H
#define KNOW_INDUCTION_H

#include "know/classes.h"
#include "know/reachable.h"

/* Over the classes of l (reachable_find), whose slots are those allowed: value [classes], best [classes] (slot; -1 at the horizon
 * or where nothing is allowed; may be NULL) are written for those of times below `end` (T + 1 for all), and not for others; values
 * from that time on are taken as they are. Returns V at the root; -INFINITY when the root may do nothing. A class that may do
 * nothing has V = -INFINITY. */
double induction_backward(const reachable_classes *l, const double lambda[], const double mu[], int end, double value[],
                          int best[]);

/* What a slot of class i is worth, its successors being worth value [classes]. */
double induction_slot_value(const know_classes *c, int i, int slot, const double lambda[], const double mu[], const double value[]);

/* Follows best from the root. U, Pr [K] written; reach [classes] scratch. If mass is not NULL, adds the
 * probability (uniform over environments) with which each option is used to mass [options], or by_slot each slot to mass
 * [slots]. */
void induction_forward(const know_classes *c, const int best[], double reach[], double U[], double Pr[], double mass[],
                       bool by_slot);

/* The same of a policy that comes to each slot with probability used [slots], by class histories: U, Pr [K] written, mass [options]
 * added to. */
void induction_spread(const know_classes *c, const double used[], double reach[], double U[], double Pr[], double mass[]);

/* Evaluates a stochastic policy of classes without Pareto slots: prob [slots], summing to 1 over the slots of a reached
 * class. Class i ends where ends [classes + 1] grows behind it (NULL: none does): it has no slots, and what is earned from there on
 * is not counted. reach [classes], U, Pr [K] written. Returns -1, or a reached class whose probabilities do not sum to 1 within
 * 1e-9. */
int induction_evaluate(const know_classes *c, const double prob[], const int ends[], double reach[], double U[], double Pr[]);

/* What an agent that knows its environment k gains, at best, from each choice and each node on, without classes:
 *     q_k(n, a) = lambda_k R(s,a;k) + sum over n' P(n'|n,a;k) v_k(n'),   v_k(n) = max over a of q_k(n, a),   mu_k [s in Phi] at T.
 * q [choices * K] and v [nodes * K] are written. */
void induction_informed(const know_graph *g, const double lambda[], const double mu[], double q[], double v[]);

#endif

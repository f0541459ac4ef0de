/* plan/reduce/probing.h - fixes options by bounds of one environment:
 *
 *     option o of policy node n is fixed if  loss(k) >= cutoff  for some k when o alone is allowed at n.
 *
 * With the Lagrangian (plan/bound/single_lagrangian.h) a trial is one sweep over the nodes before n, unnecessary if the maximising
 * policy with o instead already loses less than the cutoff. With pairs it recomputes the sets above n, so environments are tried
 * from the hardest on until one yields a fixing, and only options that its maximising policy cannot take within the cutoff. If
 * promises bind, an environment can mostly afford one or two options of a node; fixing the others raises the bounds of environments
 * that prefer them. Work is counted and limited. Source: probing in mixed-integer programming (M. W. P. Savelsbergh, ORSA Journal
 * on Computing 6, 1994).
 */
#ifndef PLAN_REDUCE_PROBING_H
#define PLAN_REDUCE_PROBING_H

#include "plan/bound/pareto_bound.h"

/* After pareto_bound_by_price below the cutoff, with the same allowed [options]: forbids options and lists them in option
 * [options]. Returns their number. */
int probing_by_price(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

/* Likewise, after pareto_bound_solve; the sets must be recomputed afterwards. */
int probing_by_pairs(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

#endif

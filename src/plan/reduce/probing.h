/* plan/reduce/probing.h - options that nothing below the cutoff uses, since one environment cannot afford them.
 *
 *     option o of policy node n is given up where  loss(k) >= cutoff  for some k once o is all that is allowed at n.
 *
 * By the price of each promise (plan/bound/single_lagrangian.h) that is one sweep over what comes before n, and none where the
 * policy behind the price that takes o in the place of what it takes already loses less. By pairs it is their sets above n, so
 * environments are asked from the hardest on until one cannot afford something, and only about options that the policy behind its
 * loss cannot take without losing so much. Where promises bind what an environment can afford at most nodes is one option or two,
 * and what it cannot another one would take, so that environments that want different things meet the cutoff sooner. What a call
 * takes is limited by counts of work. Source: probing of mixed-integer programming (M. W. P. Savelsbergh, ORSA Journal on Computing
 * 6, 1994), by bounds of one environment.
 */
#ifndef PLAN_REDUCE_PROBING_H
#define PLAN_REDUCE_PROBING_H

#include "plan/bound/pareto_bound.h"

/* After pareto_bound_by_price, which did not pass the cutoff, with the same allowed [options]: forbids some and writes them to
 * option [options]; how many. */
int probing_by_price(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

/* Likewise, after pareto_bound_solve. The sets are then those of some other options allowed, to be made anew. */
int probing_by_pairs(pareto_bound *b, unsigned char allowed[], double cutoff, int option[]);

#endif

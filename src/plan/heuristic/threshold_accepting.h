/* plan/heuristic/threshold_accepting.h - walks from the best policy known that take what is worse by less and less.
 *
 * Passes over the policy nodes (plan/heuristic/local_moves.h) at each of which a choice is drawn, and taken if it keeps the
 * promises as well and
 *
 *     sum over k of regret(k)^POWER  <=  (1 + threshold)^POWER  of what it is,
 *
 * a maximum that is rounded off: of the maximum itself most choices change nothing, or help one environment and make another the
 * worst. The threshold falls to nothing; then local search improves what was come to. Where a policy decides at some hundred nodes,
 * it takes some tenths of a second to find better ones than perturbing and descending, or rounding mixtures, do in a minute.
 *
 * Source: G. Dueck, T. Scheuer, Threshold accepting, J. Comput. Phys. 90, 1990. Cost of a pass: edges K. Counted by work, so that
 * the answer is the same every time.
 */
#ifndef PLAN_HEURISTIC_THRESHOLD_ACCEPTING_H
#define PLAN_HEURISTIC_THRESHOLD_ACCEPTING_H

#include "base/rng.h"
#include "plan/heuristic/incumbent.h"

/* Where the next walk takes up. */
typedef struct threshold_accepting {
    rng random;
    int walks;   /* so far */
    double left; /* work not used; less than nothing: used too much */
} threshold_accepting;

/* Walks with so much work more, counted in edges times environments. A policy is known. Returns true if a better one is found. */
bool threshold_accepting_run(threshold_accepting *w, incumbent *inc, double work);

#endif

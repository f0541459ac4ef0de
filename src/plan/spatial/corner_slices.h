/* plan/spatial/corner_slices.h - a policy of corners, improved node by node.
 *
 * With w(n;k) the probability of coming to n and J(n;k) what is made from n on, a policy makes of one node's choice
 *
 *     sum_k w(n;k) sum_a x_a (reward(n,a;k) + sum over n' of P(n'|n,a;k) J(n';k))
 *
 * and what the rest makes, so the best corner of a node is known while others stay. Backwards in time w(n) stays as it is, and all
 * nodes are improved in one sweep. Cost of a sweep: O(edges K) forwards, and corners times that backwards.
 */
#ifndef PLAN_SPATIAL_CORNER_SLICES_H
#define PLAN_SPATIAL_CORNER_SLICES_H

#include "plan/spatial/box_corners.h"

typedef struct corner_slices {
    const box_corners *at;
    arena memory;
    double *w, *rest; /* [nodes * K]: w; J */
    double *after;    /* [choices * K] what is made from a choice on */
} corner_slices;

vouch_status corner_slices_new(const box_corners *at, corner_slices **out);
void corner_slices_free(corner_slices *x); /* NULL is fine */

/* Improves pick [nodes before T] in at most so many sweeps; returns what it makes. */
double corner_slices_improve(corner_slices *x, const double reward[], const double mu[], int sweeps, int pick[]);

#endif

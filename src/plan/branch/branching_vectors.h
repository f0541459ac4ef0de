/* plan/branch/branching_vectors.h - the two children at a policy node whose continuation is a Pareto set of value vectors
 * (know/pareto.h):
 *
 *     x(v) <= threshold   and   x(v) > threshold,      x one of the 2K coordinates U(k), Pr(k) of vector v.
 *
 * Each child has a vector of the mixture (BRANCHING_MEAN) or of those allowed (BRANCHING_MIDDLE), so that the branching ends. O(2K
 * vectors of the node).
 */
#ifndef PLAN_BRANCH_BRANCHING_VECTORS_H
#define PLAN_BRANCH_BRANCHING_VECTORS_H

#include "plan/node/node_solver.h"

/* Where vectors are parted: in the coordinate in which the mixture's spread most, at their mean, or in that in which all that are
 * allowed do, in the middle. */
typedef enum branching_point { BRANCHING_MEAN, BRANCHING_MIDDLE } branching_point;

void branching_vectors(const node_solver *s, const tree_node *n, int node, branching_point point, node_result *result);

#endif

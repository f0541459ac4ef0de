/* plan/spatial/box_graph.h - the policies of a box as deterministic policies: the graph whose choices are corners.
 *
 * Choice j of node n is corner x of its box (plan/spatial/box_corners.h):
 *
 *     P(n'|n,j;k) = sum_a x_a P(n'|n,a;k),      R(n,j;k) = K (sum_a x_a reward(n,a;k) + what is paid at the horizon)
 *
 * so that searches over deterministic policies where no promise binds (plan/stage/stagewise.h) find what a policy of the box makes:
 * with weights 1/K, sum_k (1/K) U(k) is that. Nodes, sets and boundaries are those of the graph it is of, which it shares; no model
 * is made. Cost: the edges of each corner, for each box; its rewards, for each price. Invariant: only g's own arrays change.
 */
#ifndef PLAN_SPATIAL_BOX_GRAPH_H
#define PLAN_SPATIAL_BOX_GRAPH_H

#include "plan/spatial/box_corners.h"

typedef struct box_graph {
    const box_corners *at;
    know_graph g; /* edges are numbered as their rows; g.choices is the room there is until a box is entered */
    arena memory; /* of g's own arrays */
    int *edge_at; /* [nodes] the edge of the corner at hand that leads there */
} box_graph;

/* at stays the caller's. */
vouch_status box_graph_new(const box_corners *at, box_graph **out);
void box_graph_free(box_graph *x); /* NULL is fine */

/* Choices and edges become those of the corners. */
void box_graph_enter(box_graph *x);
/* Rewards become those of reward [choices of the graph it is of * K] and of mu [K] at the horizon. */
void box_graph_price(box_graph *x, const double reward[], const double mu[]);

#endif

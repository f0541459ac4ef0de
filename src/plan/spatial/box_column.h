/* plan/spatial/box_column.h - one policy of a box's mixture, with its figures. The parts of a box share it: references are counted.
 */
#ifndef PLAN_SPATIAL_BOX_COLUMN_H
#define PLAN_SPATIAL_BOX_COLUMN_H

#include "know/box.h"

typedef struct box_column {
    int refs;
    double *regret, *pr; /* [K] */
    double *prob;        /* [choices] */
} box_column;

/* Room for one, not set; NULL: memory. */
box_column *box_column_new(int K, int choices);
box_column *box_column_hold(box_column *c);
void box_column_release(box_column *c); /* NULL is fine */
/* Is it a policy of the box? */
bool box_column_within(const box_column *c, int choices, policy_box in);

/* Brings a policy into a box: at each node its probabilities go to the sides they are beyond, and what is then missing from 1, or
 * too much, goes to or is taken from the choices that are furthest from mean [choices]. */
void box_column_move(const know_graph *g, policy_box in, const double mean[], double prob[]);

#endif

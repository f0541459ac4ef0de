/* plan/spatial/box_column.h - a policy of a mixture in a box: figures, and what it does. Boxes below hold it, too, through its
 * count. */
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

#endif

/* plan/colgen/column.h - a policy of a mixture. */
#ifndef PLAN_COLGEN_COLUMN_H
#define PLAN_COLGEN_COLUMN_H

#include <stdatomic.h>

/* A policy of the mixture: figures, and how much it uses each option (uniform over environments). Shared by search
 * nodes through its count. */
typedef struct column {
    atomic_int refs; /* search nodes of several threads may hold it */
    int used;
    double *regret, *pr; /* [K] */
    int *option;         /* [used] ascending */
    double *mass;        /* [used] > 0 */
} column;

/* Room for `used` options, not set; NULL: memory. */
column *column_new(int K, int used);
void column_release(column *c); /* NULL is fine */

#endif

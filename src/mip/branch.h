/* mip/branch.h - which column to branch on. */
#ifndef MIP_BRANCH_H
#define MIP_BRANCH_H

#include "mip/search.h"

typedef enum branch_end {
    BRANCH_COLUMN,     /* *col, *up_first */
    BRANCH_TIGHTENED,  /* a trial proved bounds, which are in the domain and in n->deduced: solve the node
                          again */
    BRANCH_INFEASIBLE, /* trials in both directions failed: the node is done */
    BRANCH_STOPPED
} branch_end;

/* Requires fractional columns in s->lp. */
branch_end branch_select(mip_search *s, mip_node *n, int *col, bool *up_first);

/* The children of n in out, the preferred one first; NULL and s->end.memory where memory is out (children.c).
 * x: the column's value, between two whole numbers. */
void branch_on_column(mip_search *s, mip_node *n, int j, double x, bool up_first, mip_node *out[2]);
/* Splits a violated SOS1 set at the weighted middle of its nonzeros. */
void branch_on_set(mip_search *s, mip_node *n, int set, mip_node *out[2]);
/* The members after place `split` are 0, or those up to it are. */
void branch_split_set(mip_search *s, mip_node *n, int set, int split, mip_node *out[2]);
/* Without a point of the relaxation (it could not be solved): halves the widest integer column. False: none is left. */
bool branch_blindly(mip_search *s, mip_node *n, mip_node *out[2]);
/* The first SOS1 set of which more than one member may still differ from 0; *split: the place in its middle. -1: none. */
int branch_undecided_set(const mip_search *s, int *split);
/* The integer column whose value, *x, rounding moves furthest. Where none is moved: a free one and the side of its whole value on
 * which there is something else; so all are fixed at the point in the end, or it is cut off. -1: all integer columns are fixed. */
int branch_least_integral(const mip_search *s, double *x);

#endif

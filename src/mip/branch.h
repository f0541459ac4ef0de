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

vouch_status pseudo_init(pseudo_costs *p, int n);
void pseudo_free(pseudo_costs *p);
/* Column moved by `distance` (> 0) in direction up, objective rose by gain (>= 0). */
void pseudo_learn(pseudo_costs *p, int col, bool up, double distance, double gain);
/* Expected rise per unit. */
double pseudo_expect(const pseudo_costs *p, int col, bool up);

/* Requires s->fractions > 0. */
branch_end branch_select(mip_search *s, node *n, int *col, bool *up_first);

#endif

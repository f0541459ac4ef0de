/* plan/bnb/node.h - one node of the search over policies: restrict, bound, round, branch.
 *
 * An explorer owns everything a node needs, so that several may work at once; what it finds is left in its outcome and merged by
 * the search (plan/bnb/search.c), in an order that does not depend on who found it when.
 */
#ifndef PLAN_BNB_NODE_H
#define PLAN_BNB_NODE_H

#include "plan/bnb/incumbent.h"
#include "plan/bnb/search.h"
#include "plan/bnb/tree.h"

typedef struct child {
    decision made;
    double bound;
} child;

typedef struct outcome {
    vouch_node_end end;
    bool limit; /* left unfinished: its bound stands for what is below it */
    double cut; /* least bound among what was cut off here, INFINITY: nothing */
    int children;
    child *made;   /* [children]; capacity A or 2 */
    int promising; /* child to take next, -1: none */
    vouch_status status;
} outcome;

typedef struct explorer {
    colgen *r;
    incumbent *inc; /* own copy; synchronised before each node */
    const search_options *options;
    int *pick;              /* [nodes] */
    int *heaviest;          /* [nodes] option */
    unsigned char *was;     /* [A] */
    bool strong;            /* choose where to branch by trying (plan/bnb/branching.h) */
    double *trial, *chosen; /* [A] bounds of children in trials */
    int *fixed;             /* [options] */
    double *price;          /* [sets] what disagreement counts at a policy node with this set of environments */
} explorer;

vouch_status explorer_init(explorer *e, colgen *r, incumbent *inc, const search_options *options);
void explorer_clear(explorer *e); /* r and inc stay */

/* Bounds node n under the cutoff of e->inc, improves e->inc, and writes the outcome (its array made is the caller's, large enough
 * for A children). random: shakes the incumbent at the root; NULL elsewhere. */
void explore(explorer *e, tree_node *n, rng *random, outcome *o);

/* Of use to plan/bnb/branching.c: the bound at which a node ends; the options allowed at n (all, restricted by each decision on the way to
 * the root) into r->allowed; and the check that the debug policy is not lost by claiming `bound` for what is allowed now. */
double explore_cutoff(const explorer *e);
void explore_restrict(explorer *e, const tree_node *n);
void explore_check(const explorer *e, double bound);

#endif

/* plan/bnb/node.h - one node of the search over policies: restrict, bound, round, branch.
 *
 * A node solver owns everything a node needs, so that several may work at once; what it finds is left in a node_result and merged by
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

typedef struct node_result {
    vouch_node_end end;
    bool limit; /* left unfinished: its bound stands for what is below it */
    double cut; /* least bound among what was cut off here, INFINITY: nothing */
    int children;
    child *made;   /* [children]; capacity A or 2 */
    int promising; /* child to take next, -1: none */
    vouch_status status;
} node_result;

typedef struct node_solver {
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
} node_solver;

vouch_status node_solver_init(node_solver *e, colgen *r, incumbent *inc, const search_options *options);
void node_solver_clear(node_solver *e); /* r and inc stay */

/* Bounds node n under the cutoff of e->inc, improves e->inc, and writes the result (its array made is the caller's, large enough
 * for A children). random: of perturbations of the incumbent at the root; NULL elsewhere. */
void node_process(node_solver *e, tree_node *n, rng *random, node_result *o);

/* Of use to plan/bnb/branching.c: the bound at which a node ends; the options allowed at n (all, restricted by each decision on the way to
 * the root) into r->allowed; and the check that the debug policy is not lost by claiming `bound` for what is allowed now. */
double node_cutoff(const node_solver *e);
void node_restrict(node_solver *e, const tree_node *n);
void node_check(const node_solver *e, double bound);

#endif

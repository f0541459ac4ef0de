/* mip/tree.h - branch and bound, node by node; parallel.h declares the search. */
#ifndef MIP_TREE_H
#define MIP_TREE_H

#include "mip/search.h"

/* Where a search stands: the node to work on next, owned (NULL: the queue knows), and how long it plunges already; while it does,
 * domain and basis are those of the node's parent. */
typedef struct tree_walk {
    mip_node *next;
    int plunge;
} tree_walk;

/* Works on one node after the other until the queue holds nothing to work on, the search must stop, or its nodes or its iterations
 * have come to so many (0: no such limit). */
void mip_tree_walk(mip_search *s, tree_walk *w, long long nodes, long long iterations);
/* An open node waits in the queue; what it is worth counts for the bound if memory is out. */
void mip_tree_push(mip_search *s, mip_node *n);
/* Is nothing left to be worked on? */
bool mip_tree_done(const mip_search *s, const tree_walk *w);
/* A line of the log when one is due, and the trace. w: what it holds counts for the bound. */
void mip_tree_report(mip_search *s, const tree_walk *w);
/* The root, to be worked on; without a point to be found by propagation it has ended already. */
vouch_status mip_tree_begin(mip_search *s, tree_walk *w);

#endif

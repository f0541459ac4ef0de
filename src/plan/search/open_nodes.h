/* plan/search/open_nodes.h - nodes of the tree that wait, in the order in which the search takes them.
 *
 * First come promising children, the oldest first (plunging); then nodes that were stacked, the last first; then the least bound.
 * Nodes are stacked once there are so many that their memory counts: little is kept of a tree that is searched depth first.
 */
#ifndef PLAN_SEARCH_OPEN_NODES_H
#define PLAN_SEARCH_OPEN_NODES_H

#include "base/heap.h"
#include "plan/node/tree.h"

typedef struct open_nodes {
    heap by_bound;     /* of tree_node */
    size_t most;       /* nodes in it beyond which new ones are stacked */
    tree_node **stack; /* [stacked] */
    size_t stacked, stack_capacity;
    tree_node **plunge; /* [most_plunging] */
    int plunging, most_plunging;
} open_nodes;

/* most_plunging: promising children that wait at once. ERROR_MEMORY; open_nodes_free whatever the outcome. */
vouch_status open_nodes_init(open_nodes *o, int most_plunging, size_t most);
/* Requires that none waits. */
void open_nodes_free(open_nodes *o);

/* ERROR_MEMORY: n does not wait. */
vouch_status open_nodes_put(open_nodes *o, tree_node *n, bool promising);
/* NULL: none waits. */
tree_node *open_nodes_take(open_nodes *o);

/* But those that are promising. */
static inline size_t open_nodes_queued(const open_nodes *o) { return o->by_bound.count + o->stacked; }
static inline size_t open_nodes_count(const open_nodes *o) { return open_nodes_queued(o) + (size_t)o->plunging; }
/* The least; INFINITY: none waits. */
double open_nodes_bound(const open_nodes *o);

/* Contract: nodes that wait are leaves with a counted parent, ids are at most `ids`, and no bound is below `floor`. Debug builds.
 */
void open_nodes_check(const open_nodes *o, long long ids, double floor);

/* How many open nodes fit: each holds on to about one policy for each row of the master program. */
size_t open_nodes_capacity(const policy_space *space);

#endif

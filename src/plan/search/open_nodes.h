/* plan/search/open_nodes.h - the open nodes of the tree in the order of selection: promising children, oldest first (plunging);
 * then stacked nodes, last first; then by least bound. Nodes are stacked when the heap is full: depth-first search needs little
 * memory.
 */
#ifndef PLAN_SEARCH_OPEN_NODES_H
#define PLAN_SEARCH_OPEN_NODES_H

#include "base/heap.h"
#include "plan/node/node_solver.h"

typedef struct open_nodes {
    heap by_bound;     /* of tree_node */
    size_t most;       /* nodes in it beyond which new ones are stacked */
    tree_node **stack; /* [stacked] */
    size_t stacked, stack_capacity;
    tree_node **plunge; /* [most_plunging] */
    int plunging, most_plunging;
} open_nodes;

/* most_plunging: capacity for promising children. ERROR_MEMORY leaves *o to be freed, too. */
vouch_status open_nodes_init(open_nodes *o, int most_plunging, size_t most);
/* Requires that none is left. */
void open_nodes_free(open_nodes *o);

/* ERROR_MEMORY: n was not added. */
vouch_status open_nodes_put(open_nodes *o, tree_node *n, bool promising);
/* NULL: none is left. */
tree_node *open_nodes_take(open_nodes *o);

/* Without promising children. */
static inline size_t open_nodes_queued(const open_nodes *o) { return o->by_bound.count + o->stacked; }
static inline size_t open_nodes_count(const open_nodes *o) { return open_nodes_queued(o) + (size_t)o->plunging; }
/* The least bound; INFINITY: none is left. */
double open_nodes_bound(const open_nodes *o);

/* Contract (debug builds): open nodes are leaves with a counted parent, ids are at most `ids`, bounds at least `floor`. */
void open_nodes_check(const open_nodes *o, long long ids, double floor);

/* Number of open nodes that fit in memory: each holds about one policy per row of the master program. */
size_t open_nodes_capacity(const policy_space *space);

#endif

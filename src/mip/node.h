/* mip/node.h - open nodes of the search tree, and the queue they wait in.
 *
 * A node is a stack of bound changes: its own, and those of its ancestors, which live as long as a descendant does.
 */
#ifndef MIP_NODE_H
#define MIP_NODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/heap.h"
#include "mip/propagate.h"

/* A simplex basis in two bits a variable; shared by the children of a node. */
typedef struct packed_basis packed_basis;
/* NULL when memory is out: the node then starts from whatever basis is there. */
packed_basis *packed_basis_new(int m, int n, const unsigned char *row_status, const unsigned char *col_status);
packed_basis *packed_basis_share(packed_basis *b); /* NULL is fine */
void packed_basis_free(packed_basis *b);
/* Statuses of nonbasic variables without choice (fixed, free) come out as at lower; the solver knows better. */
void packed_basis_unpack(const packed_basis *b, unsigned char *row_status, unsigned char *col_status);

typedef struct mip_node {
    long long id;
    struct mip_node *parent; /* shared */
    atomic_int references;
    int depth;
    double bound;        /* proved, of its parent's relaxation until its own is solved */
    int branch_col;      /* column branched on, -1 at the root and in SOS1 branchings */
    double branch_value; /* its value in the parent's relaxation */
    bool up;
    bound_change *change; /* owned: [changes], the branching and what followed at once */
    int changes;
    bound_change *deduced; /* owned: [deductions], what was learned here beyond propagation */
    int deductions;
    packed_basis *basis; /* shared */
} mip_node;

/* A child of parent (NULL: the root) that takes over `change`; NULL when memory is out (change is freed then). */
mip_node *node_new(mip_node *parent, long long id, bound_change *change, int changes);
void node_release(mip_node *n); /* drops one reference; NULL is fine */

/* Least bound first, then the deeper one, then the younger. Beyond `deep` (0: no such depth) the shallower one
 * comes first: between branchings of general integers the bound may stay where it is without end. */
typedef struct node_queue {
    heap nodes; /* of mip_node *, referred to */
    int deep;
} node_queue;

void node_queue_init(node_queue *q, int deep);   /* empty; it must stay where it is */
int node_queue_push(node_queue *q, mip_node *n); /* takes the reference; -1 (and keeps nothing) when memory is out */
mip_node *node_queue_pop(node_queue *q);         /* NULL when empty */
double node_queue_bound(const node_queue *q);    /* INFINITY when empty */
/* Drops the nodes whose bound is at least cutoff; their least bound, or INFINITY. */
double node_queue_prune(node_queue *q, double cutoff);
void node_queue_free(node_queue *q);

#endif

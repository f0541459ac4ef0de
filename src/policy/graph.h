/* policy/graph.h - the nodes a policy reaches, as vouch/policy.h shows them.
 *
 * Made from the rules of a policy and the model alone; it needs no graph of all nodes that other policies might reach.
 */
#ifndef POLICY_GRAPH_H
#define POLICY_GRAPH_H

#include "mdp/model.h"
#include "policy/policy.h"

struct vouch_policy_graph {
    int K;
    vouch_policy_node *node; /* owned, by time; 0 is the root */
    size_t nodes, node_capacity;
    double *reach; /* owned, [nodes * K] Pr(node | k) */
    size_t reach_capacity;
    vouch_policy_edge *edge; /* owned */
    size_t edges, edge_capacity;
    double *prob; /* owned, [edges * K] Pr(outcome | node, action; k) */
    size_t prob_capacity;
};

#endif

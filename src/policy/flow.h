/* policy/flow.h - where a policy leads: the nodes it reaches, how likely in each environment, and the steps between them.
 *
 * Made from the rules of a policy file and the model alone, so that it can be drawn and followed by eye; it needs no graph of
 * all nodes that other policies might reach.
 */
#ifndef POLICY_FLOW_H
#define POLICY_FLOW_H

#include "mdp/model.h"
#include "policy/policy.h"

typedef struct flow_node {
    int time, state;
    int rule;       /* in policy.rules; -1 at T, where nodes are states */
    int first_edge; /* edges of a node stand together: first_edge .. first_edge + edges - 1 */
    int edges;
} flow_node;

typedef struct flow_edge {
    int from, to;
    int choice;    /* which of the rule's actions */
    double reward; /* observed */
} flow_edge;

typedef struct flow {
    int K;
    flow_node *node; /* owned, by time; 0 is the root */
    size_t nodes, node_capacity;
    double *reach; /* owned, [nodes * K] Pr(node | k) */
    size_t reach_capacity;
    flow_edge *edge; /* owned */
    size_t edges, edge_capacity;
    double *prob; /* owned, [edges * K] Pr(outcome | node, action; k) */
    size_t prob_capacity;
} flow;

/* Start from {0}; flow_free whatever the outcome. ERROR_INPUT: a node is reached for which there is no rule. */
vouch_status flow_make(flow *f, const vouch_model *m, const vouch_policy *policy, vouch_error *error);
void flow_free(flow *f);

#endif

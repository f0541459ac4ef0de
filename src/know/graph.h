/* know/graph.h - the policy nodes of CCL(L), where an L-updates policy decides.
 *
 * For t < L a node is a knowledge state <t, s, kappa>; from t = L on it is (t, s | b_L), b_L a knowledge state at time L (its
 * *boundary*; at t = L a node is its own boundary). Nodes are numbered by time; only nodes reached by some policy exist. kappa, an
 * interned set, holds the environments that can be at the node.
 *
 * A *choice* is a (node, pair); an *edge* leads from a choice to a child node. Environment k follows it with probability
 * successor_prob[u*K+k], u = edge_row, if it is in the child's set. (Before L the observed reward distinguishes environments with
 * the same successor; after L it does not.) Source: Zhang, Singh, Durfee, ICAPS 2017, section on L-updates policies.
 */
#ifndef KNOW_GRAPH_H
#define KNOW_GRAPH_H

#include "base/bits.h"
#include "base/clock.h"
#include "base/intern.h"
#include "mdp/model.h"

typedef struct know_graph {
    const vouch_model *m;
    int L, T, K;
    int nodes, choices, edges;
    int *time_start;   /* [T + 2] nodes of time t: time_start[t] .. time_start[t+1]-1 */
    int *state;        /* [nodes] */
    int *boundary;     /* [nodes] node at time L, -1 before L */
    int *set;          /* [nodes] number of the environment set */
    int *choice_start; /* [nodes + 1]; nodes at T have none */
    int *choice_pair;  /* [choices] */
    int *choice_twin;  /* [choices] lowest choice of the node with the same effect in every environment of the set */
    int *edge_start;   /* [choices + 1] */
    int *edge_child;   /* [edges] */
    int *edge_row;     /* [edges] u, row of successor_prob */

    intern sets;       /* environment sets as bits */
    int *member_start; /* [sets + 1] */
    int *member;       /* environments of each set, ascending */

    double *successor_prob; /* [rows * K] P(s'|s,a;k) for each pair and possible successor */
    double *reward;         /* [pairs * K] R(s,a;k) */
} know_graph;

/* Restricts the choices of nodes before L. pairs: writes into pair [A] at least one pair of the state, ascending, for these
 * environments (bits), and returns their number; -1: work limit reached (ERROR_SIZE). */
typedef struct know_offer {
    int (*pairs)(void *context, int time, int state, const uint64_t set[], int pair[]);
    void *context;
} know_offer;

/* Limits of memory and time (NULL: none); beyond them ERROR_SIZE. */
typedef struct know_limits {
    long long nodes, edges;
    const deadline *time;
    const know_offer *offer; /* NULL: all pairs */
} know_limits;

/* Builds the graph of L = 0 .. T. On failure *graph is NULL. */
vouch_status know_graph_new(const vouch_model *m, int L, const know_limits *limits, know_graph **graph, vouch_error *error);
void know_graph_free(know_graph *graph); /* NULL is fine */

int know_time(const know_graph *g, int node);
/* The state of the user's model, not of a model of losses. */
int know_state(const know_graph *g, int node);
static inline bool know_in_set(const know_graph *g, int set, int k) { return bits_has(intern_key(&g->sets, set), k); }
static inline int know_set_size(const know_graph *g, int set) { return g->member_start[set + 1] - g->member_start[set]; }

/* Choices of a node without twins. */
int know_real_choices(const know_graph *g, int node);
/* The index of environment k among the members of the set. */
int know_rank(const know_graph *g, int set, int k);
int know_owner(const know_graph *g, int choice);

/* Contribution to Pr(k) of ending at this node at T. */
static inline double know_terminal(const know_graph *g, int node, int k) { return g->m->env[k].terminal[g->state[node]]; }

/* Largest less least expected reward. */
double know_reward_spread(const know_graph *g);

/* The node at `time` < L or = L of this state and set of environments; -1 if none. env: [count] ascending. */
int know_find_state(const know_graph *g, int time, int state, const int *env, int count);
/* The node (time, state | boundary) at time >= L; -1 if none. */
int know_find_boundary(const know_graph *g, int time, int state, int boundary);

#endif

/* know/graph.h - the policy nodes of CCL(L), where an L-updates policy decides.
 *
 * For t < L a node is a knowledge state <t, s, kappa>; from t = L on it is (t, s | b_L), b_L a knowledge state at time L (its
 * *boundary*; at t = L a node is its own boundary). Nodes are numbered by time; only nodes reached by some policy exist. kappa, an
 * interned set, holds the environments that can be at the node.
 *
 * A *choice* is a (node, pair); an *edge* leads from a choice to a child node. Environment k follows it with probability
 * successor_prob[u*K+k], u = edge_row, if it is in the child's set. (Before L the observed reward distinguishes environments with
 * the same successor; after L it does not.) Source: Zhang, Singh, Durfee, ICAPS 2017, section on L-updates policies. */
#ifndef KNOW_GRAPH_H
#define KNOW_GRAPH_H

#include "base/bits.h"
#include "base/clock.h"
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

/* ---- propagate -----------------------------------------------------------------------------------------------------------------
 *
 * Exact evaluation of an L-updates policy over the policy nodes, for each environment. prob [choices]:
 * probability of each choice at its node, summing to 1 at reached nodes. */

/* Forward: reach [nodes * K] = Pr(node | k), U, Pr [K] written. Returns -1, or a reached node whose probabilities do not sum to 1
 * within 1e-9 (it has no rule). */
int propagate_forward(const know_graph *g, const double prob[], double reach[], double U[], double Pr[]);

/* Backward: gain, keep [nodes * K] = expected reward and Pr(S_T in Phi) to go from each node under prob. */
void propagate_backward(const know_graph *g, const double prob[], double gain[], double keep[]);

/* Value of one choice for environment k, given gain and keep of the nodes below. */
typedef struct choice_worth {
    double u, pr;
} choice_worth;

choice_worth propagate_choice(const know_graph *g, int choice, int k, const double gain[], const double keep[]);

/* The same for every environment k of `set`, in one pass over the edges: worth [2 K], u and then pr. */
void propagate_worths(const know_graph *g, int choice, int set, const double gain[], const double keep[], double worth[]);

/* prob from a deterministic policy: pick [nodes] = choice, or -1 (then the first choice). */
void propagate_pick(const know_graph *g, const int pick[], double prob[]);

/* ---- set-valued dynamic programming: the vectors that deterministic policies attain from a node on ------------------------------
 *
 * The Pareto set of node n is the set of nondominated vectors (U(k), Pr(k)), k in its set, of reward and commitment probability to
 * go under deterministic policies from n on. It is small if the number of times an action was taken matters, but not the order.
 *
 * It is exact, and may replace the node's continuation, if no two paths from n meet again below it (they would have to agree
 * there): transitions from n on are deterministic in every environment of the set, and after L each choice leads to one successor.
 * Other nodes are not affected if the nodes below n are reached through n only, or only by environments that n excludes: from L on
 * at the boundary nodes; before L if every transition of the model is deterministic. */

typedef struct pareto_sets {
    int *start; /* [nodes] first vector of node n */
    int *count; /* [nodes] its vectors; -1: no Pareto set; 0: no policy that reaches the node keeps the commitment */
    int vectors;
    double *value;     /* [vectors * 2K] U(0..K-1) then Pr(0..K-1); 0 outside the node's set */
    int *choice;       /* [vectors] choice taken at the node */
    int *child_start;  /* [vectors] into child_vector: one per edge of the choice */
    int *child_vector; /* vector used at the edge's child */
} pareto_sets;

/* Pareto sets of all nodes where they are exact, may replace the node and have at most `cap` vectors. A node above a node without
 * one has none, nor have nodes left at the limit (NULL: none). accepted [K] (NULL: none): vectors whose failures alone force
 * Pr(S_T in Phi | k) below it are dropped. for_root: stop at the first node without a set. On failure *f is NULL. */
vouch_status pareto_new(const know_graph *g, int cap, const double accepted[], bool for_root, const deadline *limit,
                        pareto_sets **f);
void pareto_free(pareto_sets *f);

/* Writes the deterministic policy of vector v at its node and below: pick[node] = choice. */
void pareto_apply(const pareto_sets *f, const know_graph *g, int vector, int pick[]);

#endif

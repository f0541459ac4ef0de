/* policy/within.h - the worst reply of nature to a policy, in a model whose probabilities are known within limits (mdp/limits.c).
 *
 * At every visit nature chooses the row of the action taken, any distribution q within its limits, and knows the policy node n,
 * plans that it follows included. The least probability of a promise is that of a reply which depends on the node alone:
 *
 *     V(n) = sum over a of prob(a|n) V(n, a),     V(n, a) = min over q of sum over x of q(x) V(node after n, a and x),
 *
 * where V at the horizon is 1 if the promise is kept, else 0. Which environments are possible at a node does not depend on q, whose
 * support is that of the nominal row. Each promise of each environment has a reply of its own (G. Iyengar, Mathematics of
 * Operations Research 2005; A. Nilim, L. El Ghaoui, Operations Research 2005). */
#ifndef POLICY_WITHIN_H
#define POLICY_WITHIN_H

#include "know/graph.h"
#include "policy/policy.h"

/* Nodes by time with their choices and edges, as in know/graph.h; those at the horizon have no choices. */
typedef struct reply_graph {
    const vouch_model *m; /* its environments, or a view's rows */
    int nodes;
    const int *state;                      /* [nodes] */
    const int *choice_start, *choice_pair; /* [nodes + 1], [choices] */
    const int *edge_start, *edge_child;    /* [choices + 1], [edges] */
    const double *take; /* [choices] of the policy; where all of a node are 0, and if NULL, V(n) is the best V(n, a) */
    const double *prob; /* prob[row[u] * K + k] > 0: environment k may follow edge u; row NULL: row[u] = u */
    const int *row;
    int *best;              /* [nodes] the choice of the best V(n, a), or -1, as reply_worst writes it; NULL: not wanted */
    const know_graph *sets; /* further restricted to the sets of the children; NULL: not */
    arena memory;
} reply_graph;

/* All nodes of the graph; prob [choices] or NULL as `take`. Nothing to free. */
reply_graph reply_of_graph(const know_graph *g, const double prob[]);

/* Row k * promises + j stands for promise j of environment k; each environment of a view is a row. */
const double *reply_weight(const vouch_model *m, int row); /* [S] 1 where the promise is kept at the horizon, else 0 */

/* value [nodes] = V for the row; value[0] is its worst probability. nature [edges], NULL: not wanted: q on the edges that the
 * environment may follow, of all choices; other entries are unchanged. ERROR_MEMORY. */
vouch_status reply_worst(const reply_graph *g, int row, double value[], double nature[]);
/* worst [rows]: the worst probabilities; value [nodes]: scratch. lost [nodes] (NULL: not wanted): the most that nature takes of
 * some probability where it first bends a row at this node, reached with probability reach [nodes * K]. ERROR_MEMORY. */
vouch_status reply_all(const reply_graph *g, double value[], double worst[], const double reach[], double lost[]);
/* Is promise j kept, given the worst probabilities of all rows? */
bool reply_kept(const vouch_model *m, int j, const double worst[]);
/* worst [rows]: the largest of each over all policies that know the environment: upper bounds for every policy. */
vouch_status reply_alone(const vouch_model *m, double worst[], vouch_error *error);

#endif

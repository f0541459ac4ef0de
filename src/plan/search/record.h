/* plan/search/record.h - the events of a search in its trace (base/trace.h).
 *
 *     node     the end of a node: its decision, its bound and the bound's source, the reason
 *     mixture  multipliers at a node and, by policy node, the mass of each option
 *     pairs    the loss by determinism in each environment at a node; at a root also the pairs behind it
 *     column   a policy added by column generation (written by plan/colgen/colgen.c)
 *     moment   bound and incumbent
 *
 * Values are in planned units (mdp/model.h); policy/space.h writes places and options. Events do not change the search; without
 * a trace a call costs a comparison.
 */
#ifndef PLAN_SEARCH_RECORD_H
#define PLAN_SEARCH_RECORD_H

#include "base/error.h"
#include "plan/node/node_solver.h"

/* Begins the record of n: columns follow if the trace keeps them. */
void record_begin(node_solver *s, const tree_node *n);
/* After column generation; ends the record of columns. disagreement: the masses belong to the mixture. */
void record_mixture(node_solver *s, const tree_node *n, bool disagreement);
void record_pairs(const node_solver *s, const tree_node *n);

/* Column generation outside a tree: records all columns from now on, and at the end the mixture. */
void record_alone(vouch_trace *trace, colgen *cg, const char *why);
vouch_status record_alone_end(vouch_trace *trace, colgen *cg);

typedef struct node_record {
    vouch_node_end end;
    bool pruned; /* by its parent's bound, without evaluation */
    int children;
    double best;    /* the incumbent's value */
    long long work; /* inductions of the search */
} node_record;

/* The event `node`, and the call of options->on_node. */
void record_node(const search_options *o, const policy_space *space, const tree_node *n, const node_record *r);
typedef struct search_state {
    long long nodes, open, work; /* ended nodes, open nodes, inductions */
    double best, bound;
    int news; /* 1: always a log line; -1: already logged; 0: by the number of nodes */
} search_state;

static inline bool record_wanted(const search_options *o) { return trace_on(o->trace) || log_wants(&o->log, VOUCH_LOG_INFO); }
/* The event `moment`, and a line of the log (its head is in plan/ccl.c). */
void record_state(const search_options *o, const policy_space *space, const search_state *s);

#endif

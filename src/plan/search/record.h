/* plan/search/record.h - what a search tells its trace (base/trace.h): what nodes of the tree have to say.
 *
 *     node     a node has ended: the decision that made it, its bound, whose bound that is, why it ended
 *     mixture  multipliers at a node and, by policy node, how much the mixture uses each option
 *     pairs    what pure policies lose at a node in each environment; at a root the pairs behind that
 *     column   a policy that column generation adds (written by plan/colgen/colgen.c)
 *     moment   bound and incumbent
 *
 * Values are those planned with (mdp/rescale.h), places and options those of policy/record.h. Nothing here changes the search.
 * Each call costs a comparison where there is no trace.
 */
#ifndef PLAN_SEARCH_RECORD_H
#define PLAN_SEARCH_RECORD_H

#include "base/log.h"
#include "plan/node/node_solver.h"

/* Is more than its end wanted of n? Columns are recorded from now on if so. */
void record_begin(node_solver *s, const tree_node *n);
/* After column generation; `disagreement`: the masses are those of the mixture. Columns are no longer recorded. */
void record_mixture(node_solver *s, const tree_node *n, bool disagreement);
void record_pairs(const node_solver *s, const tree_node *n);

/* Column generation that is no node of a search: all its columns are told from now on; then, at its end, the mixture. */
void record_alone(vouch_trace *trace, colgen *cg, const char *why);
vouch_status record_alone_end(vouch_trace *trace, colgen *cg);

typedef struct node_record {
    vouch_node_end end;
    bool pruned; /* by its parent's bound, unseen */
    int children;
    double best;    /* the incumbent's value */
    long long work; /* inductions so far */
} node_record;

/* The event `node`, and on_node of the options. */
void record_node(const search_options *o, const policy_space *space, const tree_node *n, const node_record *r);
/* Where a search stands. */
typedef struct search_state {
    long long nodes, open, work; /* nodes ended, nodes that wait, inductions */
    double best, bound;
    int news; /* 1: worth a line whatever its number; -1: that had one */
} search_state;

/* Is there anyone to tell it to? */
static inline bool record_wanted(const search_options *o) { return trace_on(o->trace) || log_wants(&o->log, VOUCH_LOG_INFO); }
/* The event `moment`, and a line of the table that plan/ccl.c explains. */
void record_state(const search_options *o, const policy_space *space, const search_state *s);

#endif

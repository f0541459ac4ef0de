/* policy/record.h - trace events (base/trace.h) common to all searches over policies. A policy node is [time, state, set of
 * environments, state of the boundary or -1]; an option is its action or, in a Pareto set, -1 - the number of the vector. */
#ifndef POLICY_RECORD_H
#define POLICY_RECORD_H

#include "base/trace.h"
#include "policy/space.h"

typedef struct tree_record {
    const char *kind; /* search: of deterministic policies; history: column generation alone; boxes */
    bool total;       /* total regret, not maximum */
    const char *why;  /* in a few words */
    long long first;  /* number of the root */
} tree_record;

void record_tree(vouch_trace *trace, const policy_space *space, const tree_record *tree); /* a search begins */
void record_place(vouch_trace *trace, const char *name, const know_graph *g, int node);
int record_option(const policy_space *space, int node, int option);

/* Writes the field `mass`: the mass [options] of each option at at most `most` policy nodes, randomised ones first. */
void record_masses(vouch_trace *trace, const policy_space *space, const double mass[], int most);

#endif

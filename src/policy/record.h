/* policy/record.h - what every search over policies tells its trace (base/trace.h): which policies they are, and places in them.
 *
 *     tree     a search begins: what is minimised, over which classes, and why
 *
 * A policy node is [time, state, set of environments, state of the boundary or -1]; an option is its action or, of a Pareto set,
 * -1 - the number of the vector.
 */
#ifndef POLICY_RECORD_H
#define POLICY_RECORD_H

#include "base/trace.h"
#include "policy/space.h"

typedef struct tree_record {
    const char *kind; /* search: of deterministic policies; history: column generation alone; boxes */
    bool total;       /* of the total regret, not the maximum */
    const char *why;  /* in a few words */
    long long first;  /* number of its root */
} tree_record;

void record_tree(vouch_trace *trace, const policy_space *space, const tree_record *tree);
void record_place(vouch_trace *trace, const char *name, const know_graph *g, int node);
int record_option(const policy_space *space, int node, int option);

/* The field `mass`: of at most `most` policy nodes that a mixture uses, those used in more than one way first, how much it uses
 * each option. mass: [options]. */
void record_masses(vouch_trace *trace, const policy_space *space, const double mass[], int most);

#endif

/* plan/node/tree.h - nodes of the search over policies.
 *
 * A node's policies are those of its parent that keep to one decision more. Invariants: a child's bound is no less than its
 * parent's; a node lives while it is open or has children. Memory of a node: its columns are shared and counted, O(K) multipliers,
 * the options given up there.
 */
#ifndef PLAN_NODE_TREE_H
#define PLAN_NODE_TREE_H

#include "plan/colgen/colgen.h"

/* What a node adds to its parent's restrictions. */
typedef struct decision {
    int node;       /* policy node, -1 at the root */
    int option;     /* the one option allowed, or -1: a split of its Pareto set */
    int coordinate; /* of the vectors: k, or K + k */
    double threshold;
    bool above; /* keep vectors above the threshold, else at or below */
} decision;

/* Where bounds come from: mixtures (plan/colgen/colgen.h) and pairs (plan/bound/pareto_bound.h). */
typedef enum bound_source { SOURCE_MIXTURE, SOURCE_PAIRS, SOURCES } bound_source;

/* What a source has shown on the way from the root. Children take it over, so that what is asked does not depend on which thread
 * has which node. */
typedef struct source_record {
    double bound; /* its best; -INFINITY: not asked */
    double cost;  /* of asking it, in arcs of an induction */
    int idle;     /* times in a row that it was asked and behind the other */
    double spent; /* cost since it or the other last raised the bound by much, or the other was asked */
} source_record;

/* Whether options are tried by pairs (plan/reduce/probing.h) at a node: not at so many nodes below one where that was in vain, and
 * more of them each time in a row. */
typedef struct fix_record {
    int idle, rest;
} fix_record;

typedef struct tree_node {
    long long id;
    int proof; /* its number in a proof that is written (plan/search/proof_writer.h) */
    struct tree_node *parent;
    int children; /* alive below; a node is freed when processed and without children */
    int depth;
    decision made;
    double bound;
    source_record source[SOURCES];
    int pairs;   /* of a set of the hardest environment, at most; 1: not made yet; 0: pairs are not asked */
    int hardest; /* environment whose promise cost most when pairs were last asked */
    fix_record tries;
    int pure;         /* environment whose promise each policy of the columns' mixture kept by itself; -1: none */
    column **columns; /* [count] inherited by the children; NULL with multipliers where mixtures were not asked */
    int count;
    double *multipliers; /* [3K] lambda, nu, mu */
    int *fixed;          /* [fixed_count] options that nothing better uses, here and below */
    int fixed_count;
} tree_node;

/* A root (parent NULL) or a child, with id 0. */
vouch_status tree_node_new(tree_node *parent, const decision *made, double bound, tree_node **out);

/* Adds to the options that nothing better uses at n and below. */
vouch_status tree_node_fix(tree_node *n, const int option[], int count);

/* The nearest ancestor that has left something for mixtures; NULL: none has. */
const tree_node *tree_node_heir(const tree_node *n);

/* Releases what n keeps for its children of columns and multipliers. */
void tree_node_forget(tree_node *n);

/* Frees n if it has no children, and then its ancestors that have none left. NULL is fine. */
void tree_node_release(tree_node *n);

/* Order of open nodes (base/heap.h): least bound first, then deepest, then oldest. */
bool tree_node_before(const void *unused, const void *first, const void *second);

#endif

/* plan/node/tree.h - nodes of the search over policies.
 *
 * A node has its parent's policies restricted by one more decision. Invariants: a child's bound is at least its parent's; a node
 * exists while it is open or has children. Memory: shared columns with reference counts, O(K) multipliers, fixed options.
 */
#ifndef PLAN_NODE_TREE_H
#define PLAN_NODE_TREE_H

#include "plan/colgen/colgen.h"

/* The restriction that a node adds to its parent's. */
typedef struct decision {
    int node;       /* policy node, -1 at the root */
    int option;     /* the one option allowed, or -1: a split of its Pareto set */
    int coordinate; /* of the vectors: k, or K + k */
    double threshold;
    bool above; /* keep vectors above the threshold, else at or below */
} decision;

/* Sources of bounds: mixtures (plan/colgen/colgen.h) and pairs (plan/bound/pareto_bound.h). */
typedef enum bound_source { SOURCE_MIXTURE, SOURCE_PAIRS, SOURCES } bound_source;

/* Record of a source on the path from the root; children inherit it, so it does not depend on threads. */
typedef struct source_record {
    double bound; /* best bound; -INFINITY: not used */
    double cost;  /* of one use, in arcs of an induction */
    int idle;     /* consecutive uses behind the other source */
    double spent; /* cost since either source raised the bound by much, or the other was used */
} source_record;

/* Probing by pairs (plan/reduce/probing.h) pauses after a failure for `rest` nodes further down, longer after each of `idle`
 * consecutive failures. */
typedef struct fix_record {
    int idle, rest;
} fix_record;

typedef struct tree_node {
    long long id;
    int proof; /* its number in the proof (plan/search/proof_writer.h) */
    struct tree_node *parent;
    int children; /* alive below; a node is freed when processed and without children */
    int depth;
    decision made;
    double bound;
    source_record source[SOURCES];
    int pairs;   /* limit on the set of the hardest environment; 1: not made yet; 0: pairs are not used */
    int hardest; /* environment of the largest loss at the last use of pairs */
    fix_record tries;
    int pure;         /* environment whose promise every column keeps by itself; -1: none */
    column **columns; /* [count] for the children; NULL with multipliers if mixtures were not used */
    int count;
    double *multipliers; /* [3K] lambda, nu, mu */
    int *fixed;          /* [fixed_count] options forbidden here and below */
    int fixed_count;
} tree_node;

/* A root (parent NULL) or a child, with id 0. */
vouch_status tree_node_new(tree_node *parent, const decision *made, double bound, tree_node **out);

/* Adds fixed options. */
vouch_status tree_node_fix(tree_node *n, const int option[], int count);

/* The nearest ancestor with columns and multipliers; NULL: none. */
const tree_node *tree_node_heir(const tree_node *n);

/* Releases the columns and multipliers of n. */
void tree_node_forget(tree_node *n);

/* Frees n if it has no children, then ancestors without children. NULL is fine. */
void tree_node_release(tree_node *n);

/* Order of open nodes (base/heap.h): least bound first, then deepest, then oldest. */
bool tree_node_before(const void *unused, const void *first, const void *second);

#endif

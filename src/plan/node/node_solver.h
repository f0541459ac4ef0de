/* plan/node/node_solver.h - a node of the tree of the policy search, the memory for its processing, and its result.
 *
 * A node has its parent's policies restricted by one more decision. Invariants: a child's bound is at least its parent's; a node
 * exists while it is open or has children. Memory: shared columns with reference counts, O(K) multipliers, fixed options.
 *
 * A node solver owns everything that processing needs, so several can work in parallel; the search merges their results
 * (plan/search/search.c) in an order that does not depend on timing.
 */
#ifndef PLAN_NODE_NODE_SOLVER_H
#define PLAN_NODE_NODE_SOLVER_H

#include "plan/heuristic/incumbent.h"
#include "plan/reduce/dominance.h"

/* Sets of pairs for all options, kept from one search in a space to the next (bound_keep_pairs). */
typedef struct kept_pairs {
    pareto_bound *bound; /* NULL: none */
    bool tried;
} kept_pairs;

typedef struct search_options {
    double gap;                    /* absolute */
    double patience;               /* of colgen_solve */
    int perturbations;             /* random restarts of local search at the root */
    search_parts without;          /* parts switched off */
    int threads, workers;          /* threads, processes; the result does not depend on them */
    int window;                    /* nodes in progress at once; 0: the default */
    int grain;                     /* limit on the nodes of a task; 0: 1 */
    struct vouch_journal *journal; /* of answers; NULL: none */
    uint64_t seed;
    double floor;              /* initial bound; -INFINITY: none */
    double elsewhere;          /* a bound from another source, not used in the tree; -INFINITY: none */
    double *determinism;       /* [K] filled with the price of determinism by pairs; NULL: not wanted */
    long long alone;           /* nodes processed one by one before the search counts as long (plan/search/search.c) */
    long long first_id;        /* of the tree's nodes; 1 */
    long long most_open;       /* open nodes before the search goes depth first; 0: as memory allows */
    long long most_inductions; /* inductions after which the search pauses, between nodes; 0: none */
    deadline limit;            /* nodes, seconds, interrupt */
    vouch_log log;
    void (*progress)(void *context, double incumbent, double bound, long long nodes, long long open);
    void *progress_context;
    void (*on_node)(void *context, const vouch_search_node *node); /* each ended node; NULL: none */
    void *on_node_context;
    /* Called with the inductions done since the last call; may improve the incumbent. NULL: none */
    vouch_status (*beside)(void *context, const policy_space *space, long long inductions, incumbent *inc);
    void *beside_context;
    kept_pairs *kept;                 /* of this space; NULL: not kept */
    vouch_trace *trace;               /* NULL: none */
    struct proof_writer *proof;       /* plan/search/proof_writer.h; NULL: none */
    const struct debug_policy *debug; /* of tests (plan/node/node_solver.h); NULL: none */
} search_options;

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

/* Probing by pairs (plan/reduce/dominance.h) pauses after a failure for `rest` nodes further down, longer after each of `idle`
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

/* The nearest ancestor with columns and multipliers; NULL: none. */
const tree_node *tree_node_heir(const tree_node *n);

/* Releases the columns and multipliers of n. */
void tree_node_forget(tree_node *n);

/* Frees n if it has no children, then ancestors without children. NULL is fine. */
void tree_node_release(tree_node *n);

/* Order of open nodes (base/heap.h): least bound first, then deepest, then oldest. */
bool tree_node_before(const void *unused, const void *first, const void *second);

/* ---- processing ---- */

typedef struct child {
    decision made;
    double bound;
} child;

/* Gain of the trial of one child (plan/branch/branching.h): the share of the distance to the cutoff that its bound closed, in
 * units of 1 / SHARE_ALL; all if it was cut off or empty. SHARE_UNKNOWN: no child, or no cutoff. */
typedef struct trial_share {
    int option, share;
} trial_share;
enum { SHARE_ALL = 254, SHARE_UNKNOWN = 255 };

typedef struct node_result {
    vouch_node_end end;
    bool limit; /* unfinished: its bound covers its subtree */
    double cut; /* least bound of the parts cut off here; INFINITY: none */
    int children;
    child *made;      /* [children]; capacity A or 2 */
    int promising;    /* child to process next, -1: none */
    int node;         /* BRANCHED: the policy node */
    double pairs;     /* bound by pairs; -INFINITY: not computed */
    bool tried;       /* children were bounded in trials */
    double *evidence; /* [A + 1][3K] for proofs, else NULL: multipliers of each child's trial, and of the node itself */
    int pure;         /* environment whose promise deterministic mixtures kept; -1: not computed */
    double pure_gain; /* the share of the distance to the cutoff that they closed */
    int shares;
    trial_share *share; /* [shares] of all trials; capacity CANDIDATES * A */
    vouch_status status;
} node_result;

/* Limit on the policy nodes tried by strong branching. */
enum { CANDIDATES = 8 };

typedef struct branching_candidate {
    int node;
    double off; /* mass off its heaviest option, priced */
} branching_candidate;

typedef struct node_solver {
    colgen *colgen; /* its `allowed` are the options of the current node for all sources of bounds */
    incumbent *inc; /* own copy; synchronised before each node */
    const search_options *options;
    struct debug_policy *known;    /* debug builds: the incumbent, for debug_policy_check */
    pareto_bound *pairs;           /* NULL before the first use */
    know_pairs *pure;              /* over the classes; likewise */
    dominance *dominance;          /* NULL: nothing is dominated, or switched off */
    bool coarse;                   /* memory is too small for `pure` */
    const double *pure_gain;       /* [K] of the search: recent gains of deterministic mixtures by promise */
    const unsigned char *closed;   /* [choices] of the search: branching_record_mean; NULL: none yet */
    const unsigned char *foreseen; /* [choices] of the search: branching_record_foreseen; NULL: none yet */
    bool asked[SOURCES];           /* sources used at the current node */
    bool strong;                   /* strong branching (plan/branch/branching.h) */
    bool apart;                    /* leave the trials of several candidates to other workers */
    int left;                      /* candidates whose trials were left */
    branching_candidate candidate[CANDIDATES];
    arena memory;           /* of the arrays below */
    int *pick;              /* [nodes] scratch of rounding */
    int *heaviest;          /* [nodes] option with most of the mixture's mass, -1: not reached */
    unsigned char *was;     /* [A] scratch of branching */
    double *trial, *chosen; /* [A] bounds of children in trials */
    unsigned char *share;   /* [A] their gains (trial_share) */
    double *multipliers;    /* [A * 3K] their multipliers, for proofs; else NULL */
    int *fixed;             /* [options] */
    double *price;          /* [sets] weight of disagreement at policy nodes with this set of environments */
} node_solver;

vouch_status node_result_init(node_result *r, const policy_space *space, const search_options *options);
void node_result_clear(node_result *r);
/* Empties the result; the arrays stay. */
void node_result_begin(node_result *r, vouch_status status);
/* Index in made[] of the i-th child in the order of numbering: the promising one comes last. */
int node_result_child(const node_result *r, int i);

vouch_status node_solver_init(node_solver *s, colgen *cg, incumbent *inc, const search_options *options);
void node_solver_clear(node_solver *s); /* colgen and inc stay */

/* Is strong branching on? */
bool node_tries(const node_solver *s);
/* The bound at which a node ends: its policies improve the incumbent by at most the gap. INFINITY without an incumbent. */
double node_cutoff(const node_solver *s);
/* The bound at which an option is fixed: its policies do not improve the incumbent. */
double node_fixed(const node_solver *s);
/* Fixes s->fixed [count] at n and below. */
vouch_status node_fix(const node_solver *s, tree_node *n, int count, node_result *result);
/* Computes s->colgen->allowed at n: options that no decision on the path from the root forbids, that are not fixed there, and that
 * no other option then dominates. */
void node_restrict(node_solver *s, const tree_node *n);
/* Contract: `bound` under the options allowed does not exceed the value of the incumbent or of a test's policy (debug_policy). */
void node_check(const node_solver *s, double bound);

/* A known policy that no node of the search may lose (as SCIP's debug solution).
 *
 * A node contains the policy if it allows every decision that the policy reaches; at a node with a Pareto set, if it allows a
 * vector that is no worse than the policy's continuation. Then the node's bound may not exceed the policy's value,
 *
 *     bound <= max_k U*_c(k) - U(k).
 *
 * node_check tests this at every bound: for the policy given by a test, and in debug builds for the incumbent. Policies that break
 * the commitment, with the margin of bounds, are not tested. Cost: one propagation to set, O(nodes + vectors K) to check.
 */

typedef struct debug_policy {
    const policy_space *space;
    int *pick;           /* [nodes] choice (its twin); -1: not reached */
    double *gain, *keep; /* [nodes * K] reward and probability of the promise from each node on */
    double max_regret, total_regret;
    bool kept;         /* it keeps commitment and floors with the margin of bounds; else nothing is checked */
    double *prob;      /* [choices] scratch */
    double *reach, *U; /* [nodes * K], [2K] scratch */
    arena memory;
} debug_policy;

/* pick [nodes]: choice, or -1 where not reached. */
vouch_status debug_policy_new(const policy_space *space, const int pick[], debug_policy **out);
void debug_policy_free(debug_policy *w); /* NULL is fine */
/* Replaces the policy. */
void debug_policy_set(debug_policy *w, const int pick[]);

/* Contract: `bound` may be claimed under cg->allowed. w may be NULL. */
void debug_policy_check(const debug_policy *w, const colgen *cg, double bound);
/* Is the policy below the cutoff, and allowed? False when nothing is checked. */
bool debug_policy_holds(const debug_policy *w, const colgen *cg, double cutoff);

/* Contract: a bound does not exceed an attained value, up to rounding. */
void debug_bound_check(double bound, double value);

#endif

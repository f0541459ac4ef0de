/* plan/node/options.h - what a search over policies is asked for. */
#ifndef PLAN_NODE_OPTIONS_H
#define PLAN_NODE_OPTIONS_H

#include <vouch/plan.h>

#include "base/trace.h"
#include "policy/policy.h"

struct policy_space;
struct incumbent;
struct pareto_bound;

/* Sets of pairs for all options, kept from one search in a space to the next (plan/search/node_bound.h). Empty: not made. */
typedef struct kept_pairs {
    struct pareto_bound *bound; /* NULL: there are none */
    bool tried;
} kept_pairs;

typedef struct search_options {
    double gap;                    /* absolute */
    double patience;               /* of colgen_solve */
    int perturbations;             /* random restarts of local search at the root */
    search_parts without;          /* parts switched off */
    int threads;                   /* the result does not depend on it, nor .. */
    int workers;                   /* .. on how many processes there are; 0: none */
    int window;                    /* nodes under way at once; 0: the default */
    int grain;                     /* nodes of a task at most; 0: 1 */
    struct vouch_journal *journal; /* of answers; NULL: none */
    uint64_t seed;
    double floor;              /* a bound known before; -INFINITY */
    double elsewhere;          /* a bound shown otherwise, which no tree begins with; -INFINITY */
    double *determinism;       /* [K] what determinism costs environment k alone, where pairs were asked; NULL: not wanted */
    long long alone;           /* nodes processed one by one before the search counts as long (plan/search/search.c) */
    long long first_id;        /* of the tree's nodes; 1 */
    long long most_open;       /* open nodes kept by their bounds before the search goes depth first; 0: what fits in memory */
    long long most_nodes;      /* before giving up; 0: no limit */
    long long most_inductions; /* likewise; a count, so that the answer is the same every time */
    deadline limit;            /* nodes, seconds, interrupt */
    vouch_log log;
    void (*progress)(void *context, double incumbent, double bound, long long nodes, long long open);
    void *progress_context;
    void (*on_node)(void *context, const vouch_search_node *node); /* each ended node; NULL: none */
    void *on_node_context;
    /* Told of each few inductions that a search in `space` has done; may improve its incumbent. NULL: none */
    vouch_status (*beside)(void *context, const struct policy_space *space, long long inductions, struct incumbent *inc);
    void *beside_context;
    kept_pairs *kept;                 /* those of this space; NULL: none are kept */
    vouch_trace *trace;               /* NULL: none */
    struct proof_writer *proof;       /* what is shown is written down (plan/search/proof_writer.h); NULL: nowhere */
    const struct debug_policy *debug; /* a policy that no node may lose (plan/node/debug_policy.h), for tests; NULL: none */
} search_options;

#endif

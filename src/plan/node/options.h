/* plan/node/options.h - the options of a search over policies. */
#ifndef PLAN_NODE_OPTIONS_H
#define PLAN_NODE_OPTIONS_H

#include <vouch/plan.h>

#include "base/trace.h"
#include "policy/policy.h"

struct policy_space;
struct incumbent;
struct pareto_bound;

/* Sets of pairs for all options, kept from one search in a space to the next (bound_keep_pairs). */
typedef struct kept_pairs {
    struct pareto_bound *bound; /* NULL: none */
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
    vouch_status (*beside)(void *context, const struct policy_space *space, long long inductions, struct incumbent *inc);
    void *beside_context;
    kept_pairs *kept;                 /* of this space; NULL: not kept */
    vouch_trace *trace;               /* NULL: none */
    struct proof_writer *proof;       /* plan/search/proof_writer.h; NULL: none */
    const struct debug_policy *debug; /* of tests (plan/node/debug_policy.h); NULL: none */
} search_options;

#endif

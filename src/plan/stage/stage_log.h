/* plan/stage/stage_log.h - how a depth-first search counts its nodes, tells them, and stops at a limit of them.
 *
 * The stagewise searches (plan/stage/stagewise.h, plan/stage/stagewise_regret.h) have no tree in memory: a node is a set of
 * policies, told when its bound is known, before the nodes below it. Log, trace and page show it like a node of the policy search
 * (plan/search/record.h). Telling changes nothing of a search.
 */
#ifndef PLAN_STAGE_STAGE_LOG_H
#define PLAN_STAGE_STAGE_LOG_H

#include "base/trace.h"
#include "policy/space.h"

/* Who is told, and the limit; the same for all stages of one call. */
typedef struct stage_log {
    const policy_space *space;
    vouch_trace *trace;                                            /* NULL: none */
    void (*on_node)(void *context, const vouch_search_node *node); /* NULL: none */
    void *on_node_context;
    long long ids;   /* number of the last node, counted on */
    long long nodes; /* of this stage */
    long long most;  /* of them; 0: no limit */
} stage_log;

/* How a node is come to: STAGE_ROOT, or by a decision at the nearest node above that was counted. */
typedef struct stage_step {
    long long above; /* number of that node; 0: none */
    int depth;
    int node, choice; /* the policy node decided and what it does; node -1: nothing was decided */
} stage_step;

#define STAGE_ROOT ((stage_step){0, 0, -1, -1})

typedef struct stage_state {
    double bound, best; /* of the node; of the best policy known */
    bool ended;         /* by its bound: nothing is looked for below it */
    long long work;
} stage_state;

/* A tree begins; why: in a few words. */
void stage_log_tree(stage_log *log, bool total, const char *why);
/* A node is counted and told. Returns the step to nodes below it, by no decision. */
stage_step stage_log_node(stage_log *log, const stage_step *step, const stage_state *state);
/* Are there as many nodes as may be? */
static inline bool stage_log_full(const stage_log *log) { return log->most > 0 && log->nodes >= log->most; }

#endif

/* plan/stage/stage_path.h - shared by the depth-first searches of this room (stagewise.c, stagewise_regret.c): decisions and their
 * undoing, choices sorted by bounds, logged nodes, and limits.
 *
 * A decision takes one choice at node n: w of each next node grows by w of n times the transition probability. Decisions are undone
 * in reverse order. The searches have no tree in memory: a node is a set of policies, logged when its bound is known, before the
 * nodes below it; log, trace and page show it like a node of the policy search (plan/search/record.h). Logging does not change a
 * search.
 */
#ifndef PLAN_STAGE_STAGE_PATH_H
#define PLAN_STAGE_STAGE_PATH_H

#include "policy/space.h"

/* V_n(x): the best value of history policies from policy node n on, without binding promises.
 *
 *     V_n(x) = max over c of  sum_k x_k R(n,c;k) + sum over next n' of V_n'(x o P(n'|n,c)),     x_k = multiplier * Pr(n|k)
 *
 * V looks `ahead` steps ahead, where the environment is revealed (an information relaxation, plan/relax/levels.h), so it is an
 * upper bound. V is convex and homogeneous in x: V(x + x') <= V(x) + V(x'). Probabilities that meet at a node are added before
 * valuation, which likelihood classes cannot do.
 *
 * Source: src/THEORY.md, 5. Cost: a walk over the successors, exponential in `ahead`; dominated choices are skipped.
 */

typedef struct stagewise_values {
    const know_graph *g;
    long long visits; /* of policy nodes */
    bool full;        /* V looks to the horizon everywhere */
    int *ahead;       /* [T + 1] steps that V looks ahead from nodes of this time */
    /* made once */
    double *revealed;   /* [nodes * K] optimal value of environment k alone */
    double *after;      /* [choices * K] the same after a choice */
    bool *needless;     /* [choices] dominated at the last time */
    double *last;       /* rewards of considered choices at the last time, by choice, then member of the node's set */
    size_t *last_start; /* [nodes + 1] first of a node */
    double *scratch;    /* [(T + 2) * K] */
    double *earned;     /* [2 * (T + 2) * K] scratch of stagewise_earn */
    double *cost;       /* [2 * nodes] scratch of stagewise_values_reach */
} stagewise_values;

/* Sets the look-ahead to the largest within `most` visits of one V. */
void stagewise_values_reach(stagewise_values *v, double most);

static inline bool stagewise_considered(const stagewise_values *v, int choice)
{
    return v->g->choice_twin[choice] == choice && !v->needless[choice];
}

/* sum_k x_k R(n,choice;k); x, as everywhere: [K] */
double stagewise_reward(const know_graph *g, int n, int choice, const double x[]);

/* V_n(x), looking `ahead` steps ahead; t: of n. */
double stagewise_value(stagewise_values *v, int n, int t, int ahead, const double x[]);
/* Value of a choice at n and V after it; ahead: of n, at least 1. */
double stagewise_value_after(stagewise_values *v, int n, int t, int ahead, int choice, const double x[]);

/* Adds to U [K] the rewards in each environment of the policy that attains V_n(lambda o w), starting with `choice` unless -1. */
void stagewise_earn(stagewise_values *v, int n, int t, int ahead, int choice, const double lambda[], const double w[], double U[]);

/* Receivers and limit of nodes, for all stages of one call. */
typedef struct stage_log {
    const policy_space *space;
    vouch_trace *trace;                                            /* NULL: none */
    void (*on_node)(void *context, const vouch_search_node *node); /* NULL: none */
    void *on_node_context;
    long long ids;   /* number of the last node, continued over stages */
    long long nodes; /* of this stage */
    long long most;  /* limit on them; 0: none */
} stage_log;

/* A tree begins; why: in a few words. */
void stage_log_tree(stage_log *log, bool total, const char *why);
/* Is the limit of nodes reached? */
static inline bool stage_log_full(const stage_log *log) { return log->most > 0 && log->nodes >= log->most; }

/* The way to a node: STAGE_ROOT, or a decision at the nearest logged node above. */
typedef struct stage_step {
    long long above; /* number of that node; 0: none */
    int depth;
    int node, choice; /* the policy node and its choice; node -1: no decision */
} stage_step;

#define STAGE_ROOT ((stage_step){0, 0, -1, -1})

typedef struct stage_path {
    const know_graph *g;
    stagewise_values values;
    double *w;        /* [nodes * K] probability of reaching a node in environment k by the decisions; 0 if not reached */
    double *value;    /* [nodes] the caller's, or NULL: V of the nodes after the last decision; restored with w */
    double *saved;    /* w and value before decisions: [edges of the longest choice of each node * (K + 1)] */
    size_t *saved_at; /* [nodes] */
    double *x;        /* [K] scratch */
    stage_log *log;   /* NULL: none */
    /* limits */
    const deadline *limit;
    double most, per_check; /* visits of V: limit, and interval between reads of the clock */
    double beside;          /* other work, counted in visits of V */
    double next_check;
    bool stopped;
} stage_path;

/* All arrays are in the arena. V begins without look-ahead (stagewise_values_reach sets it). Returns ERROR_MEMORY or OK. */
vouch_status stage_path_make(stage_path *p, const know_graph *g, arena *a);
void stage_path_lead(stage_path *p, int n, int choice);
/* Undoes the choice at node n, the last decision. */
void stage_path_undo(stage_path *p, int n, int choice);
/* The end of the edges of a choice that lead to nodes with decisions: none at the last step. */
int stage_path_last_edge(const know_graph *g, int n, int choice);

double stage_path_visits(const stage_path *p);
/* Is a limit reached? Reads the clock only after per_check visits. */
bool stage_path_stop(stage_path *p);
/* Counts and logs a node with its bound and the best known value; sets `stopped` at the limit of nodes. ended: by its bound.
 * Returns the step, without a decision, to nodes below. */
stage_step stage_path_log(stage_path *p, const stage_step *step, double bound, double best, bool ended);

typedef struct stage_offer {
    double bound; /* on the gain */
    int choice;
} stage_offer;

/* The largest bound first, then the first choice. */
void stage_offers_sort(stage_offer offer[], int count);

#endif

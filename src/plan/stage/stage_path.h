/* plan/stage/stage_path.h - what the depth-first searches of this room share: decisions made and taken back, choices in the order
 * of their bounds, nodes told, and when to give up.
 *
 * A decision takes one choice at node n: each next node's w grows by w of n times the probability of the transition. Decisions are
 * taken back in reverse order. Used by plan/stage/stagewise.c and plan/stage/stagewise_frame.c.
 */
#ifndef PLAN_STAGE_STAGE_PATH_H
#define PLAN_STAGE_STAGE_PATH_H

#include "base/clock.h"
#include "plan/stage/stage_log.h"
#include "plan/stage/stagewise_values.h"

typedef struct stage_path {
    const know_graph *g;
    stagewise_values values;
    double *w; /* [nodes * K] probability of reaching a node in environment k by the decisions so far; 0 where it is not reached */
    double *value;    /* [nodes] the caller's, or NULL: V of the nodes that follow the last decision; taken back with w */
    double *saved;    /* w and value before decisions: [edges of the longest choice of each node * (K + 1)] */
    size_t *saved_at; /* [nodes] */
    double *x;        /* [K] scratch */
    stage_log *log;   /* NULL: none */
    /* when it gives up */
    const deadline *limit;
    double most, per_check; /* visits of V: at most, and between two looks at the clock */
    double beside;          /* other work, in visits of V; counts with them */
    double next_check;
    bool stopped;
} stage_path;

typedef struct stage_offer {
    double bound; /* of what is gained */
    int choice;
} stage_offer;

/* All arrays are in the arena. V begins without look-ahead (stagewise_values_reach sets it). Returns ERROR_MEMORY or OK. */
vouch_status stage_path_make(stage_path *p, const know_graph *g, arena *a);
void stage_path_lead(stage_path *p, int n, int choice);
/* Takes back the choice at node n, the last one made. */
void stage_path_undo(stage_path *p, int n, int choice);
/* The end of those edges of a choice that lead to nodes of another decision: none do at the last step. */
int stage_path_last_edge(const know_graph *g, int n, int choice);

double stage_path_visits(const stage_path *p);
/* Is it time to give up? Looks at the clock only after per_check visits. */
bool stage_path_stop(stage_path *p);
/* Counts a node and writes it to the log; sets `stopped` after the most nodes that the log allows. Returns the step of the nodes
 * below it. */
stage_step stage_path_tell(stage_path *p, const stage_step *step, double bound, double best, bool ended);

/* The largest bound first, then the first choice. */
void stage_offers_sort(stage_offer offer[], int count);

#endif

/* plan/stage/stage_path.h - what the depth-first searches of this room share: decisions made and taken back, choices in the order
 * of their bounds, nodes told, and when to give up.
 *
 * A decision at node n leads what comes to n on by one choice: w grows at what follows it. The last decision is the first to be
 * taken back. Used by plan/stage/stagewise.c and plan/stage/stagewise_frame.c.
 */
#ifndef PLAN_STAGE_STAGE_PATH_H
#define PLAN_STAGE_STAGE_PATH_H

#include "base/clock.h"
#include "plan/stage/stage_log.h"
#include "plan/stage/stagewise_values.h"

typedef struct stage_path {
    const know_graph *g;
    stagewise_values values;
    double *w;        /* [nodes * K] what comes to a node, as far as it is decided how; zero at times that nothing has come to */
    double *value;    /* [nodes] V of nodes of the time led to, the caller's, or NULL: it is taken back with w */
    double *saved;    /* w and value before decisions: [edges of the longest choice of each node * (K + 1)] */
    size_t *saved_at; /* [nodes] */
    double *x;        /* [K] scratch */
    stage_log *log;   /* NULL: none */
    /* when it gives up */
    const deadline *limit;
    double most, per_check; /* visits of V, with what counts as such: at most; between two looks */
    double beside;          /* what counts as visits */
    double next_check;
    bool stopped;
} stage_path;

typedef struct stage_offer {
    double bound; /* of what is gained */
    int choice;
} stage_offer;

/* All arrays are in the arena, V looks nowhere ahead. Returns ERROR_MEMORY or OK. */
vouch_status stage_path_make(stage_path *p, const know_graph *g, arena *a);
void stage_path_lead(stage_path *p, int n, int choice);
/* Takes back the choice at node n, the last one made. */
void stage_path_undo(stage_path *p, int n, int choice);
/* What follows a choice: edges from its first to before this one. At the horizon it needs no value. */
int stage_path_last_edge(const know_graph *g, int n, int choice);

double stage_path_visits(const stage_path *p);
/* Is it time to give up? Looks now and then only. */
bool stage_path_stop(stage_path *p);
/* Counts and tells a node; it is time to give up when there are as many as may be. Returns the step to nodes below it. */
stage_step stage_path_tell(stage_path *p, const stage_step *step, double bound, double best, bool ended);

/* The largest bound first, then the first choice. */
void stage_offers_sort(stage_offer offer[], int count);

#endif

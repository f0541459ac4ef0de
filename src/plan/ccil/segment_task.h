/* plan/ccil/segment_task.h - the plans of several segments as tasks for whoever has time (link/tasks.h).
 *
 * A task names a segment, which all processes have; its answer is what the inner method has found there: the policy's rules, or why
 * there is none. What becomes of it, the segment's graph and exits, is worked out by each process that needs the table.
 */
#ifndef PLAN_CCIL_SEGMENT_TASK_H
#define PLAN_CCIL_SEGMENT_TASK_H

#include "link/message.h"
#include "plan/ccil/segment.h"

/* What segment_plan is to do to segment number i: the same in all processes, but for the answer that is given or kept. */
typedef vouch_status segment_planner(void *context, int i, segment *seg, message *given, message *kept, vouch_error *error);

typedef struct segment_batch {
    segment *const *segment; /* [known] */
    int known;
    const int *which; /* [count] of them, none of them planned */
    int count;
    segment_planner *plan;
    void *context;
    const vouch_plan_options *options; /* workers, journal */
    const deadline *limit;
} segment_batch;

/* Lets the batch be worked out by workers, from a journal or here, and answer [count], empty before, be what was found; one that
 * stays empty is to be planned here. */
vouch_status segment_tasks_run(segment_batch *b, message answer[]);

#endif

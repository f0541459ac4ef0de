/* link/tasks.h - numbered tasks computed anywhere, whose answers arrive strictly in order.
 *
 * At most `window` tasks are in progress: task i is made when all answers up to i - window have been taken, without any later
 * answer. Results therefore do not depend on the number of workers, on the assignment of tasks, or on workers that die: their
 * tasks are given out again. (Idea: N2N, a framework for branch and bound on many processes, arXiv 2511.18723.) Without workers
 * each task is computed here when its answer is taken.
 */
#ifndef LINK_TASKS_H
#define LINK_TASKS_H

#include "base/clock.h"
#include "base/error.h"
#include "link/transport.h"

typedef struct tasks tasks;

/* Where tasks are worked out. */
typedef struct task_places {
    int workers;                   /* processes forked here, or all of the group (link/group.h); 0: none */
    uint64_t kind;                 /* of the session, for a group and for the journal */
    int threads;                   /* of this process, where there are no workers; 1: here */
    int window;                    /* most tasks under way, at least 1 */
    struct vouch_journal *journal; /* where answers are kept and found again; NULL: none */
} task_places;

/* work and limit live as long as the tasks do. */
vouch_status tasks_new(tasks **out, const task_work *work, const task_places *places, const deadline *limit);
/* Ends the workers; unfinished tasks are dropped. NULL is fine. */
void tasks_free(tasks *t);

/* May another task be given? */
bool tasks_room(const tasks *t);
/* Tasks given whose answers have not been taken. */
int tasks_under_way(const tasks *t);
/* An empty message for the next task; tasks_give follows. Requires room. */
message *tasks_next_task(tasks *t);
/* Gives it out. ERROR_MEMORY: it could not be written, and is none. */
vouch_status tasks_give(tasks *t);

/* Waits for the next answer in order, valid until the next task is made; NULL: the limit was reached first. Errors are of the work,
 * or ERROR_IO if the task repeatedly killed its workers. */
vouch_status tasks_take(tasks *t, message **answer);
/* A line for each worker: how much it has done, and which share of its time it has waited for something to do. */
void tasks_log(const tasks *t, const vouch_log *log);
/* Writes the answer last taken to the journal, unless it is there or a limit may have shaped it (task_work.late). */
void tasks_keep(tasks *t);

#endif

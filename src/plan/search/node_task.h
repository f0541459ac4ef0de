/* plan/search/node_task.h - a node of the search, or part of the tree below it, as a task (link/tasks.h).
 *
 * A task holds the decisions and fixed options on the path from the root, the multipliers and columns left by its parent, the
 * bounds found on the way, and the incumbent. Its answer (plan/search/node_answer.h) has one entry for each processed node, in the
 * order of processing: the promising child, else the node of least bound within the task. The strong-branching trials of a task of
 * one node may be distributed too (plan/search/node_trials.h). A worker keeps no state between nodes, so its memory does not grow
 * with the tree.
 */
#ifndef PLAN_SEARCH_NODE_TASK_H
#define PLAN_SEARCH_NODE_TASK_H

#include "link/transport.h"
#include "plan/branch/branching_record.h"
#include "plan/search/node_answer.h"

/* Common to all tasks of a search; workers get it once, when they are forked. */
typedef struct node_work {
    const policy_space *space;
    master_goal goal;
    const incumbent *inc; /* its limit and caps */
    const search_options *options;
    colgen *colgen; /* to be used where tasks are worked out one by one and here; NULL: each worker makes its own */
} node_work;

task_work node_task_work(node_work *shared);
/* Key of the session (link/group.h): equal in all processes of one search. */
static inline uint64_t node_work_kind(const node_work *shared)
{
    const policy_space *space = shared->space;
    const double numbers[] = {space->K,       space->g->nodes, space->c->classes,    space->c->options,
                              space->c->arcs, shared->goal,    shared->options->gap, (double)shared->options->first_id};
    return message_sum(numbers, sizeof numbers);
}

/* State of the search at the start of a task. */
typedef struct node_task_start {
    const double *lambda;     /* [3K] multipliers to begin with where no ancestor has left any */
    const double *pure_gain;  /* [K] what mixtures of pure policies gained of late */
    branching_record *record; /* gains of branching on each choice, and of its trials */
    int grain;                /* nodes it is to work out, at most */
} node_task_start;

/* The task of n, whose ancestors are in the tree; most: inductions it may take (colgen.h). */
void node_task_write(message *m, const tree_node *n, const incumbent *inc, long long most, const node_task_start *start);

#endif

/* plan/search/node_task.h - a node of the search, or some of the tree below it, as a task for whoever has time (link/tasks.h).
 *
 * The task says what its path to the root decides and gives up, the multipliers and columns that its parent has left, what sources
 * of bounds have shown on the way, and the incumbent. The answer is that of plan/search/node_answer.h. Where the task is more than
 * one node there is an answer of each, in the order in which they were worked out: the promising child, or the one of least bound
 * of those that have come out of the task. The trials of a node that is one task may be its parts (plan/search/node_trials.h). A
 * worker keeps nothing of a node: its memory is that of one node, however large the tree is.
 */
#ifndef PLAN_SEARCH_NODE_TASK_H
#define PLAN_SEARCH_NODE_TASK_H

#include "link/transport.h"
#include "plan/branch/branching_record.h"
#include "plan/search/node_answer.h"

/* What all tasks of a search have in common: given once, as it is in the memory of the process that is copied. */
typedef struct node_work {
    const policy_space *space;
    master_goal goal;
    const incumbent *inc; /* its limit and caps */
    const search_options *options;
    colgen *colgen; /* to be used where tasks are worked out one by one and here; NULL: each worker makes its own */
} node_work;

task_work node_task_work(node_work *shared);
/* What the session of a group is (link/group.h): the same in all processes that search the same. */
static inline uint64_t node_work_kind(const node_work *shared)
{
    const policy_space *space = shared->space;
    const double numbers[] = {space->K,       space->g->nodes, space->c->classes,    space->c->options,
                              space->c->arcs, shared->goal,    shared->options->gap, (double)shared->options->first_id};
    return message_sum(numbers, sizeof numbers);
}

/* What a task is told of the search. */
typedef struct node_task_start {
    const double *lambda;     /* [3K] multipliers to begin with where no ancestor has left any */
    const double *pure_gain;  /* [K] what mixtures of pure policies gained of late */
    branching_record *record; /* what deciding on each choice, and trying it, gained so far */
    int grain;                /* nodes it is to work out, at most */
} node_task_start;

/* The task of n, whose ancestors are in the tree; most: inductions it may take (colgen.h). */
void node_task_write(message *m, const tree_node *n, const incumbent *inc, long long most, const node_task_start *start);

#endif

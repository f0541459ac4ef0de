/* plan/search/node_task.h - a node of the search, or part of the tree below it, as a task (link/tasks.h).
 *
 * A task holds the decisions and fixed options on the path from the root, the multipliers and columns left by its parent, the
 * bounds found on the way, and the incumbent. Its answer has an entry for each processed node, in the order of processing (the
 * promising child, else the node of least bound within the task): its end, its children and their bounds, its legacy to them, and a
 * better policy if one was found. Columns of the task are referenced by number, so nodes keep sharing them. A worker keeps no state
 * between nodes, so its memory does not grow with the tree.
 *
 * With more workers than nodes, as when a tree begins, the trials of strong branching at a node are parts of its task
 * (link/transport.h): they depend only on the node, its multipliers and columns, and the cutoff. The first answer has no children
 * but a list of candidates; each part tries one; the end compares them in the order of branching_strong. The answer is the same to
 * the byte.
 */
#ifndef PLAN_SEARCH_NODE_TASK_H
#define PLAN_SEARCH_NODE_TASK_H

#include "base/rng.h"
#include "link/transport.h"
#include "plan/branch/branching.h"

/* One description of a message for writing and reading. */
typedef struct codec {
    message *m;
    bool put; /* write, else read */
} codec;

static inline codec writing(message *m) { return (codec){m, true}; }
static inline codec reading(message *m) { return (codec){m, false}; }
static inline void code_long(codec c, long long *x)
{
    if (c.put)
        message_put_int(c.m, *x);
    else
        *x = message_take_int(c.m);
}
static inline void code_int(codec c, int *x)
{
    long long value = c.put ? *x : 0;
    code_long(c, &value);
    *x = (int)value;
}
static inline void code_bool(codec c, bool *x)
{
    long long value = c.put ? *x : 0;
    code_long(c, &value);
    *x = value != 0;
}
static inline void code_real(codec c, double *x)
{
    if (c.put)
        message_put_real(c.m, *x);
    else
        *x = message_take_real(c.m);
}
/* As message_take_count. */
static inline void code_count(codec c, int *x, long long least, long long most)
{
    if (c.put)
        message_put_int(c.m, *x);
    else
        *x = (int)message_take_count(c.m, least, most);
}
/* As message_take_length. */
static inline void code_length(codec c, int *x, size_t least)
{
    if (c.put)
        message_put_int(c.m, *x);
    else
        *x = message_take_length(c.m, least);
}
#define CODE(c, x, n) ((c).put ? MESSAGE_PUT((c).m, x, n) : MESSAGE_TAKE((c).m, x, n))

/* Common to all tasks of a search; forked workers inherit it. */
typedef struct node_work {
    const policy_space *space;
    master_goal goal;
    const incumbent *inc; /* its limit and caps */
    const search_options *options;
    colgen *colgen; /* used if tasks are processed one by one in this process; NULL: each worker makes its own */
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
    const double *lambda;     /* [3K] initial multipliers if no ancestor has any */
    const double *pure_gain;  /* [K] recent gains of deterministic mixtures */
    branching_record *record; /* gains of branching on each choice, and of its trials */
    int grain;                /* limit on the nodes of the task */
} node_task_start;

/* Writes the task of n. most: limit on its inductions (colgen.h). */
void node_task_write(message *m, const tree_node *n, const incumbent *inc, long long most, const node_task_start *start);

/* Reads the next node's answer into n and result (node_result_init), adds its inductions, and offers a better policy to `found`,
 * whose scratch is used. ERROR_MEMORY, or ERROR_IO: not an answer of n. */
vouch_status node_answer_read(message *m, tree_node *n, node_result *result, incumbent *found, long long *inductions);
/* The node that the answer continues with, removed from made [count], the children of the processed nodes in the order of
 * node_result_child; NULL at the end. ERROR_IO: not an answer. */
vouch_status node_answer_next(message *m, tree_node *made[], size_t count, tree_node **n);

/* Nodes processed at once in the calling thread, as in short searches, or read from the journal. The result depends on the node,
 * the incumbent and the remaining multipliers, so the task is the key; the record has the answer and the multipliers. */
typedef struct node_alone {
    struct vouch_journal *journal; /* NULL: none */
    uint64_t session;              /* of the journal */
    message task, answer;          /* scratch */
    int *best;                     /* [nodes] scratch: the incumbent before */
} node_alone;

vouch_status node_alone_init(node_alone *a, const node_work *work);
void node_alone_clear(node_alone *a);
/* As node_process, with the task's start; adds to *inductions. */
void node_alone_process(node_alone *a, node_solver *s, tree_node *n, rng *random, const node_task_start *start, node_result *result,
                        long long *inductions);

#endif

/* plan/search/node_alone.h - a node worked out here and now, as all are while a search is short, unless the journal has its answer.
 *
 * What comes out depends on the node, the incumbent and the multipliers that are left; so these are the key, as those of a task
 * are (plan/search/node_task.h), and the record holds what the node leaves behind: its answer and the multipliers.
 */
#ifndef PLAN_SEARCH_NODE_ALONE_H
#define PLAN_SEARCH_NODE_ALONE_H

#include "base/rng.h"
#include "plan/search/node_task.h"

typedef struct node_alone {
    struct vouch_journal *journal; /* NULL: none */
    uint64_t session;              /* of the journal */
    message task, answer;          /* scratch */
    int *best;                     /* [nodes] scratch: the incumbent before */
} node_alone;

/* As node_process, for the node that `start` is of. Adds to *inductions what it took. */
void node_alone_process(node_alone *a, node_solver *s, tree_node *n, rng *random, const node_task_start *start, node_result *result,
                        long long *inductions);
vouch_status node_alone_init(node_alone *a, const node_work *work);
void node_alone_clear(node_alone *a);

#endif

/* plan/search/node_answer.h - what has come out of a node as bytes: the answer of its task (plan/search/node_task.h).
 *
 * How the node ended, its children and their bounds, what it leaves for them, and a better policy if there is one. Columns that the
 * task has brought are named by their number, so that the nodes of a tree go on sharing them.
 */
#ifndef PLAN_SEARCH_NODE_ANSWER_H
#define PLAN_SEARCH_NODE_ANSWER_H

#include "link/message.h"
#include "plan/node/node_solver.h"

/* Numbers of the multipliers that show the bounds of the options of a node that was parted, and behind them of the node itself. */
size_t node_evidence(const policy_space *space);
/* What other nodes have left there must not come into an answer. */
void node_evidence_clear(node_result *r, const policy_space *space);

void node_result_put(message *m, const node_result *r, const policy_space *space);
/* r: of node_result_init. */
void node_result_take(message *m, node_result *r, const policy_space *space);

/* What a worker has found at a node, beside what the node itself holds. */
typedef struct node_found {
    const node_result *result;
    long long inductions;    /* that it took */
    const incumbent *better; /* one better than the task's; NULL: there is none */
} node_found;

/* Returns where in m the number of inductions stands. */
size_t node_answer_write(message *m, const tree_node *n, const node_found *found, const policy_space *space);

/* What has come out of n, the next node of the answer, into n and result (node_result_init). found, in whose scratch it is put: a
 * policy that is better than the task's incumbent is offered to it. inductions: those it took are added. ERROR_MEMORY, or ERROR_IO:
 * not an answer of n. */
vouch_status node_answer_read(message *m, tree_node *n, node_result *result, incumbent *found, long long *inductions);
/* Which node the answer goes on with, of made [count]: the children of the task's nodes so far, in the order of node_result_child.
 * It is NULL there afterwards; *n is NULL at the end of the answer. ERROR_IO: not an answer. */
vouch_status node_answer_next(message *m, tree_node *made[], size_t count, tree_node **n);

#endif

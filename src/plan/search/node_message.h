/* plan/search/node_message.h - what nodes are made of as bytes, for tasks and their answers (plan/search/node_task.h): each is
 * taken as it was put. What a message does not hold is zero or empty, and the message has failed.
 */
#ifndef PLAN_SEARCH_NODE_MESSAGE_H
#define PLAN_SEARCH_NODE_MESSAGE_H

#include "link/message.h"
#include "plan/heuristic/incumbent.h"
#include "plan/node/tree.h"

/* Bytes of a decision. */
enum { DECISION_BYTES = 4 * sizeof(long long) + sizeof(double) };

void message_put_decision(message *m, const decision *d);
decision message_take_decision(message *m);

/* The bound of n, and what sources of bounds have shown on the way to it. */
void message_put_sources(message *m, const tree_node *n);
void message_take_sources(message *m, tree_node *n);

/* K: environments. The shortfall of what is taken is none. */
void message_put_figures(message *m, const figures *f, int K);
void message_take_figures(message *m, figures *f, int K);

void message_put_ints(message *m, const int x[], int count);
/* Into a new array, which is the caller's; NULL where there are none. ERROR_MEMORY. */
vouch_status message_take_ints(message *m, int **x, int *count);

void message_put_column(message *m, const column *c, int K);
/* A new one, with one reference. ERROR_MEMORY. */
vouch_status message_take_column(message *m, int K, column **out);

#endif

/* plan/search/node_trials.h - the trials of strong branching at a node as parts of its task (link/transport.h), for when there are
 * more workers than nodes to work out, as while a tree begins.
 *
 * They follow from the node, its multipliers and columns and the cutoff alone, so that each can be made elsewhere. A node that is
 * begun is one without children, whose answer has behind it a list of the candidates; a part is the trial of one of them; and the
 * end compares what they say as branching_strong does, in the same order. So the answer is the same to the byte.
 */
#ifndef PLAN_SEARCH_NODE_TRIALS_H
#define PLAN_SEARCH_NODE_TRIALS_H

#include "plan/branch/branching.h"
#include "plan/search/node_answer.h"

/* A list of candidates. */
typedef struct node_trials {
    int count;
    branching_outcome candidate[CANDIDATES];
    size_t inductions_at; /* of the answer before the list: where their number stands, and its end */
    size_t length;
} node_trials;

/* The list of s->candidate [s->left] behind the answer m, whose number of inductions stands there. */
void node_trials_write(message *m, size_t inductions_at, const node_solver *s);
/* The list at the end of m. ERROR_IO: there is none. */
vouch_status node_trials_read(const message *m, const policy_space *space, node_trials *list);

/* What the trial of one candidate (branching_try) has answered. */
void node_trial_write(message *m, const node_solver *s, const branching_outcome *tried, double score, long long inductions);

/* The answer of a node: of its beginning, with the list behind it, and of the trials that were needed. */
vouch_status node_trials_end(message *begun, message *trial[], int trials, const policy_space *space, const search_options *options,
                             message *answer);

#endif

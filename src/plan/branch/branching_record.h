/* plan/branch/branching_record.h - what deciding on each choice, and trying it, has gained so far in a search: pseudo-costs.
 *
 * Of a child in which only choice c is left at its policy node, the share is what its bound has closed of what was missing at its
 * parent to the cutoff, 1 where it was cut off or empty. A choice is remembered by the mean of its shares, with one share more of
 * the mean over all, in 255ths, so that a task can take it along. Of the trials of a choice (plan/branch/branching.h), whether its
 * policy node was chosen or not, there is a mean apart from that.
 * Source: M. Benichou and others, Mathematical Programming 1 (1971); T. Achterberg, T. Koch, A. Martin, Operations Research Letters
 * 33 (2005).
 */
#ifndef PLAN_BRANCH_BRANCHING_RECORD_H
#define PLAN_BRANCH_BRANCHING_RECORD_H

#include "base/arena.h"
#include "plan/node/node_solver.h"

typedef struct branching_record {
    const know_graph *g;
    double *share, *count; /* [choices] sums */
    double all, number;
    double *gained,
        *tried; /* [choices] sums of shares of trials, whether their policy node was chosen or not, and how many they are */
    unsigned char *closed;   /* [choices] means, after branching_record_mean */
    unsigned char *foreseen; /* [choices] likewise of trials */
    arena memory;
} branching_record;

vouch_status branching_record_new(const know_graph *g, branching_record *r);
void branching_record_clear(branching_record *r); /* an empty one is fine */
/* Takes down what has come out of n under this cutoff, and of its trials. */
void branching_record_note(branching_record *r, const tree_node *n, const node_result *result, double cutoff);
/* What is remembered of every choice: [choices], until the next call. */
const unsigned char *branching_record_mean(branching_record *r);
/* The mean share of the trials of every choice (trial_share), SHARE_UNKNOWN where they are too few to be relied on: [choices]. */
const unsigned char *branching_record_foreseen(branching_record *r);

#endif

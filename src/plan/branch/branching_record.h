/* plan/branch/branching_record.h - pseudo-costs: the gains of branching on each choice in a search, and of its trials.
 *
 * The share of the child of choice c is the part of its parent's distance to the cutoff that its bound closed, 1 if it was cut off
 * or empty. A choice has the mean of its shares and one share of the mean over all, in 255ths, small enough for tasks. Trials
 * (plan/branch/branching.h) have means of their own, including those of policy nodes not chosen.
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
    double *gained, *tried;           /* [choices] sums of shares of trials, and their numbers */
    unsigned char *closed, *foreseen; /* [choices] means of shares, and of trials */
    arena memory;
} branching_record;

vouch_status branching_record_new(const know_graph *g, branching_record *r);
void branching_record_clear(branching_record *r); /* an empty one is fine */
/* Records the result of n under this cutoff, and its trials. */
void branching_record_note(branching_record *r, const tree_node *n, const node_result *result, double cutoff);
/* The mean share of every choice: [choices], valid until the next call. */
const unsigned char *branching_record_mean(branching_record *r);
/* The mean share of the trials of every choice (trial_share), SHARE_UNKNOWN if they are too few: [choices]. */
const unsigned char *branching_record_foreseen(branching_record *r);

#endif

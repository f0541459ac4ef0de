/* plan/branch/branching.h - the policy node to branch on, and the children there: one per choice, or two halves of the value
 * vectors (know/graph.h), at or below a threshold of one coordinate and above. */
#ifndef PLAN_BRANCH_BRANCHING_H
#define PLAN_BRANCH_BRANCHING_H

#include "plan/node/node_solver.h"

/* Computes the mixture's mass and the heaviest option of each policy node; returns the policy node of most disagreement (-1: none).
 */
int branching_disagreement(node_solver *s);

/* The same for the masses of s->pairs, which replace the mixture's: of the disagreeing policy nodes the one most used, since early
 * decisions determine most of the rest; close to the cutoff, by earlier gains there. */
int branching_disagreement_of_pairs(node_solver *s, const tree_node *n);

/* For a node whose mixture is one policy up to rounding, but worse than the bound: by rounding, by probabilities that matter only
 * together, or by a violation of the commitment below the tolerance of the bound. Returns the policy node of most disagreement,
 * however small, or the heaviest with several allowed choices. -1: none, a single policy is left. */
int branching_open_node(const node_solver *s);

/* The split of vectors: in the coordinate of largest spread of the mixture, at the mean, or of all allowed vectors, in the middle.
 */
typedef enum branching_point { BRANCHING_MEAN, BRANCHING_MIDDLE } branching_point;

/* Writes the children at a policy node. Each choice gets the Lagrangian bound of one probing induction; children at the cutoff are
 * not made. The most promising child is processed next. */
void branching_at(node_solver *s, const tree_node *n, int node, branching_point point, node_result *result);

/* Tries the policy nodes of most disagreement (after branching_disagreement, with the columns and multipliers of n stored), without
 * those of larger predicted trees, and writes the children of the best one. False: only vectors disagree, nothing was tried. With
 * s->apart, several candidates are left untried in s->candidate [s->left]. */
bool branching_strong(node_solver *s, const tree_node *n, node_result *result);

/* ---- its steps, which may run in other processes ---- */

typedef struct branching_outcome {
    int node, heaviest; /* the policy node, and its option with most mass */
    int first, choices; /* of the policy node */
    double cutoff;
} branching_outcome;

/* Bounds the children of n at one policy node: s->trial [choices of the node], NAN without a child, and for proofs s->multipliers.
 * They depend only on n, its columns and multipliers, and the cutoff. *score: the predicted size of the tree; 0: all cut off. */
vouch_status branching_try(node_solver *s, const tree_node *n, int node, double *score);
/* Adds the gains of a candidate's trials (s->share [choices] after branching_try) to result. */
void branching_note_shares(const branching_outcome *tried, const unsigned char share[], node_result *result);
/* Is this score clearly better? best_score: of the candidates tried before; INFINITY: none. */
bool branching_wins(double score, double best_score);

/* Writes the children of the chosen candidate with these bounds. */
void branching_tried(const branching_outcome *best, const double bound[], node_result *result);

/* Pseudo-costs: the gains of branching on each choice in a search, and of its trials.
 *
 * The share of the child of choice c is the part of its parent's distance to the cutoff that its bound closed, 1 if it was cut off
 * or empty. A choice has the mean of its shares and one share of the mean over all, in 255ths, small enough for tasks. Trials
 * (plan/branch/branching.h) have means of their own, including those of policy nodes not chosen.
 * Source: M. Benichou and others, Mathematical Programming 1 (1971); T. Achterberg, T. Koch, A. Martin, Operations Research Letters
 * 33 (2005).
 */

typedef struct branching_record {
    const know_graph *g;
    double *share, *count; /* [choices] sums */
    double all, number;
    double *gained, *tried;           /* [choices] sums of shares of trials, and their numbers */
    unsigned char *closed, *foreseen; /* [choices] means of shares, and of trials */
    arena memory;
} branching_record;

vouch_status branching_record_new(const know_graph *g, branching_record *r);
/* Records the result of n under this cutoff, and its trials. */
void branching_record_note(branching_record *r, const tree_node *n, const node_result *result, double cutoff);
/* The mean share of every choice: [choices], valid until the next call. */
const unsigned char *branching_record_mean(branching_record *r);
/* The mean share of the trials of every choice (trial_share), SHARE_UNKNOWN if they are too few: [choices]. */
const unsigned char *branching_record_foreseen(branching_record *r);

#endif

/* plan/branch/branching.h - where a node is branched on, and its children.
 *
 * At a policy node of choices there is one child a choice, at one with value vectors (know/pareto.h) two children, the vectors at
 * or below a threshold of one coordinate and those above.
 */
#ifndef PLAN_BRANCH_BRANCHING_H
#define PLAN_BRANCH_BRANCHING_H

#include "plan/branch/branching_vectors.h"

/* From the mixture's mass, brought up to date: the heaviest option of each policy node, and the policy node that disagrees most
 * (-1: none). */
int branching_disagreement(node_solver *s);

/* The same from the masses of s->pairs, which are put in the place of the mixture's: of the policy nodes used in more than one
 * way the one most used, since what is decided early decides most of what follows; where little is missing at n, by what
 * deciding there gained before. */
int branching_disagreement_of_pairs(node_solver *s, const tree_node *n);

/* For a node where the mixture is one policy, up to rounding, and that policy is not as good as the bound: rounding, or
 * probabilities so small that they matter only together, or a policy short of the commitment by less than the bound sees. So what
 * is still open is decided: the policy node that disagrees most, however little, or the heaviest one that may do more than one
 * thing. -1: none, the policy is the only one left. */
int branching_open_node(const node_solver *s);

/* Writes the children at a policy node. Each choice gets the Lagrangian bound of one probing induction; those at the cutoff are
 * not made. The most promising child is taken next. */
void branching_at(node_solver *s, const tree_node *n, int node, branching_point point, node_result *result);

/* Tries the policy nodes on which the mixture disagrees most (after branching_disagreement, n's columns and multipliers kept), but
 * for those of which s->foreseen tells that another one promises a smaller tree, and writes the children of the best one. false:
 * only vectors disagree, nothing was tried. Where trials are left to others (s->apart) and there are several, none is made: they
 * are s->candidate [s->left]. */
bool branching_strong(node_solver *s, const tree_node *n, node_result *result);

/* ---- the steps of it, each of which may be made by another process ---- */

typedef struct branching_outcome {
    int node, heaviest; /* the policy node, and its option with most mass */
    int first, choices; /* of the policy node */
    double cutoff;
} branching_outcome;

/* Bounds of the children of n at one policy node into s->trial [choices of the node], NAN where there is no child, and their
 * multipliers, where a proof is written, into s->multipliers. They follow from n, its columns and multipliers and the cutoff
 * alone. *score: the size of the tree that they promise, 0: nothing below is left. */
vouch_status branching_try(node_solver *s, const tree_node *n, int node, double *score);
/* What the trials of a candidate have gained (s->share [choices] after branching_try) into result. */
void branching_note_shares(const branching_outcome *tried, const unsigned char share[], node_result *result);
/* Is a candidate of this score branched on rather than those tried before it? best_score: theirs, INFINITY: there is none. */
bool branching_wins(double score, double best_score);

branching_outcome branching_outcome_of(const node_solver *s, int node);
/* Writes the children of the candidate that was chosen, of these bounds. */
void branching_tried(const branching_outcome *best, const double bound[], node_result *result);

#endif

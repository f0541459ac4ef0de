/* plan/spatial/box_branch.h - which choice of a box to split, and where.
 *
 * Candidates are the choices over which the policies of the mixture differ most, one a policy node, in occupancies from those of
 * the mixture as one policy pi:
 *
 *     spread(a) = sum_k weight_k sum_i alpha_i |y_i(a;k) - pi(a) y_i(n;k)|
 *
 * Without absolute values within, this is what the mixture itself is off one policy. That is nothing where policies part at a node
 * that all of them reach alike, and something only where they meet again: there a split has to be far narrower. Which candidate
 * lifts the bound is another matter. Where policies are mixed, those of the box are moved into each part and mixed anew, which
 * needs no pricing; what that is above the mixture of the box is gained. Where classes choose for themselves, both parts are
 * bounded (strong branching), until a candidate has been tried often enough for the mean of what it gained, in proportion to its
 * spread, to stand for that (reliability branching: T. Achterberg, T. Koch, A. Martin, Operations Research Letters 33, 2005):
 *
 *     score = gain below * gain above * spread,     a gain being no less than a small part of what is missing to the cutoff.
 *
 * Cost: for each candidate two master programs, or two bounds with few rows while it is not yet reliable. Invariant: between calls
 * b->low, b->high are the caller's.
 */
#ifndef PLAN_SPATIAL_BOX_BRANCH_H
#define PLAN_SPATIAL_BOX_BRANCH_H

#include "plan/spatial/box_bound.h"

/* Candidates, and how many of them are tried where classes choose for themselves. */
enum { BRANCH_CANDIDATES = 24, BRANCH_TRIED = 8 };

typedef struct box_branch {
    const policy_space *space;
    arena memory;       /* of all arrays */
    double *prob;       /* [choices] the mixture as one policy, after box_branch_look */
    double *gain;       /* [2 * choices] per choice, its part below and its part above: gains in proportion to spread, summed */
    int *trials;        /* [2 * choices] */
    double *spread;     /* [choices * K] likewise: how far the policies of the mixture are from it */
    double *low, *high; /* [choices] each in one block: the box, as it was */
    double *chosen[2];  /* [dim] multipliers of the bounds of the split chosen */
    double *trial[2];   /* likewise of the candidate at hand */
    bool agreed;        /* the last look: the mixture is one policy for all environments */
    int count;          /* its candidates, the widest first */
    int choice[BRANCH_CANDIDATES];
    double apart[BRANCH_CANDIDATES]; /* their spreads */
} box_branch;

typedef struct box_split {
    int choice;
    double at;
    double bound[2]; /* proved for the part below and the part above; -INFINITY: nothing */
} box_split;

/* dim: of multipliers. */
vouch_status box_branch_new(const policy_space *space, size_t dim, box_branch **out);
void box_branch_free(box_branch *r); /* NULL is fine */

/* Finds candidates in the mixture, that is after box_bound_solve. None: it is one policy as far as its figures go. */
void box_branch_look(box_branch *r, box_bound *b);

/* Chooses among the candidates of the last look at the box in b->low, b->high. task: of its parts, which are known to be bounded as
 * the box is; b->mixture is the value of its mixture. b->low and b->high are as before afterwards, everything else in b is that of
 * other boxes. Requires r->count > 0. */
vouch_status box_branch_choose(box_branch *r, box_bound *b, const box_task *task, box_split *split);

/* low, high [choices] become the part in which pi(choice) is at most (upper: at least) `at`, with what that implies for the other
 * choices of the node. */
void box_part(const know_graph *g, double low[], double high[], int choice, double at, bool upper);

#endif

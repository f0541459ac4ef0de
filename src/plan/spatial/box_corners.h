/* plan/spatial/box_corners.h - the corners of the boxes of policy nodes: what a policy that is worth most may do at a node.
 *
 * Sums of U(k) and Pr(k) are linear in pi(.|n) while other nodes stay, so that the most of a box is attained where every node is at
 * a corner of its box, all choices but one at a side and that one with the rest. So a box is a planning problem whose choices at n
 * are corners: the graph of the model with other choices, which share their rewards and successors.
 *
 * Cost: 2^choices at a node. Invariant: corners of a node differ, and each is a distribution within the box, to rounding.
 */
#ifndef PLAN_SPATIAL_BOX_CORNERS_H
#define PLAN_SPATIAL_BOX_CORNERS_H

#include "base/arena.h"
#include "know/box.h"
#include "know/graph.h"

/* More choices have too many corners. */
enum { CORNER_CHOICES = 5 };

typedef struct box_corners {
    const know_graph *g;
    int *start;          /* [nodes before T, + 1] where there is room for a node's corners, numbered over all nodes */
    int *count;          /* [nodes before T] of its box */
    size_t *share_start; /* [nodes before T] where those of a node begin in share */
    double *share;       /* pi(.|n), corner by corner */
    unsigned char *open; /* [choices] the box lets it be taken */
    bool blurred;        /* corners of this box are not told apart */
} box_corners;

/* Arrays are in the arena. False, and nothing is made: a node has too many choices. */
bool box_corners_fit(const know_graph *g);
vouch_status box_corners_make(box_corners *x, const know_graph *g, arena *a);

/* Makes the corners of another box, which must not be empty. */
void box_corners_enter(box_corners *x, policy_box in);

static inline int box_choices(const know_graph *g, int n) { return g->choice_start[n + 1] - g->choice_start[n]; }
/* Corner i of node n: pi(.|n), [choices of n]. */
static inline double *box_corner(const box_corners *x, int n, int i)
{
    return x->share + x->share_start[n] + (size_t)(i * box_choices(x->g, n));
}

#endif

/* know/outcomes.h - the outcome of a policy from a node on while nothing distinguishes environments.
 *
 * A choice *runs* if it leads to one policy node with certainty and the same reward in every environment of its node's set. From a
 * node on a deterministic policy follows its choices while they run: to the horizon, where it *ends* with the same (u, q), reward
 * and promise, in every environment, or to a choice that does not run, where it *leaves*. So each node has one outcome of a finite
 * set, independent of other nodes, which may be branched on like a choice:
 *
 *     outcome(n) = leaves                           where the choice at n does not run,
 *     outcome(n) = reward + outcome(next node)       where it does.                                                       (1)
 *
 * Many ways of waiting have one outcome. Each environment's pairs (know/pairs.h) are then over outcomes and leaving choices, so an
 * excluded outcome is missing from the sets of all arrivals in all environments. Sums that differ by rounding are one outcome, of
 * the larger reward, so sets stay outward. Source: src/THEORY.md, 5.
 */
#ifndef KNOW_OUTCOMES_H
#define KNOW_OUTCOMES_H

#include "know/pairs.h"

/* Maximum of outcomes of a node; nodes with more have none, and choices that lead to them do not run. */
enum { OUTCOMES_MOST = 64 };

typedef struct know_outcomes {
    const know_graph *g;
    int options;              /* choices, then outcomes */
    int *first;               /* [nodes] option of the node's first outcome: it leaves */
    int *count;               /* [nodes] of outcomes; 0: too many */
    double *u, *q;            /* [options] of an outcome */
    int *next;                /* [choices] node that a choice runs to; -1: it does not run */
    int *link;                /* [choices * OUTCOMES_MOST] outcome of its node by outcome of the next one, as options */
    int *above_start, *above; /* [nodes + 1] nodes that run to a node */
    int *queue;               /* [nodes] circular, to be propagated */
    unsigned char *queued;    /* [nodes] zero between calls */
    arena memory;
} know_outcomes;

/* On failure *e is NULL. */
vouch_status outcomes_new(const know_graph *g, know_outcomes **e);
void outcomes_free(know_outcomes *e); /* NULL is fine */

/* allowed [options]: every choice except twins, and every outcome. */
void outcomes_allow_all(const know_outcomes *e, unsigned char allowed[]);

/* Removes from allowed [options] those excluded by (1), to the fixed point. at: the only node changed since the last fixed point;
 * -1: any. False: no policy remains. Cost: choices and outcomes of the nodes that change and of those that run there. */
bool outcomes_propagate(know_outcomes *e, int at, unsigned char allowed[]);

/* The pairs of environment k over choices and outcomes. On failure *p is NULL. */
vouch_status outcomes_pairs(const know_outcomes *e, int k, int most, know_pairs **p);

#endif

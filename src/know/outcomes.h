/* know/outcomes.h - how a policy goes on from a node where nothing tells environments apart.
 *
 * A choice *runs* where it leads to one policy node, for certain and with the same reward in every environment of its node's set.
 * From a node on a deterministic policy follows its choices while they run: to the horizon, where it *ends* with the same (u, q),
 * reward and promise, in every environment, or to a choice that does not run, and it *leaves*. So each node has one outcome of a
 * finite set, whatever it does elsewhere, and that may be decided like a choice:
 *
 *     outcome(n) = leaves                           where the choice at n does not run,
 *     outcome(n) = reward + outcome(next node)       where it does.                                                       (1)
 *
 * Many ways of waiting have one outcome. Each environment's pairs (know/pairs.h) are then those of outcomes and of what leaves, so
 * that an outcome that is ruled out is missing from the sets of all arrivals in all environments. Sums that differ by rounding
 * alone are one outcome, of the larger reward, so sets stay outward. Source: our own (src/THEORY.md, 5).
 */
#ifndef KNOW_OUTCOMES_H
#define KNOW_OUTCOMES_H

#include "know/pairs.h"

/* Outcomes of a node at most; nodes of more have none, and what leads there does not run. */
enum { OUTCOMES_MOST = 64 };

typedef struct know_outcomes {
    const know_graph *g;
    int options;              /* choices, then outcomes */
    int *first;               /* [nodes] option that is the node's first outcome: it leaves */
    int *count;               /* [nodes] of outcomes; 0: none are told apart */
    double *u, *q;            /* [options] of an outcome */
    int *next;                /* [choices] node that a choice runs to; -1: it does not run */
    int *link;                /* [choices * OUTCOMES_MOST] outcome of its node by outcome of the next one, as options */
    int *above_start, *above; /* [nodes + 1] nodes that run to a node */
    int *queue;               /* [nodes] to be looked at, round and round */
    unsigned char *queued;    /* [nodes] zero between calls */
    arena memory;
} know_outcomes;

/* On failure *e is NULL. */
vouch_status outcomes_new(const know_graph *g, know_outcomes **e);
void outcomes_free(know_outcomes *e); /* NULL is fine */

/* Every choice, but for twins, and every outcome: allowed [options]. */
void outcomes_allow_all(const know_outcomes *e, unsigned char allowed[]);

/* Forbids, of what is allowed [options], what (1) rules out. at: the only node of which something was forbidden since (1) ruled
 * out nothing more; -1: any may be. false: no policy is left. Cost: choices and outcomes of the nodes that change and of those
 * that run there. */
bool outcomes_propagate(know_outcomes *e, int at, unsigned char allowed[]);

/* The pairs of environment k over choices and outcomes. On failure *p is NULL. */
vouch_status outcomes_pairs(const know_outcomes *e, int k, int most, know_pairs **p);

#endif

/* know/endings.h - how a policy goes on from a node where nothing tells environments apart.
 *
 * A choice *runs* where it leads to one policy node, for certain and with the same reward in every environment of its node's set.
 * From a node on a deterministic policy follows its choices while they run: to the horizon, where it *ends* with the same (u, q),
 * reward and promise, in every environment, or to a choice that does not run, and it *leaves*. So each node has one ending of a
 * finite set, whatever it does elsewhere, and that may be decided like a choice:
 *
 *     ending(n) = leaves                           where the choice at n does not run,
 *     ending(n) = reward + ending(next node)       where it does.                                                       (1)
 *
 * Many ways of waiting have one ending. Each environment's pairs (know/pairs.h) are then those of endings and of what leaves, so
 * that an ending that is ruled out is missing from the sets of all arrivals in all environments. Sums that differ by rounding alone
 * are one ending, of the larger reward, so sets stay outward. Source: our own (src/THEORY.md, 5).
 */
#ifndef KNOW_ENDINGS_H
#define KNOW_ENDINGS_H

#include "know/pairs.h"

/* Endings of a node at most; nodes of more have none, and what leads there does not run. */
enum { ENDINGS_MOST = 64 };

typedef struct know_endings {
    const know_graph *g;
    int options;              /* choices, then endings */
    int *first;               /* [nodes] option that is the node's first ending: it leaves */
    int *count;               /* [nodes] of endings; 0: none are told apart */
    double *u, *q;            /* [options] of an ending */
    int *next;                /* [choices] node that a choice runs to; -1: it does not run */
    int *link;                /* [choices * ENDINGS_MOST] ending of its node by ending of the next one, as options */
    int *above_start, *above; /* [nodes + 1] nodes that run to a node */
    int *queue;               /* [nodes] to be looked at, round and round */
    unsigned char *queued;    /* [nodes] zero between calls */
    arena memory;
} know_endings;

/* On failure *e is NULL. */
vouch_status endings_new(const know_graph *g, know_endings **e);
void endings_free(know_endings *e); /* NULL is fine */

/* Every choice, but for twins, and every ending: allowed [options]. */
void endings_allow_all(const know_endings *e, unsigned char allowed[]);

/* Forbids, of what is allowed [options], what (1) rules out. at: the only node of which something was forbidden since (1) ruled
 * out nothing more; -1: any may be. false: no policy is left. Cost: choices and endings of the nodes that change and of those
 * that run there. */
bool endings_propagate(know_endings *e, int at, unsigned char allowed[]);

/* The pairs of environment k over choices and endings. On failure *p is NULL. */
vouch_status endings_pairs(const know_endings *e, int k, int most, know_pairs **p);

#endif

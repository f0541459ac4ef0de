/* exact/losses.h - the best total rewards of a finite decision process, with a promise and without, and how much less each option
 * earns. */
#ifndef EXACT_LOSSES_H
#define EXACT_LOSSES_H

#include <vouch/status.h>

/* Nodes in the order of time, node 0 first; the options of node n are option_start[n] .. [n + 1] - 1, those without end the
 * process. The arcs of option o are arc_start[o] .. [o + 1] - 1: each leads to a later node, with the probability and the reward of
 * an outcome, numbers that are read as the decimals they were written as. The probabilities of an option are divided by their sum.
 */
typedef struct exact_layers {
    int nodes, outcomes;
    const int *option_start; /* [nodes + 1] */
    const int *arc_start;    /* [options + 1] */
    const int *arc_to, *arc_outcome;
    const double *prob, *reward; /* [outcomes] */
} exact_layers;

/* Pr = E[kept at the end] must be at least p - keep; p is read as a decimal. kept [nodes], read where the process ends. */
typedef struct exact_promise {
    const double *kept;
    double p, keep;
} exact_promise;

typedef struct exact_values {
    double best;     /* V(0) */
    double promised; /* U*: the most that randomised policies earn which keep the promise; -INFINITY: none does */
    double forgone;  /* V(0) - U* */
} exact_values;

/* V(n) = max over o of Q(o),  Q(o) = sum over arcs of P (R + V(to));  loss[o] := V(n) - Q(o) >= 0; U* as in mdp/dp.c. Rounded only
 * when they become doubles: the rest has 640 bits. promise NULL: U* is NAN. ERROR_MEMORY. */
vouch_status exact_losses(const exact_layers *g, const exact_promise *promise, double loss[], exact_values *value);

#endif

/* program/bilinear.h - exact CCL as a program in the action probabilities of the policy nodes.
 *
 *     min max_k U*_c(k) - U(k; pi)   subject to   Pr(S_T in Phi | k; pi) >= p(k),   pi(.|n) a distribution over the choices of n
 *
 * U and Pr are multilinear in pi: each history passes one node a time. Variables are the choices, without twins, of nodes before
 * the horizon that have more than one; blocks are nodes, groups are times. Derivatives are Pr(n|k) Q(n,a;k), exact, by one forward
 * and one backward propagation.
 */
#ifndef PROGRAM_BILINEAR_H
#define PROGRAM_BILINEAR_H

#include "base/arena.h"
#include "know/graph.h"
#include "mdp/average.h"
#include "nlp/minimax.h"

typedef struct bilinear {
    arena memory; /* of the arrays, itself included */
    const know_graph *g;
    const double *optimal; /* [K], the caller's, as is the next */
    const double *share;   /* [K] or NULL, see bilinear_aim */
    const promise_averages *averages;
    minimax problem; /* its context is this object */
    int *choice;     /* [n] of each variable */
    int *node;       /* [blocks] */
    int *block_start, *group_start;
    double *prob;                /* [choices] of the point evaluated last */
    double *reach, *gain, *keep; /* [nodes * K] */
} bilinear;

/* The caller's, [K] or, target, [K + averages]: the p(k) that Pr(k) must reach, then those of the means. */
typedef struct bilinear_aim {
    const double *optimal, *target;
    const promise_averages *averages; /* a constraint each, beside a function that repeats the first */
    const double *share;              /* every f_k is the mean regret by these; NULL: each its own */
} bilinear_aim;
vouch_status bilinear_new(const know_graph *g, const bilinear_aim *aim, bilinear **out);
void bilinear_free(bilinear *b); /* NULL is fine */

/* x [n] and prob [choices], which includes the nodes without a choice. Twins' probabilities are added up. */
void bilinear_pack(const bilinear *b, const double prob[], double x[]);
void bilinear_unpack(const bilinear *b, const double x[], double prob[]);

#endif

/* program/bilinear.h - exact CCL as a program in the action probabilities of the policy nodes.
 *
 *     min max_k U*_c(k) - U(k; pi)   subject to   Pr(S_T in Phi | k; pi) >= p(k),   pi(.|n) a distribution over the choices of n
 *
 * U and Pr are multilinear in pi, since each history passes one node per time. Variables are the choices, without twins, of nodes
 * with more than one; blocks are nodes, groups are times. Derivatives Pr(n|k) Q(n,a;k) are exact, by one forward and one backward
 * propagation. */
#ifndef PROGRAM_BILINEAR_H
#define PROGRAM_BILINEAR_H

#include "base/arena.h"
#include "know/graph.h"
#include "nlp/minimax.h"

typedef struct bilinear {
    arena memory; /* of the arrays, itself included */
    const know_graph *g;
    const double *optimal; /* [K], the caller's */
    const double *share;   /* [K] or NULL, the caller's; see bilinear_aim */
    const promise_averages *averages;
    minimax problem; /* its context is this object */
    int *choice;     /* [n] of each variable */
    int *node;       /* [blocks] */
    int *block_start, *group_start;
    double *prob;                /* [choices] of the last point evaluated */
    double *reach, *gain, *keep; /* [nodes * K] */
} bilinear;

/* The caller's arrays: optimal [K]; target [K + averages]: required Pr(k), then required means. */
typedef struct bilinear_aim {
    const double *optimal, *target;
    const promise_averages *averages; /* one constraint each, with a copy of the first function */
    const double *share;              /* weights: every f_k is the mean regret; NULL: the regret in k */
} bilinear_aim;
vouch_status bilinear_new(const know_graph *g, const bilinear_aim *aim, bilinear **out);
void bilinear_free(bilinear *b); /* NULL is fine */

/* Converts between x [n] and prob [choices], which includes nodes with a single choice. Probabilities of twins are added. */
void bilinear_pack(const bilinear *b, const double prob[], double x[]);
void bilinear_unpack(const bilinear *b, const double x[], double prob[]);

#endif

/* plan/proof.h - the proof of a plan, line by line (src/check/FORMAT.md). */
#ifndef PLAN_PROOF_H
#define PLAN_PROOF_H

#include "plan/methods.h"
#include "plan/search/proof_writer.h"
#include "plan/spatial/box.h"

/* A reply of nature to promise j of environment k (plan/within.c); without a row, the environment itself. */
typedef struct nature {
    double *row;   /* owned, [edges] */
    double *value; /* owned, [nodes] that it replies to */
    int k, j;
    int group; /* of the K natures for a promise on average, from 1 on; else 0 */
} nature;

/* A plan for a model with natures, whose states are the policy nodes of another one, m: its proof is about m and `policy`, which is
 * written in its place. */
typedef struct proof_unrolled {
    const vouch_model *m;
    const know_graph *g;        /* its policy nodes */
    const vouch_policy *policy; /* keeps its promises under the worst error, has figures as planned; NULL: none */
    const nature *list;         /* [natures] environments after those of m */
    int natures;
} proof_unrolled;

/* Makes the writers call->proof and call->total if a proof is wanted and the method has trees; else NULL. */
vouch_status proof_open(plan_call *call);
/* Passes the lines to the callback. ERROR_IO. */
vouch_status proof_copy(const vouch_plan_options *options, FILE *lines);
void proof_close(plan_call *call);

/* The cap on the maximum regret, in given units, of the policies covered by a bound on the total regret. cap: in the units of m. */
double proof_cap(const vouch_model *m, double cap, double steep);

/* The value of the objective (not the regret) of a policy with `group` rows an environment. */
double proof_value(const vouch_policy *policy, int group);

/* Passes the proof of call->policy, in given units, to the options' callback: the tree in call->proof, the policy, and the claims.
 * Unproved claims are omitted, and the figures of the policy become the claimed ones. alone: an environment that cannot keep the
 * commitment by itself; else -1. m: the planned model; with `alone` the given one. */
vouch_status proof_tell(const plan_call *call, const vouch_model *m, int alone);
/* The same with lines that hold in rationals: tree, with its policy nodes named; value and bound: exact decimals. m: rows of the
 * given model. */
vouch_status proof_tell_exact(const plan_call *call, const vouch_model *m, const proof_writer *tree, const char *value,
                              const char *bound);

/* ---- box_proof.c: the boxes of a certificate, written as they are split and bounded ----
 *
 * Multipliers and prices are rounded to decimals first, and the box is bounded by these: written lines hold. */
typedef struct box_proof {
    proof_writer *tree; /* owned until box_proof_end */
    double ceiling;     /* no policy's maximum regret exceeds it */
    double *value;      /* [dim of multipliers] as written */
    box_witness witness;
} box_proof;

/* p must not move while p->witness is in use. Call box_proof_end even after a failure. */
vouch_status box_proof_begin(box_proof *p, const policy_space *space, double ceiling);
/* Replaces `best` by the boxes if they show more. */
void box_proof_end(box_proof *p, proof_writer *best);

#endif

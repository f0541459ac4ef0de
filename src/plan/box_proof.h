/* plan/box_proof.h - the boxes of a certificate, written down as they are parted and bounded (src/check/FORMAT.md,
 * plan/search/proof_writer.h).
 *
 * Prices are written with the multipliers, all rounded to decimals, and the box is bounded by them once more: what is written is
 * what holds.
 */
#ifndef PLAN_BOX_PROOF_H
#define PLAN_BOX_PROOF_H

#include "plan/search/proof_writer.h"
#include "plan/spatial/certify.h"

typedef struct box_proof {
    proof_writer *tree; /* owned until box_proof_end */
    double ceiling;     /* no policy's maximum regret exceeds it */
    double *value;      /* [dim of multipliers] as written */
    box_witness witness;
} box_proof;

/* p must stay where it is as long as p->witness is in use. On failure p is to be ended all the same. */
vouch_status box_proof_begin(box_proof *p, const policy_space *space, double ceiling);
/* If the boxes show more than `best`, they take its place. */
void box_proof_end(box_proof *p, proof_writer *best);

#endif

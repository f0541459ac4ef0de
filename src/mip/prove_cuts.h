/* mip/prove_cuts.h - cuts of the search that writes a proof. */
#ifndef MIP_PROVE_CUTS_H
#define MIP_PROVE_CUTS_H

#include <vouch/lp.h>

#include "base/clock.h"
#include "exact/vipr.h"
#include "mip/model.h"

/* Rounds of cuts at the root: those that are derived in proof become rows of node, which is a copy of problem. DONE, whether there
 * are any or not, LIMIT or MEMORY. */
vipr_end prove_cuts(vipr *proof, const vouch_lp *problem, vouch_lp *node, const deadline *limit);

/* Takes the rows of cuts, those beyond the program's, out of node again, and its basis. */
vipr_end prove_without_cuts(vipr *proof, int rows, vouch_lp *node);

/* Bounds of model's columns, and of node's, that rows imply. */
vipr_end prove_bounds(vipr *proof, mip_model *model, vouch_lp *node);

#endif

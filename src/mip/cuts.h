/* mip/cuts.h - rounds of cutting planes at the root. */
#ifndef MIP_CUTS_H
#define MIP_CUTS_H

#include <stdbool.h>

#include "mip/search.h"

/* Rounds of cuts at the root: adds rows to s->relax.lp and leaves its relaxation solved. The point is s->x.
 * False: the node can be closed (*end says how). */
bool cut_root(mip_search *s, relax_end *end);

#endif

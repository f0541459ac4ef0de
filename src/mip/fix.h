/* mip/fix.h - bounds that reduced costs prove once the cutoff is known. */
#ifndef MIP_FIX_H
#define MIP_FIX_H

#include "mip/search.h"

/* By the root's reduced costs: what follows holds everywhere. Requires the domain at trail position 0. False: nothing better
 * than the cutoff is left. */
bool fix_by_root_costs(mip_search *s);
/* By those of the node's relaxation; *fixed bounds were moved. False: the node can be closed at the cutoff. */
bool fix_by_costs(mip_search *s, int *fixed);
/* Has propagation moved a bound past the relaxation's point? */
bool fix_moved_point(const mip_search *s);

#endif

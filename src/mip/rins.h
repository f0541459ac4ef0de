/* mip/rins.h - relaxation induced neighbourhood search. */
#ifndef MIP_RINS_H
#define MIP_RINS_H

#include "mip/search.h"

/* A small search in the neighbourhood of the incumbent and the relaxation's point. Needs an incumbent; leaves all but that as
 * it was. */
void heuristic_rins(mip_search *s, long long iteration_budget);

#endif

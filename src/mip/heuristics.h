/* mip/heuristics.h - feasible points from a relaxation's point. */
#ifndef MIP_HEURISTICS_H
#define MIP_HEURISTICS_H

#include "mip/search.h"

/* Rounds s->x in the directions no row minds, where every fractional column has one. */
void heuristic_round(mip_search *s);
/* The owner's own heuristic. */
void heuristic_suggest(mip_search *s);

typedef enum dive_rule { DIVE_FRACTION, DIVE_LOCKS, DIVE_PSEUDO, DIVE_GUIDED, DIVE_RULES } dive_rule;

/* Fixes columns one after the other and re-solves, down to a point or a dead end. Starts from the node that
 * is hot and leaves domain, relaxation and s->x as they were. */
void heuristic_dive(mip_search *s, dive_rule rule, long long iteration_budget);

#endif

/* plan/groups/colour.h - partitions of the environments in which no group holds a forbidden set: colouring a hypergraph. */
#ifndef PLAN_GROUPS_COLOUR_H
#define PLAN_GROUPS_COLOUR_H

#include "plan/groups/subsets.h"

typedef enum colouring { COLOURED, NOT_COLOURABLE, COLOUR_UNKNOWN } colouring;

/* Every set whose rho is known to be `least` or more is forbidden. colour [K] (COLOURED only): groups 0 .. policies-1, numbered by
 * their first environment. UNKNOWN: the work allowed was used up.
 * used [sets], NULL or false at first (NOT_COLOURABLE only): the sets without which they could be. -1 in *failed: no memory. */
colouring colour_groups(const subsets *s, int policies, double least, int colour[], int *failed, bool used[]);

#endif

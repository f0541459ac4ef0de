/* mip/jump.h - feasibility jump: a first point without a tree. */
#ifndef MIP_JUMP_H
#define MIP_JUMP_H

#include "mip/search.h"

/* Local search for a point of the model, from that of the relaxation and from the bounds next to 0. True: one became the incumbent.
 * Keeps x, domain and basis. */
bool heuristic_jump(mip_search *s);

#endif

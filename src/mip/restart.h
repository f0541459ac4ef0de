/* mip/restart.h - the root again, for the smaller program that its reduced costs leave. */
#ifndef MIP_RESTART_H
#define MIP_RESTART_H

#include "mip/presolved.h"
#include "mip/search.h"

/* At the root of s, with an incumbent and the root's reduced costs: fixes by them what they fix everywhere. True: so much that
 * presolve and root should start again. */
bool restart_pays(mip_search *s);

/* The program of p within the bounds of s, which searched it and holds no nodes, presolved: it has each point of p that is better
 * than the cutoff of s, or is called infeasible. *again maps to the columns that p maps to. ERROR_MEMORY: *again is empty. */
vouch_status restart_presolve(mip_presolved *again, const mip_presolved *p, const mip_search *s);

/* Before the search t of that program: it goes on where s ended, with its work and its bound. */
void restart_continue(mip_search *t, const mip_search *s);
/* The program is infeasible: s has searched its own to the end. */
void restart_conclude(mip_search *s);

#endif

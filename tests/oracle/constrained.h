/* The constrained MDP of one environment as a linear program over occupancies:
 *
 *   max sum R(s,a;k) x(t,s,a)
 *   sum_a x(t,s,a) - sum_{s',a'} P(s|s',a';k) x(t-1,s',a') = [t = 0, s = s0]
 *   sum P(Phi|s,a;k) x(T-1,s,a) >= p,  x >= 0
 * Source: Altman, Constrained Markov Decision Processes, 1999. The judge of mdp/dp.h, which walks a hull.
 */
#ifndef ORACLE_CONSTRAINED_H
#define ORACLE_CONSTRAINED_H

#include <vouch/lp.h>
#include <vouch/model.h>

/* To be freed by the caller; the objective is maximised. */
vouch_lp *constrained_program(const vouch_model *m, int k, double probability);

#endif

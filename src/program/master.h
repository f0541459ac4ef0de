/* program/master.h - the master program of column generation over policies: which mixture of known policies is best?
 *
 * Column i is a policy with regrets r_i(k) and commitment probabilities q_i(k); alpha is the mixture.
 *
 *   least maximum regret:  min z            sum_i alpha_i r_i(k) <= z,  z >= lowest
 *   least total regret:    min sum_i alpha_i sum_k r_i(k)     sum_i alpha_i r_i(k) <= cap + e,  e at a price
 *   both:                  sum_i alpha_i q_i(k) + a >= p(k),  sum_i alpha_i = 1,  alpha, e >= 0,  0 <= a <= slack
 *   with floors of U(k):   sum_i alpha_i r_i(k) - a <= room(k)
 *   promises on average:   sum_i alpha_i sum_k w(k) q_i(k) + a >= p
 *
 * and, until some mixture keeps the commitment, phase one: min a. Its 2K + 1 (or 3K + 1) dense rows are what the dense simplex is
 * for. The multipliers lambda (regret rows) and mu (commitment rows) are exact enough to price with; bounds never rest on this
 * program, only on the backward induction that uses them.
 */
#ifndef PROGRAM_MASTER_H
#define PROGRAM_MASTER_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "base/clock.h"
#include "mdp/average.h"

typedef struct master master;

typedef enum master_goal { MASTER_MAX_REGRET, MASTER_TOTAL_REGRET } master_goal;

/* share [K], the caller's: one regret row, of their mean by shares; NULL: one each. averages: the caller's; NULL: none. */
vouch_status master_new(int K, const double share[], const promise_averages *averages, master **out);
void master_free(master *m); /* NULL is fine */

/* In phase two `a` may still be as large as it was at the end of phase one, mostly 0, at this price. */
#define MASTER_SLACK_PRICE 1e4

/* Forgets all columns. p [K + averages]: right sides of the commitment rows. lowest: no maximum regret is less. cap: most regret
 * allowed, used by MASTER_TOTAL_REGRET. room [K]: most regret each environment may have, or NULL: no such rows. */
vouch_status master_reset(master *m, master_goal goal, const double p[], double lowest, double cap, const double room[]);
/* Other right sides of the commitment rows for the columns there are, mostly lower ones. z gets free, so that no row is left slack
 * by what it may. */
vouch_status master_aim(master *m, const double p[]);
/* regret, pr: [K] */
vouch_status master_add(master *m, const double regret[], const double pr[]);
int master_columns(const master *m);
bool master_feasible(const master *m); /* phase one is over since the last reset */

/* Where the optimum goes; the arrays are the caller's. */
typedef struct master_optimum {
    double value;             /* of the phase's objective */
    double *lambda, *nu, *mu; /* [K] >= 0: of the regret rows, those of room (0 without), those of the commitment with w(k) times
                                 that of each average (space_worth of policy/space.h) */
    double *alpha;            /* [columns] >= 0 */
} master_optimum;

/* Solves with the columns there are (at least one). feasible: phase one is over. On ok *out is written. *ok = false when the
 * program could not be solved numerically or in time (limit, NULL: none). */
vouch_status master_solve(master *m, bool feasible, const deadline *limit, bool *ok, master_optimum *out);

/* Price of exceeding the cap in MASTER_TOTAL_REGRET: no multiplier lambda sums to more. */
double master_excess_price(master_goal goal);

#endif

/* program/master.h - the restricted master program of column generation: the best mixture alpha of known policies.
 *
 * Column i is a policy with regrets r_i(k) and commitment probabilities q_i(k).
 *
 *   least maximum regret:  min z            sum_i alpha_i r_i(k) <= z,  z >= lowest
 *   least total regret:    min sum_i alpha_i sum_k r_i(k)     sum_i alpha_i r_i(k) <= cap + e,  e at a price
 *   both:                  sum_i alpha_i q_i(k) + a >= p(k),  sum_i alpha_i = 1,  alpha, e >= 0,  0 <= a <= slack
 *   with floors of U(k):   sum_i alpha_i r_i(k) - a <= room(k)
 *   promises on average:   sum_i alpha_i sum_k w(k) q_i(k) + a >= p
 *
 * Until some mixture keeps the commitment, phase one minimises a. The 2K + 1 (or 3K + 1) rows are dense and solved by the dense
 * simplex. Bounds follow from the backward induction with the multipliers lambda (regret rows) and mu (commitment rows), never from
 * this program.
 */
#ifndef PROGRAM_MASTER_H
#define PROGRAM_MASTER_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "base/clock.h"
#include "mdp/average.h"

typedef struct master master;

typedef enum master_goal { MASTER_MAX_REGRET, MASTER_TOTAL_REGRET } master_goal;

/* share [K]: a single regret row, the mean with these weights; NULL: one per environment. share and averages (NULL: none) are the
 * caller's. */
vouch_status master_new(int K, const double share[], const promise_averages *averages, master **out);
void master_free(master *m); /* NULL is fine */

/* Price of `a` in phase two, where it is bounded by twice its value at the end of phase one, usually 0. */
#define MASTER_SLACK_PRICE 1e4

/* Removes all columns. p [K + averages]: right-hand sides of the commitment rows. lowest: lower bound of z. cap: limit on regrets
 * for MASTER_TOTAL_REGRET. room [K]: limit on the regret of each environment, or NULL. */
vouch_status master_reset(master *m, master_goal goal, const double p[], double lowest, double cap, const double room[]);
/* Changes the right-hand sides of the commitment rows, usually to lower ones, and removes the lower bound of z. */
vouch_status master_aim(master *m, const double p[]);
vouch_status master_add(master *m, const double regret[], const double pr[]); /* [K] */
int master_columns(const master *m);
bool master_feasible(const master *m); /* in phase two */

/* Output; the arrays are the caller's. */
typedef struct master_optimum {
    double value;             /* objective of the phase */
    double *lambda, *nu, *mu; /* [K] >= 0: multipliers of regret rows, of room (or 0), and of the commitment, plus w(k) times the
                                 multiplier of each average (space_worth of policy/space.h) */
    double *alpha;            /* [columns] >= 0 */
} master_optimum;

/* Solves with at least one column. feasible: use phase two. Writes *out if *ok; *ok is false on numerical failure or after the
 * limit (NULL: none). */
vouch_status master_solve(master *m, bool feasible, const deadline *limit, bool *ok, master_optimum *out);

/* Price of exceeding the cap in MASTER_TOTAL_REGRET, an upper bound of the sum of lambda. */
double master_excess_price(master_goal goal);

#endif

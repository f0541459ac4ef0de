/* program/box_master.h - the master program of a box: the best mixture of class policies under constraints of a single policy.
 *
 *     min z + penalty * sum_k s_k
 *     z >= lowest,   z >= sum_i alpha_i r_i(k),   sum_i alpha_i q_i(k) + s_k >= p,   sum_i alpha_i = 1
 *
 * and for promises on average  sum_i alpha_i sum_k w(k) q_i(k) + s >= p,  whose multipliers times w(k) are added to mu.
 *
 * A policy that does not depend on the class has y(n,a;k) = pi(a|n) y(n;k) with pi in the box and y(n;k) in [least, most]. The
 * implied rows (G. P. McCormick, Mathematical Programming 10, 1976) are added if the mixture violates them:
 *
 *     (0)  y_a >= least pi + lo y - lo least        (1)  y_a >= most pi + hi y - hi most
 *     (2)  y_a <= most pi + lo y - lo most          (3)  y_a <= least pi + hi y - hi least
 *
 * Pricing uses their multipliers beta as prices of y(n,a;k). Bounds follow from the inductions only, not from this program.
 */
#ifndef PROGRAM_BOX_MASTER_H
#define PROGRAM_BOX_MASTER_H

#include <stdbool.h>
#include <vouch/lp.h>

#include "know/graph.h"
#include "mdp/average.h"

typedef struct box_master box_master;

/* averages: the caller's. */
vouch_status box_master_new(const know_graph *g, const promise_averages *averages, box_master **out);
void box_master_free(box_master *m); /* NULL is fine */

/* Ranges of the policy: low <= pi(a|n) <= high [choices], least <= y(n;k) <= most [nodes * K]. */
typedef struct box_ranges {
    const double *low, *high, *least, *most;
} box_ranges;

/* Restarts. p [K + averages]; lowest: lower bound of z. Keeps the arrays of `in` by reference. */
vouch_status box_master_start(box_master *m, const double p[], double lowest, double penalty, box_ranges in);
/* Adds a class policy: regret, pr [K], y [choices * K]. */
vouch_status box_master_add(box_master *m, const double regret[], const double pr[], const double y[]);
int box_master_columns(const box_master *m);

/* Output; the arrays are the caller's. */
typedef struct box_master_optimum {
    double value;
    double *lambda, *mu; /* [K] */
    double *beta, *y;    /* [choices * K] prices, and the occupancies of the mixture */
} box_master_optimum;

/* Writes *out if *ok; *ok is false after the limit (NULL: none). */
vouch_status box_master_solve(box_master *m, const deadline *limit, bool *ok, box_master_optimum *out);

/* Mean distance of the policies in the last mixture from the policy prob [choices]:
 *     spread(a;k) = sum_i alpha_i |y_i(a;k) - prob(a) y_i(n;k)|,   [choices * K] */
void box_master_spread(const box_master *m, const double prob[], double spread[]);

/* Adds the rows violated by y (of the last solve) by more than `tolerance`, the worst first, at most `limit`; *added: number. */
vouch_status box_master_tighten(box_master *m, const double y[], double tolerance, int limit, int *added);

#endif

/* mdp/average.h - promises on average:  sum_k prior(k) Pr(k) >= p  in place of a row for each environment.
 *
 * Such a promise constrains no environment alone, so U*_c(k) is the optimum under the other promises. It implies a lower bound on
 * Pr(k), the implied level, if the other environments cannot reach the sum without k (average_implied). Bayesian setting: Zhang,
 * Singh, Durfee (2016).
 */
#ifndef MDP_AVERAGE_H
#define MDP_AVERAGE_H

#include "mdp/model.h"

/* Over the K rows of a model (mdp/views.h): sum over r of weight[a * K + r] Pr(r) >= p[a]. */
typedef struct promise_averages {
    int count;
    double *p;      /* owned, [count] */
    double *weight; /* owned, [count * K] >= 0, positive only in the average's own rows */
    int *row;       /* owned, [count] which row of an environment belongs to it */
} promise_averages;

/* The averages of a model of rows, weighted by its prior. On failure *out is empty. */
vouch_status averages_of(const vouch_model *rows, promise_averages *out);
vouch_status averages_copy(const promise_averages *from, int K, promise_averages *out);
void averages_free(promise_averages *averages); /* empty ones are fine */

/* Rounding error bound of a mean of K terms summed in doubles with the normalised prior. */
double average_rounding(int K);
/* sum_r weight[a * K + r] Pr(r). */
double average_mean(const promise_averages *averages, int a, int K, const double Pr[]);
/* mu [K] += eta times its weights. */
void average_spread(const promise_averages *averages, int a, int K, double eta, double mu[]);
/* Implied level of row r: the least Pr(r) with which average a can reach p - allowed if every other row r' has at most most [r'].
 * Rounded down; 0: none. */
double average_implied(const promise_averages *averages, int a, int r, int K, const double most[], double allowed);
/* Copies from's prior, conditional on environments env [to->K] (NULL: all). If it is 0 in all of them there is none, or ERROR_INPUT
 * with promises on average. */
vouch_status prior_copy(const vouch_model *from, const int env[], vouch_model *to);

#endif

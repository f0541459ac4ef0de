/* know/likelihood.h - when two vectors of likelihoods w [K], largest entry 1, are one class.
 *
 * They are looked up after rounding each entry to 36 significant bits (relative 1.5e-11), so that rounding of long products does
 * not split a class, and are then compared: vectors that differ by more are different classes. Splitting a class only costs time.
 */
#ifndef KNOW_LIKELIHOOD_H
#define KNOW_LIKELIHOOD_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t likelihood_rounded(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (bits + (UINT64_C(1) << 15)) & ~((UINT64_C(1) << 16) - 1);
}

/* A hash of all entries that rounding hardly ever changes (about once in 1e6): a weighted sum of their bits as whole numbers, which
 * are piecewise linear in the logarithm, rounded to the effect of 5e-8 of an entry. Wraps at 2^64. */
static inline uint64_t likelihood_sum(const double w[], int K)
{
    uint64_t sum = UINT64_C(1) << 32;
    for (int k = 0; k < K; k++) {
        uint64_t bits;
        memcpy(&bits, &w[k], sizeof bits);
        sum += bits * (64 + (uint64_t)k * 79 % 61);
    }
    return sum >> 33;
}

/* Equal up to the rounding of products of at most T probabilities and as many divisions? */
static inline bool likelihood_same(const double a[], const double b[], int K, int T)
{
    double rounding = 4 * (T + 1) * DBL_EPSILON;
    for (int k = 0; k < K; k++)
        if (fabs(a[k] - b[k]) > rounding * b[k]) return false;
    return true;
}

#endif

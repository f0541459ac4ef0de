/* exact/number.h - doubles of the caller's data as fractions. */
#ifndef EXACT_NUMBER_H
#define EXACT_NUMBER_H

#include <gmp.h>
#include <stdbool.h>

/* The number for which a double is written. For 0.1 in a file the nearest double is kept: DECIMAL gives 1/10, the shortest decimal
 * with this double, which is the written one if that has at most 15 digits. MEANT is the same, except that a number with many
 * digits that ends in many zero bits, as sums of powers of two do, is the double itself. */
typedef enum exact_reading { EXACT_DECIMAL, EXACT_MEANT } exact_reading;

/* q := v, finite. */
void exact_number(mpq_t q, double v, exact_reading reading);
/* Is v an intended number, not a result of rounding: infinite, a decimal of at most 16 digits, or ending in many zero bits? */
bool exact_is_meant(double v);
/* Has v a decimal of at most 15 digits, as a number read from a file? */
bool exact_is_read(double v);
/* common := lcm(common, denominator of q) */
void exact_common(mpz_t common, const mpq_t q);
/* z := q * common, for a multiple of the denominator of q. */
void exact_times(mpz_t z, const mpq_t q, const mpz_t common);

#endif

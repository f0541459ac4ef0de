/* exact/number.h - numbers of the caller's data as fractions. */
#ifndef EXACT_NUMBER_H
#define EXACT_NUMBER_H

#include <gmp.h>
#include <stdbool.h>

/* What a double stands for. A file says 0.1 and the double nearest to it is kept: DECIMAL gives 1/10 back, the shortest decimal
 * that has this double, which is the one written wherever that has at most 15 digits. MEANT is the same, but what has many digits
 * and ends in many zero bits, as powers of two and their sums do, is the double itself. */
typedef enum exact_reading { EXACT_DECIMAL, EXACT_MEANT } exact_reading;

/* q := v, finite. */
void exact_number(mpq_t q, double v, exact_reading reading);
/* Is it fairly sure what v was meant to be, rather than what arithmetic made of it? A decimal of at most 16 digits, or a number
 * that ends in many zero bits. Infinite: yes. */
bool exact_is_meant(double v);
/* Has v a decimal of at most 15 digits, so that a file most likely held that one? */
bool exact_is_read(double v);
/* common := lcm(common, denominator of q) */
void exact_common(mpz_t common, const mpq_t q);
/* z := q * common, for a multiple of q's denominator. */
void exact_times(mpz_t z, const mpq_t q, const mpz_t common);

#endif

/* exact/number.h - numbers of the caller's data as fractions. */
#ifndef EXACT_NUMBER_H
#define EXACT_NUMBER_H

#include <gmp.h>
#include <stdbool.h>

/* What a double stands for. A file says 0.1 and the double nearest to it is kept: DECIMAL gives 1/10 back, the shortest decimal
 * that has this double, which is the one written wherever that has at most 15 digits. DYADIC is the double itself. */
typedef enum exact_reading { EXACT_DYADIC = 0, EXACT_DECIMAL } exact_reading;

/* q := v, finite. */
void exact_number(mpq_t q, double v, exact_reading reading);
/* common := lcm(common, denominator of q) */
void exact_common(mpz_t common, const mpq_t q);
/* z := q * common, for a multiple of q's denominator. */
void exact_times(mpz_t z, const mpq_t q, const mpz_t common);

#endif

/* exact/number.c - see exact/number.h. */
#include "exact/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum { DIGITS_SURE = 15, DIGITS_MOST = 17 }; /* a decimal of so many digits comes back from its double; a double from so many */

/* The shortest decimal with this double, as d.ddde+xx. */
static void shortest(double v, char text[40])
{
    for (int digits = DIGITS_SURE; digits <= DIGITS_MOST; digits++) {
        snprintf(text, 40, "%.*e", digits - 1, v);
        if (strtod(text, NULL) == v) return;
    }
}

void exact_number(mpq_t q, double v, exact_reading reading)
{
    CHECK(isfinite(v));
    mpq_set_d(q, v);
    if (reading == EXACT_DYADIC || v == rint(v)) return;
    char text[40], digits[40];
    shortest(v, text);
    char *e = strchr(text, 'e');
    size_t kept = 0;
    for (const char *s = text; s < e; s++)
        if (*s == '-' || (*s >= '0' && *s <= '9')) digits[kept++] = *s;
    digits[kept] = '\0';
    long decimals = (long)kept - (v < 0) - 1 - strtol(e + 1, NULL, 10);
    mpz_set_str(mpq_numref(q), digits, 10);
    mpz_ui_pow_ui(mpq_denref(q), 10, (unsigned long)labs(decimals));
    if (decimals < 0) {
        mpz_mul(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(q), 1);
    }
    mpq_canonicalize(q);
}

void exact_common(mpz_t common, const mpq_t q) { mpz_lcm(common, common, mpq_denref(q)); }

void exact_times(mpz_t z, const mpq_t q, const mpz_t common)
{
    mpz_divexact(z, common, mpq_denref(q));
    mpz_mul(z, z, mpq_numref(q));
}

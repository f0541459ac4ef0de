/* exact/number.h - doubles of the caller's data as fractions; the memory of numbers, and the jump when it is exhausted. */
#ifndef EXACT_NUMBER_H
#define EXACT_NUMBER_H

#include <gmp.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* The number for which a double is written. For 0.1 in a file the nearest double is kept: DECIMAL gives 1/10, the shortest decimal
 * with this double, which is the written one if that has at most 15 digits. MEANT is the same, except that a number with many
 * digits that ends in many zero bits, as sums of powers of two do, is the double itself. */
typedef enum exact_reading { EXACT_DECIMAL, EXACT_MEANT } exact_reading;

/* q := v, finite. */
void exact_number(mpq_t q, double v, exact_reading reading);
/* q := a decimal as JSON writes it, of fewer than DECIMAL_CHARACTERS characters. */
enum { DECIMAL_CHARACTERS = 64 };
void exact_text(mpq_t q, const char *text);
/* Is v an intended number, not a result of rounding: infinite, a decimal of at most 16 digits, or ending in many zero bits? */
bool exact_is_meant(double v);
/* Has v a decimal of at most 15 digits, as a number read from a file? */
bool exact_is_read(double v);
/* common := lcm(common, denominator of q) */
void exact_common(mpz_t common, const mpq_t q);
/* z := q * common, for a multiple of the denominator of q. */
void exact_times(mpz_t z, const mpq_t q, const mpz_t common);

/* Memory of the numbers of one exact solve, and the jump when it is exhausted.
 *
 * GMP aborts the process when an allocation fails, and its functions return no errors. Between enter and leave the blocks allocated
 * by this thread's GMP calls form a list; a failure jumps to *escape. leave frees every block of the list, with GMP's temporaries,
 * so numbers need no clear. Other threads and other users of GMP in the process are not affected: outside of enter and leave the
 * original functions are called. */
enum { ESCAPE_MEMORY = 1, ESCAPE_LIMIT = 2 }; /* values of the jump */

typedef struct exact_memory {
    struct exact_block *first;
    jmp_buf escape; /* set by the caller after enter, in a function that outlives every GMP call */
} exact_memory;

void exact_memory_enter(exact_memory *memory);
void exact_memory_leave(exact_memory *memory);
/* A zeroed array, also freed by leave; a failure jumps. */
void *exact_memory_new(size_t count, size_t size);
#define EXACT_NEW(type, count) ((type *)exact_memory_new((size_t)(count), sizeof(type)))
/* For numbers that outlive a call: between pause and resume the thread is outside and may enter another memory. */
void exact_memory_pause(exact_memory *memory);
void exact_memory_resume(exact_memory *memory);

#endif

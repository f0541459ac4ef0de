/* exact/number.c - see exact/number.h. */
#include "exact/number.h"

#include <float.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"

enum {
    DIGITS_SURE = 15,  /* a decimal of this length survives conversion to a double */
    DIGITS_MOST = 17,  /* a double survives conversion to this length */
    DIGITS_MEANT = 16, /* most results of arithmetic need more */
    DIGITS_FEW = 12,   /* no sum of powers of two has a decimal this short by chance */
    BITS_ZERO = 14     /* few decimals end in this many zero bits by chance */
};

static const double UNITS = 1e6, UNITS_MOST = 1e15, LARGEST_WHOLE = 0x1p53;

/* v as d.ddde+xx. True: that reads as v. */
static bool write_digits(double v, int digits, char text[40])
{
    format_text(text, 40, "%.*e", digits - 1, v);
    return number_read(text, NULL) == v;
}

/* v in units of 1e-6, if that is an integer of at most DIGITS_SURE digits, as for most numbers; otherwise NAN. */
static double in_units(double v)
{
    double units = rint(v * UNITS);
    return fabs(units) < UNITS_MOST && units / UNITS == v ? units : NAN;
}

/* Does the mantissa end in BITS_ZERO zero bits? */
static bool ends_in_zeros(double v)
{
    int exponent;
    double high = ldexp(frexp(v, &exponent), DBL_MANT_DIG - BITS_ZERO);
    return high == rint(high);
}

bool exact_is_meant(double v)
{
    char text[40];
    return isinf(v) || v == rint(v) || !isnan(in_units(v)) || ends_in_zeros(v) || write_digits(v, DIGITS_MEANT, text);
}

bool exact_is_read(double v)
{
    char text[40];
    return write_digits(v, DIGITS_SURE, text);
}

void exact_text(mpq_t q, const char *text)
{
    char digits[DECIMAL_CHARACTERS];
    size_t kept = 0;
    long decimals = 0;
    bool behind = false;
    CHECK(strlen(text) < DECIMAL_CHARACTERS);
    for (; *text && *text != 'e' && *text != 'E'; text++) {
        if (*text == '.') behind = true;
        if (*text == '.' || *text == '+') continue;
        digits[kept++] = *text;
        decimals += behind;
    }
    if (*text) decimals -= strtol(text + 1, NULL, 10);
    digits[kept] = '\0';
    mpz_set_str(mpq_numref(q), digits, 10);
    mpz_ui_pow_ui(mpq_denref(q), 10, (unsigned long)labs(decimals));
    if (decimals < 0) {
        mpz_mul(mpq_numref(q), mpq_numref(q), mpq_denref(q));
        mpz_set_ui(mpq_denref(q), 1);
    }
    mpq_canonicalize(q);
}

void exact_number(mpq_t q, double v, exact_reading reading)
{
    CHECK(isfinite(v));
    mpq_set_d(q, v);
    if (v == rint(v) && (reading == EXACT_MEANT || fabs(v) <= LARGEST_WHOLE)) return;
    double units = in_units(v);
    if (!isnan(units)) {
        mpz_set_d(mpq_numref(q), units);
        mpz_set_d(mpq_denref(q), UNITS);
        mpq_canonicalize(q);
        return;
    }
    char text[40];
    if (reading == EXACT_MEANT && ends_in_zeros(v) && !write_digits(v, DIGITS_FEW, text)) return;
    for (int most = DIGITS_SURE; most <= DIGITS_MOST && !write_digits(v, most, text); most++) continue; /* the shortest */
    exact_text(q, text);
}

void exact_common(mpz_t common, const mpq_t q) { mpz_lcm(common, common, mpq_denref(q)); }

void exact_times(mpz_t z, const mpq_t q, const mpz_t common)
{
    mpz_divexact(z, common, mpq_denref(q));
    mpz_mul(z, z, mpq_numref(q));
}

/* ---- memory ---- */

typedef struct exact_block {
    struct exact_block *next, *back;
    max_align_t data[];
} exact_block;

static _Thread_local exact_memory *here; /* NULL: this thread is outside of exact work */
static void *(*allocate_elsewhere)(size_t);
static void *(*resize_elsewhere)(void *, size_t, size_t);
static void (*release_elsewhere)(void *, size_t);

static exact_block *block_of(void *p) { return (exact_block *)(void *)((char *)p - offsetof(exact_block, data)); }

/* Points the neighbours of a new or moved b to it. */
static void link_block(exact_block *b)
{
    *(b->back ? &b->back->next : &here->first) = b;
    if (b->next) b->next->back = b;
}

static void *allocate(size_t bytes)
{
    if (!here) return allocate_elsewhere(bytes);
    exact_block *b = mem_alloc(1, sizeof *b + bytes);
    if (!b) longjmp(here->escape, ESCAPE_MEMORY);
    *b = (exact_block){.next = here->first};
    link_block(b);
    return b->data;
}

void *exact_memory_new(size_t count, size_t size)
{
    CHECK(here && size > 0);
    if (count > PTRDIFF_MAX / size) longjmp(here->escape, ESCAPE_MEMORY);
    return memset(allocate(count * size), 0, count * size);
}

static void *resize(void *p, size_t before, size_t bytes)
{
    if (!here) return resize_elsewhere(p, before, bytes);
    exact_block *b = mem_resize(block_of(p), 1, sizeof *b + bytes);
    if (!b) longjmp(here->escape, ESCAPE_MEMORY);
    link_block(b);
    return b->data;
}

static void release(void *p, size_t bytes)
{
    if (!here) {
        release_elsewhere(p, bytes);
        return;
    }
    exact_block *b = block_of(p);
    *(b->back ? &b->back->next : &here->first) = b->next;
    if (b->next) b->next->back = b->back;
    mem_free(b);
}

static void take_over(void)
{
    mp_get_memory_functions(&allocate_elsewhere, &resize_elsewhere, &release_elsewhere);
    mp_set_memory_functions(allocate, resize, release);
}

void exact_memory_enter(exact_memory *memory)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, take_over);
    CHECK(!here);
    memory->first = NULL;
    here = memory;
}

void exact_memory_leave(exact_memory *memory)
{
    CHECK(here == memory);
    here = NULL;
    for (exact_block *b = memory->first; b;) {
        exact_block *next = b->next;
        mem_free(b);
        b = next;
    }
}

void exact_memory_pause(exact_memory *memory)
{
    CHECK(here == memory);
    (void)memory;
    here = NULL;
}

void exact_memory_resume(exact_memory *memory)
{
    CHECK(!here);
    here = memory;
}

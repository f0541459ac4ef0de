/* exact/lift.c - a rational solution from the factors modulo a prime p.
 *
 *     r_0 = b,   d_k = B^-1 r_k mod p,   r_k+1 = (r_k - B d_k) / p,   x = d_0 + d_1 p + d_2 p^2 + ..  (mod p^steps)
 *
 * J. D. Dixon, Numer. Math. 40 (1982); residuals stay as small as the entries of B. Now and then the fractions with these residues
 * are looked for (P. S. Wang, 1981), all with one divisor, and tried in B x = b: what passes is the solution, so no bound on its
 * size is needed. Where it does not pass, small residues were chance: to a prime next to a power of two all of 1 / 2^k are small.
 * Digits are taken between -p/2 and p/2, so that whole solutions end with r = 0. W. Cook and D. E. Steffy (INFORMS J. Computing 23,
 * 2011) found this the fastest way for the bases of linear programs.
 */
#include <stdlib.h>

#include "base/check.h"
#include "base/memory.h"
#include "exact/factors_private.h"

enum {
    FIRST_ATTEMPT = 2,    /* digits before the first look for fractions; half as many more for each further one */
    SPARE_BITS = 24,      /* between a fraction and the modulus: chance finds are rarer than one in 2^24 */
    WORK_DIVISOR = 900,   /* of the Euclidean algorithm, for each pair of words */
    DIGITS_MOST = 1 << 26 /* in all: half a gigabyte */
};

static void start(exact_factors *f)
{
    if (f->residual) return;
    f->residual = MEM_NEW(mpz_t, 2 * (size_t)f->m + 1);
    if (!f->residual) longjmp(f->memory->escape, ESCAPE_MEMORY);
    f->rest = f->residual + f->m;
    for (int i = 0; i < 2 * f->m; i++) mpz_init(f->residual[i]);
    mpz_inits(f->power, f->bound, f->a0, f->a1, f->s0, f->s1, f->q, f->t, NULL);
}

static void subtract_times(mpz_t from, const mpz_t a, int64_t x)
{
    if (x >= 0)
        mpz_submul_ui(from, a, (unsigned long)x);
    else
        mpz_addmul_ui(from, a, (unsigned long)-x);
}

/* residual -= B x or B'x */
static void subtract_product(exact_factors *f, const int64_t x[], bool transposed)
{
    const exact_matrix *a = f->a;
    for (int place = 0; place < f->m; place++) {
        int v = f->head[place];
        if (!transposed && x[place] == 0) continue;
        if (v < f->m) {
            subtract_times(f->residual[transposed ? place : v], a->unit[v], x[transposed ? v : place]);
            continue;
        }
        for (int64_t k = a->start[v - f->m]; k < a->start[v - f->m + 1]; k++) {
            int row = a->index[k];
            subtract_times(f->residual[transposed ? place : row], a->value[k], x[transposed ? row : place]);
        }
    }
}

/* One digit more. False: none is left, the solution is whole. */
static bool next_digit(exact_factors *f, size_t steps, bool transposed)
{
    size_t m = (size_t)f->m;
    if (m == 0) return false;
    if ((steps + 1) * m > f->digits) {
        size_t room = (steps + 1) * m + steps * m / 2;
        if (room > DIGITS_MOST) longjmp(f->memory->escape, ESCAPE_LIMIT);
        if (MEM_RESIZE(&f->digit, room)) longjmp(f->memory->escape, ESCAPE_MEMORY);
        f->digits = room;
    }
    int64_t *x = f->digit + steps * m;
    uint64_t *b = f->work, *solved = (uint64_t *)x;
    bool any = false;
    for (size_t i = 0; i < m; i++) {
        b[i] = mpz_fdiv_ui(f->residual[i], PRIME);
        any = any || mpz_sgn(f->residual[i]) != 0;
    }
    if (any) modular_solve(f, b, transposed, solved);
    for (size_t i = 0; i < m; i++) b[i] = 0;
    if (!any) return false;
    for (size_t i = 0; i < m; i++) x[i] = solved[i] > PRIME / 2 ? -(int64_t)(PRIME - solved[i]) : (int64_t)solved[i];
    subtract_product(f, x, transposed);
    for (size_t i = 0; i < m; i++) mpz_divexact_ui(f->residual[i], f->residual[i], PRIME);
    factors_spend(f, WORK_PRODUCT * (f->entries + 3 * f->m) + WORK_RESIDUE * (f->l.begin[f->m] + f->u.begin[f->m]));
    return true;
}

/* number [m] := the digits' sums */
static void add_digits(exact_factors *f, size_t steps, mpz_t number[])
{
    size_t m = (size_t)f->m;
    for (size_t i = 0; i < m; i++) {
        mpz_set_ui(number[i], 0);
        for (size_t k = steps; k-- > 0;) {
            int64_t d = f->digit[k * m + i];
            mpz_mul_ui(number[i], number[i], PRIME);
            if (d >= 0)
                mpz_add_ui(number[i], number[i], (unsigned long)d);
            else
                mpz_sub_ui(number[i], number[i], (unsigned long)-d);
        }
        factors_spend(f, (long long)steps * (WORK_PRODUCT + WORK_WORD * (long long)steps));
    }
}

/* t := t mod power, between -power/2 and power/2 */
static void centre(exact_factors *f, mpz_t t)
{
    mpz_fdiv_r(t, t, f->power);
    if (mpz_cmp(t, f->bound) > 0) mpz_sub(t, t, f->power);
}

/* The divisor s1 with which t mod power becomes small. False: there is none. */
static bool find_divisor(exact_factors *f)
{
    size_t bits = mpz_sizeinbase(f->power, 2);
    mpz_set(f->a0, f->power);
    mpz_fdiv_r(f->a1, f->t, f->power);
    mpz_set_ui(f->s0, 0);
    mpz_set_ui(f->s1, 1);
    while (mpz_sizeinbase(f->a1, 2) > bits / 2) {
        mpz_tdiv_qr(f->q, f->a0, f->a0, f->a1);
        mpz_swap(f->a0, f->a1);
        mpz_submul(f->s0, f->q, f->s1);
        mpz_swap(f->s0, f->s1);
    }
    mpz_abs(f->s1, f->s1);
    return mpz_sgn(f->a1) != 0 && mpz_sizeinbase(f->a1, 2) + mpz_sizeinbase(f->s1, 2) + SPARE_BITS <= bits;
}

/* Residues in number [m] into numerators of one divisor. strictly: the only ones whose numerators have half the digits; else
 * whatever is small beside the modulus. False: none small enough. */
static bool find_fractions(exact_factors *f, size_t steps, bool strictly, mpz_t number[], mpz_t divisor)
{
    mpz_ui_pow_ui(f->power, PRIME, steps);
    mpz_fdiv_q_2exp(f->bound, f->power, 1);
    size_t bits = mpz_sizeinbase(f->power, 2), most = strictly ? bits / 2 : bits;
    mpz_set_ui(divisor, 1);
    for (int i = 0; i < f->m; i++) {
        if (mpz_sgn(number[i]) == 0) continue;
        mpz_mul(f->t, number[i], divisor);
        centre(f, f->t);
        size_t size = mpz_sizeinbase(f->t, 2);
        if (size <= most && size + mpz_sizeinbase(divisor, 2) + SPARE_BITS <= bits) continue;
        factors_spend(f, (long long)(steps * steps) * WORK_DIVISOR);
        if (!find_divisor(f)) return false;
        mpz_mul(divisor, divisor, f->s1);
        if (mpz_sizeinbase(divisor, 2) + SPARE_BITS > bits) return false;
    }
    for (int i = 0; i < f->m; i++) {
        mpz_mul(number[i], number[i], divisor);
        centre(f, number[i]);
    }
    return true;
}

/* Is B number = rhs divisor? */
static bool solves(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], const mpz_t divisor)
{
    const exact_matrix *a = f->a;
    mpz_t *rest = f->rest;
    factors_spend(f, (WORK_PRODUCT + WORK_WORD * (long long)mpz_size(divisor)) * (f->entries + 2 * f->m));
    for (int i = 0; i < f->m; i++) mpz_mul(rest[i], rhs[i], divisor);
    for (int place = 0; place < f->m; place++) {
        int v = f->head[place];
        if (v < f->m) {
            mpz_submul(rest[transposed ? place : v], a->unit[v], number[transposed ? v : place]);
            continue;
        }
        for (int64_t k = a->start[v - f->m]; k < a->start[v - f->m + 1]; k++) {
            int row = a->index[k];
            mpz_submul(rest[transposed ? place : row], a->value[k], number[transposed ? row : place]);
        }
    }
    for (int i = 0; i < f->m; i++)
        if (mpz_sgn(rest[i]) != 0) return false;
    return true;
}

void exact_factors_solve(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], mpz_t divisor)
{
    start(f);
    for (int i = 0; i < f->m; i++) mpz_set(f->residual[i], rhs[i]);
    size_t steps = 0, attempt = FIRST_ATTEMPT;
    mpz_set_ui(divisor, 1);
    while (next_digit(f, steps, transposed)) {
        if (++steps < attempt) continue;
        attempt = steps + steps / 2;
        for (int strictly = 0; strictly < 2; strictly++) {
            add_digits(f, steps, number);
            if (!find_fractions(f, steps, strictly, number, divisor)) break;
            if (solves(f, rhs, transposed, number, divisor)) return;
        }
    }
    mpz_set_ui(divisor, 1);
    add_digits(f, steps, number);
}

/* exact/factors.h - the equations of a basis, solved exactly in integers.
 *
 *     B x = b   or   B'x = b,    B: columns head [m] of M = [units, A'], all integer     ->     x = number / divisor
 *
 * The factors are sparse and modulo a prime, without growth; the solution is lifted from its residue, independently of the
 * condition of the basis, and checked by substitution. Memory and work limits jump to memory->escape. */
#ifndef EXACT_FACTORS_H
#define EXACT_FACTORS_H

#include "base/clock.h"
#include "exact/number.h"
#include "la/sparse.h"

/* Row i of the program times a common denominator of its entries; variables numbered logicals first as in lu.h: column v < m is
 * unit[v] e_v, column m + j has the entries start[j] .. start[j + 1] - 1. */
typedef struct exact_matrix {
    int m, n;
    const int64_t *start; /* [n + 1] */
    const int *index;
    mpz_t *value;      /* [start[n]] */
    mpz_t *unit;       /* [m] */
    uint64_t *residue; /* [start[n] + m] residues of value, then of unit */
} exact_matrix;

typedef struct exact_factors exact_factors;

/* Limits of exact work; beyond them, a jump to memory->escape. */
typedef struct exact_effort {
    long long work, most; /* spent and limit: about nanoseconds, but deterministic */
    const deadline *limit;
} exact_effort;

/* The caller keeps a, effort and doubles, the same entries approximately, for the order of pivots. NULL: memory */
exact_factors *exact_factors_new(const exact_matrix *a, const sparse *doubles, exact_memory *memory, exact_effort *effort);
void exact_factors_free(exact_factors *f);
void exact_residues(exact_matrix *a); /* fills residue */
/* Factorises head [m], the variable of each place; logicals replace dependent ones. */
void exact_factors_make(exact_factors *f, int head[]);
/* number [m] / divisor > 0 := B^-1 rhs from rows to places; transposed: B^-T rhs from places to rows. */
void exact_factors_solve(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], mpz_t divisor);

#endif

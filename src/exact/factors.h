/* exact/factors.h - the systems of equations of a basis, solved exactly in integers.
 *
 *     B x = b   or   B'x = b,    B: columns head [m] of M = [units, A'], all integer     ->     x = number / divisor
 *
 * The factors are those modulo a prime, sparse and without growth; the solution is lifted from its residue (exact/lift.c), so that
 * how ill a basis is conditioned is of no account, and checked by substitution. Memory and limits leave by memory->escape.
 */
#ifndef EXACT_FACTORS_H
#define EXACT_FACTORS_H

#include <gmp.h>
#include <stdint.h>

#include "base/clock.h"
#include "la/sparse.h"
#include "exact/memory.h"

/* Row i of the caller's program times a common denominator of its entries; variables numbered logicals first as in lu.h: column v <
 * m is unit[v] e_v, column m + j has the entries start[j] .. start[j + 1] - 1. */
typedef struct exact_matrix {
    int m, n;
    const int64_t *start; /* [n + 1] */
    const int *index;
    mpz_t *value;      /* [start[n]] */
    mpz_t *unit;       /* [m] */
    uint64_t *residue; /* [start[n] + m] of value, then of unit, by the prime */
} exact_matrix;

typedef struct exact_factors exact_factors;

/* What exact work may cost: beyond it, all leave by memory->escape. */
typedef struct exact_effort {
    long long work, most; /* spent, and at most: about nanoseconds, but deterministic */
    const deadline *limit;
} exact_effort;

/* a and doubles (the same entries, roughly, for the order of pivots) and effort stay the caller's. NULL: memory */
exact_factors *exact_factors_new(const exact_matrix *a, const sparse *doubles, exact_memory *memory, exact_effort *effort);
void exact_factors_free(exact_factors *f);
void exact_residues(exact_matrix *a); /* fills residue */
/* Factorises head [m], the variable of each place; a dependent one gives way to a logical. Places keep their variables else. */
void exact_factors_make(exact_factors *f, int head[]);
/* number [m] / divisor > 0 := B^-1 rhs by rows into places, transposed: B^-T rhs by places into rows. */
void exact_factors_solve(exact_factors *f, const mpz_t rhs[], bool transposed, mpz_t number[], mpz_t divisor);

#endif

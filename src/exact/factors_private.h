/* exact/factors_private.h - what factorisation and lifting share. */
#ifndef EXACT_FACTORS_PRIVATE_H
#define EXACT_FACTORS_PRIVATE_H

#include "exact/factors.h"
#include "la/lu.h"

/* The prime 2^61 - 1 (Mersenne), by which a product is reduced with a shift. */
enum { PRIME_BITS = 61 };
#define PRIME ((UINT64_C(1) << PRIME_BITS) - 1)

__extension__ typedef unsigned __int128 wide;

static inline uint64_t modular_times(uint64_t a, uint64_t b)
{
    wide t = (wide)a * b;
    uint64_t s = (uint64_t)(t & PRIME) + (uint64_t)(t >> PRIME_BITS);
    return s >= PRIME ? s - PRIME : s;
}
static inline uint64_t modular_minus(uint64_t a, uint64_t b) { return a >= b ? a - b : a + PRIME - b; }

/* Columns of L or U by steps; grown at the end. */
typedef struct modular_lists {
    int64_t *begin; /* [m + 1] */
    int *index;     /* L: rows; U: steps */
    uint64_t *value;
    size_t capacity;
} modular_lists;

struct exact_factors {
    int m;
    const exact_matrix *a;
    const sparse *doubles;
    exact_memory *memory;
    exact_effort *effort;
    lu *order;       /* of the pivots: where doubles find few entries, residues do */
    int *head;       /* [m] variable of each place */
    int64_t entries; /* of the basis */
    modular_lists l, u;
    uint64_t *pivot;                        /* [m] by steps, inverted */
    int *row, *place;                       /* [m] of each step */
    int *step_of_row;                       /* [m] -1: none yet */
    uint64_t *work;                         /* [m] zero between calls */
    uint64_t *half;                         /* [m] */
    char *mark;                             /* [m] zero between calls */
    int *stack, *found, *wanted, *sequence; /* [m] */
    int64_t *next;                          /* [m] */
    int64_t *digit;                         /* [steps][m] of the lifted solution */
    size_t digits;                          /* room */
    mpz_t *residual;                        /* [m] */
    mpz_t *rest;                            /* [m] of the equations under trial; in the same block */
    mpz_t power, bound, a0, a1, s0, s1, q, t;
};

/* Work of an entry: of factors or of a product of one word; of a word of a longer product. */
enum { WORK_RESIDUE = 4, WORK_PRODUCT = 12, WORK_WORD = 2 };

/* Counts, and leaves where it is too much. */
void factors_spend(exact_factors *f, long long work);

/* x [m] := B^-1 b mod the prime (b by rows, x by places), or B^-T b (by places, by rows). b is spoilt. */
void modular_solve(exact_factors *f, uint64_t b[], bool transposed, uint64_t x[]);

#endif

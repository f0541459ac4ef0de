/* exact/dictionary.h - the dictionary of the exact simplex method: one row of integers for each basic variable, and one for the
 * cost.
 *
 *     sum_v r_iv z_v = 0,   r_i,head[i] > 0,        z = (row activities, columns)
 *
 * The cost row has the objective as its own "variable": k_v / k_objective is the reduced cost of v.
 */
#ifndef EXACT_DICTIONARY_H
#define EXACT_DICTIONARY_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <vouch/lp.h>

#include "base/arena.h"
#include "base/clock.h"
#include "exact/factors.h"
#include "exact/memory.h"
#include "exact/number.h"

typedef struct dictionary {
    arena arrays;          /* of all below; what the numbers hold is in memory */
    int m, n, vars, width; /* width = vars + 1: the objective comes last */
    const vouch_lp_data *lp;
    exact_reading reading;          /* of the data */
    struct dictionary_lines *lines; /* exact/revised.c */
    mpq_t *value;                   /* [vars] */
    mpq_t *low, *high;              /* [vars] lower and upper where these are finite */
    int *head;                      /* [m] */
    int *where;                     /* [vars] row, or -1 */
    double *lower, *upper;          /* [vars] */
    mpz_t content, a, b, t;
    mpq_t q1, q2, q3;
    exact_effort effort;
    long long pivots;
    exact_memory memory;
} dictionary;

/* Work of touching one entry, beside its limb products. */
enum { WORK_ENTRY = 60 };

static inline bool dictionary_spent(const dictionary *e)
{
    return e->effort.work > e->effort.most || deadline_expired(e->effort.limit);
}

/* From m, n, lp, reading and effort; the basis of row activities. -1: memory of its own arrays (that of GMP leaves by
 * memory.escape). */
int dictionary_init(dictionary *e);
void dictionary_free(dictionary *e); /* after the memory was left */

void dictionary_quotient(mpq_t q, const mpz_t a, const mpz_t b); /* q := a / b */
/* The double nearest to x; the one next to it outwards, or x itself. */
double dictionary_nearest(dictionary *e, const mpq_t x);
double dictionary_rounded(dictionary *e, const mpq_t x, bool up);
double dictionary_ratio(const mpz_t a, const mpz_t b); /* a / b, roughly */
/* The value of v against its upper or lower bound, which may be infinite: sign of the difference. */
int dictionary_compare(dictionary *e, int v, bool upper);

/* The variable of row p leaves, q enters; values are the caller's business. False: work used up, and the dictionary spoilt. */
bool dictionary_pivot(dictionary *e, int p, int q);
/* Makes the basis of status the one at hand; where columns are dependent, row activities take their place. False: as above. */
bool dictionary_reach(dictionary *e, const unsigned char status[]);
/* Nonbasic variables onto the bound their status names, the others from the rows. */
void dictionary_place(dictionary *e, const unsigned char status[]);
/* alpha := r_pv / r_p,head: the basic variable of row p falls by alpha when v rises by 1. */
void dictionary_entry(dictionary *e, int p, int v, mpq_t alpha);
int dictionary_sign(dictionary *e, int p, int v); /* of alpha */
/* v rises by the amount of q1, and basic variables follow. */
void dictionary_move(dictionary *e, int v);

/* ---- the same by factors: exact/revised.c ---- */
int revised_init(dictionary *e); /* -1: memory */
/* Row i < m, or the cost row, i = m; valid until another is asked for, but for the cost row. */
mpz_t *dictionary_row(dictionary *e, int i);
/* Numerators of alpha for every row; their divisor into *divisor. */
mpz_t *revised_column(dictionary *e, int v, mpz_t **divisor);
void revised_exchange(dictionary *e, int p, int q);
void revised_place_basic(dictionary *e);
void revised_objective(dictionary *e, mpq_t sum); /* without the offset */

#endif

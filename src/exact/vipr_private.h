/* exact/vipr_private.h - what the program's part of a proof and the derivations share. */
#ifndef EXACT_VIPR_PRIVATE_H
#define EXACT_VIPR_PRIVATE_H

#include <gmp.h>

#include "base/arena.h"
#include "exact/memory.h"
#include "exact/vipr.h"

typedef struct vipr_assumption {
    int col, number, number_before;
    bool upper;
    double before;
} vipr_assumption;

/* Entries of a row: value[entry[k]] in column col[k], start[i] <= k < start[i + 1]. */
typedef struct vipr_row_lists {
    int64_t *start; /* [m + 1] */
    int *col;
    int64_t *entry;
} vipr_row_lists;

struct vipr {
    const vouch_lp *lp; /* the caller's */
    vouch_lp_data data; /* with bounds of its own; rows of cuts follow those of the program */
    exact_memory memory;
    arena arrays, row_arrays, rows_before, cut_arrays; /* the last two while rows change, and while a cut is derived */
    double *low, *high;                                /* [n] under the assumptions */
    int *low_at, *high_at;     /* [m + n] numbers of the constraints that bound rows and columns; -1: none */
    mpq_t *cost, *d;           /* [n] of a minimum, [n] */
    mpq_t *value, *y;          /* [entries], [m] */
    mpq_t *row_low, *row_high; /* [m] */
    vipr_row_lists by_row;
    int64_t entries; /* of value */
    mpq_t grid;      /* the objective takes multiples of it; 0: any value */
    mpq_t best;      /* of the solution, as a minimum, without offset */
    mpq_t q, sum;
    char **fraction; /* [m + n] from the exact simplex method */
    char *solution;  /* its line; NULL: none */
    char *text;      /* derived constraints, without their last numbers */
    size_t length, capacity;
    size_t *line_end; /* [derived] */
    int *last;        /* [derived] */
    size_t line_capacity, last_capacity;
    int given, bounds, derived;
    vipr_assumption *held;
    size_t held_count, held_capacity;
    char *used; /* [held_count] */
    size_t used_capacity;
    char *head; /* the program */
    size_t head_length;
};

/* All of these leave by memory.escape when memory is out. */
void vipr_out_of_memory(vipr *p);
void vipr_add_bytes(vipr *p, const char *bytes, size_t count);
void vipr_add(vipr *p, const char *format, ...) VOUCH_PRINTF(2, 3); /* short texts */
void vipr_add_fraction(vipr *p, const mpq_t q);
void vipr_add_decimal(vipr *p, double v);
/* The line being written refers to this constraint. */
void vipr_refer(vipr *p, int number);
int vipr_end_line(vipr *p); /* ends a derived line; its number */
/* The arrays of the rows of data, with their values; no row has a number. */
void vipr_load_rows(vipr *p);
mpq_t *vipr_fractions(vipr *p, arena *a, int64_t count); /* one more than count */
void vipr_clear_fractions(mpq_t *q, int64_t count);
/* The simplest fraction within a relative 1e-9 of v; of denominators that are too large, the decimal. */
void vipr_simple_fraction(mpq_t q, double v);

/* A cut by rounding while it is derived; letters as in exact/vipr_round.c. */
typedef struct vipr_derivation {
    vipr *p;
    const vipr_rounding *from;
    vipr_cut *made;
    mpq_t *factor; /* [rows used] */
    mpq_t *a;      /* [n] the sum */
    mpq_t *z;      /* [n] of z, integers */
    mpq_t *alpha;  /* [n] of the cut */
    /* [m + n] how often  lower - v <= 0  and  v - upper <= 0  are used, v a row or column, in the side z <= 0 and in z >= 1 */
    mpq_t *low[2], *high[2];
    mpq_t b, f0, scale, z_right, right, weight, pi, t, u;
    mpq_t times; /* that the cut is multiplied by */
} vipr_derivation;

/* u := the bound of row or column v */
void vipr_bound_of(vipr_derivation *r, int v, bool upper);
/* The cut in numbers that the relaxation's row has too. False: it does not cut the point off, or its numbers are wild. */
bool vipr_shorten(vipr_derivation *r);
/* Its five lines. */
void vipr_write_cut(vipr_derivation *r);

/* Do the claims of nodes speak of the objective, not of its quotient by the grid? */
static inline bool vipr_by_objective(const vipr *p) { return mpq_sgn(p->grid) == 0 || mpq_cmp_ui(p->grid, 1, 1) == 0; }

#endif

/* exact/vipr_private.h - a proof under construction. */
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

/* Row i: value[entry[k]] in column col[k], start[i] <= k < start[i + 1]. */
typedef struct vipr_row_lists {
    int64_t *start; /* [m + 1] */
    int *col;
    int64_t *entry;
} vipr_row_lists;

struct vipr {
    const vouch_lp *lp; /* the caller's */
    vouch_lp_data data; /* with own bounds; cuts follow the rows of the program */
    exact_memory memory;
    arena arrays, row_arrays, rows_before, cut_arrays; /* the last two while rows change, and while a cut is derived */
    double *low, *high;                                /* [n] under the assumptions */
    int *low_at, *high_at;     /* [m + n] numbers of the constraints that bound rows and columns; -1: none */
    mpq_t *cost, *d;           /* [n] of a minimum, [n] */
    mpq_t *value, *y;          /* [entries], [m] */
    mpq_t *row_low, *row_high; /* [m] */
    vipr_row_lists by_row;
    int64_t entries; /* of value */
    mpq_t grid;      /* of which the objective is a multiple; 0: any value */
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

/* All jump to memory.escape when memory is exhausted. */
void vipr_add(vipr *p, const char *format, ...) VOUCH_PRINTF(2, 3); /* short texts */
void vipr_add_fraction(vipr *p, const mpq_t q);
/* The current line refers to this constraint. */
void vipr_refer(vipr *p, int number);
int vipr_end_line(vipr *p);                              /* returns its number */
mpq_t *vipr_fractions(vipr *p, arena *a, int64_t count); /* count + 1 of them */
void vipr_clear_fractions(mpq_t *q, int64_t count);
/* The simplest fraction within a relative 1e-9 of v; the decimal if its denominator is too large. */
void vipr_simple_fraction(mpq_t q, double v);

/* Are the claims of nodes about the objective, not its quotient by the grid? */
static inline bool vipr_by_objective(const vipr *p) { return mpq_sgn(p->grid) == 0 || mpq_cmp_ui(p->grid, 1, 1) == 0; }

#endif

/* lp/exact_vipr_private.h - what the program's part of a proof and the derivations share. */
#ifndef LP_EXACT_VIPR_PRIVATE_H
#define LP_EXACT_VIPR_PRIVATE_H

#include <gmp.h>

#include "base/arena.h"
#include "lp/exact_memory.h"
#include "lp/exact_vipr.h"

typedef struct vipr_assumption {
    int col, number, number_before;
    bool upper;
    double before;
} vipr_assumption;

struct vipr {
    const vouch_lp *lp;
    vouch_lp_data data; /* with bounds of its own */
    exact_memory memory;
    arena arrays;
    double *low, *high;          /* [n] under the assumptions */
    int *low_at, *high_at;       /* [m + n] numbers of the constraints that bound rows and columns; -1: none */
    mpq_t *value, *cost, *y, *d; /* [entries], [n] of a minimum, [m], [n] */
    mpq_t *row_low, *row_high;   /* [m] */
    mpq_t grid;                  /* the objective takes multiples of it; 0: any value */
    mpq_t best;                  /* of the solution, as a minimum, without offset */
    mpq_t q, sum;
    char **fraction; /* [max(m, n)] from the exact simplex method */
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

/* Do the claims of nodes speak of the objective, not of its quotient by the grid? */
static inline bool vipr_by_objective(const vipr *p) { return mpq_sgn(p->grid) == 0 || mpq_cmp_ui(p->grid, 1, 1) == 0; }

#endif

/* mip/relax.h - the linear relaxation a search re-solves again and again with other bounds. */
#ifndef MIP_RELAX_H
#define MIP_RELAX_H

#include "base/clock.h"
#include "mip/model.h"
#include "mip/node.h"

typedef enum relax_end {
    RELAX_OPTIMAL,
    RELAX_INFEASIBLE,
    RELAX_CUTOFF, /* proved to be at least the cutoff */
    RELAX_UNBOUNDED,
    RELAX_LIMIT,   /* the iterations asked for are used up; result.bound holds */
    RELAX_STOPPED, /* out of time, out of all iterations, or interrupted */
    RELAX_FAILED   /* numerical trouble that two fresh starts did not cure */
} relax_end;

typedef struct relax {
    arena memory; /* of the arrays [n] */
    const mip_model *model;
    vouch_lp *lp;                           /* owned */
    int m, n;                               /* m counts added rows too */
    double *lower, *upper;                  /* [n] as they are in lp */
    unsigned char *row_status, *col_status; /* scratch, room for m (owned) and n */
    int row_capacity;
    vouch_lp_options options;
    vouch_lp_result result; /* of the last solve; its arrays belong to lp */
    long long iterations, solves;
    const deadline *clock;
    bool out_of_memory; /* once: a solve may have failed for it, statuses may lack room; the search must end */
} relax;

vouch_status relax_init(relax *r, const mip_model *model, const vouch_lp_options *options, const deadline *clock);
/* r, of the same model, takes over the rows, bounds and basis of the other. ERROR_MEMORY: r may be freed, no more. */
vouch_status relax_copy(relax *r, const relax *from);
/* lp/follow.h of the two programs: r, a copy, is to begin where `from` stands, with its bounds and counts. */
vouch_status relax_make_ready(relax *r);
vouch_status relax_follow(relax *r, const relax *from);
void relax_free(relax *r);
/* Makes [lower, upper] the bounds of the relaxation's integer and fixed columns; the other columns keep the
 * model's, since bounds that rows imply anyway only make more ties. */
void relax_set_bounds(relax *r, const double *lower, const double *upper);
void relax_set_bound(relax *r, int col, double lower, double upper);
/* Solves from the current basis. cutoff: INFINITY for none. iteration_limit: 0 for none beyond the clock's. */
relax_end relax_solve(relax *r, double cutoff, long long iteration_limit);
/* After RELAX_OPTIMAL: what the multipliers prove of every point, where that is less than the point found by more than rounding. A
 * reduced cost of the wrong sign that the linear program tolerates may be all that a column of this problem is paid for. */
double relax_value(const relax *r);
/* The basis now, or NULL (none, or memory). */
packed_basis *relax_basis(relax *r);
void relax_set_basis(relax *r, const packed_basis *b); /* NULL: leaves it as it is */
/* After rows were added to or deleted from lp. */
vouch_status relax_rows_changed(relax *r);

#endif

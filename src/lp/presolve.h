/* lp/presolve.h - a smaller problem with the same optimum, and the way back for its optimal basis. */
#ifndef LP_PRESOLVE_H
#define LP_PRESOLVE_H

#include <math.h>
#include <vouch/lp.h>

#include "lp/tolerance.h"

typedef struct presolve presolve;

typedef enum presolve_end {
    PRESOLVE_REDUCED = 0, /* presolve_problem is smaller */
    PRESOLVE_NOTHING,     /* no worthwhile reduction */
    PRESOLVE_HOPELESS,    /* apparently infeasible or unbounded: presolve_ray or the simplex method must prove it */
    PRESOLVE_LIMIT,       /* time limit or interrupted */
    PRESOLVE_MEMORY
} presolve_end;

/* further: also eliminates longer columns, which lengthens rows. *out: for presolve_free in any case (NULL: memory). */
presolve_end presolve_run(const vouch_lp_data *lp, bool further, const deadline *limit, presolve **out);
void presolve_free(presolve *p);

/* The reduced problem, a minimum, owned by p. */
const vouch_lp_data *presolve_problem(const presolve *p);

/* From an optimal basis of the reduced problem (status: rows, then columns; x [cols], y [rows] of a minimum) to one of the full
 * problem. -1: memory */
int presolve_undo(const presolve *p, const unsigned char status[], const double x[], const double y[], unsigned char full_status[]);

/* After PRESOLVE_HOPELESS: multipliers y [m] of the full problem's rows that should prove infeasibility (certificate.h checks). 1:
 * none, as the contradiction is of another kind; -1: memory. */
int presolve_ray(const presolve *p, double y[]);

/* ---- the shrinking problem, and its steps ----------------------------------------------------------- */

typedef enum step_kind {
    STEP_FIX_COL,       /* col takes `value` at `side` */
    STEP_DROP_ROW,      /* row holds by itself */
    STEP_SINGLETON_ROW, /* a x_col within the row's bounds: became bounds of col */
    STEP_FORCING_ROW,   /* all its columns moved to the bounds that satisfy it */
    STEP_SLACK_COL,     /* only entry of col, in an equality: the row became a range */
    STEP_FREE_COL,      /* only entry of col, whose bounds the row implies: both removed */
    STEP_SUBSTITUTE,    /* implied free col eliminated by equality row */
    STEP_DOUBLETON,     /* other = (value - a col) / b */
    STEP_SAME_ROW,      /* row = a * other_row: bounds merged into other_row */
    STEP_SAME_COL       /* other = a * col, costs too: merged into col */
} step_kind;

typedef struct presolve_record {
    step_kind kind;
    int row, col, other;
    double a, b, value, cost, other_cost;
    double lower, upper;             /* before: of col (of row for STEP_SAME_ROW) */
    double other_lower, other_upper; /* before: of other */
    double new_lower, new_upper;     /* after: of col (of other row for STEP_SAME_ROW) */
    unsigned char side;              /* STEP_FIX_COL, STEP_FREE_COL: status it takes */
    int begin, middle, end;          /* stored lists [begin, middle) and [middle, end) */
} presolve_record;

enum { ROW, COL, SIDES };

/* One entry of the matrix, in the chain of its row and of its column. */
typedef struct matrix_entry {
    int at[SIDES], next[SIDES], back[SIDES];
    double value;
} matrix_entry;

typedef struct chain {
    int first, count;
} chain;

/* Limits of elimination and fill-in. */
typedef struct solving_reach {
    int doubleton_column; /* most entries of the eliminated column of a two-entry equality */
    int column, row;      /* most entries of the column eliminated by a longer equality, and of that */
    int fill;             /* most additional entries */
} solving_reach;

typedef struct presolve {
    arena memory;  /* of all arrays of fixed size that remain, itself included */
    arena scratch; /* of chains and queues, freed with the nodes after the layout */
    int m, n;
    double *rl, *ru, *cl, *cu, *cost; /* current */
    matrix_entry *nodes;
    size_t node_count, node_capacity;
    int node_free; /* chain of freed nodes through next[ROW], -1 none */
    chain *chain[SIDES];
    bool *gone[SIDES], *queued[SIDES];
    int *queue[SIDES], waiting[SIDES]; /* indices to look at again */
    int waiting_long;                  /* long rows, from the end of queue[ROW] */
    int64_t *scan_left;                /* [m] entries of long rows that may still be read */

    presolve_record *steps, spare; /* spare: written when memory is exhausted */
    size_t step_count, step_capacity;
    int *kept_index;
    double *kept_value;
    size_t kept_count, kept_capacity;
    bool out_of_memory, hopeless, out_of_time;
    bool some_dominated; /* columns were fixed by the sign of their reduced cost */
    const deadline *limit;
    const solving_reach *reach;
    int unclocked; /* calls since the clock was read */
    /* A contradiction: no value satisfies the sum of multiplier times row. 0 witnesses: of another kind. */
    int witnesses, witness_row[2];
    double witness[2];

    /* The reduced problem. */
    int rows, cols;
    int *name[SIDES]; /* [rows], [cols]: index in the full problem */
    vouch_lp_data reduced;
} presolve;

/* ---- sums over bounds ---- */

/* Least and greatest value of a sum of a_k x_k, x_k within bounds. */
typedef struct activity_range {
    double low, high;        /* of the finite terms */
    int low_free, high_free; /* infinite terms */
    double size;             /* largest finite term */
} activity_range;

static inline void activity_add(activity_range *t, double a, double lower, double upper)
{
    double low = a > 0 ? a * lower : a * upper, high = a > 0 ? a * upper : a * lower;
    if (isinf(low))
        t->low_free++;
    else
        t->low += low, t->size = larger(t->size, fabs(low));
    if (isinf(high))
        t->high_free++;
    else
        t->high += high, t->size = larger(t->size, fabs(high));
}

/* Longer rows wait until all others are done, and are seldom read in full. */
enum { PRESOLVE_LONG = 256 };

/* ---- reductions ---- */

/* Tolerance of a contradiction between terms of this size. */
static inline double presolve_slack(double size) { return TOL_PRESOLVE * (1 + size); }

#endif

/* lp/presolve_private.h - what the files of presolve share: the shrinking problem, and the steps that postsolve.c reads
 * backwards. */
#ifndef LP_PRESOLVE_PRIVATE_H
#define LP_PRESOLVE_PRIVATE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vouch/lp.h>

#include "base/arena.h"
#include "base/clock.h"
#include "la/sparse.h"
#include "lp/tolerance.h"

typedef enum step_kind {
    STEP_FIX_COL,       /* col takes `value` at `side` */
    STEP_DROP_ROW,      /* row holds by itself */
    STEP_SINGLETON_ROW, /* a x_col within the row's bounds: became bounds of col */
    STEP_FORCING_ROW,   /* all its columns went to the bounds that satisfy it */
    STEP_SLACK_COL,     /* only entry of col, in an equality: the row became a range */
    STEP_FREE_COL,      /* only entry of col, whose bounds the row implies: row and col went */
    STEP_SUBSTITUTE,    /* col, whose bounds are implied, was solved for in equality row */
    STEP_DOUBLETON,     /* other = (value - a col) / b */
    STEP_SAME_ROW,      /* row = a * other_row: bounds merged into other_row */
    STEP_SAME_COL       /* other = a * col, costs too: merged into col */
} step_kind;

/* Bounds as they were just before and after the step. */
typedef struct presolve_record {
    step_kind kind;
    int row, col, other;
    double a, b, value, cost, other_cost;
    double lower, upper;             /* before: of col (of row for STEP_SAME_ROW) */
    double other_lower, other_upper; /* before: of other */
    double new_lower, new_upper;     /* after: of col (of other row for STEP_SAME_ROW) */
    unsigned char side;              /* STEP_FIX_COL, STEP_FREE_COL: status it takes */
    int begin, middle, end;          /* stored entries: lists [begin, middle) and [middle, end) */
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

/* Which columns are solved for: bounds on fill-in. */
typedef struct solving_reach {
    int doubleton_column; /* most entries of one that stands with one other in an equality */
    int column, row;      /* most entries of one in a longer equality, and of that */
    int fill;             /* most entries that this may add */
} solving_reach;

typedef struct presolve {
    arena memory;  /* of all that does not grow and stays, itself included */
    arena scratch; /* of chains and queues, which go with the nodes once the reduced problem is laid out */
    int m, n;
    double *rl, *ru, *cl, *cu, *cost; /* current */
    matrix_entry *nodes;
    size_t node_count, node_capacity;
    int node_free; /* chain of freed nodes through next[ROW], -1 none */
    chain *chain[SIDES];
    bool *gone[SIDES], *queued[SIDES];
    int *queue[SIDES], waiting[SIDES]; /* indices to look at again */
    int waiting_long;                  /* long rows, from the end of queue[ROW] */
    int64_t *scan_left;                /* [m] entries of long rows that may still be read; presolve_may_scan */

    presolve_record *steps, spare; /* spare: written to when memory was out */
    size_t step_count, step_capacity;
    int *kept_index;
    double *kept_value;
    size_t kept_count, kept_capacity;
    bool out_of_memory, hopeless, out_of_time;
    bool some_dominated; /* columns were fixed by the sign of their reduced cost */
    const deadline *limit;
    const solving_reach *reach;
    int unclocked; /* looks since the clock was read */
    /* A contradiction: the sum of multiplier times row leaves no value between the bounds. 0: none known, yet hopeless. */
    int witnesses, witness_row[2];
    double witness[2];

    /* The reduced problem. */
    int rows, cols;
    int *name[SIDES]; /* [rows], [cols]: which of the full ones */
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

/* ---- presolve_edit.c: entries, queues, steps. Failures set out_of_memory. ---- */
int presolve_add(presolve *p, int row, int col, double value); /* the node's place, -1: memory */
void presolve_delete(presolve *p, int k);
void presolve_clear(presolve *p, int side, int i); /* all entries of a row or column, which is gone */
/* Rows longer than this wait until all else is done, and are read in full only so often. */
enum { PRESOLVE_LONG = 256 };
/* May all of row i be read? Always if it is short; the readings of a long one add up to so many times its first length, so that a
 * million columns of one row cost no more than a million. To be asked once a reading. */
bool presolve_may_scan(presolve *p, int i);
/* Of row i without the entry in column `but` (-1: with all); of a part of them where both ends are infinite. */
activity_range presolve_activity(const presolve *p, int i, int but);
matrix_entry *presolve_entry(const presolve *p, int i, int j); /* NULL: none */
/* Must presolve end: no memory, no time, no hope? To be asked after every look at a row or column. */
bool presolve_over(presolve *p);
void presolve_wake(presolve *p, int side, int i);
void presolve_wake_met(presolve *p, int side, int i); /* the rows of a column, or the columns of a row */
/* A step with empty lists of entries, valid until the next one is made. */
presolve_record *presolve_step(presolve *p, step_kind kind, int row, int col);
/* Row i, or column i, without the entry in column or row `but`, to the end of what is kept, whose place is returned. */
int presolve_keep(presolve *p, int side, int i, int but);
/* Hopeless: row i times `multiplier` (> 0: it is too large at its least, < 0: too small), added to any given before. */
void presolve_contradiction(presolve *p, int i, double multiplier);
void presolve_remove_row(presolve *p, int i);
void presolve_remove_col(presolve *p, int j, double value);                  /* its part of the rows goes into their bounds */
void presolve_fix_col(presolve *p, int j, double value, unsigned char side); /* likewise, as a presolve_record */

/* ---- reductions ---- */
void presolve_look_at_row(presolve *p, int i); /* presolve_row.c */
void presolve_look_at_col(presolve *p, int j); /* presolve_col.c */
void presolve_dominated_cols(presolve *p);     /* the same */
void presolve_look_for_multiples(presolve *p); /* presolve_same.c: rows, then columns */

/* Beyond which a contradiction between terms of this size is believed. */
static inline double presolve_slack(double size) { return TOL_PRESOLVE * (1 + size); }

#endif

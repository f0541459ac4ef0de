/* lp/presolve_private.h - what presolve.c writes and postsolve.c reads backwards. */
#ifndef LP_PRESOLVE_PRIVATE_H
#define LP_PRESOLVE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>

#include "lp/presolve.h"

typedef enum step_kind {
    STEP_FIX_COL,        /* col takes `value` at `side` */
    STEP_DROP_ROW,       /* row holds by itself */
    STEP_SINGLETON_ROW,  /* a x_col within the row's bounds: became bounds of col */
    STEP_FORCING_ROW,    /* all its columns went to the bounds that satisfy it */
    STEP_SLACK_COL,      /* only entry of col, in an equality: the row became a range */
    STEP_FREE_COL,       /* only entry of col, whose bounds the row implies: row and col went */
    STEP_SUBSTITUTE,     /* col, whose bounds are implied, was solved for in equality row */
    STEP_DOUBLETON,      /* other = (value - a col) / b */
    STEP_SAME_ROW,       /* row = a * other_row: bounds merged into other_row */
    STEP_SAME_COL        /* other = a * col, costs too: merged into col */
} step_kind;

/* Bounds as they were just before and after the step. */
typedef struct step {
    step_kind kind;
    int row, col, other;
    double a, b, value, cost, other_cost;
    double lower, upper;             /* before: of col (of row for STEP_SAME_ROW) */
    double other_lower, other_upper; /* before: of other */
    double new_lower, new_upper;     /* after: of col (of other row for STEP_SAME_ROW) */
    unsigned char side;              /* STEP_FIX_COL, STEP_FREE_COL: status it takes */
    int begin, middle, end;          /* stored entries: lists [begin, middle) and [middle, end) */
} step;

/* One entry of the matrix, in the chain of its row and of its column. */
typedef struct node {
    int row, col;
    int row_next, row_back, col_next, col_back;
    double value;
} node;

typedef struct chain {
    int first, count;
} chain;

struct presolve {
    int m, n;
    double *rl, *ru, *cl, *cu, *cost;  /* current */
    bool *row_gone, *col_gone;
    node *nodes;
    size_t node_count, node_room;
    int node_free;                     /* chain of freed nodes through row_next, -1 none */
    chain *row, *col;
    int *row_queue, *col_queue;        /* indices to look at again */
    bool *row_queued, *col_queued;
    int row_waiting, col_waiting;

    step *steps;
    size_t step_count, step_room;
    int *kept_index;
    double *kept_value;
    size_t kept_count, kept_room;
    bool out_of_memory, hopeless;

    /* The reduced problem. */
    int rows, cols;
    int *row_name, *col_name;          /* [rows], [cols]: which of the full ones */
    int64_t *start;
    int *index;
    double *value, *numbers;           /* numbers: cost, col bounds, row bounds, one block */
};

#endif

/* mip/model.h - the program a search works on: minimised, by rows and by columns.
 *
 *     min c'x + c0   subject to   rl <= A x <= ru,   l <= x <= u,   x_j integer for j in I,
 *                    at most one nonzero in each SOS1 set
 */
#ifndef MIP_MODEL_H
#define MIP_MODEL_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/lp.h>

#include "base/arena.h"
#include "mip/tolerance.h"

typedef struct mip_model {
    arena memory; /* of the arrays */
    int m, n;
    int64_t *col_start, *row_start; /* [n+1], [m+1] */
    int *col_row, *row_col;         /* [nonzeros] */
    double *col_value, *row_value;  /* [nonzeros] */
    double *cost, *lower, *upper;   /* [n] */
    double *row_lower, *row_upper;  /* [m] */
    double offset;                  /* c0: of columns that presolve fixed */
    double constant;                /* what is added to the objective for the caller only, so that no tolerance is relative to it */
    unsigned char *integer;         /* [n] */
    int sets;
    int *set_start, *set_col; /* [sets+1], [set_start[sets]] in the order of their weights */
    bool negated;             /* the caller maximises: his objective is minus ours */
} mip_model;

void mip_model_free(mip_model *model);
/* Takes the problem over, its constant and the costs of fixed columns apart; bounds of integer columns are rounded inwards.
 * ERROR_MEMORY: model is empty. */
vouch_status mip_model_build(mip_model *model, const vouch_lp *problem);
vouch_status mip_model_copy(mip_model *to, const mip_model *from);
/* Makes the row copy from the column copy (after a change of the latter); arrays must have room. */
void mip_model_transpose(mip_model *model);
/* A vouch_lp with the same rows, columns and cost, minimised. */
vouch_status mip_model_to_lp(const mip_model *model, vouch_lp **lp);

/* The largest g found such that every feasible point's objective is offset + a multiple of g; 0 if none was found. */
double mip_model_granularity(const mip_model *model);

/* Greatest common divisor of whole numbers, a and b >= 0. */
double mip_gcd(double a, double b);
bool mip_model_has_continuous(const mip_model *model);
/* locks [n] each: rows that a change down / up of the column can violate. */
void mip_model_count_locks(const mip_model *model, int *locks[2]);

/* Objective of x, offset included. */
double mip_model_objective(const mip_model *model, const double *x);
/* An objective or bound in the caller's terms. */
double mip_model_tell(const mip_model *model, double objective);

/* Are all bounds, rows, sets and (within integrality) integer requirements kept? */
bool mip_model_feasible(const mip_model *model, const double *x, double integrality);

#endif

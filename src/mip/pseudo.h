/* mip/pseudo.h - pseudo-costs: what a change of a column has cost so far, for guesses at what it will. */
#ifndef MIP_PSEUDO_H
#define MIP_PSEUDO_H

#include <stdbool.h>

/* Objective gain per unit of change, by column and direction (0 down, 1 up), learned from solved children. */
typedef struct pseudo_costs {
    double *sum[2]; /* [n] each */
    int *count[2];  /* [n] each */
    double total[2];
    long long totals[2];
} pseudo_costs;

/* Column moved by `distance` (> 0) in direction up, objective rose by gain (>= 0). */
void pseudo_learn(pseudo_costs *p, int col, bool up, double distance, double gain);
/* Expected rise per unit. */
double pseudo_expect(const pseudo_costs *p, int col, bool up);

#endif

/* exact/process.h - a finite decision process in numbers of 640 bits: the values of policies, the best ones, and the optimum under
 * promises.
 *
 * Rewards of 1e100 and of 1e-12 are added up without loss; products are rounded far below either. What is called between
 * exact_memory_enter and exact_memory_leave (exact/memory.h) is freed by leave.
 */
#ifndef EXACT_PROCESS_H
#define EXACT_PROCESS_H

#include <gmp.h>
#include <stdbool.h>
#include <vouch/status.h>

/* Where sums of decimals are equal, these bits leave them apart by less than 2^-EQUAL_BITS of the largest value met. */
enum { EXACT_BITS = 640, EXACT_EQUAL_BITS = 400 };

/* Nodes in the order of time, node 0 first; the options of node n are option_start[n] .. [n + 1] - 1, those without end the
 * process. The arcs of option o are arc_start[o] .. [o + 1] - 1: each leads to a later node, with the probability and the reward of
 * an outcome, numbers that are read as the decimals they were written as. The probabilities of an option are divided by their sum.
 */
typedef struct exact_layers {
    int nodes, outcomes;
    const int *option_start; /* [nodes + 1] */
    const int *arc_start;    /* [options + 1] */
    const int *arc_to, *arc_outcome;
    const double *prob, *reward; /* [outcomes] */
    int promises;                /* Pr_j = E[kept_j at the end] */
    const double *const *kept;   /* [promises][nodes], read where the process ends */
} exact_layers;

/* A vector of a policy is U, Pr_0, Pr_1 ..: `width` numbers. */
typedef struct exact_process {
    const exact_layers *g;
    int width;
    bool *reached;         /* [nodes] by some policy */
    mpf_t *prob, *reward;  /* [arcs], [options]: expected */
    mpf_t *value;          /* [nodes * width] of the policy followed last */
    mpf_t *option, *score; /* [width], [most options of a node] */
    mpf_t size;            /* the largest |value|, of which equal sums may differ by 2^-EXACT_EQUAL_BITS */
    mpf_t part, tie, best;
} exact_process;

/* `count` zeros. */
mpf_t *exact_numbers(int count);
void exact_decimal(mpf_t to, double from);

exact_process *exact_process_new(const exact_layers *g);
/* The policy of largest weight . value; of equal ones that of larger rank . value (NULL: any). weight, rank: [width]. pick [nodes]:
 * the option of a node where >= 0 (NULL: none is fixed). loss (NULL, or [options]): by how much less an option scores than the best
 * of its node. value: [width] at node 0. */
void exact_process_best(exact_process *p, const int pick[], mpf_t weight[], mpf_t rank[], double loss[], mpf_t value[]);
/* The policy that takes each option with a probability in proportion to prob [options], read as decimals. */
void exact_process_follow(exact_process *p, const double prob[], mpf_t value[]);
/* U*: the most that randomised policies earn with Pr_j >= least[j]; false: none keeps them. price [promises] >= 0, for all v:
 * U* >= v_U + sum_j price[j] (Pr_j - least[j]). */
bool exact_process_optimum(exact_process *p, mpf_t least[], mpf_t optimum, mpf_t price[]);

/* max cost x with rows x = side, x >= 0, side >= 0, whose columns a pricer makes. */
typedef struct exact_columns {
    int rows;
    mpf_t *side; /* [rows] */
    int slacks;
    mpf_t *slack; /* [slacks * (1 + rows)]: cost and entries of columns that are there from the start */
    /* column [1 + rows]: of largest cost - dual entries, if `costs`, else of largest - dual entries. */
    void (*price)(void *context, mpf_t dual[], bool costs, mpf_t column[]);
    void *context;
    mpf_t *tie;                                         /* gains up to this are rounding */
    void (*enter)(void *context, int row, bool priced); /* the column priced last, or a slack, takes a row of the basis; or NULL */
    mpf_t *value;                                       /* [rows] of the basis in the end; or NULL */
} exact_columns;

/* false: there is none. dual [rows] of the optimum. The simplex method with a lexicographic ratio test. */
bool exact_columns_maximise(const exact_columns *c, mpf_t optimum, mpf_t dual[]);

typedef struct exact_values {
    double best;     /* V(0) */
    double promised; /* U*; -INFINITY: no policy keeps the promises. V(0) if there are none */
    double forgone;  /* V(0) - U* */
} exact_values;

/* By itself, outside of any exact memory. V(n) = max over o of Q(o), loss[o] := V(n) - Q(o) >= 0. A promise counts as kept from
 * p[j] - keep on, p [promises] read as decimals. ERROR_MEMORY. */
vouch_status exact_losses(const exact_layers *g, const double p[], double keep, double loss[], exact_values *value);

#endif

/* exact/process.h - a finite decision process in numbers of 640 bits: values of policies, best policies, and the optimum under
 * promises.
 *
 * Sums of rewards of 1e100 and of 1e-12 are exact; products are rounded far below either. Memory is freed by exact_memory_leave
 * (exact/number.h). */
#ifndef EXACT_PROCESS_H
#define EXACT_PROCESS_H

#include <gmp.h>
#include <stdbool.h>
#include <vouch/status.h>

/* Equal sums of decimals differ by less than 2^-EQUAL_BITS of the largest value. */
enum { EXACT_BITS = 640, EXACT_EQUAL_BITS = 400 };

/* Nodes in the order of time, node 0 first; the options of node n are option_start[n] .. [n + 1] - 1; a node without options ends
 * the process. The arcs of option o are arc_start[o] .. [o + 1] - 1: each leads to a later node, with the probability and the
 * reward of an outcome, read as decimals. The probabilities of an option are divided by their sum. */
typedef struct exact_layers {
    int nodes, outcomes;
    const int *option_start; /* [nodes + 1] */
    const int *arc_start;    /* [options + 1] */
    const int *arc_to, *arc_outcome;
    const double *prob, *reward; /* [outcomes] */
    int promises;                /* Pr_j = E[kept_j at the end] */
    const double *const *kept;   /* [promises][nodes], used at final nodes */
    const char *const *decimal;  /* [outcomes] the reward as text, where a double does not hold it; NULL: everywhere it does */
} exact_layers;

/* The vector of a policy is U, Pr_0, Pr_1 ..: `width` numbers. */
typedef struct exact_process {
    const exact_layers *g;
    int width;
    bool *reached;         /* [nodes] by some policy */
    mpf_t *prob, *reward;  /* [arcs], [options]: expected */
    mpf_t *value;          /* [nodes * width] of the last policy */
    mpf_t *option, *score; /* [width], [most options of a node] */
    mpf_t size;            /* bound on |values|, of which equal sums may differ by 2^-EXACT_EQUAL_BITS */
    mpf_t part, tie, best;
} exact_process;

/* `count` zeros. */
mpf_t *exact_numbers(int count);
void exact_decimal(mpf_t to, double from);
/* The same of a probability, or p + rest if there is a rest: more digits than a double has (mdp/model.h). */
void exact_required(mpf_t to, double p, double rest);

exact_process *exact_process_new(const exact_layers *g);
/* The policy of largest weight . value; ties are broken by rank . value (NULL: not). weight, rank: [width]. pick [nodes]: a fixed
 * option of each node where >= 0 (NULL: none). loss [options] (or NULL): score of the node's best option minus that of this one.
 * value: [width] at node 0. */
void exact_process_best(exact_process *p, const int pick[], mpf_t weight[], mpf_t rank[], double loss[], mpf_t value[]);
/* The policy that chooses options with probabilities proportional to prob [options], read as decimals. */
void exact_process_follow(exact_process *p, const double prob[], mpf_t value[]);
/* U*: the largest reward of randomised policies with Pr_j >= least[j]; false: none. price [promises] >= 0, for all v: U* >= v_U +
 * sum_j price[j] (Pr_j - least[j]). */
bool exact_process_optimum(exact_process *p, mpf_t least[], mpf_t optimum, mpf_t price[]);

/* max cost x with rows x = side, x >= 0, side >= 0, by column generation. */
typedef struct exact_columns {
    int rows;
    mpf_t *side; /* [rows] */
    int slacks;
    mpf_t *slack; /* [slacks * (1 + rows)]: cost and entries of the initial columns */
    /* column [1 + rows]: the one of largest cost - dual entries if `costs`, of largest - dual entries otherwise. */
    void (*price)(void *context, mpf_t dual[], bool costs, mpf_t column[]);
    void *context;
    mpf_t *tie; /* smaller gains are rounding */
    void (*enter)(void *context, int row,
                  bool priced); /* called when the last priced column, or a slack, enters in a row; or NULL */
    mpf_t *value;               /* [rows] of the final basis; or NULL */
} exact_columns;

/* False: infeasible. dual [rows] of the optimum. The simplex method with a lexicographic ratio test. */
bool exact_columns_maximise(const exact_columns *c, mpf_t optimum, mpf_t dual[]);

typedef struct exact_values {
    double best;     /* V(0) */
    double promised; /* U*; -INFINITY: no policy keeps the promises; V(0) without promises */
    double forgone;  /* V(0) - U* */
} exact_values;

/* Promises [promises] of layers: kept from p - keep on, with p and rest (NULL: none) as for exact_required. */
typedef struct exact_promises {
    const double *p, *rest;
    double keep;
} exact_promises;

/* Called outside of any exact memory. V(n) = max over o of Q(o), loss[o] := V(n) - Q(o) >= 0. ERROR_MEMORY. */
vouch_status exact_losses(const exact_layers *g, const exact_promises *promised, double loss[], exact_values *value);

#endif

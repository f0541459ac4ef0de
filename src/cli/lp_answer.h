/* cli/lp_answer.h - what vouch lp has found, and how it is printed. */
#ifndef CLI_LP_ANSWER_H
#define CLI_LP_ANSWER_H

#include <stdbool.h>
#include <stdio.h>
#include <vouch/mip.h>

#include "io/glpk.h"

/* What came out of either solver. */
typedef struct lp_answer {
    bool mip;
    int code;
    const char *status;
    const char *reason; /* of the status; NULL: nothing to say */
    glpk_state state;
    double objective, bound; /* NAN: none */
    long long iterations, nodes;
    double seconds, primal_residual, dual_residual;
    const double *x;
    bool exact;           /* rational arithmetic was asked for, and this is an LP */
    const char *fraction; /* the exact optimum; NULL: none */
    long long exact_pivots;
    bool cuts_asked; /* for families of cuts by name */
    long long cut_rows[VOUCH_MIP_FAMILIES];
    const char *proof, *proof_why; /* --proof: "proved" or "not proved", and why not; NULL: not asked for */
    double proof_objective;        /* the optimum that was proved; NAN: that there is none */
    long long proof_nodes, proof_derived;
} lp_answer;

void lp_answer_take(const vouch_lp_result *r, lp_answer *a);
void lp_answer_take_mip(const vouch_mip_result *r, lp_answer *a);
void lp_answer_print(const lp_answer *a, FILE *out);
void lp_answer_print_json(const lp_answer *a);

#endif

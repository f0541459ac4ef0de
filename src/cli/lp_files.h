/* cli/lp_files.h - the options of vouch lp, and the files they ask for. */
#ifndef CLI_LP_FILES_H
#define CLI_LP_FILES_H

#include "cli/cli.h"
#include "cli/lp_answer.h"

typedef struct lp_args {
    cli_common common;
#define CUT_FIELD(family) int cut_##family;
    VOUCH_MIP_CUTS(CUT_FIELD)
#undef CUT_FIELD
    int all_cuts;
    int minimize, maximize, simplex, primal, dual, no_presolve, no_mip, check, no_cuts, no_heuristics, no_symmetry, exact, xcheck;
    int fixed_mps, free_mps, lp_format, glp_format, math_format;
    int stats;
    int ignored; /* options of glpsol without effect here */
    int interior, hide;
    int factor;
    int dual_pricing, primal_pricing;
    double seconds, gap;
    long long nodes;
    const char *math, *name, *log, *refused, *proxy;
    cli_list data; /* of the MathProg model */
    int memory;    /* megabytes; 0: no limit */
    const char *read, *report, *plain, *proof, *basis_in, *basis_out, *ranges, *tree, *write_lp, *write_mps, *write_free,
        *write_glp;
} lp_args;

/* The time limit by either of its options. */
vouch_limits lp_files_limits(const lp_args *args);
/* Largest bound violation of a point, and its activities into activity [rows]. */
double lp_files_violation(const vouch_lp *lp, const double *x, double *activity);
/* The problem in the formats asked for. */
vouch_status lp_files_problem(const vouch_lp *lp, const lp_args *args, vouch_error *error);
/* Reports and plain solution. activity: [rows] scratch, for a MIP. */
vouch_status lp_files_solution(const vouch_lp *lp, const lp_args *args, const lp_answer *a, double *activity, vouch_error *error);
/* The solution in the file args->read, written as asked for. *r owns the point of the answer, whatever the status. */
vouch_status lp_files_read(const vouch_lp *lp, const lp_args *args, bool mip, glpk_reading *r, lp_answer *a, vouch_error *error);
/* What the MathProg model at path displays of the solution, on standard output; on standard error beside --json. */
vouch_status lp_files_display(const vouch_lp *lp, const lp_args *args, const char *path, const lp_answer *a, double *activity,
                              vouch_error *error);
vouch_status lp_files_basis(vouch_lp *lp, const char *path, vouch_error *error);
/* The proof of the answer into its file, and what became of it into the answer. A verdict that could not be proved is still the
 * answer. */
vouch_status lp_files_proof(const vouch_lp *lp, const lp_args *args, lp_answer *a, vouch_error *error);

#endif

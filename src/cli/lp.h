/* cli/lp.h - the private header of vouch lp. */
#ifndef CLI_LP_H
#define CLI_LP_H

#include "cli/cli.h"
#include "io/glpk.h"

/* ---- what vouch lp has found, and how it is printed. ---- */

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
    bool exact;           /* an LP in rational arithmetic */
    const char *fraction; /* the exact optimum; NULL: none */
    long long exact_pivots;
    bool cuts_asked; /* for families of cuts by name */
    long long cut_rows[VOUCH_MIP_FAMILIES];
    const char *proof, *proof_why; /* --proof: "proved" or "not proved", and the reason; NULL: not requested */
    double proof_objective;        /* the optimum that was proved; NAN: that there is none */
    long long proof_nodes, proof_derived;
} lp_answer;

/* ---- options and files of vouch lp ---- */

typedef struct lp_args {
    cli_common common;
#define CUT_FIELD(family) int cut_##family;
    VOUCH_MIP_CUTS(CUT_FIELD)
#undef CUT_FIELD
    int all_cuts;
    int minimize, maximize, simplex, primal, dual, no_presolve, no_mip, check, no_cuts, no_heuristics, exact, xcheck;
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

/* ---- glpsol's switches that vouch lp takes without effect or refuses, its translator of MathProg, and its role. ---- */

/* Flags of glpsol that change nothing here: its choices of presolve, pricing, ratio test, branching and backtracking. */
#define LP_GLPSOL_TAKEN(X)                                                                                                         \
    X(presol)                                                                                                                      \
    X(scale)                                                                                                                       \
    X(noscale)                                                                                                                     \
    X(adv)                                                                                                                         \
    X(bib)                                                                                                                         \
    X(std)                                                                                                                         \
    X(ft)                                                                                                                          \
    X(steep)                                                                                                                       \
    X(nosteep)                                                                                                                     \
    X(relax)                                                                                                                       \
    X(norelax)                                                                                                                     \
    X(first) X(last) X(mostf) X(drtom) X(dfs) X(bfs) X(bestp) X(bestb) X(intopt) X(nointopt) X(binarize) X(fpump) X(pcost)

/* Refused flags: their effect in glpsol, and an alternative. */
#define LP_GLPSOL_REFUSED(X)                                                                                                       \
    X(luf, "factorise bases by plain LU; leave it out or see --factor")                                                            \
    X(btf, "factorise bases by block triangular LU; leave it out or see --factor")                                                 \
    X(cbg, "update bases by Bartels and Golub; leave it out")                                                                      \
    X(cgr, "update bases by Givens rotations; leave it out")                                                                       \
    X(flip, "choose long steps in the dual ratio test; leave it out")                                                              \
    X(nord, "order nothing in the interior-point method; there is none here, leave it out")                                        \
    X(qmd, "order by quotient minimum degree in the interior-point method; there is none here, leave it out")                      \
    X(amd, "order by approximate minimum degree in the interior-point method; there is none here, leave it out")                   \
    X(symamd, "order by approximate minimum degree in the interior-point method; there is none here, leave it out")                \
    X(minisat, "solve by a SAT solver; leave it out")                                                                              \
    X(mincost, "read a minimum cost flow problem in DIMACS format; glpsol --mincost FILE --check --wglp F.glp translates it")      \
    X(maxflow, "read a maximum flow problem in DIMACS format; glpsol --maxflow FILE --check --wglp F.glp translates it")           \
    X(cnf, "read a satisfiability problem in DIMACS format; glpsol --cnf FILE --check --wglp F.glp translates it")

/* Refused options with a value: letter or 0, name, placeholder of the value. */
#define LP_GLPSOL_REFUSED_VALUE(X)                                                                                                 \
    X('y', display, "FILE", "write the display of a MathProg model to a file; leave it out")                                       \
    X(0, objbnd, "BOUND", "bound the objective for its SAT solver; leave it out, or write the bound as a row")                     \
    X(0, wcnf, "FILE", "write a satisfiability problem; glpsol writes it")

/* 0, or CLI_WRONG after a message about a refused option. */
int lp_glpsol_refuse(void);

/* A temporary file for glpsol to read or write; *slot is its place (io/output.h). */
vouch_status lp_glpsol_temporary(int *slot, vouch_error *error);
/* A MathProg model and the files of its data. */
typedef struct lp_model {
    const char *path;
    const cli_list *data;
} lp_model;

/* It through the glpsol that is installed. */
vouch_status lp_glpsol_translate(const lp_model *model, const vouch_log *log, vouch_lp **lp, vouch_error *error);
/* Is there a word in the MathProg model, if only in a comment, that prints something? */
bool lp_glpsol_shows(const char *path);
/* Runs the installed glpsol on the model again with a solution in plain layout, for the output of its display statements.
 * Statements before solve run twice, so a file that they append to gets their output twice. relaxed: of the relaxation. */
vouch_status lp_glpsol_show(const lp_model *model, const char *solution, bool relaxed, text *out, vouch_error *error);

/* True if the program was called by a link named glpsol or vouch-glpsol: its defaults and exit statuses are glpsol's. */
bool lp_glpsol_role(void);
/* The exit status of glpsol: 0 for a verdict or a limit, 1 for an error. */
int lp_glpsol_code(int code);
/* State in glpsol's files of an LP with presolve: undefined unless optimal. */
glpk_state lp_glpsol_state(glpk_state state, bool mip);
/* `glpsol ..` as `vouch lp ..`; argv[0] is the name of the link. */
bool lp_glpsol_is_name(const char *program);
int lp_glpsol_main(int argc, char **argv);

#endif

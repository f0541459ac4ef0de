/* program/solve.h - hands a program to the LP or MILP solver and reports in the terms of planning. */
#ifndef PROGRAM_SOLVE_H
#define PROGRAM_SOLVE_H

#include "base/clock.h"
#include "program/program.h"

typedef enum program_end { PROGRAM_SOLVED, PROGRAM_INFEASIBLE, PROGRAM_LIMIT, PROGRAM_TROUBLE } program_end;

typedef struct program_solution {
    program_end end;
    double value, bound;
    long long nodes, iterations;
    double *x; /* [cols], owned by the caller; NULL: none */
} program_solution;

typedef struct program_options {
    double gap; /* absolute */
    const deadline *limit;
    vouch_log log;
    vouch_trace *trace; /* NULL: none */
    uint64_t seed;
    int threads;
    const double *start;                                         /* a feasible point, or NULL */
    int (*round)(void *context, const double x[], double out[]); /* as vouch_mip_options.heuristic */
    void *round_context;
    void (*progress)(void *context, double bound, long long nodes);
    void *progress_context;
} program_options;

vouch_status program_solve_lp(program *p, const program_options *options, program_solution *solution);
vouch_status program_solve_mip(program *p, const program_options *options, program_solution *solution);

#endif

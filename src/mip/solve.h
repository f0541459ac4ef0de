/* mip/solve.h - one solve of a vouch_mip: what it holds meanwhile, and presolve, search and restarts of it. */
#ifndef MIP_SOLVE_H
#define MIP_SOLVE_H

#include <vouch/mip.h>

#include "mip/presolved.h"
#include "mip/search.h"

struct vouch_mip {
    mip_model model; /* the caller's problem, minimised */
    vouch_mip_result result;
    double *x;                                 /* owned: [n], the incumbent */
    double value;                              /* of x in the model; INFINITY without one */
    double *scratch;                           /* owned: [2 n] */
    const mip_presolved *reduced;              /* during a solve */
    const deadline *clock;                     /* during a solve */
    const vouch_mip_options *options;          /* during a solve */
    mip_owner owner;                           /* during a solve: what searches of the reduced program ask for */
    long long nested_nodes, nested_iterations; /* of searches for a point where the relaxation is unbounded */
    bool has_x, is_copy;
    bool out_of_memory;      /* where a search rests on it */
    vouch_mip_node *reports; /* owned: [report_count], of a copy (fork_owner): nodes that are still to be told */
    size_t report_count, report_capacity;
};

/* What a solve has shown, in the model's sense. */
typedef struct mip_summary {
    vouch_mip_outcome outcome;
    double bound;
    long long nodes, iterations;
    long long cut_rows[VOUCH_MIP_FAMILIES];
} mip_summary;

/* Difference between incumbent and bound that counts as solved: at least that at which nodes are closed. */
double mip_gap_of(const vouch_mip *p, double value);
/* Presolves and searches p->model. p->options and p->clock are those of the solve. */
vouch_status mip_solve_model(vouch_mip *p, mip_summary *out);
/* An owner's answer: has p->model a point within bounds of the reduced program? Searches for one with no objective. */
settlement mip_inhabited(void *context, const double *lower, const double *upper);

#endif

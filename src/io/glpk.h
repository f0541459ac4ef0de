/* io/glpk.h - solutions in the two layouts of glpsol: the readable report (-o) and the plain one (-w). */
#ifndef IO_GLPK_H
#define IO_GLPK_H

#include <stdbool.h>
#include <vouch/mip.h>

#include "io/file.h"

typedef enum glpk_state {
    GLPK_OPTIMAL,
    GLPK_FEASIBLE,   /* a point, not proved best */
    GLPK_UNDEFINED,  /* nothing known */
    GLPK_INFEASIBLE, /* proved */
    GLPK_UNBOUNDED   /* proved; LP only */
} glpk_state;

/* What is reported. For a MIP duals and statuses stay NULL. x NULL: zeros are shown. */
typedef struct glpk_solution {
    const vouch_lp *lp;
    bool mip;
    glpk_state state;
    double objective;
    const double *x, *row_activity, *row_dual, *reduced_cost;
    const unsigned char *row_status, *col_status; /* vouch_basis_status */
} glpk_solution;

/* Each appends to out, whose `failed` says whether memory was out. */
void glpk_report(const glpk_solution *s, text *out);
void glpk_plain(const glpk_solution *s, text *out);

#endif

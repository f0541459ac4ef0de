/* io/glpk.h - solutions in the layouts of glpsol: the readable report (-o), the plain one (-w), the sensitivity report (--ranges).
 */
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
/* Of an optimal LP; range [rows + cols] of vouch_lp_ranges. */
void glpk_ranges(const glpk_solution *s, const vouch_lp_range range[], text *out);

/* What the reports share: a row's activity, at its bound where only rounding parts them; a dual value, 0 of what is basic. */
double glpk_row_value(const glpk_solution *s, const vouch_lp_data *d, int i);
double glpk_dual(int status, double dual);
void glpk_objective_line(const glpk_solution *s, text *out);
/* And a name, in a column of twelve or on a line of its own. */
void glpk_name(const char *name, text *out);

#endif

/* io/glpk.h - solutions in the layouts of glpsol: the readable report (-o), the plain one (-w), the sensitivity report
 * (--ranges). */
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

/* A solution to report. For a MIP duals and statuses stay NULL. x NULL: zeros are shown. */
typedef struct glpk_solution {
    const vouch_lp *lp;
    bool mip;
    glpk_state state;
    double objective;
    const double *x, *row_activity, *row_dual, *reduced_cost;
    const unsigned char *row_status, *col_status; /* vouch_basis_status */
} glpk_solution;

/* A solution that was read, and its memory. */
typedef struct glpk_reading {
    glpk_solution solution;
    double *x, *row_activity, *row_dual, *reduced_cost;
    unsigned char *row_status, *col_status;
} glpk_reading;

/* The solution of lp in a file in glpsol's plain layout, of an integer program or of an LP. Call glpk_reading_free also after an
 * error. Only the size and the bounds are checked against the program. */
vouch_status glpk_read(const vouch_lp *lp, bool mip, const char *path, glpk_reading *out, vouch_error *error);
void glpk_reading_free(glpk_reading *r);

/* Each appends to out, whose `failed` is set if there was no memory. */
void glpk_report(const glpk_solution *s, text *out);
void glpk_plain(const glpk_solution *s, text *out);
/* Of an optimal LP; range [rows + cols] of vouch_lp_ranges. */
void glpk_ranges(const glpk_solution *s, const vouch_lp_range range[], text *out);

#endif

/* io/lpfile.h - the formats of problem files. All readers and writers have the format argument; MPS has three of them. */
#ifndef IO_LPFILE_H
#define IO_LPFILE_H

#include <vouch/lp_io.h>
#include <vouch/mip.h>

#include "io/file.h"

/* A line of comment in files of former versions: they minimise minus the objective of a maximisation. Reading turns it back. */
#define MPS_NEGATED "* objective negated: a maximisation"

/* As vouch_lp_read_text describes. format: MPS, MPS_FIXED (names longer than 8 characters are replaced) or MPS_FREE. */
vouch_status mps_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp, vouch_error *error);
vouch_status mps_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* CPLEX LP format. */
vouch_status lpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                           vouch_error *error);
vouch_status lpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* The same with products, ascending by row: "+ [ value x * y ]", as nonconvex solvers read them. */
vouch_status lpformat_write_products(const vouch_lp *lp, const vouch_lp_product product[], int count, text *out,
                                     vouch_error *error);

/* A row with two different finite bounds is written as two, since not every solver reads l <= .. <= u: "NAME: .. >= l" and, right
 * after it, "NAME~up: .. <= u". Two such rows with the same entries are read as one. */
#define LPFORMAT_UPPER_SUFFIX "~up"

/* GLPK's own format (glpsol --glp, --wglp). */
vouch_status glpformat_read(const file_content *file, vouch_lp_format format, const vouch_log *log, vouch_lp **lp,
                            vouch_error *error);
vouch_status glpformat_write(const vouch_lp *lp, vouch_lp_format format, text *out, vouch_error *error);

/* ---- a linear program while it is being read: rows, columns and entries in any order, by name. ---- */

/* In a problem file a bound at least this large means infinity: to a solver 1e30 is the same, and files written for solvers without
 * IEEE infinities use it so. */
#define FILE_INFINITY 1e30

typedef struct problem_row {
    double lower, upper;
} problem_row;

typedef struct problem_col {
    double cost, lower, upper;
    bool integer;
    bool has_lower, has_upper; /* set explicitly */
    bool semi;                 /* may also be 0 */
} problem_col;

typedef struct problem_entry {
    int row, col;
    double value;
} problem_entry;

typedef struct problem_member {
    int set, col;
    double weight;
} problem_member;

typedef struct problem_indicator { /* the row holds where column col is 1 (value) or 0 */
    int row, col;
    bool value;
} problem_indicator;

typedef struct problem {
    escape *e; /* of the reading, which frees all of it; the calls below escape by it */
    names row_names, col_names;
    problem_row *row;             /* [row_names.count] */
    problem_col *col;             /* [col_names.count] */
    problem_entry *entry;         /* [entries], at most one a (row, col) */
    problem_member *member;       /* [members], sets ascending */
    problem_indicator *indicator; /* [indicators] */
    unsigned char *set_type;      /* [sets], 1 or 2 */
    size_t row_capacity, col_capacity, entries, entry_capacity, members, member_capacity;
    size_t indicators, indicator_capacity, set_capacity;
    bool rewritten; /* the file's logic is expressed by rows, columns and SOS1 sets (problem_resolve_logic) */
    int sets;
    char *name, *objective_name; /* NULL: "" */
    double offset;
    bool maximize;
} problem;

void problem_start(problem *p, escape *e);
/* Each adds one item; a row or column: returns its index. A row starts free, a column as [0, inf). */
int problem_add_row(problem *p, const char *name, size_t length);
int problem_add_col(problem *p, const char *name, size_t length);
void problem_add_entry(problem *p, int row, int col, double value);
void problem_open_set(problem *p, int type);
void problem_add_member(problem *p, int set, int col, double weight); /* of the set opened last */
void problem_add_indicator(problem *p, int row, int col, bool value);

enum { LOGIC_TEXT = 320 };

/* Replaces semicontinuous columns, indicators and SOS2 sets by rows, columns and SOS1 sets with the same
 * solutions; new columns and rows are added at the end. false: the error is in `why`. */
bool problem_resolve_logic(problem *p, char why[LOGIC_TEXT]);
/* Hands the finished problem over; zero entries are dropped. *lp is NULL after an error. */
vouch_status problem_finish(const problem *p, vouch_lp **lp, vouch_error *error);

/* The names that rows or columns get in a written file. */
typedef struct labels {
    const vouch_lp *lp;
    bool of_rows;
    bool own; /* the problem's own names; else R1, R2, .. or C1, C2, .. */
} labels;

/* Room for a made name. */
typedef char label_buffer[16];

/* Own names are kept if every one of them passes usable() and none is doubled or equal to `reserved` (NULL: none). */
vouch_status labels_choose(const vouch_lp *lp, bool of_rows, bool (*usable)(const char *name), const char *reserved, labels *out);
const char *labels_get(const labels *l, int index, label_buffer buffer);

/* ---- solutions in the layouts of glpsol: the readable report (-o), the plain one (-w), the sensitivity report
 * (--ranges). ---- */

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

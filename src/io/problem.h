/* io/problem.h - a linear program while it is being read: rows, columns and entries in any order, by name. */
#ifndef IO_PROBLEM_H
#define IO_PROBLEM_H

#include <vouch/lp.h>

#include "io/escape.h"
#include "io/names.h"

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

#endif

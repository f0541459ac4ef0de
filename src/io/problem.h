/* io/problem.h - a linear program while it is being read: rows, columns and entries in any order, by name. */
#ifndef IO_PROBLEM_H
#define IO_PROBLEM_H

#include <stdbool.h>
#include <stdint.h>
#include <vouch/lp.h>

#include "io/names.h"

/* In a problem file a bound at least this large stands for infinity: no solver can tell 1e30 from it, and
 * files written for solvers without IEEE infinities use it so. */
#define FILE_INFINITY 1e30

typedef struct problem_row {
    double lower, upper;
} problem_row;

typedef struct problem_col {
    double cost, lower, upper;
    bool integer;
    bool has_lower, has_upper; /* set explicitly */
} problem_col;

typedef struct problem_entry {
    int row, col;
    double value;
} problem_entry;

typedef struct problem_member {
    int set, col;
    double weight;
} problem_member;

typedef struct problem {
    names row_names, col_names;
    problem_row *row;       /* owned: [row_names.count] */
    problem_col *col;       /* owned: [col_names.count] */
    problem_entry *entry;   /* owned: [entries], at most one a (row, col) */
    problem_member *member; /* owned: [members], sets ascending */
    size_t row_capacity, col_capacity, entries, entry_capacity, members, member_capacity;
    int sets;
    char *name, *objective_name; /* owned or NULL: "" */
    double offset;
    bool maximize;
} problem;

void problem_free(problem *p);
/* Each adds one item and returns its index, or -1 when memory is out. A row starts free, a column as [0, inf). */
int problem_add_row(problem *p, const char *name, size_t length);
int problem_add_col(problem *p, const char *name, size_t length);
int problem_add_entry(problem *p, int row, int col, double value);
int problem_add_member(problem *p, int set, int col, double weight);
enum { SEMICONTINUOUS_TEXT = 256 };
/* Column j may also be 0. Where its bounds do not hold 0 anyway they become l b <= x <= u b, with a binary column NAME.semi and
 * rows NAME.on, NAME.off. False: why says what is in the way, "": memory. */
bool problem_make_semicontinuous(problem *p, int j, char why[SEMICONTINUOUS_TEXT]);
/* Hands the finished problem over; zero entries are dropped. *lp is NULL after an error. */
vouch_status problem_finish(const problem *p, vouch_lp **lp, vouch_error *error);

#endif

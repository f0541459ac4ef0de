/* oracle/logic.h - small programs with what problem files may say beyond rows, bounds and integers: SOS1 and SOS2 sets,
 * indicators, semicontinuous and semi-integer columns. As text of two formats, and their optimum over all ways to choose which
 * columns are 0, what integers are, and which rows hold, each a linear program in rational arithmetic. */
#ifndef ORACLE_LOGIC_H
#define ORACLE_LOGIC_H

#include <stdbool.h>

#include "base/rng.h"
#include "io/file.h"

enum { LOGIC_ROWS = 3, LOGIC_COLS = 6, LOGIC_SETS = 2 };

/* Least cost. */
typedef struct logic_program {
    double cost[LOGIC_COLS], lower[LOGIC_COLS], upper[LOGIC_COLS];
    bool semi[LOGIC_COLS], integer[LOGIC_COLS], binary[LOGIC_COLS]; /* binary ones are not said to be integer */
    double value[LOGIC_ROWS][LOGIC_COLS], side[LOGIC_ROWS];
    char relation[LOGIC_ROWS];
    int switch_col[LOGIC_ROWS], switch_on[LOGIC_ROWS]; /* column -1: the row always holds */
    int sets, set_type[LOGIC_SETS], set_size[LOGIC_SETS],
        set_col[LOGIC_SETS][LOGIC_COLS]; /* members in the order of their weights */
} logic_program;

/* The last two columns are binary and switch rows; some others lack bounds. */
logic_program logic_random(rng *r);
/* INFINITY: no point; -INFINITY: unbounded. */
double logic_least(const logic_program *p);
/* By how much a point misses a row that holds, a bound, a set or an integer: rows relative to 1 + the largest term. */
double logic_violation(const logic_program *p, const double x[]);
double logic_cost(const logic_program *p, const double x[]);
/* Columns are called x0 .. */
void logic_write_lp(text *t, const logic_program *p);
void logic_write_mps(text *t, const logic_program *p);

#endif

/* program/assembly.h - a linear program written column by column. */
#ifndef PROGRAM_ASSEMBLY_H
#define PROGRAM_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/lp.h>

/* Rows are numbered by the caller beforehand; columns are opened one after the other and receive their entries. The first
 * failed allocation is remembered, so that only assembly_finish need be checked. */
typedef struct assembly {
    int rows, cols;
    int64_t *start;
    int *index;
    double *value, *cost, *lower, *upper;
    unsigned char *integer;
    double *row_lower, *row_upper; /* [rows], free until set */
    int64_t entries;
    size_t start_capacity, index_capacity, value_capacity, cost_capacity, lower_capacity, upper_capacity, integer_capacity;
    bool failed;
} assembly;

void assembly_init(assembly *a, int rows);
void assembly_row(assembly *a, int row, double lower, double upper);
/* Opens the next column and returns its number. */
int assembly_column(assembly *a, double cost, double lower, double upper, bool integer);
/* An entry of the open column, at most one a row; zeros are dropped. */
void assembly_entry(assembly *a, int row, double value);
/* Loads the program into *lp (new) with its integer marks, and frees the assembly in any case. */
vouch_status assembly_finish(assembly *a, double offset, vouch_lp **lp);

#endif

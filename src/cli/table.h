/* cli/table.h - aligned tables for people. */
#ifndef CLI_TABLE_H
#define CLI_TABLE_H

#include <stdbool.h>
#include <stdio.h>
#include <vouch/status.h>

typedef struct table table;

/* headers: NULL-ended; a column whose header starts with '<' is aligned to the left, the others to the right. NULL
 * when memory is out; all functions below then do nothing, and table_print says so. */
table *table_new(const char *const headers[]);
/* The headers of these columns are names of the user's, whatever they begin with; aligned to the right. */
void table_names(table *t, size_t first, size_t count);
/* The next cell, row by row. */
void table_cell(table *t, const char *format, ...) VOUCH_PRINTF(2, 3);
/* A number as people read it: %.7g, an exact zero for what is below 1e-12, "-" for NaN. */
void table_number(table *t, double value);
/* A probability p, of which owed is promised; one that breaks the promise is shown to as many digits as tell the two apart. */
void table_probability(table *t, double p, double owed, bool kept);
/* The same outside tables: p to so many digits, or more where it is below owed and would not read so. Returns out. */
const char *table_below(double p, double owed, int digits, char out[32]);
/* Zero for what is below 1e-12, for use outside tables. */
double table_shown(double value);
/* Prints header, ruler and rows, each line indented by two blanks, and frees t. 0, or -1 when memory was out. */
int table_print(table *t, FILE *out);

#endif

/* io/lpformat_reader.h - a file in the LP format while it is being read, its expressions and rows; for lpformat.c and
 * lpformat_row.c. */
#ifndef IO_LPFORMAT_READER_H
#define IO_LPFORMAT_READER_H

#include "io/lpformat_token.h"
#include "io/problem.h"

typedef struct lpformat_col {
    int last_row;      /* in which the column was seen last, -1: none */
    size_t last_entry; /* that entry */
    bool binary;
} lpformat_col;

typedef struct lpformat_reader {
    lpformat_scanner in;
    problem p;
    lpformat_col *col; /* owned: [cols] */
    size_t col_capacity;
    const char *no_relation; /* none begins before here without a label between: see lpformat_row.c */
} lpformat_reader;

typedef struct lpformat_sum {
    double constant;
    int terms, pieces; /* columns; columns and constants */
} lpformat_sum;

/* Is the token now the end of a section? */
bool lpformat_section_ends(const lpformat_reader *r);
bool lpformat_is_relation(token t);
bool lpformat_is_infinity(span s);
/* A bound beyond FILE_INFINITY is an infinite one. */
double lpformat_widen(double bound);
/* The number of a column, made if new; -1 when memory is out. */
int lpformat_column(lpformat_reader *r, span name);
/* An optional "name :" ; *label is empty when there is none. */
vouch_status lpformat_read_label(lpformat_reader *r, span *label);
/* Where an expression stands in its row: "left relation [middle relation] right". */
typedef enum lpformat_place { PLACE_LEFT, PLACE_MIDDLE, PLACE_RIGHT } lpformat_place;
/* The sum of terms [sign] [number] [name], up to what cannot continue it. Terms go to `row` (-1: objective) times factor. */
vouch_status lpformat_read_expression(lpformat_reader *r, int row, double factor, lpformat_place place, lpformat_sum *sum);
/* [label] [column = 0|1 ->] expr1 relation expr2 [relation expr3] */
vouch_status lpformat_read_row(lpformat_reader *r);
/* A signed number, "inf" included. *there: false and nothing read when the next token is none. */
vouch_status lpformat_read_value(lpformat_reader *r, double *value, bool *there);
/* The section SOS: [label:] S1|S2:: column:weight .. */
vouch_status lpformat_read_sos(lpformat_reader *r);

#endif

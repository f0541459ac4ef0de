/* io/mps_reader.h - an MPS file while it is being read, and the cards of its sections; for mps.c and mps_sections.c. */
#ifndef IO_MPS_READER_H
#define IO_MPS_READER_H

#include "io/mps_card.h"
#include "io/problem.h"

enum { MPS_OBJECTIVE = -1, MPS_UNKNOWN = -2 };

typedef struct mps_row {
    char kind;         /* N, L, G, E */
    double rhs, range; /* NAN: not given */
    int last_col;      /* last column with an entry here, so that doubles show */
    bool indicated;    /* holds under a condition */
} mps_row;

typedef struct mps_set { /* the one set of RHS, RANGES or BOUNDS that is used */
    span name;
    bool chosen, others;
    bool last; /* did the last card belong to it? A card without a name goes on with the set before it */
} mps_set;

typedef struct mps_reader {
    mps_source in;
    problem p;
    mps_row *row; /* owned: [p.row_names.count] */
    size_t row_capacity;
    bool *bounded; /* owned: [columns], from BOUNDS on */
    bool has_objective;
    int objective_last_col;
    double objective_rhs;
    bool integer; /* between markers */
    int col;      /* column being read, -1 none */
    mps_set rhs, ranges, bounds;
    bool negative_upper, text_after_end, objective_range;
} mps_reader;

/* The row of that name, MPS_OBJECTIVE or MPS_UNKNOWN. */
int mps_find_row(const mps_reader *r, span name);
char *mps_copy(span s); /* NULL: memory */

/* One card of ROWS, COLUMNS, RHS or RANGES, BOUNDS, SOS. */
vouch_status mps_read_row(mps_reader *r, span line);
vouch_status mps_read_column(mps_reader *r, span line);
vouch_status mps_read_right_side(mps_reader *r, span line, bool ranges);
vouch_status mps_read_bound(mps_reader *r, span line);
vouch_status mps_read_sos(mps_reader *r, span line);
/* IF row column 0|1 */
vouch_status mps_read_indicator(mps_reader *r, span line);

#endif

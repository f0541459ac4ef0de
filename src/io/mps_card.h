/* io/mps_card.h - the cards of an MPS file and their fields, in either layout. */
#ifndef IO_MPS_CARD_H
#define IO_MPS_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/status.h>

#include "base/error.h"
#include "io/scan.h"

/* A line of comment in files of former versions: they minimise minus the objective of a maximisation. Reading turns it back. */
#define MPS_NEGATED "* objective negated: a maximisation"

enum { MPS_FIELDS = 6 };

typedef struct mps_source {
    const char *file;
    const char *at, *end; /* what is left of the text */
    long line;
    bool fixed;
    bool negated; /* the comment MPS_NEGATED was met */
    vouch_error *error;
} mps_source;

/* "FILE:LINE: text" into the error; ERROR_INPUT. */
#define mps_fail(r, ...) error_at((r)->error, (r)->file, (r)->line, __VA_ARGS__)
/* Next line that is neither empty nor a comment, without blanks at its end; false at the end. */
bool mps_next_line(mps_source *r, span *line);
/* Fields 1 to 6 of the fixed layout, empty ones included. */
vouch_status mps_fixed_fields(mps_source *r, span line, span f[MPS_FIELDS]);
/* The number in a field; what is no number, or missing, is refused. */
vouch_status mps_number(mps_source *r, span s, double *value);
vouch_status mps_finite_number(mps_source *r, span s, double *value);

/* A card "[set] name value [name value]" of COLUMNS (where the set is the column), RHS or RANGES. */
typedef struct mps_card {
    span set;
    int pairs;
    span name[2], number[2];
} mps_card;

vouch_status mps_read_card(mps_source *r, span line, bool set_optional, mps_card *c);

#endif

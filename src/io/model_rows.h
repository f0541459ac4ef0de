/* io/model_rows.h - the rows [s, a, s', p], [s, a, r] and [s, a, s', r] of a JSON model. */
#ifndef IO_MODEL_ROWS_H
#define IO_MODEL_ROWS_H

#include "base/intern.h"
#include "io/json.h"
#include "io/names.h"

/* A row of the file; next is -1 for a reward that does not depend on the successor. */
typedef struct json_row {
    uint32_t node; /* 0: of rows that the document skimmed */
    int state, action, next;
    int cell; /* the number of (state, action) */
    double value;
} json_row;

typedef struct json_rows {
    json_row *row; /* owned, [count] */
    size_t count;
} json_rows;

/* Where rows come from. */
typedef struct rows_source {
    const js_doc *doc;
    vouch_error *error;
    names states, actions;
    intern cells; /* (state, action) of all rows of the file */
} rows_source;

/* Reads the array at node `at` (0: there is none) in the place of what the list had. What is wrong in rows that were skimmed is
 * an error without a place: the document has to be parsed whole. */
vouch_status json_rows_read(rows_source *in, uint32_t at, bool reward, json_rows *list);
/* The number of a name in the table; `what` it is of, for the message. */
vouch_status json_name_find(const rows_source *in, uint32_t at, const names *table, const char *what, int *number);
vouch_status json_probability(const rows_source *in, uint32_t at, double *value);

#endif

/* io/model_parts.h - the parts of a model file in JSON, for model_json.c and model_json_write.c: rows, promises, labels, settings.
 * A part that is wrong escapes by the document. */
#ifndef IO_MODEL_PARTS_H
#define IO_MODEL_PARTS_H

#include "base/intern.h"
#include "io/json.h"
#include "io/names.h"
#include "mdp/model.h"

/* ---- model_rows.c: the rows [s, a, s', p], [s, a, r] and [s, a, s', r] ---- */

typedef struct json_row {
    uint32_t node;           /* 0: of rows that the document skimmed */
    int state, action, next; /* next -1: a reward that does not depend on the successor */
    int cell;                /* the number of (state, action) */
    double value;
} json_row;

typedef struct json_rows {
    json_row *row; /* [count] */
    size_t count;
} json_rows;

typedef struct rows_source {
    const js_doc *doc;
    names states, actions;
    intern cells; /* (state, action) of all rows of the file */
} rows_source;

/* Replaces the list by the array at node `at` (0: there is none). An error in skimmed rows has no place: the document then has to
 * be parsed whole. */
void json_rows_read(rows_source *in, uint32_t at, bool reward, json_rows *list);
/* The number of the name at a node in the table; `what` it names, for the message. */
int json_name_find(const rows_source *in, uint32_t at, const names *table, const char *what);
double json_probability(const js_doc *doc, uint32_t at);

/* ---- promise_json.c: reading, into a model whose environments are named ---- */

/* "commitments": [{ "name", "kind", "states", "time" or "from" and "to", "probability", "over" }, ..] at a node; 0: there must be a
 * "commitment", at `one`, which the caller reads. */
void read_promises_json(const js_doc *doc, uint32_t one, uint32_t at, const names *states, vouch_model *m);
/* "over": "prior" of promise j; 0: absent. probability: the node of its probability. */
void read_over_json(const js_doc *doc, uint32_t at, uint32_t probability, int j, vouch_model *m);
void read_labels_json(const js_doc *doc, uint32_t at, const names *states,
                      vouch_model *m); /* { "port": ["A"], "far": { "k1": [] } } */
void read_initial_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m); /* { "A": 0.5, .. } */
/* "rewards" or "states"; an object with a number for each environment. at 0: absent, and the model stays as it is. */
void read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m);
void read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m);

/* ---- promise_json.c: writing ---- */

/* "commitment": {..} or "commitments": [..] of a user's model, and its "initial". */
void add_promises_json(const vouch_model *m, text *t);
void add_joined_promises_json(const vouch_model *m, text *t); /* of a joined model: of kind at, about its states at the horizon */
void add_labels_json(const vouch_model *m, text *t);          /* with a comma before; nothing where there are none */
void add_initial_json(const vouch_model *m, text *t);
/* "prior" or "observe" and a comma; nothing for a model without a prior, or whose rewards are observed. */
void add_prior_json(const vouch_model *m, text *t);
void add_observed_json(const vouch_model *m, text *t);

#endif

/* io/promise_json.h - promises, labels and initial distributions in JSON model files. */
#ifndef IO_PROMISE_JSON_H
#define IO_PROMISE_JSON_H

#include "io/json.h"
#include "io/names.h"
#include "mdp/model.h"

/* "commitments": [{ "name", "kind", "states", "time" or "from" and "to", "probability", "over" }, ..] at a node, into a model whose
 * environments are named; 0: there must be a "commitment", at `one`, which is the caller's to read. */
vouch_status read_promises_json(const js_doc *doc, uint32_t one, uint32_t at, const names *states, vouch_model *m,
                                vouch_error *error);
/* "over": "prior" of promise j, at a node; 0: it is not there. probability: the node of its probability. */
vouch_status read_over_json(const js_doc *doc, uint32_t at, uint32_t probability, int j, vouch_model *m, vouch_error *error);
/* "labels": { "port": ["A"], "far": { "k1": ["A"], "k2": [] } } */
vouch_status read_labels_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m, vouch_error *error);
/* "initial": { "A": 0.5, .. } */
vouch_status read_initial_json(const js_doc *doc, uint32_t at, const names *states, vouch_model *m, vouch_error *error);

/* "commitment": {..} or "commitments": [..] of a user's model, and its "initial". */
void add_promises_json(const vouch_model *m, text *t);
void add_joined_promises_json(const vouch_model *m, text *t); /* of a joined model: of kind at, about its states at the horizon */
void add_labels_json(const vouch_model *m, text *t);          /* with a comma before; nothing where there are none */
void add_initial_json(const vouch_model *m, text *t);

#endif

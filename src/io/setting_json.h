/* io/setting_json.h - the fields of a model file that say how its environments are told apart. */
#ifndef IO_SETTING_JSON_H
#define IO_SETTING_JSON_H

#include "io/json.h"
#include "mdp/model.h"

/* "observe": "rewards" or "states", at a node; 0: there is none, and the model keeps what it has. */
vouch_status read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error);
/* The field with a comma behind; nothing where rewards are observed. */
void add_observed_json(const vouch_model *m, text *t);

#endif

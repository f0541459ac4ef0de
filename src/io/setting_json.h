/* io/setting_json.h - the fields of a model file that say how its environments are told apart, and how likely they are. */
#ifndef IO_SETTING_JSON_H
#define IO_SETTING_JSON_H

#include "io/json.h"
#include "mdp/model.h"

/* "observe": "rewards" or "states", at a node; 0: there is none, and the model keeps what it has. */
vouch_status read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error);
/* "prior": an object of numbers by environment, none negative, not all 0; at 0: there is none. */
vouch_status read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error);
/* That field with a comma behind; nothing without a prior. */
void add_prior_json(const vouch_model *m, text *t);
/* The field with a comma behind; nothing where rewards are observed. */
void add_observed_json(const vouch_model *m, text *t);

#endif

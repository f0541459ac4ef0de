/* io/setting_json.h - two fields of a model file: "observe" and "prior". */
#ifndef IO_SETTING_JSON_H
#define IO_SETTING_JSON_H

#include "io/json.h"
#include "mdp/model.h"

/* Reads the value of "observe" at a node: "rewards" or "states". at 0: the file lacks the field, and the model stays as it is. */
vouch_status read_observed_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error);
/* Reads the value of "prior" at a node: an object with a number for each environment, as vouch_model_set_prior wants them. at 0:
 * the file lacks the field, and the model stays as it is. */
vouch_status read_prior_json(const js_doc *doc, uint32_t at, vouch_model *m, vouch_error *error);
/* Write "prior" or "observe" and a comma; nothing for a model without a prior, or whose rewards are observed. */
void add_prior_json(const vouch_model *m, text *t);
void add_observed_json(const vouch_model *m, text *t);

#endif

/* io/model_json.h - models in vouch's JSON format; the calls with files are in vouch/model_io.h. */
#ifndef IO_MODEL_JSON_H
#define IO_MODEL_JSON_H

#include <vouch/model_io.h>
#include "io/file.h"

/* Reads a model from memory; takes over content (from mem_alloc, length bytes and a zero byte behind them). */
vouch_status model_json_parse(vouch_model **model, const char *name, char *content, size_t length, vouch_error *error);
/* Appends the model's file to t. */
void model_json_write(const vouch_model *model, text *t);

/* Writes a model file in which what promises remember is part of the states, and every promise is of kind at and about the horizon:
 * with a start before time 0 where there are several first states. Of a model without any of that the same as vouch_model_write. */
vouch_status model_json_write_joined(const vouch_model *model, const char *path, vouch_error *error);

#endif

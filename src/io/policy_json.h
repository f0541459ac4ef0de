/* io/policy_json.h - policies in vouch's JSON format; the calls with files are in vouch/model_io.h. */
#ifndef IO_POLICY_JSON_H
#define IO_POLICY_JSON_H

#include <vouch/model_io.h>
#include "io/json.h"

/* Reads a policy from memory; takes over content (from mem_alloc, length bytes and a zero byte behind them). */
vouch_status policy_json_parse(vouch_policy **policy, const vouch_model *model, const char *name, char *content, size_t length,
                               vouch_error *error);
/* The same from the object at a node; escapes by the document where it fails. *policy is the caller's even then, who starts from
 * NULL. */
void policy_json_take(vouch_policy **policy, const vouch_model *model, const js_doc *doc, uint32_t at);
/* Appends the policy's file to t. */
void policy_json_write(const vouch_policy *policy, const vouch_model *model, text *t);
/* Appends "[{"name": .., "optimal_value": .., ..}, ..]": the environments with their figures. */
void policy_json_write_environments(const vouch_policy *policy, text *t);
/* Appends ", "objective": .., "weights": .., "value": .." where it is not the regret. */
void policy_json_write_objective(const vouch_policy *policy, text *t);
/* Appends ", "optima_bounded": true" where optimal values and regrets are only upper bounds. */
void policy_json_write_bounded(const vouch_policy *policy, text *t);
/* One of them, without the brace that closes it. */
void json_write_environment(text *t, const char *name, const vouch_environment_figures *figures);

#endif

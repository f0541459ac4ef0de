/* vouch/files.h - models and policies as files
 *
 * Files are read plain or gzip-compressed and written whole or not at all. A name that ends in .gz is written compressed;
 * "-" is standard input or output. Every message about a file's content starts with FILE:LINE.
 */
#ifndef VOUCH_FILES_H
#define VOUCH_FILES_H

#include <vouch/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a model in vouch's JSON format. *model is finished, ready to plan for; NULL after an error. */
VOUCH_API vouch_status vouch_model_read(vouch_model **model, const char *path, vouch_error *error);
/* Writes a finished model; reading it again gives the same model bit by bit. */
VOUCH_API vouch_status vouch_model_write(const vouch_model *model, const char *path, vouch_error *error);

/* Reads a policy for the model, whose states, actions and environments it names. NULL after an error. The figures are those
 * of the file, not checked; vouch_evaluate recomputes them. */
VOUCH_API vouch_status vouch_policy_read(vouch_policy **policy, const vouch_model *model, const char *path, vouch_error *error);
VOUCH_API vouch_status vouch_policy_write(const vouch_policy *policy, const vouch_model *model, const char *path, vouch_error *error);

#ifdef __cplusplus
}
#endif
#endif

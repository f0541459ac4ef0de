/* cli/prove.h - vouch plan --proof and --prove: the file of a proof, and vouch-check on it. */
#ifndef CLI_PROVE_H
#define CLI_PROVE_H

#include <stdio.h>

#include <vouch/vouch.h>

#include "cli/load.h"
#include "io/file.h"

typedef struct prove {
    const char *model; /* path */
    text lines;
    FILE *store; /* a proof that is checked but not asked for; else NULL */
} prove;

/* The head, which names the bytes of the model, and the callback that takes the rest. 0, or the exit status after a message. */
int prove_start(prove *p, const model_args *args, const char *path, vouch_plan_options *options);
/* The last line, and the file; path NULL: a temporary one. */
vouch_status prove_end(prove *p, const char *path, vouch_error *error);
/* Runs vouch-check, which stands beside this program. code: the exit status of the plan, kept unless nothing is verified. quiet: nothing is printed where
 * it is. */
int prove_verify(const prove *p, const model_args *args, const char *path, bool quiet, int code);
void prove_free(prove *p);

#endif

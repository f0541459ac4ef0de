/* cli/prove.h - vouch plan --proof and --prove: the file of a proof, and vouch-check on it. */
#ifndef CLI_PROVE_H
#define CLI_PROVE_H

#include <stdbool.h>
#include <stdio.h>

#include <vouch/vouch.h>

#include "cli/load.h"
#include "io/file.h"

typedef struct prove {
    const char *model; /* path */
    FILE *store;       /* the proof while it is written: a file without a name; NULL: none */
    size_t lines;
    double p;    /* that vouch-check is told; NAN: what args say */
    bool failed; /* something could not be written */
} prove;

/* The head, which names the bytes of the model, and the callback that takes the rest. args NULL: none. 0, or the exit status after
 * a message. */
int prove_start(prove *p, const model_args *args, const char *path, vouch_plan_options *options);
/* The last line, and the file; path NULL: none. */
vouch_status prove_end(prove *p, const char *path, vouch_error *error);
/* Says so on standard error where the proof shows less than an optimum or that there is no policy. search: the method looks for
 * either. */
void prove_tell(const vouch_plan_result *result, bool search);
/* The proof that no policy of the class keeps a little more than `bound`: of a plan of m with that. false: there is none, *code the
 * exit status after a message. */
bool prove_largest(prove *p, vouch_model *m, const vouch_plan_options *o, double bound, const char *path, int *code);
/* Runs vouch-check, which stands beside this program. code: the exit status of the plan, kept unless nothing is verified. quiet:
 * nothing is printed where it is. */
int prove_verify(const prove *p, const model_args *args, const char *path, bool quiet, int code);
void prove_free(prove *p);

#endif

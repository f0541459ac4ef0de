/* cli/prove.h - vouch plan --proof and --prove: the file of a proof, and vouch-check on it (cli/prove_check.c). */
#ifndef CLI_PROVE_H
#define CLI_PROVE_H

#include <stdbool.h>
#include <stdio.h>

#include <vouch/vouch.h>

#include "cli/load.h"
#include "io/file.h"

/* What became of a proof. */
typedef enum prove_outcome {
    PROVE_OPEN,     /* it is not written yet */
    PROVE_NONE,     /* nothing is proved: there is no file */
    PROVE_VERIFIED, /* vouch-check accepts it */
    PROVE_SKIPPED,  /* it is written, and vouch-check does not say */
    PROVE_REFUTED   /* vouch-check refuses it: the file has another name */
} prove_outcome;

typedef struct prove {
    const char *model; /* path, for vouch-check */
    lent given;        /* owned */
    const char *path;  /* of the proof; NULL: no file is asked for */
    FILE *store;       /* the proof while it is written: a file without a name; NULL: none */
    size_t lines, claims;
    double p;    /* that vouch-check is told; NAN: what args say */
    bool failed; /* something could not be written */
    prove_outcome outcome;
    bool removed, needless; /* PROVE_NONE: an older file was there; there is nothing to prove */
    long long work;         /* that vouch-check may do: by far more than ten times that of the plan, and some seconds at least */
    text said;              /* by vouch-check; owned */
    char reason[256];
} prove;

/* The head, which names the bytes of the model, and the callback that takes the rest. args NULL: none. 0, or the exit status after
 * a message. */
int prove_start(prove *p, const model_args *args, const char *model, const char *path, vouch_plan_options *options);
/* The last line, and the file, of a plan of m with this result. Where nothing is claimed there is none, nor an older one of that
 * name: PROVE_NONE, for the reason given. */
vouch_status prove_end(prove *p, const vouch_model *m, const vouch_plan_result *result, const char *reason, vouch_error *error);
/* There is no proof, for this reason, and no older file of its name. */
void prove_none(prove *p, const char *reason);
/* Runs vouch-check, which stands beside this program or on the PATH, on what was written, unless nothing was. It does so much work
 * at most (vouch-check --work-limit; 0: p->work). A proof that it refuses is moved to PATH.refuted, with the model as
 * PATH.refuted.json. */
void prove_check(prove *p, const model_args *args, long long most_work);
/* Says on standard error what became of the proof; with --prove on standard output what vouch-check says, unless quiet. Returns the
 * exit status, from that of the plan. */
int prove_tell(const prove *p, bool prove_asked, bool quiet, int code);
/* Adds , "proof": {..}  */
void prove_json(const prove *p, text *t);
/* Where the proof shows less than an optimum or that there is no policy: what it claims, which need not be the figures of the plan,
 * to standard error. search: the method looks for either. */
void prove_tell_less(const prove *p, const vouch_plan_result *result, bool search);
/* --max-commitment with a proof: 0, or the exit status after a message where the model has none. */
int prove_refuse_largest(const vouch_model *m);
/* The proof that no policy of the class keeps a little more than `bound`: of a plan of m with that. 0, or the exit status after a
 * message. */
int prove_largest(prove *p, vouch_model *m, const vouch_plan_options *o, double bound);
void prove_free(prove *p);

#endif

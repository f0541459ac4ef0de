/* io/recognise.h - the kind of a file by the beginning of its content, not by its name. */
#ifndef IO_RECOGNISE_H
#define IO_RECOGNISE_H

#include "io/file.h"

typedef enum file_kind {
    FILE_UNKNOWN,
    FILE_EMPTY,
    FILE_MODEL, /* vouch's own */
    FILE_POLICY,
    FILE_JSON,  /* of another kind */
    FILE_TREE,  /* of --log-tree */
    FILE_PROOF, /* of --proof */
    FILE_PAGE,  /* a picture, or a page */
    FILE_PRISM,
    FILE_JANI,
    FILE_EXPLICIT,
    FILE_BESIDE, /* what lies beside FILE_EXPLICIT: labels, states, rewards */
    FILE_DRN,
    FILE_CSV, /* a multi-model */
    FILE_POMDP,
    FILE_PPDDL,
    FILE_RDDL,
    FILE_MATHPROG,
    FILE_LP,
    FILE_LP_SOLVE, /* lp_solve's format, which is called LP too */
    FILE_MPS,
    FILE_GLP,
    FILE_KINDS
} file_kind;

file_kind recognise(const file_content *file);
/* "a DRN file, as Storm writes them" */
const char *recognised_text(file_kind kind);
/* Appends the command that makes program.mps of the MathProg model `name`, "-": of standard input, to be typed as it stands. */
void recognised_mathprog(text *t, const char *name);
/* The error that such a model is no file to be read here, with that command; ERROR_INPUT. */
void recognised_refuse_mathprog(const char *name, vouch_error *error);
#endif

/* io/drn_read.h - one explicit model, a DRN file or one of PRISM (explicit.h), as it stands, before the files of all environments
 * are brought together; for drn.c and the readers. */
#ifndef IO_DRN_READ_H
#define IO_DRN_READ_H

#include <vouch/model_io.h>

#include "io/escape.h"
#include "io/names.h"

/* Begins a comment near the top of the file that lists, in quotation marks, the labels without states. */
#define DRN_EMPTY_LABELS "// labels that hold in no state:"

typedef struct drn_state {
    char *valuation; /* NULL: none */
    ESCAPE_ARRAY(char *, label);
    double reward;
    int index; /* in the family */
} drn_state;

typedef struct drn_choice {
    int state;
    char *name;
    double reward;
    size_t first, count; /* of the transitions */
} drn_choice;

/* How many of a state's actions have a name, or one that goes on with # behind it. */
typedef struct drn_names {
    names name;
    int *count; /* [name.count] */
    size_t capacity;
} drn_names;

typedef struct drn_step {
    int to;
    double probability;
    double reward; /* on top of what state and choice pay */
} drn_step;

enum { DRN_WORD = 256 }; /* most bytes of a name, and one */

typedef struct drn_value { /* $name : value */
    char *name;
    double value;
} drn_value;

typedef struct drn {
    const char *name;
    const vouch_source *source;
    escape *e; /* of the reading, which frees all of it; the calls below escape by it */
    const char *at, *end;
    int line;
    char line_text[4096];
    char *s; /* in line_text */
    bool at_end;
    int rewards; /* named reward models */
    int chosen;  /* which of them, -1: none */
    int states;  /* as declared, -1: not */
    ESCAPE_ARRAY(drn_value, value);
    ESCAPE_ARRAY(drn_state, state);
    ESCAPE_ARRAY(drn_choice, choice);
    drn_names like; /* of the state at hand, once it has many actions */
    int actions;    /* of the state at hand */
    ESCAPE_ARRAY(drn_step, step);
    names declared; /* labels that the file names, whether or not a state has them */
} drn;

/* Reads a DRN file, or an explicit one of PRISM, into d, which must stay where it is until the reading ends. */
void drn_read(drn *d, escape *e, const file_content *file, const vouch_source *source);
/* The same with its own escape; call escape_end(e) afterwards, also after an error. */
vouch_status drn_open(drn *d, escape *e, const file_content *file, const vouch_source *source);
/* The files beside path, M.tra, that are read too. */
vouch_status explicit_companions(names *list, const char *path, vouch_error *error);

#endif

/* io/drn_read.h - one explicit model, a DRN file or one of PRISM (explicit.h), as it stands, before the files of all environments
 * are brought together; for drn.c and the readers. */
#ifndef IO_DRN_READ_H
#define IO_DRN_READ_H

#include <stdbool.h>
#include <vouch/model_io.h>

#include "io/file.h"
#include "io/names.h"

/* Before the names, in quotation marks, of labels that hold in no state: a line of comment among the first ones. */
#define DRN_EMPTY_LABELS "// labels that hold in no state:"

typedef struct drn_state {
    char *valuation; /* owned; NULL: none */
    char **label;    /* owned, [labels], each owned */
    size_t labels, label_capacity;
    double reward;
    int index; /* in the family */
} drn_state;

typedef struct drn_choice {
    int state;
    char *name; /* owned */
    double reward;
    size_t first, count; /* of the transitions */
} drn_choice;

/* How many of a state's actions have a name, or one that goes on with # behind it. */
typedef struct drn_names {
    names name;
    int *count; /* owned, [name.count] */
    size_t capacity;
} drn_names;

typedef struct drn_step {
    int to;
    double probability;
    double reward; /* on top of what state and choice pay */
} drn_step;

enum { DRN_WORD = 256 }; /* most bytes of a name, and one */

#define DRN_GROW(d, what) mem_reserve((void **)&(d)->what, &(d)->what##_capacity, (d)->what##_count, sizeof *(d)->what)
#define DRN_ARRAY(type, what)                                                                                                      \
    type *what;                                                                                                                    \
    size_t what##_count, what##_capacity

typedef struct drn {
    const char *name;
    const vouch_source *source;
    vouch_error *error;
    const char *at, *end;
    int line;
    char line_text[4096];
    char *s; /* in line_text */
    bool at_end;
    int rewards; /* named reward models */
    int chosen;  /* which of them, -1: none */
    int states;  /* as declared, -1: not */
    DRN_ARRAY(double, named_value);
    DRN_ARRAY(char *, value_name);
    DRN_ARRAY(drn_state, state);
    DRN_ARRAY(drn_choice, choice);
    drn_names like; /* of the state at hand, once it has many actions */
    int actions;    /* of the state at hand */
    DRN_ARRAY(drn_step, step);
    names declared; /* labels that the file names, whether or not a state has them */
} drn;

/* Reads a DRN file into d; drn_free whatever the outcome. drn_read_any: or an explicit one of PRISM. */
vouch_status drn_read_any(drn *d, const file_content *file, const vouch_source *source, vouch_error *error);
vouch_status drn_read(drn *d, const file_content *file, const vouch_source *source, vouch_error *error);
void drn_free(drn *d);
/* A state behind the others; an action of it, NULL: without a name; a transition of the newest action, of which there is one. */
vouch_status drn_add_state(drn *d);
vouch_status drn_add_action(drn *d, const char *name, double reward);
vouch_status drn_add_step(drn *d, drn_step step);
vouch_status drn_add_label(drn *d, drn_state *s, const char *label);
bool drn_has_label(const drn_state *s, const char *label);

#endif

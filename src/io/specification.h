/* io/specification.h - promises as texts: on a command line, or in a file of PRISM properties.
 *
 *   LABEL-OR-STATES                        be there at the horizon, with the probability of -p
 *   [NAME:]KIND:WHAT[@TIME][>=P][~prior]   KIND at, by, stay, avoid; TIME t, or a..b for stay and avoid
 *   ["name":] P>=p [ F<=8 "goal" ]         and G, U, X, with time bounds or up to the horizon. P<=p [ F .. ] becomes avoid;
 *                                          P<=p [ G .. ] becomes by, of the other states
 */
#ifndef IO_SPECIFICATION_H
#define IO_SPECIFICATION_H

#include <vouch/model_io.h>

#include "io/file.h"
#include "io/names.h"

typedef struct specification {
    char *name, *what, *through; /* owned; through: of until, else NULL */
    vouch_promise_kind kind;
    int from, to;      /* -1: the start, the horizon */
    double p;          /* NAN: not given */
    bool average;      /* over the prior */
    bool plain;        /* the commitment of a source, as models without a list of promises have it */
    bool unbounded;    /* a property without a bound in time */
    const char *place; /* for messages: "--commit", or FILE:LINE; owned by the list */
} specification;

typedef struct specifications {
    specification *item; /* owned, [count] */
    size_t count, capacity;
    char **place; /* owned, [places] */
    size_t places, place_capacity;
    names taken; /* the names */
    names made;  /* what promises without a name are about, and (owned) how many of them there are */
    int *made_of, made_count;
    size_t made_capacity;
} specifications;

/* All that the source asks for; specifications_free whatever the outcome. path: of the model, for messages. */
vouch_status specifications_read(specifications *list, const vouch_source *source, const char *path, vouch_error *error);
void specifications_free(specifications *list);
/* Appends the promises of a file of properties. */
vouch_status specifications_parse_properties(specifications *list, const file_content *file, vouch_error *error);
/* Is it meant to be states alone, without a kind? */
bool specification_is_plain(const char *text);
/* "P" or "NAME=P" of a list of probabilities; false: it is neither. *name: its first letter, *length letters; 0: of the only
 * promise. */
bool specification_probability(const char *text, const char **name, size_t *length, double *p);

#endif

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

#include "io/escape.h"
#include "io/names.h"

typedef struct specification {
    char *name, *what, *through; /* through: of until, else NULL */
    vouch_promise_kind kind;
    int from, to;      /* -1: the start, the horizon */
    double p;          /* NAN: not given */
    bool average;      /* over the prior */
    bool plain;        /* the commitment of a source, as models without a list of promises have it */
    bool unbounded;    /* a property without a bound in time */
    const char *place; /* for messages: "--commit", or FILE:LINE */
} specification;

typedef struct specifications {
    escape *e; /* of the reading, which frees all of it; the calls below escape by it */
    ESCAPE_ARRAY(specification, item);
    names taken; /* the names */
    names made;  /* subjects of promises without a name, .. */
    int *made_of, made_count;
    size_t made_capacity; /* .. and how many promises have each */
} specifications;

void specifications_start(specifications *list, escape *e);
/* All promises of the source. path: of the model, for messages. */
void specifications_read(specifications *list, const vouch_source *source, const char *path);
/* The same with its own escape; call escape_end(e) afterwards, also after an error. */
vouch_status specifications_open(specifications *list, escape *e, const vouch_source *source, const char *path);
/* Appends the promises of a file of properties. */
void specifications_parse_properties(specifications *list, const file_content *file);
/* Is it meant to be states alone, without a kind? */
bool specification_is_plain(const char *text);
/* "P" or "NAME=P" of a list of probabilities; false: it is neither. *name: its first letter, *length letters; 0: of the only
 * promise. */
bool specification_probability(const char *text, const char **name, size_t *length, double *p);

#endif

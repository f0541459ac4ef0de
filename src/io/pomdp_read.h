/* io/pomdp_read.h - a POMDP as read from a file of Cassandra's format. */
#ifndef IO_POMDP_READ_H
#define IO_POMDP_READ_H

#include "io/escape.h"
#include "io/names.h"

/* One entry of a row, from T (columns are states) or O (columns are observations). */
typedef struct pomdp_entry {
    int action, state, column;
    double p;
    size_t order; /* when it was set: later ones replace earlier ones */
} pomdp_entry;

/* Rows by action and state. */
typedef struct pomdp_table {
    ESCAPE_ARRAY(pomdp_entry, entry);
    size_t *cleared; /* [A * X]: entries of the row set before this one do not count */
    size_t *start;   /* [A * X + 1], once the file is read */
} pomdp_table;

/* A line of R; -1 means all. */
typedef struct pomdp_pay {
    int action, state, next, observation;
    double value;
    int before; /* the line before it with the same `next`, or (without one) with the same `state`; -1: none */
} pomdp_pay;

typedef struct pomdp {
    const char *name;
    escape *e;                           /* of the reading, which frees all of it */
    names states, actions, observations; /* numbered ones are named by their numbers */
    double discount;
    double *first; /* [X]: where it begins */
    pomdp_table moves, sights;
    ESCAPE_ARRAY(pomdp_pay, pay);
    int *last_of_next, *last_of_state; /* [X], [X + 1]: the chains; the last chain is for lines with neither */
} pomdp;

/* Reads a file into p, whose rows are then sorted. ERROR_SIZE: more states or observations than most_states, before there is room
 * made for them. */
void pomdp_read(pomdp *p, escape *e, const file_content *file, long long most_states);
/* The same for any number of states, with its own escape; call escape_end(e) afterwards, also after an error. */
vouch_status pomdp_open(pomdp *p, escape *e, const file_content *file);

#endif

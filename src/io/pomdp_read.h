/* io/pomdp_read.h - a POMDP in Cassandra's format as it stands; for pomdp_read.c, which reads it, and pomdp_model.c, which makes a
 * model of it. */
#ifndef IO_POMDP_READ_H
#define IO_POMDP_READ_H

#include <stdbool.h>

#include "io/file.h"
#include "io/names.h"

/* One entry of a row, from T (columns are states) or O (columns are observations). */
typedef struct pomdp_entry {
    int action, state, column;
    double p;
    size_t order; /* when it was set: later ones replace earlier ones */
} pomdp_entry;

/* Rows by action and state. */
typedef struct pomdp_table {
    pomdp_entry *entry; /* owned */
    size_t count, capacity;
    size_t *cleared; /* owned, [A * X]: entries of the row set before this one do not count */
    size_t *start;   /* owned, [A * X + 1], once the file is read */
} pomdp_table;

/* A line of R; what is -1 stands for all. */
typedef struct pomdp_pay {
    int action, state, next, observation;
    double value;
    int before; /* the one set before it among those of the same `next`, or among those without one of the same `state`; -1: none */
} pomdp_pay;

typedef struct pomdp {
    const char *name;
    vouch_error *error;
    names states, actions, observations; /* numbered ones are named by their numbers */
    double discount;
    double *first; /* owned, [X]: where it begins */
    pomdp_table moves, sights;
    pomdp_pay *pay; /* owned */
    size_t pay_count, pay_capacity;
    int *last_of_next, *last_of_state; /* owned, [X], [X + 1]: the chains, the last of them those that name neither */
} pomdp;

/* What `vouch export` says of a file in comments: names, which this format cannot hold, and which observations are one state of the
 * model. */
typedef struct pomdp_remarks {
    names environments, actions, states;
    int *state_of; /* owned, [O]: of an observation, a number in `states` */
    bool *acts;    /* owned, [O * A]: the actions that are there */
} pomdp_remarks;

/* false: the file has none, or they do not fit it. */
bool pomdp_read_remarks(pomdp_remarks *remarks, const pomdp *p, const char *content);
void pomdp_free_remarks(pomdp_remarks *remarks);

/* Reads a file into p, whose rows are then sorted; pomdp_free whatever the outcome. ERROR_SIZE: more states or observations than
 * most_states, told before there is room made for them. */
vouch_status pomdp_read(pomdp *p, const file_content *file, long long most_states, vouch_error *error);
void pomdp_free(pomdp *p);

/* Where a row stands in `cleared` and `start`; sorts a table's entries and keeps those that hold. */
size_t pomdp_row_number(const pomdp *p, int action, int state);
vouch_status pomdp_settle(const pomdp *p, pomdp_table *table);
/* The entries of a row, *count of them, columns ascending, probabilities positive. */
const pomdp_entry *pomdp_row(const pomdp_table *table, const pomdp *p, int action, int state, int *count);
/* What is paid for it. */
double pomdp_reward(const pomdp *p, int action, int state, int next, int observation);

#endif

/* io/prism_expand.h - where an environment of a PRISM file begins, and its choices in given states, over one table of valuations
 * that all environments share. */
#ifndef IO_PRISM_EXPAND_H
#define IO_PRISM_EXPAND_H

#include <vouch/model_io.h>

#include "io/file.h"
#include "io/prism_states.h"

typedef struct prism_walk {
    int (*next)(void *context);                     /* the state to expand; -1: none is left */
    vouch_status (*mark)(void *context, int state); /* the environment can come here. NULL: it is in none of the states, and its
                                                       choices are those that make sense and stay among the known states */
    void *context;
} prism_walk;

/* A part of --initial: states, and their probability together. */
typedef struct prism_start {
    text words; /* owned */
    int expr;   /* of the words, where some part says how likely it is */
    double p;
} prism_start;

typedef struct prism_starts {
    prism_start *item; /* owned, [count] */
    size_t count;
    bool probable; /* does one say how likely it is? */
    text all;      /* owned: in one of them */
} prism_starts;

/* Reads what source->initial says, which takes the place of init .. endinit. */
vouch_status prism_starts_read(prism_starts *s, prism *p, const vouch_source *source);
/* Adds p to first [S], the same for each state of begin that the words are true of; scope looks at valuation [V]. ERROR_ARGUMENT:
 * of none. */
vouch_status prism_start_spread(const prism_start *start, const prism_states *x, const prism_initials *begin, prism_scope *scope,
                                int valuation[], double first[]);
void prism_starts_free(prism_starts *s);

vouch_status prism_begin(prism_states *x, const prism_environment *env, prism_initials *initial);
vouch_status prism_expand(prism_states *x, const prism_environment *env, const prism_walk *walk);

#endif

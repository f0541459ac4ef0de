/* io/prism_expand.h - where an environment of a PRISM file begins, and its choices in given states, over one table of valuations
 * that all environments share. */
#ifndef IO_PRISM_EXPAND_H
#define IO_PRISM_EXPAND_H

#include "io/prism_states.h"

typedef struct prism_walk {
    int (*next)(void *context);                     /* the state to expand; -1: none is left */
    vouch_status (*mark)(void *context, int state); /* the environment can come here. NULL: it is in none of the states, and its
                                                       choices are those that make sense and stay among the known states */
    void *context;
} prism_walk;

vouch_status prism_begin(prism_states *x, const prism_environment *env, prism_initials *initial);
vouch_status prism_expand(prism_states *x, const prism_environment *env, const prism_walk *walk);

#endif

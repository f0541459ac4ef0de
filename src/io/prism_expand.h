/* io/prism_expand.h - the states a PRISM file can reach, and the choices in them, for several environments over one
 * common table of valuations. */
#ifndef IO_PRISM_EXPAND_H
#define IO_PRISM_EXPAND_H

#include "io/prism_states.h"

/* Explores an environment from its initial state, which goes into *initial. mark: called for each state reached, once. */
vouch_status prism_explore(prism_states *x, const prism_environment *env, int *initial,
                           vouch_status (*mark)(void *context, int state), void *context);
/* The choices of an environment in a state that it cannot reach, as far as they make sense and stay among the known states. */
vouch_status prism_explore_unreached(prism_states *x, const prism_environment *env, int state);

#endif

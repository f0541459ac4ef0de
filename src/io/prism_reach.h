/* io/prism_reach.h - the states in which the environments of a PRISM file can be up to the horizon, and their choices. */
#ifndef IO_PRISM_REACH_H
#define IO_PRISM_REACH_H

#include "io/prism_states.h"

enum { PRISM_REACHED = 1, PRISM_EXPANDED = 2 }; /* EXPANDED: reached, and its choices are known there */

typedef struct prism_reach {
    int K, initial;        /* initial: the one of all environments; -1: there are several, or others in another environment */
    prism_initials *begin; /* owned, [K] */
    unsigned char *seen;   /* owned: of environment k in state s at [s * K + k], up to capacity */
    size_t capacity;
} prism_reach;

/* From {0}; prism_reach_free whatever the outcome. States that no environment can be in before the horizon get no choices. In the
 * others every environment that comes there at all has its choices, so that a longer horizon meets a state without choices before
 * it meets a wrong one. */
vouch_status prism_reach_find(prism_reach *r, prism_states *x, int K, const prism_environment env[], int horizon);
void prism_reach_free(prism_reach *r);
bool prism_reach_has(const prism_reach *r, int k, int state, int what);

#endif

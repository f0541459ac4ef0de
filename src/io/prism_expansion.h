/* io/prism_expansion.h - the states and choices of one environment in the making; for prism_expand.c, prism_states.c and
 * prism_initial.c. */
#ifndef IO_PRISM_EXPANSION_H
#define IO_PRISM_EXPANSION_H

#include "base/arena.h"
#include "io/prism_states.h"

typedef struct prism_expansion {
    prism_states *x;
    const prism *p;
    const prism_environment *env;
    prism_scope scope;
    arena memory;    /* of the arrays below */
    int *low, *high; /* [V] */
    int *now, *next; /* [V]: the state at hand and a successor in the making */
    int state;
    bool reached;
    bool *enabled; /* [commands] */
    bool *knows;   /* [modules * labels]: does the module know the label? */
    int *labels;   /* names, in the order of the file */
    int label_count;
    int *chosen; /* [modules]: one command each, of those that take part */
    int parts;
    vouch_status (*mark)(void *, int);
    void *context;
} prism_expansion;

/* The states in which the environment may begin, into the empty list. */
vouch_status prism_find_initial(prism_expansion *e, prism_initials *out);

#endif

/* io/prism_expansion.h - the states and choices of one environment in the making; for prism_expand.c, prism_states.c and
 * prism_initial.c. */
#ifndef IO_PRISM_EXPANSION_H
#define IO_PRISM_EXPANSION_H

#include "base/arena.h"
#include "io/prism_states.h"

typedef struct prism_part {
    int update;              /* of its command, at hand */
    double sum, probability; /* of its updates so far; of those of the parts before it */
} prism_part;

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
    bool *enabled;   /* [commands] */
    int *at_command; /* [modules + 1]: of the synchronisation at hand, where in prism.partaking each partner stands */
    int *chosen;     /* [modules]: one command each, of those that take part */
    int parts;
    prism_part *part; /* [modules + 1]: of the combination of updates at hand */
    int *owner;       /* [V]: which part assigns a variable; -1 outside check_conflicts and assign_index */
    int *seen;        /* [V]: the state that assignments of the index at hand look at */
    vouch_status (*mark)(void *, int);
    void *context;
} prism_expansion;

/* The states in which the environment may begin, into the empty list. */
vouch_status prism_find_initial(prism_expansion *e, prism_initials *out);

#endif

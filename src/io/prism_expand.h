/* io/prism_expand.h - the states a PRISM file can reach, and the choices in them, for several environments over one
 * common table of valuations. */
#ifndef IO_PRISM_EXPAND_H
#define IO_PRISM_EXPAND_H

#include "io/prism.h"

/* One nondeterministic choice of a state: one command, or one command of each module that synchronises. */
typedef struct prism_choice {
    int env, state;
    int label;    /* a name, -1: none */
    int combo;    /* the same commands have the same number; see prism_states.combo */
    bool reached; /* can the environment be in the state? */
    size_t first; /* of its outcomes */
    int count;
} prism_choice;

typedef struct prism_outcome {
    int next;
    double probability;
} prism_outcome;

typedef struct prism_states {
    const prism *p;
    int V;            /* variables */
    long long limit;  /* most states */
    long search_work; /* steps in search of initial states, in all environments together */
    int *valuation;   /* owned, [count * V] */
    size_t count, capacity;
    uint32_t *slot; /* owned: hash table over valuations, number + 1 */
    size_t slots;
    names combos; /* "3,17": commands joined by commas */
    PRISM_ARRAY(prism_choice, choice);
    PRISM_ARRAY(prism_outcome, outcome);
} prism_states;

/* Start from {.p, .limit}. */
vouch_status prism_states_start(prism_states *x);
void prism_states_free(prism_states *x);

/* Explores environment env, whose constants are given, from its initial state, which goes into *initial. mark: called for each state
 * reached, once. env_name: for messages. */
vouch_status prism_explore(prism_states *x, int env, const char *env_name, const prism_value *constant, int *initial,
                           vouch_status (*mark)(void *context, int state), void *context);
/* The choices of environment env in a state that it cannot reach, as far as they make sense and stay among the known states. */
vouch_status prism_explore_unreached(prism_states *x, int env, const prism_value *constant, int state);

/* "x=0,b=true", for mem_free. */
char *prism_state_name(const prism_states *x, int state);

#endif

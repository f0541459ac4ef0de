/* io/prism_states.h - one table of valuations for all environments of a PRISM file, and the choices found in them. */
#ifndef IO_PRISM_STATES_H
#define IO_PRISM_STATES_H

#include "base/intern.h"
#include "io/file.h"
#include "io/prism.h"

/* One nondeterministic choice of a state: one command, or one command of each module that synchronises. */
typedef struct prism_choice {
    size_t first; /* of its outcomes */
    int count;
    int env, state;
    int label;    /* a name, -1: none */
    int combo;    /* the same commands have the same number; see prism_states.combo */
    bool reached; /* can the environment be in the state? */
} prism_choice;

typedef struct prism_outcome {
    int next;
    double probability;
} prism_outcome;

typedef struct prism_states {
    const prism *p;
    int V;             /* variables */
    long long limit;   /* most states */
    long search_work;  /* steps in search of initial states, in all environments together */
    intern valuations; /* their keys: two values a word */
    uint64_t *key;     /* owned: one of them, scratch */
    names combos;      /* "3,17": commands joined by commas */
    PRISM_ARRAY(prism_choice, choice);
    PRISM_ARRAY(prism_outcome, outcome);
} prism_states;

/* An environment: its number, its name for messages, and its constants. */
typedef struct prism_environment {
    int number;
    const char *name;
    const prism_value *constant; /* [constant_count] */
} prism_environment;

typedef struct prism_initials { /* states in which an environment may begin */
    int *state;                 /* owned, [count] */
    int count;
    size_t capacity;
} prism_initials;

/* Start from {.p, .limit}. */
vouch_status prism_states_start(prism_states *x);
void prism_states_free(prism_states *x);
/* Gives back the room for more choices and outcomes. */
void prism_states_trim(prism_states *x);

/* The values of the variables in a state: v [V]. */
void prism_valuation(const prism_states *x, int state, int v[]);
/* "x=0,b=true", for mem_free. */
char *prism_state_name(const prism_states *x, int state);

enum { PRISM_NO_STATE = -1, PRISM_NO_MEMORY = -2 };
/* The number of a valuation; PRISM_NO_STATE: not known (and not to be made), PRISM_NO_MEMORY. */
int prism_state_number(prism_states *x, const int *v, bool make);
/* The number of a set of commands, made if new; -1 when memory is out. */
int prism_combo_number(prism_states *x, const int *chosen, int parts);
/* Numbers them anew, in the order of the file: "3,2" before "3,17". */
vouch_status prism_combos_order(prism_states *x);
void prism_add_state_name(const prism *p, const int *v, text *t);

#endif

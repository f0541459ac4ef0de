/* mdp/remember.h - what promises remember of the states seen, and where the states of a joined model stand (mdp/join.h). */
#ifndef MDP_REMEMBER_H
#define MDP_REMEMBER_H

#include "mdp/model.h"

typedef enum memory_value { MEMORY_OPEN = 0, MEMORY_KEPT, MEMORY_BROKEN } memory_value;

typedef struct automaton {
    int promise, env; /* the environment whose set it watches, the first of those with this set */
} automaton;

struct joined_model {
    vouch_model *user; /* owned: the model as it was filled in, finished */
    int offset;        /* 1: time 0 is the start before the user's time 0 */
    int clock;         /* from this time of the user on no rule changes */
    int automata;
    automaton *automaton; /* [automata] */
    int *watcher;         /* [promises * K] its automaton in each environment, -1: the promise is about the horizon alone */
    int *base;            /* [S] state of the user, -1: the start */
    int *when;            /* [S] time of the user up to the clock */
    unsigned char *value; /* [S * automata] memory */
    int *twin;            /* [S] the state of the same base and memory at another time, in a circle */
};

/* What the promise asks of environment k by itself: nothing, if it is on average. */
static inline double promise_alone(const promise_data *p, int k) { return p->average ? 0 : p->p[k]; }
/* The model as the user filled it in. */
const vouch_model *model_user(const vouch_model *m);
/* Times of promise j of a user's model: as given, or where nothing was given the start and the horizon. */
int promise_begin(const promise_data *p);
int promise_end(const vouch_model *user, int j);
/* The last time at which the rule of promise j changes; 0: it never does. */
int promise_last_change(const vouch_model *user, int j);
/* Is there something to remember, or does the state at the horizon say all? */
bool promise_remembers(const vouch_model *user, int j);
bool promise_is_in(const vouch_model *user, int j, int k, int s);
/* What is remembered after being in s at time t of the user. */
memory_value promise_remember(const vouch_model *user, const automaton *a, memory_value before, int t, int s);
/* The weight of joined state s at the horizon, for the promise in environment k: 1 or 0. */
double joined_weight(const vouch_model *user, const joined_model *j, int promise, int k, int s);
/* The name of a joined state: the user's, and behind it in brackets what is remembered. NULL when memory is out. */
char *joined_state_name(const vouch_model *user, const joined_model *j, int state);

#endif

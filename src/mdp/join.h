/* mdp/join.h - promises with a memory, and initial distributions, as a plain model.
 *
 * Each promise that is not about the horizon alone has a small automaton for every set it is made for: not yet decided, kept, or broken. It
 * watches the states as time goes on and is joined to them; where its rule changes with the time (a deadline before the horizon, a window), the time until
 * the last change is joined too. Only joined states that are reached are made, and what is decided stays so, whatever the time. An initial distribution is a
 * state `start` whose one action leads to the first state, one step before time 0. What comes out is a model as any other, in which promise j counts
 * as kept in environment k at the horizon where weight[k * J + j] is 1.
 */
#ifndef MDP_JOIN_H
#define MDP_JOIN_H

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

/* Makes *m, finished, what its promises, its horizon and its initial distribution ask for: itself, or a joined model. Call again after a change of
 * either. On failure *m is as before. */
vouch_status model_join(vouch_model *m, vouch_error *error);
void joined_free(vouch_model *m); /* what *m has as a joined model, but not the user's */

/* The model as the user filled it in. */
const vouch_model *model_user(const vouch_model *m);
/* State s at `time`: of those of the same base and memory the one that is there. */
int model_state_at(const vouch_model *m, int state, int time);
/* The successor of `state` by pair q that looks like `next`, a state of m, to a user; -1: none. */
int model_successor(const vouch_model *m, int q, int next);
/* Times of the horizon and of deadlines: as given, or where nothing was given the horizon of the user. */
int promise_end(const vouch_model *user, int j);

#endif

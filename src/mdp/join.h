/* mdp/join.h - promises with a memory, and initial distributions, as a plain model.
 *
 * Each promise that is not about the horizon alone has a small automaton for every set it is made for: not yet decided, kept, or
 * broken. It watches the states as time goes on and is joined to them; where its rule changes with the time (a deadline before the
 * horizon, a window), the time until the last change is joined too. Only joined states that are reached are made, and what is
 * decided stays so, whatever the time. An initial distribution is a state `start` whose one action leads to the first state, one
 * step before time 0. What comes out is a model as any other, in which promise j counts as kept in environment k at the horizon
 * where weight[k * J + j] is 1.
 */
#ifndef MDP_JOIN_H
#define MDP_JOIN_H

#include "mdp/remember.h"

/* Makes *m, finished, what its promises, its horizon and its initial distribution ask for: itself, or a joined model. Call again
 * after a change of either. On failure *m is as before. */
vouch_status model_join(vouch_model *m, vouch_error *error);
void joined_free(vouch_model *m); /* what *m has as a joined model, but not the user's */

/* State s at `time`: of those of the same base and memory the one that is there. */
int model_state_at(const vouch_model *m, int state, int time);
/* The successor of `state` by pair q that looks like `next`, a state of m, to a user; -1: none. */
int model_successor(const vouch_model *m, int q, int next);

#endif

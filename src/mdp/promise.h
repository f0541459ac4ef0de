/* mdp/promise.h - the list of promises a model makes (vouch/model.h). */
#ifndef MDP_PROMISE_H
#define MDP_PROMISE_H

#include "mdp/join.h"

/* The promise of set_commitment and set_probability as a list of one. */
vouch_status promise_list(vouch_model *m);
void promise_free_all(vouch_model *m);
/* Copies list and initial distribution: environments env [to->K] of from, NULL: all. */
vouch_status promise_copy(const vouch_model *from, const int env[], vouch_model *to);
/* ERROR_INPUT: a promise that does not fit the horizon. */
vouch_status promise_check(const vouch_model *user, vouch_error *error);
/* The same before *m is finished, and of its initial distribution; with one, there is a list of promises then. */
vouch_status promise_settle(vouch_model *m, vouch_error *error);

#endif

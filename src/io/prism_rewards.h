/* io/prism_rewards.h - what a reward structure pays. */
#ifndef IO_PRISM_REWARDS_H
#define IO_PRISM_REWARDS_H

#include "io/prism_states.h"

/* Adds the items of structure number `rewards` (-1: none) whose guard holds where scope looks: those of the state itself, or
 * (choice not NULL) those of the choice's transition, weighted by the probability of the update where they belong to one. */
vouch_status prism_rewards_add(const prism_states *x, int rewards, prism_scope *scope, const prism_choice *choice, double *sum);

#endif

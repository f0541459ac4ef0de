/* mdp/generate_aid.h - what generators of models share. */
#ifndef MDP_GENERATE_AID_H
#define MDP_GENERATE_AID_H

#include <vouch/model.h>

/* Collects the statuses of many calls that can only fail by memory. */
static inline void generate_note(vouch_status *all, vouch_status one)
{
    if (*all == VOUCH_OK) *all = one;
}

/* Finishes, or frees and reports. */
vouch_status generate_hand_over(vouch_model **model, vouch_status status, vouch_error *error);

#endif

/* tests/oracle/wild.h - random models with everything the format allows at once: actions missing in some states, rewards that
 * depend on the successor, negative rewards, several committed states, any initial state. */
#ifndef ORACLE_WILD_H
#define ORACLE_WILD_H

#include "mdp/model.h"

/* S 2..5, A 1..3, K 1..4, T 1..5 by the seed. p is a random share of the largest feasible one, sometimes all of it. */
vouch_model *wild_model(uint64_t seed);

/* Sets p to a part 0, 1/4, .. , 1 of the least over the environments of the largest probability each alone allows. */
void wild_probability(vouch_model *m, int quarters);

#endif

/* plan/bnb/initial.h - first incumbents, before any bound: what each environment would do alone, improved by local search. */
#ifndef PLAN_BNB_INITIAL_H
#define PLAN_BNB_INITIAL_H

#include "plan/bnb/incumbent.h"

/* Offers the Markov policy prob [T * pairs], each state's most probable action where it is not deterministic. */
vouch_status seed_policy(incumbent *inc, const double prob[]);
/* Offers the constrained-optimal policy of each environment. */
vouch_status seed_single_environments(incumbent *inc, const deadline *limit);
/* The same over Markov policies (L = 0), which are L-updates policies for every L and quick to evaluate; the best is then
 * offered to inc, whose space may be of any L. */
vouch_status seed_markov(incumbent *inc, const deadline *limit);

#endif

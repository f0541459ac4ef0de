/* plan/stage/stagewise_regret.h - the deterministic policy of least maximum regret where no promise binds, decided time after time.
 *
 * As plan/stage/stagewise.h, with multipliers that are not given but sought anew as decisions are made: for every lambda >= 0 of
 * sum 1
 *
 *     max regret >= sum_k lambda_k (U*(k) - U(k; decided)) - sum over n at t not decided of V_n(lambda o w(n)) - sum over n' at t +
 * 1 of V_n'(lambda o w(n')),
 *
 * w(n) [K] being the probabilities of coming to n, as far as it is decided, and V what policies of the whole history gain
 * (stagewise_values.h). The best lambda is found as in plan/colgen/colgen.h: a master program mixes what V's policies earn, and its
 * multipliers price the next V. Where the mixture disagrees most, the next node of this time is decided. That is dear where V is;
 * longer searches are *steady*: they keep the multipliers that were best, on average and after the same first choice, where all but
 * the last two times are decided and bounds are near what they bound, and seek others at the last time only. What comes together at
 * a node is added up before it is valued; this is why dense models, whose likelihood classes are as many as their histories, are
 * searched like this.
 *
 * Deviation from the policy search (plan/search/search.h): depth first, in the order of time, below cutoffs that rise to the best
 * policy known, so that a limit leaves a bound.
 */
#ifndef PLAN_STAGE_STAGEWISE_REGRET_H
#define PLAN_STAGE_STAGEWISE_REGRET_H

#include "plan/stage/stagewise.h"

/* Needs no shares, and space_may_bind false; does nothing while no policy is known. Improves inc; by counts of work, so that the
 * answer is the same every time, but for the limit. */
vouch_status stagewise_regret_search(const policy_space *space, incumbent *inc, const stagewise_options *options,
                                     stagewise_result *result);

#endif

/* plan/stage/stagewise.h - the deterministic policy of largest weighted value where no promise binds, decided time after time.
 *
 * With multipliers that are given (the weights) and nothing owed, a value is a sum over policy nodes, so that what is decided can
 * be summed and what is not can be bounded node by node. w(n) [K] is the weight of each environment times its probability of coming
 * to n; V_n(w) is the best that policies of the whole history gain from n on. While the nodes of time t are decided one by one,
 *
 *     value <= sum of what is decided + sum over n at t not decided of V_n(w(n)) + sum over n' at t + 1 of V_n'(w(n') as far as it
 * is decided),
 *
 * since V is convex and homogeneous: V(w + w') <= V(w) + V(w'). What comes together at a node is added up before it is valued,
 * which likelihood classes cannot do: a policy that forgets how it came there is bounded by one that forgets, too. The last time
 * needs no decision.
 *
 * Deviation from the policy search (plan/search/search.h): depth first, in the order of time. Where V is dear it looks only so far
 * ahead and the environment is revealed there (an information relaxation, plan/relax/levels.h). Models without promises: L. N.
 * Steimle, D. L. Kaufman, B. T. Denton, Multi-model Markov decision processes, IISE Transactions 53, 2021, where the weighted value
 * is shown to be hard and solved by mixed-integer programs.
 */
#ifndef PLAN_STAGE_STAGEWISE_H
#define PLAN_STAGE_STAGEWISE_H

#include "plan/heuristic/incumbent.h"
#include "plan/stage/stage_log.h"

typedef struct stagewise_options {
    double gap;
    const double *cutoff;  /* of the weighted value alone: no policy of this mean regret or more is looked for; NULL: any is */
    uint64_t seed;         /* of changes of the best policy, tried first */
    bool walks;            /* threshold accepting between searches (plan/heuristic/threshold_accepting.h) */
    long long most_visits; /* of nodes of histories; 0: no limit beside the search's own */
    const deadline *limit;
    stage_log *log; /* counts nodes, tells them, limits them */
} stagewise_options;

typedef struct stagewise_result {
    bool finished;    /* every policy is known, or bounded, within the gap */
    double bound;     /* on the mean regret by shares; -INFINITY: nothing was done */
    long long visits; /* nodes of histories looked at */
} stagewise_result;

/* Needs shares and space_may_bind false. Improves inc; by counts of work, so that the answer is the same every time, but for the
 * limit. */
vouch_status stagewise_search(const policy_space *space, incumbent *inc, const stagewise_options *options,
                              stagewise_result *result);

#endif

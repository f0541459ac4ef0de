/* plan/stage/stagewise.h - deterministic policies without binding promises, decided in the order of time, depth first.
 *
 * For given multipliers (the weights) the value is a sum over policy nodes: decided nodes can be summed, others bounded one by one.
 * Let w(n) [K] be the weight of each environment times its probability of reaching n, and V_n(w) the best value of history policies
 * from n on. While the nodes of time t are decided one by one,
 *
 *     value <= sum of the decisions + sum over undecided n at t of V_n(w(n)) + sum over n' at t + 1 of V_n'(w(n') by the
 * decisions),
 *
 * since V is convex and homogeneous: V(w + w') <= V(w) + V(w'). Probabilities that meet at a node are added before valuation, which
 * likelihood classes cannot do: the bound forgets as much of the history as the policy. The last time needs no decision.
 *
 * V has a limited look-ahead, after which the environment is revealed (an information relaxation, plan/relax/levels.h). Models
 * without promises: L. N. Steimle, D. L. Kaufman, B. T. Denton, Multi-model Markov decision processes, IISE Transactions 53, 2021,
 * who prove that the weighted value is hard and solve it by mixed-integer programs.
 */
#ifndef PLAN_STAGE_STAGEWISE_H
#define PLAN_STAGE_STAGEWISE_H

#include "plan/heuristic/incumbent.h"
#include "plan/stage/stage_path.h"

typedef struct stagewise_options {
    double gap;
    const double *cutoff;  /* of the weighted value: policies of this mean regret or more are not searched; NULL: none */
    uint64_t seed;         /* of perturbations of the first policy */
    bool walks;            /* threshold accepting between searches (plan/heuristic/threshold_accepting.h) */
    long long most_visits; /* limit on visits of V; 0: only the search's own */
    const deadline *limit;
    stage_log *log;
} stagewise_options;

typedef struct stagewise_result {
    bool finished;    /* complete within the gap */
    double bound;     /* on the mean or the maximum regret; -INFINITY: nothing was done */
    long long visits; /* of V */
} stagewise_result;

/* The largest weighted value. Requires shares and space_may_bind false. Improves inc. Work is counted, so results repeat, except at
 * a limit. */
vouch_status stagewise_search(const policy_space *space, incumbent *inc, const stagewise_options *options,
                              stagewise_result *result);

/* The least maximum regret (stagewise_regret.c). Requires no shares, and space_may_bind false; does nothing without a known policy.
 * Otherwise as stagewise_search. */
vouch_status stagewise_regret_search(const policy_space *space, incumbent *inc, const stagewise_options *options,
                                     stagewise_result *result);

#endif

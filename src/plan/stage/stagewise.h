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

#include "plan/colgen/colgen.h"
#include "plan/heuristic/incumbent.h"
#include "plan/stage/stage_path.h"

typedef struct stagewise_options {
    double gap;
    const double *cutoff;  /* of the weighted value: policies of this mean regret or more are not searched; NULL: none */
    uint64_t seed;         /* of perturbations of the first policy */
    bool walks;            /* threshold accepting between searches (plan/heuristic/local_search.h) */
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

/* The bound of all policies with given decisions up to some node of time t:
 *
 *     bound(lambda) = sum_k lambda_k (U*(k) - earned(k)) - sum over open n of V_n(lambda o w(n))
 *                     - sum over n' at t + 1 of V_n'(lambda o w(n'))
 *
 * with V of plan/stage/stage_path.h. A master program over the policies that attain V improves the multipliers
 * (plan/colgen/colgen.h). A decision does not change the values of other open nodes: unless multipliers change, only its
 * successors are valued again.
 */

/* Limit on the columns of the master program of one frame. */
enum { FRAME_COLUMNS = 24 };

typedef struct frame {
    double bound;       /* of every policy with its decisions */
    double priced;      /* by lambda, gain and led: less than bound by rounding at most */
    double *lambda;     /* [K] */
    double *earned;     /* [K] rewards of the decisions */
    const double *gain; /* of choices of time t: reward and V after it at lambda; own, or of a frame above */
    double *own;        /* [choices of a time] */
    double *led;        /* [nodes of a time] V at t + 1 at lambda */
    int *open;          /* [nodes of a time] undecided nodes of time t */
    int count;
    bool begun;          /* no decision at its time yet */
    int idle, rest;      /* failures to improve multipliers; decisions until the next attempt */
    stage_offer *offers; /* [choices of a time] scratch */
    int columns;
    double *U;   /* [FRAME_COLUMNS * K] rewards of the columns */
    int *choice; /* [FRAME_COLUMNS * nodes of a time] their choices at time t */
} frame;

/* The frames by depth. */
typedef struct stagewise_frames {
    const policy_space *space;
    const know_graph *g;
    stage_path path;       /* w: probabilities of reaching a node; beside: work of master programs */
    double cutoff;         /* bounds that reach it are not raised further */
    double *start;         /* [K] multipliers of the root, initially uniform */
    const double *later;   /* [K] multipliers of the next time; NULL: unchanged */
    int width, choices;    /* most nodes and choices of a time */
    arena *memory;         /* of all arrays, the caller's */
    frame **frame;         /* [nodes + T + 2] by depth; NULL: not made */
    double *regret, *zero; /* [K] scratch, and [promises] zeros */
    generation mix;        /* master program of the current frame */
} stagewise_frames;

/* memory: of all arrays except f->mix, which the caller clears even after an error. Returns ERROR_MEMORY or OK. */
vouch_status stagewise_frames_make(stagewise_frames *f, const policy_space *space, const deadline *limit, arena *memory);

/* The frame at a depth, made at first use; NULL: memory. */
frame *stagewise_frame_at(stagewise_frames *f, int depth);

/* Drops all decisions; x, the frame at depth 0, becomes the frame of all policies. */
void stagewise_frame_root(stagewise_frames *f, frame *x);
/* y = x, in which all of time t is decided, with the reached nodes of t + 1 open. */
void stagewise_frame_next_time(stagewise_frames *f, const frame *x, frame *y, int t);
/* y = x, of time t, with choice c at its open node i, until stage_path_undo. */
void stagewise_frame_lead(stagewise_frames *f, const frame *x, frame *y, int t, int i, int c);
/* Raises x->bound by better multipliers until it reaches the cutoff or gains little; does nothing after recent failures. scratch:
 * another frame. */
vouch_status stagewise_frame_raise(stagewise_frames *f, frame *x, frame *scratch, int t);

/* Fills x->offers with the choices at its open node i, best first. Returns their number. */
int stagewise_frame_offers(const stagewise_frames *f, frame *x, int t, int i);

#endif

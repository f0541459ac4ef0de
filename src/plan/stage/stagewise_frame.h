/* plan/stage/stagewise_frame.h - the bound of all policies with given decisions up to some node of time t:
 *
 *     bound(lambda) = sum_k lambda_k (U*(k) - earned(k)) - sum over open n of V_n(lambda o w(n))
 *                     - sum over n' at t + 1 of V_n'(lambda o w(n'))
 *
 * with V of plan/stage/stagewise_values.h. A master program over the policies that attain V improves the multipliers
 * (plan/colgen/colgen.h). A decision does not change the values of other open nodes: unless multipliers change, only its
 * successors are valued again.
 */
#ifndef PLAN_STAGE_STAGEWISE_FRAME_H
#define PLAN_STAGE_STAGEWISE_FRAME_H

#include "plan/colgen/colgen.h"
#include "plan/stage/stage_path.h"

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

/* Index of the open node of x with most mass. */
int stagewise_frame_next(const stagewise_frames *f, const frame *x);
/* Fills x->offers with the choices at its open node i, best first. Returns their number. */
int stagewise_frame_offers(const stagewise_frames *f, frame *x, int t, int i);

#endif

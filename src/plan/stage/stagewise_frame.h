/* plan/stage/stagewise_frame.h - the bound of what is decided up to some node of time t, and decisions made and taken back.
 *
 *     bound(lambda) = sum_k lambda_k (U*(k) - earned(k)) - sum over open n of V_n(lambda o w(n)) - sum over n' at t + 1 of
 * V_n'(lambda o w(n'))
 *
 * What is open is valued by V (plan/stage/stagewise_values.h), so that the bound holds for every policy that decides as the frame
 * does. Better multipliers are those of a master program over the policies behind V (plan/colgen/generation.h). A decision leaves
 * the values of other open nodes as they are: only what follows it is valued anew, unless multipliers change.
 */
#ifndef PLAN_STAGE_STAGEWISE_FRAME_H
#define PLAN_STAGE_STAGEWISE_FRAME_H

#include "plan/colgen/generation.h"
#include "plan/stage/stage_path.h"

/* Policies that the multipliers of one frame are found by. */
enum { FRAME_COLUMNS = 24 };

/* What is decided up to some node, priced. */
typedef struct frame {
    double bound;   /* of every policy that decides so */
    double priced;  /* by lambda, gain and led: less than bound by rounding at most */
    double *lambda; /* [K] */
    double *earned; /* [K] rewards of what is decided */
    const double
        *gain;   /* of choices of time t, from its first: reward and V of what follows, at lambda: own, or that of a frame above */
    double *own; /* [choices of a time] */
    double *led; /* [nodes of a time] V of those at t + 1, at lambda */
    int *open;   /* [nodes of a time] those of time t not decided */
    int count;
    bool begun;          /* nothing of its time is decided */
    int idle, rest;      /* other multipliers gained little so often; for so many decisions they are not tried */
    stage_offer *offers; /* [choices of a time] scratch */
    int columns;
    double *U;   /* [FRAME_COLUMNS * K] rewards of policies behind bounds */
    int *choice; /* [FRAME_COLUMNS * nodes of a time] what they choose at time t */
} frame;

/* Policies by what is decided of them, time after time: the frames, by depth, and what the decisions lead to. */
typedef struct stagewise_frames {
    const policy_space *space;
    const know_graph *g;
    stage_path path;       /* w: probabilities of coming to a node; beside: what master programs take */
    double cutoff;         /* bounds that reach it need not be raised */
    double *start;         /* [K] multipliers of the root, uniform at first */
    const double *later;   /* [K] those of the next time; NULL: as before it */
    int width, choices;    /* most nodes and choices of a time */
    arena *memory;         /* of all arrays, the caller's */
    frame **frame;         /* [nodes + T + 2] by depth; NULL: not yet made */
    double *regret, *zero; /* [K] scratch, and [promises] zeros */
    generation mix;        /* of the policies behind the bounds of a frame that is raised */
} stagewise_frames;

/* arena: of all arrays but f->mix, which the caller clears, after an error too. Returns ERROR_MEMORY or OK. */
vouch_status stagewise_frames_make(stagewise_frames *f, const policy_space *space, const deadline *limit, arena *memory);

/* The frame at a depth, its arrays made when it is first asked for; NULL: memory. */
frame *stagewise_frame_at(stagewise_frames *f, int depth);

/* Forgets all decisions, and makes x, the frame at depth 0, that of all policies. */
void stagewise_frame_root(stagewise_frames *f, frame *x);
/* Makes y that of x, in which all of time t is decided: what is come to at t + 1 is open. */
void stagewise_frame_next_time(stagewise_frames *f, const frame *x, frame *y, int t);
/* Makes y that of x, of time t, with choice c at its open node i, until stage_path_undo. */
void stagewise_frame_lead(stagewise_frames *f, const frame *x, frame *y, int t, int i, int c);
/* Raises x->bound, which is that of x->lambda, by other multipliers, until it reaches the cutoff or they are hardly better.
 * scratch: another frame. Not at all where they have helped little of late. */
vouch_status stagewise_frame_raise(stagewise_frames *f, frame *x, frame *scratch, int t);

/* The open node of x, by its place, that bears most. */
int stagewise_frame_next(const stagewise_frames *f, const frame *x);
/* Fills x->offers with the choices at its open node i, the best first; their number. */
int stagewise_frame_offers(const stagewise_frames *f, frame *x, int t, int i);

#endif

/* vouch/generate.h - the example models: two of the paper, one against lookahead, random ones, families of the literature, and one
 * to learn with.
 *
 * All return a finished model for vouch_model_free. ERROR_ARGUMENT: a parameter outside its range, named in *error.
 */
#ifndef VOUCH_GENERATE_H
#define VOUCH_GENERATE_H

#include <vouch/model.h>

VOUCH_C_BEGIN

/* Twin-States, K = 9: a0 moves between A and B, a1 pays 2 in A and 3 in B, a2 pays one of {1,3,5} in A and one of {0,2,4} in
 * B. Commitment: in A at T for certain. */
VOUCH_API vouch_status vouch_generate_twin_states(vouch_model **model, int horizon, vouch_error *error);

/* Slippery T-Maze: a corridor of cells 0..h entered at 0, from its end u cells up to the reward `r` and d cells down to the
 * commitment `c`. In environment k = 1..K the k cells h-1, h-2, .. are slippery: a move out of them succeeds
 * with probability `grip`. Any action in `r` pays 1. */
typedef struct vouch_maze_shape {
    int corridor, up, down, environments; /* h, u, d, K; all >= 1, K <= h */
    int horizon;
    double probability, grip;
} vouch_maze_shape;
VOUCH_API vouch_status vouch_generate_t_maze(vouch_model **model, const vouch_maze_shape *shape, vouch_error *error);

/* Four states, two environments, T = 3, no commitment (p = 0): looking one step ahead gives a smaller regret than two. */
VOUCH_API vouch_status vouch_generate_lookahead(vouch_model **model, vouch_error *error);

typedef struct vouch_random_shape {
    int states, actions, environments, horizon;
    double probability;
    int branching; /* most successors of an action */
    int shared_transitions;
    uint64_t seed;
} vouch_random_shape;
/* A random model whose commitment each environment alone can keep. Models are drawn until one is found, at most a thousand; with
 * more than two million pairs (state, action) in total, at most four more, and in each 16 end states of a random walk are tried.
 * ERROR_INPUT: none was found. */
VOUCH_API vouch_status vouch_generate_random(vouch_model **model, const vouch_random_shape *shape, vouch_error *error);

/* ---- families of the literature on several models of one problem ------------------------------------------------------ */

typedef struct vouch_family_shape {
    int states, actions, environments, horizon; /* parameters of the families */
    double probability;                         /* 0: all states are promised */
    double concentration;                       /* machine repair */
    uint64_t seed;
} vouch_family_shape;
/* Rewards uniform on [0, 10); each row S uniform numbers, normalised; start: the first state; Phi: the first third of the states.
 * (P. Buchholz, D. Scheftelowitsch, Computation of weighted sums of rewards for concurrent MDPs, Mathematical Methods of Operations
 * Research 89, 2019.) */
VOUCH_API vouch_status vouch_generate_random_dense(vouch_model **model, const vouch_family_shape *shape, vouch_error *error);
/* A machine of 10 states that wears (1 .. 8), is under repair or broken, and 4 actions; each environment draws its rows from
 * Dirichlet(concentration times the nominal row). Phi: states 1 .. 7. (E. Delage, S. Mannor, Percentile optimization for Markov
 * decision processes with parameter uncertainty, Operations Research 58, 2010.) */
VOUCH_API vouch_status vouch_generate_machine_repair(vouch_model **model, const vouch_family_shape *shape, vouch_error *error);
/* Adaptive management: states good and bad, Pr(good | s, a; k) uniform, rewards uniform on [0, 1) and the same in all environments,
 * so that only states tell environments apart. Phi: good. (After I. Chades, J. Carwardine, T. G. Martin, S. Nicol, R. Sabbadin, O.
 * Buffet, MOMDPs: a solution for modelling adaptive management problems, AAAI 2012.) */
VOUCH_API vouch_status vouch_generate_adaptive(vouch_model **model, const vouch_family_shape *shape, vouch_error *error);
/* A model to learn promises with: a corridor of seven cells to walk or run, beside it a ditch that runners fall into, more often in
 * environment `wet`; resting pays 1. Promises, each with this probability: to fetch the parcel by time 3, to deliver it at the desk
 * by the horizon, never to be in the ditch. */
VOUCH_API vouch_status vouch_generate_corridor(vouch_model **model, int horizon, double probability, vouch_error *error);

VOUCH_C_END
#endif

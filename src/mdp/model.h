/* mdp/model.h - the K environments as flat arrays.
 *
 * A *pair* q is an available (state, action); pairs of state s are pair_start[s] .. pair_start[s+1]-1, actions
 * ascending, the same in every environment. An *outcome* of a pair in environment k is a successor with its probability and
 * the reward observed with it; outcomes of q in env[k] are start[q] .. start[q+1]-1, successors ascending, probabilities > 0
 * and summing to 1.
 */
#ifndef MDP_MODEL_H
#define MDP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/model.h>

#include "base/intern.h"

/* Most size of a reward: sums over 2^31 steps and environments, and their squares, are then far from the largest double. */
#define MODEL_REWARD_MOST 1e100

/* |sum of a distribution - 1| accepted; the contract of the file format. */
#define MODEL_SUM_TOLERANCE 1e-6

typedef struct mdp {
    int *start;     /* [pairs + 1] */
    int *next;      /* [start[pairs]] */
    double *prob;   /* [start[pairs]] */
    double *reward; /* [start[pairs]] observed on that outcome */
    int *
        seen; /* [start[pairs]] observation: two environments' rewards of one pair and successor are the same iff these are equal */
    double *expected;       /* [pairs] R(s,a;k) = sum of prob * reward */
    double *given;          /* [pairs] of a rescaled model (mdp/rescale.h), else NULL */
    double origin;          /* expected reward as given = origin + given */
    double floor;           /* U* is the same if expected rewards as given are no less than this */
    const double *terminal; /* [S] Pr = E[terminal(S_T)] of its (first) promise: 1 where it is kept, else 0 */
    double p;               /* what Pr must be at least */
    double *earned;         /* [pairs] of a model of losses: expected rewards of the model itself; else NULL */
    double optimum;         /* U* as given, where it was found more exactly than mdp/dp.h does: */
    bool optimum_known;     /* in a model of losses (policy/losses.h) */
} mdp;

void mdp_free(mdp *e); /* what it owns: not `given`, nor the terminal weights */

/* value as given = steps * least + spread * value as planned; error: most by which an expected reward was moved, as planned */
typedef struct reward_scale {
    double least, spread, error;
    bool raised;  /* expected rewards below `least` are planned with as `least` */
    bool clamped; /* that may be, or some that no policy collects are outside the range */
} reward_scale;

/* A promise as the user made it. */
typedef struct promise_data {
    char *name;
    vouch_promise_kind kind;
    int from, to;  /* AT, BY: only to; -1: the horizon */
    bool *in;      /* [K * S] the set in each environment */
    bool *through; /* [K * S] BY: the only states besides that it may come there through; NULL: all */
    double *p;     /* [K] */
    bool average;  /* of the mean over the prior; all p are the same */
} promise_data;

typedef struct label_members {
    int *state; /* owned, [count] ascending */
    int count;
    size_t capacity;
} label_members;

typedef struct model_label {
    char *name;
    label_members *in; /* owned, [K] */
} model_label;

typedef struct joined_model joined_model;

typedef struct model_row { /* as added, before finish */
    int env, state, action, next;
    double prob, reward;
    size_t order;
} model_row;

struct vouch_model {
    char *name;
    int S, A, K, T, s0;
    double p;
    double reward_tolerance;                      /* relative: closer rewards are the same observation (mdp/observe.h) */
    vouch_observed observed;                      /* STATES: whatever is paid is the same observation */
    char **state_name, **action_name, **env_name; /* [S], [A], [K] */
    double *terminal;      /* [S] of the promise that a model without a list of them makes: 1 in Phi, else 0; of a
                                                     joined model those of its first row, not owned */
    promise_data *promise; /* [promises] the list, if there is one */
    int promises;
    size_t promise_capacity;
    model_label *label; /* [labels] */
    int labels;
    size_t label_capacity;
    intern label_numbers, promise_numbers; /* by a hash of the name, of those that have their number there */
    double *prior;                         /* [K] >= 0, summing to 1; NULL: environments are equally likely */
    double *first;                         /* [K * S] initial distribution, or NULL: s0 */
    int J;                                 /* promises kept track of in every environment, at least 1 */
    double **weight;                       /* [K * J] terminal weights [S] of promise j in environment k; NULL: `terminal` in all */
    double *weights;                       /* what they point into */
    int group; /* environments that are one in truth stand together, each with a promise of its own (mdp/rows.h); 1 but in views */
    joined_model *join; /* where the states stand for a state of the user and what its promises remember (mdp/join.h), else NULL */
    bool finished;
    bool short_numbers; /* read as the shortest decimals of their doubles, none summed */
    int last_horizon;   /* the largest T at which no state without actions is met before T */
    int pairs;
    int *pair_start;    /* [S + 1] */
    int *pair_action;   /* [pairs] */
    int *of_state;      /* [S] of a model of losses (policy/losses.h), the state that each was; else NULL */
    mdp *env;           /* [K] */
    reward_scale scale; /* 0, 1, 0 unless rescaled */
    model_row *rows;    /* before finish */
    size_t row_count, row_capacity;
};

/* The pair of (s, a), or -1. */
int model_pair(const vouch_model *model, int state, int action);
/* The outcome of pair q with successor `next` in this environment, or -1. O(log outcomes of q) */
int mdp_outcome(const mdp *env, int q, int next);

/* Most layers of time, since each has a policy node at least and these are limited too (policy/space.h), and most entries of a
 * table over time and states, or time and actions of states: several of 8 bytes each are held at once. */
#define MODEL_LAYERS 2000000
#define MODEL_TABLE  2e8
/* ERROR_SIZE: the horizon of a finished model makes tables over time too large. */
vouch_status model_fits(const vouch_model *model, vouch_error *error);

#endif

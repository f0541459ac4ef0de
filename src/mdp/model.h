/* mdp/model.h - the K environments as flat arrays.
 *
 * A *pair* q is an available (state, action); the pairs of state s are pair_start[s] .. pair_start[s+1]-1, actions ascending, the
 * same in every environment. An *outcome* of a pair in environment k is a successor with its probability and the reward observed
 * with it; outcomes of q in env[k] are start[q] .. start[q+1]-1, successors ascending, probabilities > 0 and summing to 1.
 *
 * A joined model is the product of the states with an automaton (open, kept or broken) for each promise that does not depend on the
 * last state alone and for each set it has in some environment (C. Baier, J.-P. Katoen, Principles of Model Checking, 2008); if a
 * rule changes with time (a deadline before the horizon, a window), the time until the last change is part of the state. Only
 * reachable states are made. An initial distribution becomes a state `start` whose only action leads to the first state, one step
 * before time 0. Promise j is kept in environment k at the horizon where weight[k * J + j] is 1.
 */
#ifndef MDP_MODEL_H
#define MDP_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <vouch/model.h>

#include "base/intern.h"

/* Largest absolute reward: sums over 2^31 steps and environments, and their squares, stay far below the largest double. */
#define MODEL_REWARD_MOST 1e100

/* Accepted |sum of a distribution - 1|; part of the file format. */
#define MODEL_SUM_TOLERANCE 1e-6

typedef struct mdp {
    int *start;             /* [pairs + 1] */
    int *next;              /* [start[pairs]] */
    double *prob;           /* [start[pairs]] */
    double *reward;         /* [start[pairs]] observed on that outcome */
    int *seen;              /* [start[pairs]] observation: of one pair and successor, equal iff the rewards are indistinguishable */
    double *expected;       /* [pairs] R(s,a;k) = sum of prob * reward */
    double *given;          /* [pairs] of a rescaled model (mdp/rescale.h), else NULL */
    double origin;          /* expected reward as given = origin + given */
    double floor;           /* raising given expected rewards to this leaves U* unchanged */
    const double *terminal; /* [S] Pr = E[terminal(S_T)] of its (first) promise: 1 where it is kept, else 0 */
    double p, p_rest;       /* required Pr is their sum: the double next to what was read, and the remainder */
    double *earned;         /* [pairs] of a model of losses: expected rewards of the model itself; else NULL */
    double optimum;         /* given U*, in a model of losses (policy/losses.h) if known more precisely than from mdp/dp.h */
    bool optimum_known;
} mdp;

/* value as given = steps * least + spread * value as planned */
typedef struct reward_scale {
    double least, spread;
    double error; /* largest change of an expected reward, as planned */
    bool raised;  /* expected rewards below `least` are planned as `least` */
    bool clamped; /* rewards may be raised, or rewards outside the range are not collected by any policy */
} reward_scale;

/* A promise as given. */
typedef struct promise_data {
    char *name; /* first, for model_name_taken */
    vouch_promise_kind kind;
    int from, to;  /* AT, BY: only to; -1: the horizon */
    bool *in;      /* [K * S] the set in each environment */
    bool *through; /* [K * S] BY: the only other states that may be visited before; NULL: all */
    double *p;     /* [K] */
    double *rest;  /* [K] p_rest of an mdp */
    bool average;  /* constrains the mean over the prior; all p are the same */
} promise_data;

typedef struct label_members {
    int *state; /* owned, [count] ascending */
    int count;
    size_t capacity;
} label_members;

typedef struct model_label {
    char *name;        /* first, for model_name_taken */
    label_members *in; /* owned, [K] */
} model_label;

typedef struct automaton {
    int promise, env; /* the first environment with this set */
} automaton;

typedef struct joined_model {
    vouch_model *user; /* owned: the model as given, finished */
    int offset;        /* 1: time 0 is the start before the user's time 0 */
    int clock;         /* no rule changes from this time of the user on */
    int automata;
    automaton *automaton; /* [automata] */
    int *watcher;         /* [promises * K] automaton in each environment, -1: only the last state counts */
    int *base;            /* [S] state of the user, -1: the start */
    int *when;            /* [S] time of the user, at most `clock` */
    unsigned char *value; /* [S * automata] memory */
    int *twin;            /* [S] circular list of the states of the same base and memory at other times */
} joined_model;

typedef struct model_row { /* as added, before finish */
    int env, state, action, next;
    double prob, reward;
    size_t order;
} model_row;

struct vouch_model {
    char *name;
    int S, A, K, T, s0;
    double p, p_rest;
    double reward_tolerance;                      /* relative: closer rewards are the same observation */
    vouch_observed observed;                      /* STATES: all rewards are the same observation */
    char **state_name, **action_name, **env_name; /* [S], [A], [K] */
    double *terminal;      /* [S] 1 in Phi, else 0, of a model without a list of promises; of a joined model those of its first
                              row, not owned */
    promise_data *promise; /* [promises] the list, if there is one */
    int promises;
    size_t promise_capacity;
    model_label *label; /* [labels] */
    int labels;
    size_t label_capacity;
    intern label_numbers, promise_numbers; /* by a hash of the name, up to the first two names of one hash */
    double *prior;                         /* [K] >= 0, summing to 1; NULL: environments are equally likely */
    double *first;                         /* [K * S] initial distribution, or NULL: s0 */
    int J;                                 /* promises in every environment, at least 1 */
    double **weight;                       /* [K * J] terminal weights [S] of promise j in environment k; NULL: `terminal` in all */
    double *weights;                       /* the memory of `weight` */
    int group;                             /* in views: number of consecutive rows that are one environment (mdp/views.h); else 1 */
    joined_model *join;                    /* of a joined model, else NULL */
    bool finished;
    bool short_numbers; /* read as the shortest decimals of their doubles, none summed */
    int last_horizon;   /* the largest T at which no state without actions is reached before T */
    int pairs;
    int *pair_start;    /* [S + 1] */
    int *pair_action;   /* [pairs] */
    int *of_state;      /* [S] of a model of losses (policy/losses.h): the original state; else NULL */
    mdp *env;           /* [K] */
    reward_scale scale; /* 0, 1, 0 unless rescaled */
    model_row *rows;    /* before finish */
    size_t row_count, row_capacity;
};

void mdp_free(mdp *e); /* except `given` and the terminal weights */

/* The first index in low .. high-1 with x <= a[index], a ascending; high: none. */
int model_lower_bound(const int a[], int low, int high, int x);
/* The pair of (s, a), or -1. */
int model_pair(const vouch_model *model, int state, int action);
/* The outcome of pair q with successor `next` in this environment, or -1. O(log outcomes of q) */
int mdp_outcome(const mdp *env, int q, int next);

/* Largest number of layers of time, each of which has a policy node (policy/space.h), and of entries of a table over time and
 * states or pairs, of which several are held at once. */
#define MODEL_LAYERS 2000000
#define MODEL_TABLE  2e8
/* ERROR_SIZE: tables over time are too large for the horizon. */
vouch_status model_fits(const vouch_model *model, vouch_error *error);

/* Names of labels and promises: item [count] of this size, each beginning with its name. */
bool model_name_taken(const intern *numbers, const void *item, size_t size, int count, const char *name);
/* Enters the name of item number `count`; -1: out of memory. */
int model_name_add(intern *numbers, int count, const char *name);

void label_free_all(vouch_model *m);
/* Copies labels for environments env [to->K] of from; NULL: all. */
vouch_status label_copy(const vouch_model *from, const int env[], vouch_model *to);

/* |a - b| <= tolerance * max(|a|, |b|), or rewards are not observed. Not transitive, so whether two rewards of the model are the
 * same observation is decided by `seen`. */
bool observe_close(const vouch_model *model, double a, double b);
/* Writes `seen` of every outcome. ERROR_MEMORY leaves it unchanged. */
vouch_status observe_rewards(vouch_model *model);

/* ---- joined models and promises ---- */

/* Replaces *m, finished, by its joined model if its promises or its initial distribution need one. To be repeated after each change
 * of promises or horizon. On failure *m is unchanged. */
vouch_status model_join(vouch_model *m, vouch_error *error);
void joined_free(vouch_model *m); /* all that *m has as a joined model, except the user's model */
/* The model as the user gave it. */
const vouch_model *model_user(const vouch_model *m);

/* The twin of `state` at this time. */
int model_state_at(const vouch_model *m, int state, int time);
/* The successor of `state` by pair q with the same base as `next`; -1: none. */
int model_successor(const vouch_model *m, int q, int next);

/* The probability of the promise required in environment k by itself: 0 if it is on average. */
static inline double promise_alone(const promise_data *p, int k) { return p->average ? 0 : p->p[k]; }
static inline double promise_rest(const promise_data *p, int k) { return p->average ? 0 : p->rest[k]; }
/* Adds to p of promise j in environment k (-1: all) what its decimal is more than its double. */
void promise_add_rest(vouch_model *m, int j, int k, double rest);
/* The last time of promise j of a user's model. */
int promise_end(const vouch_model *user, int j);
bool promise_is_in(const vouch_model *user, int j, int k, int s);

/* Turns the commitment of set_commitment and set_probability into a list of one promise. */
vouch_status promise_list(vouch_model *m);
void promise_free_all(vouch_model *m);
/* Copies promises and initial distribution for environments env [to->K] of from; NULL: all. */
vouch_status promise_copy(const vouch_model *from, const int env[], vouch_model *to);
/* ERROR_INPUT: a promise does not fit the horizon. */
vouch_status promise_check(const vouch_model *user, vouch_error *error);
/* The same before *m is finished, with its initial distribution; a model that has one gets a list of promises. */
vouch_status promise_settle(vouch_model *m, vouch_error *error);

#endif

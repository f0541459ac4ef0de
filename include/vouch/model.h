/* vouch/model.h - K Markov decision processes on the same states and actions, and a commitment
 *
 * Environment k has P(s'|s,a;k) and observed rewards. Time runs 0..horizon. The commitment: be in a state of Phi at the horizon
 * with probability at least p in every environment. (Zhang, Singh, Durfee, ICAPS 2017.)
 *
 * A model is built row by row and then finished; only a finished model can be planned for.
 */
#ifndef VOUCH_MODEL_H
#define VOUCH_MODEL_H

#include <stddef.h>

#include <vouch/status.h>

VOUCH_C_BEGIN

typedef struct vouch_model vouch_model;

/* states, actions, environments >= 1, horizon >= 1. Names are s0.., a0.., k1.. until set. Initial state 0, p = 0,
 * Phi empty, no rows. */
VOUCH_API vouch_status vouch_model_new(vouch_model **model, int states, int actions, int environments, int horizon);
VOUCH_API void vouch_model_free(vouch_model *model); /* NULL is fine */

VOUCH_API vouch_status vouch_model_set_name(vouch_model *model, const char *name);
VOUCH_API vouch_status vouch_model_set_state_name(vouch_model *model, int state, const char *name);
VOUCH_API vouch_status vouch_model_set_action_name(vouch_model *model, int action, const char *name);
VOUCH_API vouch_status vouch_model_set_environment_name(vouch_model *model, int environment, const char *name);
VOUCH_API vouch_status vouch_model_set_initial(vouch_model *model, int state);
VOUCH_API vouch_status vouch_model_set_horizon(vouch_model *model, int horizon);              /* also after finish */
VOUCH_API vouch_status vouch_model_set_commitment(vouch_model *model, int state, int member); /* state in Phi? */
VOUCH_API vouch_status vouch_model_set_probability(vouch_model *model, double p);             /* also after finish */
VOUCH_API vouch_status vouch_model_set_reward_tolerance(vouch_model *model, double relative); /* also after finish; 1e-9 */

/* ---- promises in general ----------------------------------------------------------------------------------------
 *
 * Instead of one commitment a model may have a list of promises, each with its kind, times, and set and probability by environment.
 * After vouch_model_finish the states are the reachable pairs of a state and a memory of promises ("A [fetch kept]"); with an
 * initial distribution an additional first state has one action that leads to them.
 */
/* The kinds: name, word, 1 if the kind has a window from .. to (else only `to` counts). A new kind is an entry here, and its rule
 * in src/mdp/join.c. */
#define VOUCH_PROMISE_LIST(KIND)                                                                                                   \
    KIND(AT, "at", 0)       /* in the set at time `to` */                                                                          \
    KIND(BY, "by", 0)       /* in the set at some time 0 .. to */                                                                  \
    KIND(STAY, "stay", 1)   /* in the set at all times from .. to */                                                               \
    KIND(AVOID, "avoid", 1) /* at none of them */
#define VOUCH_PROMISE_WORDS "at, by, stay or avoid"

#define VOUCH_PROMISE_NUMBER(name, word, window) VOUCH_PROMISE_##name,
typedef enum vouch_promise_kind { VOUCH_PROMISE_LIST(VOUCH_PROMISE_NUMBER) VOUCH_PROMISE_KINDS } vouch_promise_kind;
#undef VOUCH_PROMISE_NUMBER

/* "at", "by", "stay", "avoid"; and back (-1: no such kind). */
VOUCH_API const char *vouch_promise_kind_text(vouch_promise_kind kind);
VOUCH_API int vouch_promise_kind_find(const char *word);
VOUCH_API int vouch_promise_kind_is_window(vouch_promise_kind kind);

/* Appends a promise, number 0, 1, .., with an empty set and probability 0 in every environment. from, to: -1: from the start, to
 * the horizon. ERROR_INPUT: the name is taken, or from > to. vouch_model_finish compares times and horizon. */
VOUCH_API vouch_status vouch_model_add_promise(vouch_model *model, const char *name, vouch_promise_kind kind, int from, int to);
/* environment -1: all. */
VOUCH_API vouch_status vouch_model_set_promise_state(vouch_model *model, int promise, int environment, int state, int member);
/* BY only: after the call only these states may be visited before the set is reached. */
VOUCH_API vouch_status vouch_model_set_promise_through(vouch_model *model, int promise, int environment, int state, int member);
VOUCH_API vouch_status vouch_model_set_promise_probability(vouch_model *model, int promise, int environment,
                                                           double p); /* also after finish */
/* Prior probabilities of the environments, [K], up to a factor; default: equal. Used by promises on average and by
 * VOUCH_OBJECTIVE_WEIGHTED without weights. Also after finish. ERROR_INPUT: a number is negative or not finite, or all are 0. */
VOUCH_API vouch_status vouch_model_set_prior(vouch_model *model, const double prior[]);
VOUCH_API double vouch_model_prior(const vouch_model *model, int environment);
VOUCH_API int vouch_model_has_prior(const vouch_model *model); /* was one set? */
/* average 1: the promise is sum_k prior(k) Pr(k) >= p, with one p for all environments (else ERROR_INPUT). Also after finish. */
VOUCH_API vouch_status vouch_model_set_promise_average(vouch_model *model, int promise, int average);
VOUCH_API int vouch_model_promise_is_average(const vouch_model *model, int promise);
VOUCH_API int vouch_model_averages(const vouch_model *model); /* number of promises on average */
/* sum_k prior(k) probability[k * stride] */
VOUCH_API double vouch_model_mean(const vouch_model *model, const double probability[], int stride);
/* 1 if this mean keeps the promise, with the tolerance of vouch_model_kept. */
VOUCH_API int vouch_model_mean_kept(const vouch_model *model, int promise, double mean);
/* Initial distribution (default 0), instead of vouch_model_set_initial; the agent observes the state. environment -1: all. */
VOUCH_API vouch_status vouch_model_set_initial_probability(vouch_model *model, int environment, int state, double probability);

/* Labels: named sets of states, number 0, 1, .., which planning ignores. They are added before vouch_model_finish. ERROR_INPUT: the
 * name exists. environment -1: all. A label that does not exist has the name NULL and no states. */
VOUCH_API vouch_status vouch_model_add_label(vouch_model *model, const char *name);
VOUCH_API vouch_status vouch_model_set_label_state(vouch_model *model, int label, int environment, int state, int member);
VOUCH_API int vouch_model_labels(const vouch_model *model);
VOUCH_API const char *vouch_model_label_name(const vouch_model *model, int label);
VOUCH_API int vouch_model_has_label(const vouch_model *model, int label, int environment, int state);

/* With VOUCH_MINIMISE the rewards of rows are costs, and so are the values of results and the rewards that agents observe; plans
 * minimise them, and regret = U - U*. Only vouch_model_get_transitions gives rewards, minus the costs. Also after finish. */
typedef enum vouch_sense { VOUCH_MAXIMISE, VOUCH_MINIMISE, VOUCH_SENSES } vouch_sense;
VOUCH_API vouch_status vouch_model_set_sense(vouch_model *model, vouch_sense sense);
VOUCH_API vouch_sense vouch_model_sense(const vouch_model *model);
VOUCH_API const char *vouch_sense_text(vouch_sense sense); /* "max", "min" */

/* Rewards are observed, unless VOUCH_OBSERVE_STATES is set: then only transitions distinguish environments (multi-environment
 * MDPs). Also after finish. */
typedef enum vouch_observed { VOUCH_OBSERVE_REWARDS, VOUCH_OBSERVE_STATES, VOUCH_OBSERVED_KINDS } vouch_observed;
VOUCH_API vouch_status vouch_model_set_observed(vouch_model *model, vouch_observed observed);
VOUCH_API vouch_observed vouch_model_observed(const vouch_model *model);
/* The observations of a finished model, which its file lacks: the tolerance of rewards, and a number for each outcome of the user's
 * model, by environment, state, action and next state; equal numbers of one state, action and next state are one observation.
 * Returns the count of outcomes; tolerance and number [count] may be NULL. Setting them in the model read back makes it the same.
 * ERROR_ARGUMENT: another count, a number below 0. */
VOUCH_API size_t vouch_model_observations(const vouch_model *model, double *tolerance, int number[]);
VOUCH_API vouch_status vouch_model_set_observations(vouch_model *model, double tolerance, const int number[], size_t count);
/* "rewards", "states"; and back (-1: no such word). */
VOUCH_API const char *vouch_observed_text(vouch_observed observed);
VOUCH_API int vouch_observed_find(const char *word);

/* (Rewards of one state, action and successor with |a - b| <= relative * max(|a|, |b|) are one observation, as are rewards joined
 * by a chain of such neighbours: this is decided once, for the whole model.) */

/* A row P(next|state,action;environment) = probability, with its reward. Probabilities of equal (environment, state, action, next)
 * are added; their rewards must be equal (the last one holds). */
VOUCH_API vouch_status vouch_model_add(vouch_model *model, int environment, int state, int action, int next, double probability,
                                       double reward);
typedef struct vouch_row {
    int environment, state, action, next;
    double probability, reward;
} vouch_row;
/* row [count], each as by vouch_model_add. *error names the first wrong row; rows before it have been added. */
VOUCH_API vouch_status vouch_model_add_rows(vouch_model *model, const vouch_row row[], size_t count, vouch_error *error);

/* ---- error of the probabilities: each is known within limits, and every distribution within the limits of its row is possible
 * ---- */

/* Adds a transition whose probability lies between low and row->probability; 0 <= low <= row->probability (else ERROR_INPUT).
 * Limits of equal (environment, state, action, next) are added; a transition added as above has equal limits. Plans are made for
 * the nominal distribution low + c (high - low), with one c for the row. vouch_model_finish: ERROR_INPUT unless sum low <= 1 <= sum
 * high. */
VOUCH_API vouch_status vouch_model_add_interval(vouch_model *model, const vouch_row *row, double low);
/* Widens the limits of every row with more than one successor to low - eps and high + eps, within 0 and 1. A successor of
 * probability 0 stays impossible. 0 <= eps <= 1 (else ERROR_ARGUMENT). Also after finish. */
VOUCH_API vouch_status vouch_model_set_within(vouch_model *model, double eps);
VOUCH_API double vouch_model_within(const vouch_model *model);
/* 2: some rows have limits of their own; 1: there is an eps above 0; else 0. */
VOUCH_API int vouch_model_has_error(const vouch_model *model);

/* The place of a fault; -1 where it does not apply. */
typedef struct vouch_model_fault {
    int environment, state, action;
} vouch_model_fault;

/* Checks and freezes: sums within 1e-6 of 1 (then normalised exactly), the same actions in a state in every environment, actions
 * in every state that can be reached before the horizon. ERROR_INPUT names the fault in *error and in *fault (either may be NULL);
 * the model can still be freed. */
VOUCH_API vouch_status vouch_model_finish(vouch_model *model, vouch_model_fault *fault, vouch_error *error);

/* Contents of a finished model. Names and arrays are owned by the model. */
VOUCH_API int vouch_model_states(const vouch_model *model);
VOUCH_API int vouch_model_actions(const vouch_model *model);
VOUCH_API int vouch_model_environments(const vouch_model *model);
VOUCH_API int vouch_model_horizon(const vouch_model *model);
VOUCH_API int vouch_model_initial(const vouch_model *model);
VOUCH_API double vouch_model_probability(const vouch_model *model);           /* p */
VOUCH_API int vouch_model_is_commitment(const vouch_model *model, int state); /* is the state in Phi? */
/* 1 if Pr(S_T in Phi) = probability keeps the commitment: it may be below p by 2^-40 (9.1e-13), the rounding of propagation. */
VOUCH_API int vouch_model_kept(const vouch_model *model, double probability);
VOUCH_API const char *vouch_model_name(const vouch_model *model); /* "" where none was set */
VOUCH_API const char *vouch_model_state_name(const vouch_model *model, int state);
VOUCH_API const char *vouch_model_action_name(const vouch_model *model, int action);
VOUCH_API const char *vouch_model_environment_name(const vouch_model *model, int environment);
VOUCH_API int vouch_model_find_state(const vouch_model *model, const char *name);  /* -1: there is none */
VOUCH_API int vouch_model_find_action(const vouch_model *model, const char *name); /* -1: there is none */

/* The promises of a finished model: their number, J >= 1; without a list the commitment is the only promise. */
VOUCH_API int vouch_model_promises(const vouch_model *model);
typedef struct vouch_promise {
    const char *name;
    vouch_promise_kind kind;
    int from, to; /* times of the user, 0 .. horizon */
} vouch_promise;
/* 1: a list was given, so that outputs name promises; 0: a commitment. */
VOUCH_API int vouch_model_has_list(const vouch_model *model);
VOUCH_API void vouch_model_get_promise(const vouch_model *model, int promise, vouch_promise *out);
/* 1: its last time was given; 0: it is the horizon. */
VOUCH_API int vouch_model_promise_has_end(const vouch_model *model, int promise);
VOUCH_API int vouch_model_find_promise(const vouch_model *model, const char *name); /* -1: there is none */
VOUCH_API double vouch_model_promise_probability(const vouch_model *model, int promise, int environment);
/* 1 if this probability keeps the promise, with the tolerance of vouch_model_kept, or the promise is on average. */
VOUCH_API int vouch_model_promise_kept(const vouch_model *model, int promise, int environment, double probability);
/* 1 if the state is in the promise's set in this environment. */
VOUCH_API int vouch_model_is_promised(const vouch_model *model, int promise, int environment, int state);
/* 1 if the promise is kept when the state at the horizon is this one. */
VOUCH_API int vouch_model_promise_holds(const vouch_model *model, int promise, int environment, int state);
/* The user's time of a model's time 0: 0, or -1 with an initial distribution. The horizon counts from there. */
VOUCH_API int vouch_model_first_time(const vouch_model *model);
/* The user's state of a joined state, number (-1: the start) and name, and the memory of promises, "" or "[fetch kept]". */
VOUCH_API int vouch_model_look(const vouch_model *model, int state, const char **name, const char **memory);

/* The actions of a state, the same in every environment: their number, *action [number] ascending. */
VOUCH_API int vouch_model_available(const vouch_model *model, int state, const int **action);
/* Number of (state, action) among all available pairs, by state and action; -1 where the action is not available. */
VOUCH_API int vouch_model_pair(const vouch_model *model, int state, int action);

/* Successors of a state and action in one environment; probabilities are positive and sum to 1. */
typedef struct vouch_transitions {
    int count;
    const int *next;           /* [count] ascending */
    const double *probability; /* [count] */
    const double *reward;      /* [count] observed on coming there; minus the costs with VOUCH_MINIMISE */
} vouch_transitions;
/* count = 0 where the action is not available. */
VOUCH_API void vouch_model_get_transitions(const vouch_model *model, int environment, int state, int action,
                                           vouch_transitions *transitions);

/* A finished copy with the environments environment [count], ascending, only; NULL: with all. */
VOUCH_API vouch_status vouch_model_restrict(vouch_model **copy, const vouch_model *model, const int environment[], int count,
                                            vouch_error *error);

VOUCH_C_END
#endif

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
 * before time 0. Promise j is kept in environment k at the horizon where weight[k * J + j] is 1. */
#ifndef MDP_MODEL_H
#define MDP_MODEL_H

#include <float.h>
#include <vouch/model.h>

#include "base/intern.h"

/* ---- all tolerances of models and policies: the commitment, and rounding of values ----------------------------------------------
 *
 * Planning uses rewards in [0, 1] (mdp/model.h), so value tolerances are relative to the spread of the rewards: adding a constant
 * to all rewards, or scaling them, changes no decision. Only rounding is tolerated; no search adds to the caller's gap.
 *
 * One predicate, commitment_kept, serves U*, planning, bounds, proofs of infeasibility, evaluation and simulation. A propagated sum
 * is off by at most commitment_rounding / 2, so every accepted policy has a true probability of at least commitment_threshold, and
 * U*_c(k) is the optimum over all policies of that probability: no accepted policy has negative regret. A bound that is itself
 * summed in doubles is valid from another commitment_rounding / 2 below. */

/* A commitment is kept if the propagated probability is at least p less this. It covers the rounding of sums of products over some
 * hundred steps and the accumulated shortfalls of CCIL's replannings; linear programs must reach p within it. A larger one would
 * let policies of reliability models fail deliberately, and raises U* by slope * 2^-40, invisible in ten digits for slopes below
 * 50. A power of two, so that p less this is exact, and not a power of ten, which users write. */
#define KEEP_TOLERANCE 0x1p-40

/* The predicate, with the remaining tolerance if the shortfalls of several plans add up. NaN is not kept. */
static inline bool commitment_kept_within(double probability, double p, double tolerance) { return probability >= p - tolerance; }
static inline bool commitment_kept(double probability, double p) { return commitment_kept_within(probability, p, KEEP_TOLERANCE); }

/* Largest difference of two summations of the same probability over T steps: each step multiplies and adds once. */
static inline double commitment_rounding(int T) { return (T + 2) * DBL_EPSILON; }

/* Lower bound of the true probability of a policy accepted within the tolerance; exact in doubles for p above the tolerance. */
static inline double commitment_threshold(double p, double tolerance, int T)
{
    return p - (tolerance + commitment_rounding(T) / 2);
}

/* Rounding of a value per step, relative to the spread of the rewards: a few units in the last place of a product and a sum.
 * Smaller differences of U(k) than this times the horizon decide nothing. */
#define TOL_STEP 0x1p-50

/* The same for sums in extended precision. */
#define TOL_EXTENDED_STEP (16 * LDBL_EPSILON)

/* Grid, relative to the spread, for rewards that are not fractions of small denominators. Sums of up to 2^12 of them are exact, so
 * values that are equal in one order of summation are equal in another. Proved bounds account for the distance. */
#define TOL_GRID 0x1p-40

/* Share of the gap, divided by the horizon, by which the grid may move a reward; rewards that would move further stay unchanged. A
 * proof loses four times the distance in each step, which leaves a quarter of the gap to the search. */
#define TOL_GRID_SHARE (3.0 / 16)

/* Rounding below UNSEEN_LEAST + UNSEEN_SHARE |claim| is a tenth of the accuracy of claims, and is not printed. */
#define UNSEEN_LEAST 1e-7
#define UNSEEN_SHARE 1e-10

/* ---- the K environments as flat arrays -------------------------------------------------------------------------------------- */

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
    const char **decimal;   /* [start[pairs]] the rewards that were read with more digits than a double has, the user's; others, and
                               of a model without any the array: NULL */
    double *expected;       /* [pairs] R(s,a;k) = sum of prob * reward */
    double *given;          /* [pairs] of a rescaled model (mdp/model.h), else NULL */
    double origin;          /* expected reward as given = origin + given */
    double floor;           /* raising given expected rewards to this leaves U* unchanged */
    const double *terminal; /* [S] Pr = E[terminal(S_T)] of its (first) promise: 1 where it is kept, else 0 */
    double p, p_rest;       /* required Pr is their sum: the double next to what was read, and the remainder */
    double *earned;         /* [pairs] of a model of losses: expected rewards of the model itself; else NULL */
    double optimum;         /* given U*, in a model of losses (policy/policy.h) if known more precisely than from mdp/dp.h */
    bool optimum_known;
    double *low, *high; /* [start[pairs]] limits of each probability as given; NULL: prob itself */
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

typedef struct model_row { /* as added, before finish; before one with a lower limit one with minus that as prob, -0.0 included */
    int env, state, action, next;
    double prob, reward;
    size_t order;
} model_row;

enum { DECIMAL_TEXT = 64 }; /* characters of a decimal that is kept, with its end */

typedef struct model_decimal { /* the reward of the row of this order */
    size_t order;
    char *text; /* '-' and the digits */
    bool negative;
} model_decimal;

struct vouch_model {
    char *name;
    int S, A, K, T, s0;
    double p, p_rest;
    double reward_tolerance;                      /* relative: closer rewards are the same observation */
    vouch_observed observed;                      /* STATES: all rewards are the same observation */
    vouch_sense sense;                            /* MINIMISE: rewards are minus the costs given */
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
    int group;                             /* in views: number of consecutive rows that are one environment (mdp/model.h); else 1 */
    joined_model *join;                    /* of a joined model, else NULL */
    bool finished;
    bool short_numbers; /* read as the shortest decimals of their doubles, none summed */
    int last_horizon;   /* the largest T at which no state without actions is reached before T */
    int pairs;
    int *pair_start;    /* [S + 1] */
    int *pair_action;   /* [pairs] */
    int *of_state;      /* [S] of a model of losses (policy/policy.h): the original state; else NULL */
    mdp *env;           /* [K] */
    reward_scale scale; /* 0, 1, 0 unless rescaled */
    model_row *rows;    /* before finish */
    size_t row_count, row_capacity;
    model_decimal *decimal; /* [decimal_count] ascending, to the end of the model */
    size_t decimal_count, decimal_capacity;
    bool limits;   /* some rows have lower limits of their own */
    double within; /* of the user's model: error of every probability of rows with more than one successor */
};

/* A reward or value as the user gives and sees it, and back. */
static inline double model_given(const vouch_model *m, double x) { return m->sense == VOUCH_MINIMISE ? 0 - x : x; }

/* Keeps the digits of the reward of the row added last, before finish: text [length]. ERROR_MEMORY. */
vouch_status model_keep_decimal(vouch_model *m, const char *text, size_t length);

void mdp_free(mdp *e); /* except `given` and the terminal weights */

/* The pair of (s, a), or -1. */
int model_pair(const vouch_model *model, int state, int action);
/* The outcome of pair q with successor `next` in this environment, or -1. O(log outcomes of q) */
int mdp_outcome(const mdp *env, int q, int next);

/* ---- limits of probabilities (mdp/limits.c) ---- */

/* Are the limits of a probability (both itself, without limits) or the sums of a row's limits wrong? words: how. */
enum { LIMITS_WORDS = 128 };
bool limits_wrong(double low, double high, char words[LIMITS_WORDS]);
bool limit_sums_wrong(const double sum[2], char words[LIMITS_WORDS]);
/* Outcomes first .. *used - 1 are a row with limits low .. high: sets their nominal prob and removes those with 0. sum [2]: of the
 * limits; if these are wrong, prob is of no use. Returns the sum of prob. */
double limits_settle(mdp *e, int first, int *used, double sum[2]);
/* Of outcome o. */
typedef struct prob_limits {
    double low, high;
} prob_limits;
prob_limits limits_given(const mdp *env, int o);
/* Widened by vouch_model_set_within; of pair q in state s; env is m's, or a view's of m. */
prob_limits limits_within(const vouch_model *m, const mdp *env, int s, int q, int o);

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

/* Copies labels for environments env [to->K] of from; NULL: all. */
vouch_status label_copy(const vouch_model *from, const int env[], vouch_model *to);

/* |a - b| <= tolerance * max(|a|, |b|), or rewards are not observed. Not transitive, so whether two rewards of the model are the
 * same observation is decided by `seen`. */
bool observe_close(const vouch_model *model, double a, double b);

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

/* ---- views, which share the arrays of a model and must not outlive it, and copies of some environments --------------------------
 *
 * Planning assumes one promise for each environment. So a model with J promises is planned as a view of K * J environments, its
 * rows: row k * J + j has the transitions and rewards of environment k and the terminal weights and probability of its promise j.
 * Observations never distinguish the rows of one environment, so the policies are the same, every promise is required, and the
 * maximum regret is that over the K environments; U*_c(k) is the optimum under all promises of k (mdp/dp.h).
 *
 * Views are freed by model_view_free, not vouch_model_free. On failure *view is empty. */

/* The rows of m; `group` of them are one environment. */
vouch_status model_rows(const vouch_model *m, vouch_model *view);
/* m started in `state`, with `steps` steps to go and the environments env [count] only, ascending. */
vouch_status model_view(const vouch_model *m, int state, int steps, const int env[], int count, vouch_model *view);
void model_view_free(vouch_model *view); /* an empty one is fine */

/* A finished copy with all environments, in which only environment [count], ascending, have rewards and, if `own`, promises; the
 * other promises have probability 0. Observations are those of the model: rewards removed still distinguish environments. */
vouch_status model_paying(vouch_model **copy, const vouch_model *model, const int environment[], int count, bool own,
                          vouch_error *error);

/* ---- promises on average:  sum_k prior(k) Pr(k) >= p  in place of a row for each environment ------------------------------------
 *
 * Such a promise constrains no environment alone, so U*_c(k) is the optimum under the other promises. It implies a lower bound on
 * Pr(k), the implied level, if the other environments cannot reach the sum without k (average_implied). Bayesian setting: Zhang,
 * Singh, Durfee (2016). */

/* Over the K rows of a model (mdp/model.h): sum over r of weight[a * K + r] Pr(r) >= p[a]. */
typedef struct promise_averages {
    int count;
    double *p;      /* owned, [count] */
    double *weight; /* owned, [count * K] >= 0, positive only in the average's own rows */
    int *row;       /* owned, [count] which row of an environment belongs to it */
} promise_averages;

/* The averages of a model of rows, weighted by its prior. On failure *out is empty. */
vouch_status averages_of(const vouch_model *rows, promise_averages *out);
vouch_status averages_copy(const promise_averages *from, int K, promise_averages *out);
void averages_free(promise_averages *averages); /* empty ones are fine */

/* Rounding error bound of a mean of K terms summed in doubles with the normalised prior. */
double average_rounding(int K);
/* sum_r weight[a * K + r] Pr(r). */
double average_mean(const promise_averages *averages, int a, int K, const double Pr[]);
/* mu [K] += eta times its weights. */
void average_spread(const promise_averages *averages, int a, int K, double eta, double mu[]);
/* Implied level of row r: the least Pr(r) with which average a can reach p - allowed if every other row r' has at most most [r'].
 * Rounded down; 0: none. */
double average_implied(const promise_averages *averages, int a, int r, int K, const double most[], double allowed);
/* Copies from's prior, conditional on environments env [to->K] (NULL: all). If it is 0 in all of them there is none, or ERROR_INPUT
 * with promises on average. */
vouch_status prior_copy(const vouch_model *from, const int env[], vouch_model *to);

/* ---- the same model with rewards in [0, 1], for planning ------------------------------------------------------------------------
 *
 * Each of the T steps pays exactly one reward, so U(k) = T * least + spread * u(k), where u is the value for the rewards (R -
 * least) / spread: the order of policies is unchanged, and regrets and bounds are scaled by the spread. Observations are those of
 * the original rewards.
 *
 * An affine change of all rewards changes the last digits of these quotients. So that it changes no plan, a quotient is replaced by
 * the fraction of least denominator within the precision of the rewards, or by the nearest point of a grid (TOL_GRID). `error`
 * bounds the change of an expected reward.
 *
 * Rewards that no policy can collect do not enter the range. If the spread is so large that values would lose printed digits,
 * expected rewards below a floor F are raised to F. Then U'(k) >= U(k) for every policy, and F is chosen such that U*'(k) = U*(k),
 * since the policies that attain U*'(k) collect no raised reward. So
 *
 *     regret'(k) = U*(k) - U'(k)  <=  regret(k):
 *
 * every bound for the raised rewards is valid for the given ones, and a policy whose given regret meets it is optimal. If none
 * does, planning is repeated with a lower floor. */

typedef struct rescale_options {
    double gap;  /* of the plan, in the units of m */
    bool floors; /* raise penalties if rewards are spread widely */
    bool proof;  /* with less spread, as a proof needs */
    int attempt; /* number of earlier plans whose floor was too high */
} rescale_options;

/* A view of the rows of m (mdp/model.h), with env[k].expected rescaled and env[k].given the expected reward less env[k].origin, in
 * the units of m. Free with model_rescaled_free. On failure *out is empty. */
vouch_status model_rescaled(const vouch_model *m, const rescale_options *options, vouch_model *out);
void model_rescaled_free(vouch_model *m); /* an empty one is fine */

/* *wide: collectable rewards are so large, or spread so widely, that small values lose printed digits (proof: or that rounding
 * exceeds the gap of a proof). ERROR_MEMORY. */
vouch_status model_is_wide(const vouch_model *m, bool proof, bool *wide);

/* A view of a rescaled model with the given rewards, less env[k].origin, clamped to a range in which every U* is unchanged. Free
 * with rescaled_given_free. ERROR_MEMORY leaves *out empty. */
vouch_status rescaled_given(const vouch_model *m, vouch_model *out);
void rescaled_given_free(vouch_model *given);

/* The gap to plan to, for a gap in the units of m: less the error of rescaling and rounding, at least rounding. */
double rescaled_gap(const vouch_model *m, double gap);
/* Largest difference of rescaled regrets of two policies of equal given regret. */
double rescaled_tie(const vouch_model *m);
/* Loss, in the units of m, of a bound proved for the rescaled rewards. */
double rescaled_loss(const vouch_model *m);
/* Rounding of a value, in the units of m. */
double rescaled_rounding(const vouch_model *m);

#endif

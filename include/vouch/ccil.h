/* vouch/ccil.h - commitment-constrained iterative lookahead: replanning while acting
 *
 * CCIL(L) executes L steps of an L-updates policy, replans from the knowledge state b_L that it reaches, and repeats this every L
 * steps. A new plan owes each possible environment k the probability Pr(S_T in Phi | b_L, k) of the policy in force, so the
 * commitment is kept by construction. (Zhang, Singh, Durfee, ICAPS 2017.)
 *
 * One object holds the plans, keyed by knowledge state and owed probabilities. It can be evaluated exactly, simulated, or followed
 * step by step by an agent.
 */
#ifndef VOUCH_CCIL_H
#define VOUCH_CCIL_H

#include <vouch/plan.h>

VOUCH_C_BEGIN

typedef struct vouch_ccil_options {
    vouch_plan_options plan; /* MILP_CCL or EXACT_CCL, lookahead 1..horizon; limits: of an evaluation, of each executor's plan */
    int guarded;             /* 1: no plan may have a smaller U(k) than the policy in force, in any environment still possible */
    long long program_limit; /* most plans made by an evaluation; 0: no limit */
    void (*progress)(void *context, double seconds, long long done, long long known, const char *stage); /* NULL: none */
    void *progress_context;
    void (*first_plan)(void *context, const vouch_plan_progress *progress); /* of the search for the first plan; NULL: none */
    void *first_plan_context;
} vouch_ccil_options;

VOUCH_API void vouch_ccil_options_init(vouch_ccil_options *options);

typedef struct vouch_ccil vouch_ccil;

/* Plans from the start. The model must outlive *ccil. */
VOUCH_API vouch_status vouch_ccil_new(vouch_ccil **ccil, const vouch_model *model, const vouch_ccil_options *options,
                                      vouch_error *error);
VOUCH_API void vouch_ccil_free(vouch_ccil *ccil); /* NULL is fine */

typedef struct vouch_ccil_result {
    vouch_plan_outcome outcome; /* OPTIMAL: every plan proved; FEASIBLE: some unproved or missing; else: no first plan */
    int has_policy;
    int environments;                         /* K */
    const vouch_environment_figures *figures; /* [K] of the adaptive behaviour; without a policy only optimal_value */
    const double *commitments;                /* [K * promises] probabilities of keeping each promise */
    double max_regret, total_regret;          /* NAN without a policy */
    vouch_objective objective;                /* of each plan */
    double value;            /* of that objective, of the adaptive behaviour: as in vouch_plan_result; NAN without a policy */
    double first_max_regret; /* of the first plan, were it followed to the end */
    double first_bound;      /* proved lower bound of the first plan's class, not of replanning. INFINITY: infeasible; NAN: none */
    long long programs;      /* plans made */
    long long reused;        /* times a knowledge state was met again with the same p(.) */
    long long kept_on;       /* programs that found no better policy than the one in force */
    long long unproved;      /* programs not proved optimal */
    long long missing;       /* knowledge states without a plan, where the policy in force continues */
    double missing_probability; /* of reaching one of them, largest over environments */
    double seconds;
} vouch_ccil_result;

/* Exact evaluation, without sampling, within the limits of the options. Figures use the policy in force where a plan is missing:
 * they belong to an agent that stops planning there. */
VOUCH_API vouch_status vouch_ccil_evaluate(vouch_ccil *ccil, vouch_error *error);
/* Arrays are owned by ccil and hold until its next evaluation. Before any: the figures of the first plan. */
VOUCH_API void vouch_ccil_get_result(const vouch_ccil *ccil, vouch_ccil_result *result);

/* Monte Carlo: what `episodes` runs gave in one environment, with 95 % intervals. */
typedef struct vouch_sample {
    long long episodes;
    double mean, half_width;          /* of the reward: mean +- half_width */
    double kept, kept_low, kept_high; /* frequency of keeping the promise, Wilson's interval */
} vouch_sample;

typedef struct vouch_simulation_options {
    long long episodes; /* per environment */
    uint64_t seed;
    int threads;         /* the result does not depend on it */
    vouch_limits limits; /* stops between batches of episodes; sample.episodes has their number */
    void (*progress)(void *context, double seconds, long long done, long long all);
    void *progress_context;
} vouch_simulation_options;

VOUCH_API void vouch_simulation_options_init(vouch_simulation_options *options);
/* sample [K * promises], by environment, each promise with episodes of its own. The policy must have a rule wherever it gets to
 * (ERROR_INPUT names the place). */
VOUCH_API vouch_status vouch_simulate(const vouch_policy *policy, const vouch_model *model, const vouch_simulation_options *options,
                                      vouch_sample sample[], vouch_error *error);
/* The sampled mean over the prior of one promise, with intervals by the method of variance estimates recovery (Zou and Donner,
 * Statistics in Medicine 27, 2008). */
VOUCH_API vouch_sample vouch_sample_average(const vouch_model *model, int promise, const vouch_sample sample[]);
/* Plans are made for the knowledge states that episodes reach, and stored in ccil. ERROR_ARGUMENT: it has no first plan. */
VOUCH_API vouch_status vouch_simulate_ccil(vouch_ccil *ccil, const vouch_simulation_options *options, vouch_sample sample[],
                                           vouch_error *error);

/* An agent's side of CCIL: decision (vouch_decision, policy.h), action, observation, until done. */
typedef struct vouch_executor vouch_executor;

/* Plans from the start. ERROR_INPUT: the commitment is infeasible; ERROR_SIZE: no plan within the limits. options->plan.limits
 * apply to each plan; after one, the better of the plan and the policy in force is followed, which keeps the promise. */
VOUCH_API vouch_status vouch_executor_new(vouch_executor **executor, const vouch_model *model, const vouch_ccil_options *options,
                                          vouch_error *error);
VOUCH_API void vouch_executor_free(vouch_executor *executor); /* NULL is fine */
/* The next episode, from time 0, with the plans made so far. seed: of the sampled actions (the first episode's is in the options).
 */
VOUCH_API void vouch_executor_restart(vouch_executor *executor, uint64_t seed);
/* Arrays are owned by the executor and hold until the next observation. */
VOUCH_API void vouch_executor_decision(const vouch_executor *executor, vouch_decision *decision);
/* As vouch_episode_observe. */
VOUCH_API vouch_status vouch_executor_observe(vouch_executor *executor, int action, double reward, int state, vouch_error *error);
VOUCH_API int vouch_executor_done(const vouch_executor *executor);
/* As vouch_episode_kept. */
VOUCH_API int vouch_executor_kept(const vouch_executor *executor);
/* [K * promises] Pr(promise is kept | observations, k) under the policy in force; NAN for environments that are ruled out (all, if
 * memory is out). */
VOUCH_API void vouch_executor_promise(const vouch_executor *executor, double probability[]);

VOUCH_C_END
#endif

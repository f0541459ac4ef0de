/* policy/policy.h - a policy as its file holds it: a flat list of rules, figures beside them.
 *
 * The planners fill it from their own node arrays and the evaluator reads it back into them, so that what is written, read
 * and evaluated is one and the same thing.
 */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <stdbool.h>
#include <vouch/plan.h>

#include "base/arena.h"

typedef struct policy_rule {
    vouch_rule_kind kind;
    int time, state;
    int boundary_time, boundary_state; /* VOUCH_RULE_BOUNDARY; else -1 */
    int env_count;                     /* VOUCH_RULE_KNOWLEDGE: of the node; VOUCH_RULE_BOUNDARY: of the boundary */
    int *env;                          /* [env_count] ascending; NULL for VOUCH_RULE_LIKELIHOOD */
    double *likelihood;                /* [K], largest entry 1; NULL unless VOUCH_RULE_LIKELIHOOD */
    int do_count;
    int *action;      /* [do_count] ascending; where plans are followed, for each plan */
    double *prob;     /* [do_count] > 0, summing to 1 */
    int plan;         /* VOUCH_RULE_PLAN: which has the rule; else -1 */
    int follow_count; /* plans followed from here on (policy/plans.h); 0: none */
    int *follow;      /* [follow_count] ascending */
    double *share;    /* [follow_count] > 0, summing to 1 */
    int *next;        /* [do_count] the plan that is followed with the action; NULL: none */
} policy_rule;

struct vouch_policy {
    arena memory;              /* of all arrays but rules */
    char *model_name, *method; /* method as on the command line: "milp-ccl", "history", .. */
    int L, T, K;
    double p;
    vouch_objective objective;
    double *weights;                    /* [K] of the objective WEIGHTED, else NULL */
    char **env_name;                    /* [K] */
    vouch_environment_figures *figures; /* [K] */
    double *largest_probability;        /* [K * promises] or NULL */
    double *determinism;                /* [K] regret_of_determinism, or NULL */
    double *commitments;                /* [K * promises], or NULL: they make one, whose probability is among the figures */
    int promises;
    char **promise_name; /* [promises] where the model has a list of them, else NULL */
    int offset;          /* times of the user are so much less: 1 with an initial distribution */
    bool too_large;      /* the nodes of the class asked for are too many: the policy, if any, is a Markov one */
    bool late;           /* optimal values, and so regrets, are upper bounds */
    vouch_plan_outcome outcome;
    int has_policy;
    double nearest; /* as in vouch_plan_result */
    double max_regret, total_regret, bound, total_bound;
    double steep; /* while it is planned: as in policy/space.h */
    long long nodes, total_nodes, iterations;
    long long ids; /* while it is planned: nodes numbered so far */
    double seconds;
    int plans;          /* Markov policies that rules follow */
    policy_rule *rules; /* those of plans behind all others, by plan, time and state */
    size_t rule_count, rule_capacity;
    size_t plan_rules; /* the first of plans, once linked; rule_count: none */
};

/* K environments, figures NAN, no rules; NULL when memory is out. */
vouch_policy *policy_new(int K);
/* Appends a zeroed rule with room for env_count, K likelihoods (if that kind) and do_count; NULL when
 * memory is out. */
policy_rule *policy_add_rule(vouch_policy *policy, vouch_rule_kind kind, int env_count, int do_count);
/* Appends count boundary rules of all environments, times and states 0, each with one action to be set: for very many, as they
 * share their set and their distribution. NULL when memory is out. */
policy_rule *policy_add_sure_rules(vouch_policy *policy, size_t count);
/* Room for count plans that the rule follows; 0, or -1 when memory is out. */
int policy_follow(vouch_policy *policy, policy_rule *rule, int count);
/* What was optimised: weights [environments] (NULL: 1 each) are copied; 0, or -1 when memory is out. */
int policy_aim(vouch_policy *policy, vouch_objective objective, const double weights[], int environments);
/* The objective's value of the figures, NAN without a policy. */
double policy_value(const vouch_policy *policy);
/* Copies names and horizon, p of the model; 0 or -1 when memory is out. */
int policy_describe(vouch_policy *policy, const vouch_model *m, const char *method, int L);
/* What describe says of promises and times. */
int policy_name_promises(vouch_policy *policy, const vouch_model *m);
/* A policy planned for promise rows (mdp/rows.h) as one of their environments; 0, or -1 when memory is out. */
int policy_merge(vouch_policy *policy, const vouch_model *rows);
/* The same of a copy, which shares what is not merged. Free with policy_copy_free, whatever is returned. */
int policy_merged_copy(const vouch_policy *policy, const vouch_model *rows, vouch_policy *out);
void policy_copy_free(vouch_policy *copy);
/* figures row [K] of rows as those of their environments, out [K / group], which may be the same array; commitments [K] or NULL.
 * The commitment probability is that of the promise with the least margin. */
void figures_merge(const vouch_model *rows, const vouch_environment_figures row[], vouch_environment_figures out[],
                   double commitments[]);

/* Makes figures [environments] anew without loss of digits where rewards differ in size (policy/losses.h), if the model fits. */
vouch_status policy_figures_by_losses(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[],
                                      vouch_error *error);
/* The figures U, Pr [K] beside the constrained optima, for the rewards given (space_use_given): out [K]. */
void figures_of_model(const vouch_model *m, const double optimal[], const double U[], const double Pr[],
                      vouch_environment_figures out[]);

#endif

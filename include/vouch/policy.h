/* vouch/policy.h - policies: rules, exact figures, graph, and following one
 *
 * A policy is planned (plan.h), read (model_io.h), or made by replanning (ccil.h). It belongs to a model with the same horizon,
 * environments and names; its figures are computed by propagation through the model, without planning.
 */
#ifndef VOUCH_POLICY_H
#define VOUCH_POLICY_H

#include <vouch/model.h>

VOUCH_C_BEGIN

typedef struct vouch_policy vouch_policy;

VOUCH_API void vouch_policy_free(vouch_policy *policy); /* NULL is fine */

VOUCH_API const char *vouch_policy_method(const vouch_policy *policy); /* as on the command line: "milp-ccl", .. */
VOUCH_API int vouch_policy_lookahead(const vouch_policy *policy);      /* L: knowledge is updated for L steps */
VOUCH_API int vouch_policy_horizon(const vouch_policy *policy);        /* T */
VOUCH_API int vouch_policy_environments(const vouch_policy *policy);   /* K */

/* ---- rules ------------------------------------------------------------------------------------------------------ */

typedef enum vouch_rule_kind {
    VOUCH_RULE_KNOWLEDGE = 0, /* time < L: for a state and the environments still possible */
    VOUCH_RULE_BOUNDARY,      /* time >= L: for a state and the knowledge at L, the boundary: a state and environments */
    VOUCH_RULE_LIKELIHOOD,    /* policies of the whole history: for a state and the likelihoods of the environments */
    VOUCH_RULE_PLAN           /* of a plan, a Markov policy that such rules may follow from there on: for a state */
} vouch_rule_kind;

/* The decision at one node of the policy; arrays are owned by it. */
typedef struct vouch_rule {
    vouch_rule_kind kind;
    int time, state;
    int boundary_time, boundary_state; /* BOUNDARY; else -1 */
    int environments;                  /* KNOWLEDGE: those still possible; BOUNDARY: those possible at L; LIKELIHOOD: 0 */
    const int *environment;            /* [environments] ascending */
    const double *likelihood;          /* [K], the largest 1; NULL unless LIKELIHOOD */
    int actions;                       /* taken with positive probability */
    const int *action;                 /* [actions] ascending; where plans are followed, of one plan after the other */
    const double *probability;         /* [actions] summing to 1 */
    int plan;                          /* PLAN: its number, from 0; else -1 */
    const int *follow; /* [actions] ascending: the plan that is followed to the horizon with this action; NULL: none is */
} vouch_rule;

/* The number of rules, rules of plans after all others; 0: no policy, only bounds (vouch_policy_get_result). */
VOUCH_API int vouch_policy_rules(const vouch_policy *policy);
/* Rule i, 0 <= i < rules. */
VOUCH_API void vouch_policy_get_rule(const vouch_policy *policy, int i, vouch_rule *rule);

/* ---- figures ---------------------------------------------------------------------------------------------------- */

/* Of one environment, by propagation of the policy. */
typedef struct vouch_environment_figures {
    double optimal_value;          /* U*_c(k); -INFINITY: no policy keeps the commitment in k */
    double value;                  /* U(k) */
    double regret;                 /* NAN where no policy keeps the commitment */
    double commitment_probability; /* Pr(S_T in Phi | k); with several promises the one of least margin */
} vouch_environment_figures;

/* Propagates the policy through every environment: figures [K], *kept = 1 if all keep the commitment. ERROR_INPUT: the policy does
 * not fit the model, or reaches a node without a rule. */
VOUCH_API vouch_status vouch_policy_evaluate(const vouch_policy *policy, const vouch_model *model,
                                             vouch_environment_figures figures[], int *kept, vouch_error *error);
/* The same, with the probability of keeping each promise: commitments [K * promises], or NULL. */
VOUCH_API vouch_status vouch_policy_evaluate_promises(const vouch_policy *policy, const vouch_model *model,
                                                      vouch_environment_figures figures[], double commitments[], int *kept,
                                                      vouch_error *error);
/* worst [K * promises]: the least probability of each promise if nature chooses, at every visit of a state, any distribution within
 * the limits of the row (vouch_model_add_interval, vouch_model_set_within), knowing the history and which plan the policy follows;
 * each promise by itself. Without limits: the probability. *kept: the promises are kept even so. Errors as above.
 * lost [nodes of the graph of this policy in this model (vouch_policy_graph_new)], or NULL: the largest part, over promises and
 * environments, of the probability that nature takes from a promise by its reply at that node, P V - q V times the probability of
 * being there; the parts of a promise sum to its probability less the worst one. */
VOUCH_API vouch_status vouch_policy_worst(const vouch_policy *policy, const vouch_model *model, double worst[], double lost[],
                                          int *kept, vouch_error *error);
/* Sets the policy's worst probabilities, of vouch_plan_result and of files. ERROR_ARGUMENT: another number of promises. */
VOUCH_API vouch_status vouch_policy_set_worst(vouch_policy *policy, int promises, const double worst[]);
/* Sets the policy's figures [K], and the maximum and total regret (NAN if a regret is). If the optimal values differ from the known
 * ones, outcome and bound no longer apply and the policy counts as feasible. */
VOUCH_API void vouch_policy_set_figures(vouch_policy *policy, const vouch_environment_figures figures[]);

/* The same of the probabilities of keeping each promise: commitments [K * promises]. */
VOUCH_API vouch_status vouch_policy_set_commitments(vouch_policy *policy, int promises, const double commitments[]);

/* ---- where it leads --------------------------------------------------------------------------------------------- */

typedef struct vouch_policy_node {
    int time, state;
    int rule;              /* of the policy; -1 at T, where nodes are states */
    int first_edge, edges; /* its edges: first_edge .. first_edge + edges - 1 */
} vouch_policy_node;

typedef struct vouch_policy_edge {
    int from, to;
    int choice;    /* index among the rule's actions */
    double reward; /* observed */
} vouch_policy_edge;

/* The nodes a policy reaches and the steps between them: the Markov chains it induces, one for each environment. */
typedef struct vouch_policy_graph vouch_policy_graph;

typedef struct vouch_policy_graph_data {
    int environments, nodes, edges;
    const vouch_policy_node *node; /* [nodes] by time; 0 is the root */
    const double *reach;           /* [nodes * environments] Pr(node | k) */
    const vouch_policy_edge *edge; /* [edges] */
    const double *probability;     /* [edges * environments] Pr(outcome | node, action; k) */
} vouch_policy_graph_data;

/* ERROR_INPUT: the policy is for another model, or reaches a node without a rule. */
VOUCH_API vouch_status vouch_policy_graph_new(vouch_policy_graph **graph, const vouch_policy *policy, const vouch_model *model,
                                              vouch_error *error);
VOUCH_API void vouch_policy_graph_free(vouch_policy_graph *graph); /* NULL is fine */
/* Arrays are owned by the graph. */
VOUCH_API void vouch_policy_graph_view(const vouch_policy_graph *graph, vouch_policy_graph_data *data);

/* ---- following it ----------------------------------------------------------------------------------------------- */

typedef struct vouch_decision {
    int time, state;
    int environments;          /* number still possible */
    const int *environment;    /* [environments] ascending */
    int actions;               /* in the support of the decision; 0 when done */
    const int *action;         /* [actions] ascending */
    const double *probability; /* [actions], summing to 1 */
    int sampled;               /* the action drawn with the seed; -1 when done */
    int planned;               /* executors (ccil.h): 1: a plan was made at this step */
} vouch_decision;

/* One episode in which an agent follows the policy: decision, action, observation, until done. Nothing is planned. Model and
 * policy must outlive the episode. */
typedef struct vouch_episode vouch_episode;

/* seed: of the sampled actions. Errors as for vouch_policy_graph_new. If plans are followed, a decision mixes them with their
 * probabilities given the actions taken; the agent acts as if it had drawn its plan at the start. */
VOUCH_API vouch_status vouch_episode_new(vouch_episode **episode, const vouch_policy *policy, const vouch_model *model,
                                         uint64_t seed, vouch_error *error);
VOUCH_API void vouch_episode_free(vouch_episode *episode); /* NULL is fine */
/* The next episode, from time 0. */
VOUCH_API void vouch_episode_restart(vouch_episode *episode, uint64_t seed);
/* Arrays are owned by the episode and hold until the next observation. */
VOUCH_API void vouch_episode_decision(const vouch_episode *episode, vouch_decision *decision);
/* The observation after the sampled action, or after `action` if it is not -1, which must have positive probability in the
 * decision. ERROR_INPUT: impossible in all remaining environments; nothing has changed, and the call may be repeated. */
VOUCH_API vouch_status vouch_episode_observe(vouch_episode *episode, int action, double reward, int state, vouch_error *error);
VOUCH_API int vouch_episode_done(const vouch_episode *episode);
/* 1 unless done and a promise is broken in an environment still possible. */
VOUCH_API int vouch_episode_kept(const vouch_episode *episode);

VOUCH_C_END
#endif

/* policy/policy.h - a policy as a file stores it: a flat list of rules, with figures; conversion between rules and the node or
 * class arrays of the planners; checks of arguments; the set of parts that are switched off.
 *
 * A history policy may end its classes in *plans*: Markov policies, each listed once. The rule of such a class gives the
 * probability with which each plan is followed to the horizon. The classes of the whole behaviour may be too many to write. */
#ifndef POLICY_POLICY_H
#define POLICY_POLICY_H

#include <vouch/plan.h>
#include <vouch/search.h>

#include "base/arena.h"
#include "exact/process.h"
#include "know/classes.h"

typedef struct policy_rule {
    vouch_rule_kind kind;
    int time, state;
    int boundary_time, boundary_state; /* VOUCH_RULE_BOUNDARY; else -1 */
    int env_count;                     /* VOUCH_RULE_KNOWLEDGE: of the node; VOUCH_RULE_BOUNDARY: of the boundary */
    int *env;                          /* [env_count] ascending; NULL for VOUCH_RULE_LIKELIHOOD */
    double *likelihood;                /* [K], largest entry 1; NULL unless VOUCH_RULE_LIKELIHOOD */
    int do_count;
    int *action;      /* [do_count] ascending; with plans, ascending for each plan */
    double *prob;     /* [do_count] > 0, summing to 1 */
    int plan;         /* VOUCH_RULE_PLAN: plan of the rule; else -1 */
    int follow_count; /* plans followed from here on; 0: none */
    int *follow;      /* [follow_count] ascending */
    double *share;    /* [follow_count] > 0, summing to 1 */
    int *next;        /* [do_count] plan followed after the action; NULL: none */
} policy_rule;

struct vouch_policy {
    arena memory;              /* of all arrays but rules */
    char *model_name, *method; /* method as on the command line: "milp-ccl", "history", .. */
    int L, T, K;
    double p;
    vouch_objective objective;
    vouch_sense sense;                  /* MINIMISE: figures are costs, once policy_finish has been called */
    double *weights;                    /* [K] of the objective WEIGHTED, else NULL */
    char **env_name;                    /* [K] */
    vouch_environment_figures *figures; /* [K] */
    double *largest_probability;        /* [K * promises] or NULL */
    double *determinism;                /* [K] regret_of_determinism, or NULL */
    double *commitments;                /* [K * promises]; NULL: one promise, whose probability is in the figures */
    double *worst;                      /* [K * promises] under the error of the model, or NULL */
    int promises;
    char **promise_name; /* [promises] if the model has a list of them, else NULL */
    int offset;          /* subtracted from times for the user: 1 with an initial distribution */
    bool too_large;      /* the class has too many nodes: the policy, if any, is a Markov one */
    bool late;           /* optimal values, and so regrets, are upper bounds */
    vouch_plan_outcome outcome;
    int has_policy;
    double nearest; /* as in vouch_plan_result */
    double max_regret, total_regret, bound, total_bound;
    double steep; /* during planning: as in policy/space.h */
    long long nodes, total_nodes, iterations;
    long long ids; /* during planning: nodes numbered */
    double seconds;
    int plans;          /* Markov policies that rules follow */
    policy_rule *rules; /* rules of plans last, by plan, time and state */
    size_t rule_count, rule_capacity;
    size_t plan_rules; /* index of the first rule of a plan, once linked; rule_count: none */
};

/* K environments, figures NAN, no rules; NULL: out of memory. */
vouch_policy *policy_new(int K);
/* Appends a zeroed rule with room for env_count, K likelihoods (if that kind) and do_count; NULL: out of memory. */
policy_rule *policy_add_rule(vouch_policy *policy, vouch_rule_kind kind, int env_count, int do_count);
/* Appends count boundary rules of all environments with one action each, which share set and distribution; NULL: out of memory. */
policy_rule *policy_add_sure_rules(vouch_policy *policy, size_t count);
/* Room for count plans that the rule follows; 0, or -1: out of memory. */
int policy_follow(vouch_policy *policy, policy_rule *rule, int count);
/* Sets the objective; weights [environments] (NULL: 1 each) are copied. 0, or -1: out of memory. */
int policy_aim(vouch_policy *policy, vouch_objective objective, const double weights[], int environments);
/* Ends planning: the figures become those that the user of the model sees. */
void policy_finish(vouch_policy *policy, const vouch_model *m);
/* The maximum and the total regret of its figures. */
void policy_sum_regrets(vouch_policy *policy);
/* K figures for the user of the model. */
void figures_finish(const vouch_model *m, vouch_environment_figures figures[], int K);
/* Value of the objective by the figures, NAN without a policy. */
double policy_value(const vouch_policy *policy);
/* Copies names, horizon and p of the model; 0 or -1: out of memory. */
int policy_describe(vouch_policy *policy, const vouch_model *m, const char *method, int L);
/* The part of policy_describe about promises and times. */
int policy_name_promises(vouch_policy *policy, const vouch_model *m);
/* Converts a policy planned for promise rows (mdp/model.h) to their environments; 0, or -1: out of memory. */
int policy_merge(vouch_policy *policy, const vouch_model *rows);
/* The same for a copy that shares the other arrays. Free with policy_copy_free in every case. */
int policy_merged_copy(const vouch_policy *policy, const vouch_model *rows, vouch_policy *out);
void policy_copy_free(vouch_policy *copy);
/* Figures row [K] of rows as figures of their environments, out [K / group], which may be row; commitments [K] or NULL. The
 * commitment probability is the one with the least margin. */
void figures_merge(const vouch_model *rows, const vouch_environment_figures row[], vouch_environment_figures out[],
                   double commitments[]);

/* Figures [environments] without loss of digits if rewards differ in size (policy/policy.h) and the model is small enough. */
vouch_status policy_precise_figures(const vouch_policy *policy, const vouch_model *model, vouch_environment_figures out[],
                                    vouch_error *error);
/* Figures from U, Pr [K] and the constrained optima, for the given rewards (space_use_given): out [K]. */
void figures_of_model(const vouch_model *m, const double optimal[], const double U[], const double Pr[],
                      vouch_environment_figures out[]);
/* A Markov policy written as rules without policy nodes, for models whose graph is too large. table [T * pairs]: a choice for each
 * reached (time, state); optimal [K]: upper bounds on U* for the given rewards. Fills figures and rules of the empty `policy` and
 * marks its optima as bounds; if the promises are not kept, has_policy stays 0. Memory: T S bytes, and the rules. ERROR_MEMORY. */
vouch_status table_policy_write(const vouch_model *m, const double table[], const double optimal[], vouch_policy *policy);

/* Nodes that a policy reaches (vouch/policy.h), computed from its rules and the model alone. */
struct vouch_policy_graph {
    int K;
    vouch_policy_node *node; /* owned, by time; 0 is the root */
    size_t nodes, node_capacity;
    double *reach; /* owned, [nodes * K] Pr(node | k) */
    size_t reach_capacity;
    vouch_policy_edge *edge; /* owned */
    size_t edges, edge_capacity;
    double *prob; /* owned, [edges * K] Pr(outcome | node, action; k) */
    size_t prob_capacity;
};

/* ---- checks of the arguments of public calls ------------------------------------------------------------------------- */

/* ERROR_ARGUMENT: NULL, or not finished. */
vouch_status check_model(const vouch_model *model, vouch_error *error);
/* ERROR_INPUT: the policy is for another model, or has no rules. */
vouch_status check_policy(const vouch_policy *policy, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT names the field. A gap that is NAN becomes the method's default. */
vouch_status check_plan_options(vouch_plan_options *options, vouch_error *error);
/* ERROR_ARGUMENT: L is not within least .. T. */
vouch_status check_lookahead(int L, int least, const vouch_model *model, vouch_error *error);
/* ERROR_ARGUMENT: unknown objective or invalid weights. */
vouch_status check_objective(const vouch_plan_options *options, const vouch_model *model, vouch_error *error);
vouch_status check_limits(const vouch_limits *limits, vouch_error *error);
vouch_status check_threads(int threads, vouch_error *error);

/* ---- plans ---------------------------------------------------------------------------------------------------------- */

/* Plans, and the plans that each class follows. */
typedef struct class_plans {
    int count;
    double *table; /* [count * T * pairs] probabilities of actions; all 0 without a rule */
    int *start;    /* [classes + 1] class i follows entries start[i] .. start[i + 1] - 1; if any, it has no slots */
    int *plan;     /* [start[classes]] */
    double *share; /* [start[classes]] adding up to 1 over a class */
} class_plans;

void class_plans_free(class_plans *p); /* NULL is fine */
/* Propagates prob [slots] over classes and plans (NULL: none); writes U, Pr [K] and returns reach [classes], owned by the caller,
 * or NULL: out of memory. *bare: a node reached without a rule, or -1. */
double *plans_propagate(const know_classes *c, const double prob[], const class_plans *p, double U[], double Pr[], int *bare);
/* A node of this time and state, which must be reachable. */
int plans_node(const know_graph *g, int time, int state);
/* The rule of a plan at (time, state) in a linked policy; -1: none. */
int plans_rule(const vouch_policy *policy, int plan, int time, int state);
/* Sorts the rules of plans, which come last, and fills the actions of each rule that follows plans. ERROR_INPUT: *plan has no rule
 * at the place of rule *lost. */
vouch_status plans_link(vouch_policy *policy, size_t *lost, int *plan);

/* ---- rules and arrays ----------------------------------------------------------------------------------------------- */

/* Appends a rule for each node that prob [choices] reaches, reach [nodes * K] as propagated. 0, or -1: out of memory. */
int rules_from_nodes(const know_graph *g, const double prob[], const double reach[], vouch_policy *policy);
/* prob [choices] from the rules; ERROR_INPUT names an invalid rule. Nodes without a rule keep zeros. */
vouch_status rules_to_nodes(const vouch_policy *policy, const know_graph *g, double prob[], vouch_error *error);
/* The rules before L by place, so that a graph has only the nodes that the policy reaches: the know_offer {rules_offered, index}.
 */
typedef struct rules_index {
    const vouch_policy *policy;
    const vouch_model *m;
    intern places;
    uint64_t *key; /* scratch */
    int *rule;     /* [places] */
} rules_index;

vouch_status rules_index_make(rules_index *index, const vouch_policy *policy, const vouch_model *m);
void rules_index_free(rules_index *index);
int rules_offered(void *index, int time, int state, const uint64_t set[], int pair[]);
/* rules_from_nodes for classes (graph of L = T, no Pareto sets): prob [slots], reach [classes], and their plans (NULL: none),
 * renumbered without unreachable ones. */
int rules_from_classes(const know_classes *c, const double prob[], const class_plans *plans, const double reach[],
                       vouch_policy *policy);
/* The classes that a history policy reaches, their prob [slots] and plans (NULL if it has none), all owned by the caller. Classes
 * without a rule have no slots. Rules identify their class to 1e-7. ERROR_SIZE: more than limit. */
vouch_status rules_to_reached(const vouch_policy *policy, const know_graph *g, long long limit, know_classes **classes,
                              double **prob, class_plans **plans, vouch_error *error);
/* ERROR_INPUT: the policy reaches this time and state without a rule. */
vouch_status rules_missing(const vouch_model *m, int time, int state, vouch_error *error);

/* ---- parts of a search that are switched off ------------------------------------------------------------------------ */

typedef uint32_t search_parts; /* a set of parts (vouch/search.h), one bit each */

static inline search_parts part_set(vouch_part part) { return (search_parts)1 << part; }
static inline bool part_off(search_parts without, vouch_part part) { return without & part_set(part); }

/* The parts without proof lines. */
search_parts parts_unproved(void);
/* Parses a list "word,word"; NULL or "": none. ERROR_ARGUMENT names the word and the words expected. */
vouch_status parts_named(const char *list, search_parts *without, vouch_error *error);

/* ---- the same decisions with losses in the place of rewards ---------------------------------------------------------------------
 *
 *     loss_k(t,s,a) = V_k(t,s) - R(s,a;k) - sum over s' of P(s'|s,a;k) V_k(t+1,s')  >=  0,     U(k) = V_k(0,s0) - E[sum of losses]
 *
 * for every policy, where V_k is the optimum of environment k without promises (the advantage function; A. Y. Ng, D. Harada, S.
 * Russell, ICML 1999). Regrets are differences of such sums, to which rewards that every policy collects add nothing: they keep
 * their digits where the values themselves are large. A state of the new model is one of m at a time. */

typedef struct loss_model {
    vouch_model m;       /* a view of the model, whose pairs pay what they lose, negated */
    int S;               /* states of the model */
    int *number;         /* [(T + 1) * S] of the state that a state at a time is; -1: no environment comes there */
    exact_values *value; /* [K]; with a promise where the model has one that each environment keeps by itself */
} loss_model;

/* Is the model small enough for a model of its losses? */
bool loss_model_fits(const vouch_model *m);
/* ERROR_SIZE: it is not. Free with loss_model_free. On failure *out is empty. */
vouch_status loss_model_new(const vouch_model *m, loss_model *out);
void loss_model_free(loss_model *l); /* an empty one is fine */

/* From figures of a policy for l->m in environment k to those by rewards. out->value: U as it was earned; NAN: not known. */
void loss_model_figures(const loss_model *l, int k, const vouch_environment_figures *by_loss, vouch_environment_figures *out);

/* ---- precise -------------------------------------------------------------------------------------------------------------------
 *
 * The environments of a model over the nodes of its policies in numbers of 640 bits (exact/process.h): what a
 * policy earns, and what it could, where doubles lose the digits that claims show. */

/* Lives in the exact memory that it was made in. */
typedef struct precise_model {
    const vouch_model *rows; /* a row for each promise of an environment */
    int K, J, width;         /* environments, promises, 1 + J */
    exact_process **env;     /* [K] */
    mpf_t *least;            /* [K * J] from which on a promise counts as kept */
    mpf_t *optimum;          /* [K] U* */
    mpf_t *price;            /* [K * J] as exact_process_optimum has it */
    bool feasible;           /* every environment can keep its promises */
} precise_model;

/* Is it small enough? Of the graph's nodes and choices or, if c is not NULL, of classes and slots. `arcs`: most of them. */
bool precise_fits(const vouch_model *rows, const know_graph *g, const know_classes *c, double arcs);
/* Are all numbers of the model decimals of few digits, so that a reader of its text sees the same ones? */
bool precise_is_read(const vouch_model *rows);
/* With U* of every environment, for promises p [rows] (NULL: the model's) that count as kept within a tolerance. Inside exact
 * memory. rows: with the rewards given, or choices that differ would be twins in c. */
precise_model *precise_new(const vouch_model *rows, const know_graph *g, const know_classes *c, const double p[], double tolerance);

/* U*, U and regret of the rows of environment k. */
void precise_set_figures(const precise_model *x, int k, const mpf_t earned, vouch_environment_figures figure[]);

#endif

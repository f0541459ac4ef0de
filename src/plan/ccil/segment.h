/* plan/ccil/segment.h - one plan of CCIL: made at a knowledge state, followed for at most L steps.
 *
 * A block is given <t, s, kappa> and, for each environment k of kappa, the probability p(k) it owes. It holds the decisions of its steps, as
 * probabilities of the choices of a policy graph with that many layers, and for each knowledge state at their end (*exit*) what follows
 * there: the rest of its plan, the *policy in force*, as Markov rules with the value and probability they have.
 */
#ifndef PLAN_CCIL_SEGMENT_H
#define PLAN_CCIL_SEGMENT_H

#include "base/clock.h"
#include "know/graph.h"
#include "mdp/view.h"
#include "policy/policy.h"

typedef struct markov_rule {
    int time, pair; /* time counted from where the rules begin */
    double prob;
} markov_rule;

typedef struct markov_rules {
    markov_rule *rule; /* [count] by time */
    size_t count, capacity;
} markov_rules;

typedef struct block_exit {
    int node;           /* of the block's graph, at its last layer */
    int child;          /* number of the block that begins there; -1: not looked up */
    double *reach;      /* [count] probability of coming here */
    double *value, *pr; /* [count] of the policy in force from here on */
    markov_rules rules;
} block_exit;

typedef struct plan_block {
    int time, state, count;
    int *env;                             /* [count] environments still possible, ascending, as numbered in the model */
    double *p;                            /* [count] owed */
    double *floor;                        /* [count] or NULL */
    double *in_force_value, *in_force_pr; /* [count] of the policy in force when the block began; the root has none: NAN */
    markov_rules in_force;
    int depth; /* blocks before it */

    bool planned;
    bool kept_on; /* the policy in force goes on; at the root, a Markov policy found instead */
    vouch_plan_outcome outcome;
    double bound;
    int steps;
    vouch_model view, first;      /* the rest of the model; its first `steps` steps, which g describes */
    know_graph *g;                /* NULL: no plan was found */
    double *prob;                 /* [g->choices] */
    double *optimal, *value, *pr; /* [count] U*(k), and figures of the plan followed to the end */
    double *head;                 /* [count] expected reward of the steps */
    int exits;
    block_exit *exit;

    double *total, *kept; /* [count] of the adaptive behaviour from here on, once evaluated */
} plan_block;

/* env [count] is copied. NULL when memory is out. */
plan_block *block_new(int time, int state, const int env[], int count, bool floors);
void block_free(plan_block *b); /* NULL is fine */

typedef struct block_options {
    const vouch_plan_options *plan;
    int lookahead;
    int threads;
    double tolerance; /* of p(k) */
    deadline limit;
} block_options;

/* Plans the block of model m. OK with b->g NULL: no plan that keeps the commitment was found (outcome says why), which happens to
 * the root only; elsewhere the policy in force goes on. */
vouch_status block_plan(const vouch_model *m, plan_block *b, const block_options *options, vouch_error *error);

#endif

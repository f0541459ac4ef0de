/* plan/ccil/segment.h - one plan of CCIL: made at a knowledge state, followed for at most L steps.
 *
 * A segment is given <t, s, kappa>, for each environment k of kappa the probability p(k) it owes, and what it owes on average
 * (plan/ccil/owed.h). It holds the decisions of
 * its steps, as probabilities of the choices of a policy graph with that many layers, and for each knowledge state at their end
 * (*exit*) what follows there: the rest of its plan, the *policy in force*, as Markov rules with the value and probability they
 * have.
 */
#ifndef PLAN_CCIL_SEGMENT_H
#define PLAN_CCIL_SEGMENT_H

#include "base/clock.h"
#include "know/graph.h"
#include "mdp/model.h"
#include "policy/policy.h"

typedef struct markov_rule {
    int time, pair; /* time counted from where the rules begin */
    double prob;
} markov_rule;

typedef struct markov_rules {
    markov_rule *rule; /* [count] by time */
    size_t count, capacity;
} markov_rules;

typedef struct segment_exit {
    int node;       /* of the segment's graph, at its last layer */
    int child;      /* number of the segment that begins there; -1: not looked up */
    double *reach;  /* [count] probability of coming here; owned, with U and Pr behind */
    double *U, *Pr; /* [count] of the policy in force from here on */
    markov_rules rules;
} segment_exit;

typedef struct segment {
    int time, state, count;
    double *store;                    /* owned: the arrays [count] below */
    int *env;                         /* [count] environments still possible, ascending, as numbered in the model */
    double *p;                        /* [count] owed */
    promise_averages averages;        /* owned: means owed, over the posterior of the environments still possible */
    double *floor;                    /* [count] or NULL */
    double *weight;                   /* [count] or NULL, as in segment_start */
    double *in_force_U, *in_force_Pr; /* [count] of the policy in force when the segment began; the root has none: NAN */
    markov_rules in_force;
    int depth; /* segments before it */

    bool planned;
    bool kept_on; /* the policy in force goes on; at the root, a Markov policy found instead */
    vouch_plan_outcome outcome;
    double steep; /* by how much one rounding of a threshold changes a U*(k), at most */
    double bound;
    int steps;
    vouch_model view, first;  /* the rest of the model; its first `steps` steps, which g describes */
    know_graph *g;            /* NULL: no plan was found */
    double *prob;             /* [g->choices] */
    double *optimal, *U, *Pr; /* [count] U*(k), and figures of the plan followed to the end */
    double *reward;           /* [count] expected reward of the steps */
    int exits;
    segment_exit *exit;

    double *adaptive_U, *adaptive_Pr; /* [count] of the adaptive behaviour from here on, once evaluated */
    /* [count] U and adaptive_U by the rewards of the model itself, in a model of losses (policy/policy.h) whose plan has g; else
     * NAN */
    double *given_U; /* [count] of losses before rescaling; NAN where losses are not planned for */
    double *earned, *adaptive_earned;
} segment;

/* Where a segment begins, and what it owes there. */
typedef struct segment_start {
    int time, state, count;
    const int *env;       /* [count] */
    const double *p;      /* [count] */
    const double *floor;  /* [count]; NULL: none */
    const double *weight; /* [count] WEIGHTED: of each environment times the likelihood of coming here, the largest 1; else NULL */
    const promise_averages *averages; /* means owed */
} segment_start;

/* NULL when memory is out. */
segment *segment_new(const segment_start *start);
void segment_free(segment *seg); /* NULL is fine */

typedef struct segment_options {
    const vouch_plan_options *plan;
    int lookahead;
    int threads;
    double tolerance; /* of p(k) */
    deadline limit;
    bool shared;           /* the search may go to workers and from a journal as plan says */
    struct message *given; /* what the method has found already; NULL: it is to be run */
    struct message *kept;  /* where to put what it finds; NULL: nowhere */
} segment_options;

/* Plans the segment of model m. OK with seg->g NULL: no plan that keeps the commitment was found (outcome says why), which happens
 * to the root only; elsewhere the policy in force goes on. */
vouch_status segment_plan(const vouch_model *m, segment *seg, const segment_options *options, vouch_error *error);

#endif

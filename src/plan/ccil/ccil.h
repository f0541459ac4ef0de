/* plan/ccil/ccil.h - the plans of CCIL made so far, each once.
 *
 * Segments are numbered in the order in which they are met; 0 is the root. A knowledge state that owes the same again is the same
 * segment: p(.) (and the floors) are compared on grids. Planning a segment gives its exits their segments, not yet
 * planned.
 */
#ifndef PLAN_CCIL_CCIL_H
#define PLAN_CCIL_CCIL_H

#include <vouch/ccil.h>

#include "base/pool.h"
#include "policy/policy.h"

/* One plan of CCIL: made at a knowledge state, followed for at most L steps.
 *
 * A segment is given <t, s, kappa>, for each environment k of kappa the probability p(k) it owes, and what it owes on average
 * (owed_behind in plan/ccil/ccil.c). It holds the decisions of its steps, as probabilities of the choices of a policy graph with
 * that many layers, and for each knowledge state at their end
 * (*exit*) what follows there: the rest of its plan, the *policy in force*, as Markov rules with the value and probability they
 * have. */
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

/* Step of the grid on which the owed probabilities of two meetings are compared: above the rounding of different orders
 * of summation, and so small that the sum over all replannings stays far below KEEP_TOLERANCE. */
#define CCIL_GRID 1e-12

struct vouch_ccil {
    const vouch_model *m; /* rescaled: of the one given, to which its arrays belong */
    vouch_model rescaled;
    const vouch_model *given; /* not rescaled: that of the caller, or of its losses */
    loss_model losses;        /* of the caller's model where its rewards are wide (mdp/model.h), else empty */
    int attempt;              /* rescale_options */
    vouch_ccil_options options;
    double tolerance;        /* of p(k) in each plan but the first */
    double probability_step; /* of the grid of p(k): at most CCIL_GRID */
    double value_step;       /* of the grid of floors: a few times their rounding */
    segment **segment;       /* [segments] */
    int segments;
    size_t capacity;
    intern keys;   /* (time, state, set, p, floor, weight, averages): number of the segment */
    uint64_t *key; /* [key_words] one, scratch */
    int key_words;
    int words;             /* of a set of environments */
    promise_averages owed; /* owned: what the root owes on average; scratch of its exits' */
    long long programs, reused, kept_on, unproved;
    deadline limit; /* of an evaluation, from the creation on */
    /* of the last evaluation */
    vouch_environment_figures *figures; /* [K] rows of the model, of which the first are those of its environments */
    double *commitments;                /* [K] */
    double max_regret, total_regret, missing_probability, seconds;
    double first_regret; /* maximum, of the root's plan followed to the end */
    double *weights;     /* [environments] WEIGHTED; else NULL */
    long long missing;
    bool evaluated;
};

/* What plans may take. */
typedef struct ccil_budget {
    const deadline *limit;
    double share;  /* of the seconds that are left when a plan begins: so much for this one */
    pool *threads; /* NULL: one plan after the other, with all threads inside each */
} ccil_budget;

/* Plans those of the segments which[count] that are not planned, in parallel; the outcome does not depend on the number of
 * threads. */
vouch_status ccil_plan_segments(vouch_ccil *c, const int which[], int count, const ccil_budget *budget, vouch_error *error);

/* The table with its root, not yet planned. scale: how rewards are rescaled; no gap, so that none is moved. */
vouch_status ccil_start(const vouch_model *m, const vouch_ccil_options *options, const rescale_options *scale, vouch_ccil **out,
                        vouch_error *error);

#endif

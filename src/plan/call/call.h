/* plan/call/call.h - the input of every stage of a plan: model, options, remaining limits, callbacks. Nodes do not use it. */
#ifndef PLAN_CALL_CALL_H
#define PLAN_CALL_CALL_H

#include "policy/space.h"

/* Requirements of planning from a later knowledge state. */
typedef struct plan_task {
    const double *p;                  /* [K] probability owed in each environment */
    const promise_averages *averages; /* owed on average */
    const double *floor;              /* [K] least U(k), or NULL; milp-ccl only */
    const double *start;              /* [T * pairs] a Markov policy that satisfies both, or NULL */
    double tolerance;                 /* of the commitment */
} plan_task;

typedef struct plan_call {
    const vouch_model *m;              /* rescaled (mdp/model.h) */
    const vouch_plan_options *options; /* gap: of the rescaled model */
    deadline limit;                    /* and what is used of it, which becomes the nodes and iterations of the policy */
    vouch_policy *policy;              /* figures in given units, bounds in those of m: plan_settle */
    vouch_error *error;
    search_parts without;                  /* parts switched off */
    struct proof_writer *proof;            /* of the tree; NULL: none */
    struct proof_writer *total;            /* of the tree of the least total regret; NULL: none */
    const plan_task *task;                 /* NULL: the model's commitment */
    const struct initial_policy *first;    /* found before the optima if these take long; NULL: none */
    const policy_space *alike;             /* a space with the same optima; NULL: none */
    bool markov_searched;                  /* the best Markov policy is known and offered */
    const struct proof_unrolled *unrolled; /* for a proof: m is another model's policy nodes (plan/proof.h); else NULL */
} plan_call;

/* Options of a space of lookahead L with the objective of the call. */
space_options plan_space_options(plan_call *call, int L);
/* Makes the space of a method's policies: p and tolerance from the task, the limit of classes from the options, the rest from `so`.
 * Each part of it has a share of a time limit (TIME in policy/parameters.h). If that passes before every U* is known, space->late
 * is set and there are no classes. The time of the U* is subtracted from the limit, since the figures of the finished policy take
 * as long. */
vouch_status plan_space(plan_call *call, space_options *so, policy_space *space);
/* Adds the Pareto sets and classes of plan_space, within a share of the limit, to a space without them. */
vouch_status plan_space_detail(plan_call *call, space_options *so, double detail_share, policy_space *space);

/* Sums of a backward induction in every environment; the U*_c take about a dozen of these. */
double plan_optima_work(const vouch_model *m);

/* search_options.on_node that reports to the caller in given units; context: the call. */
void plan_report_node(void *context, const vouch_search_node *node);
void plan_progress(const plan_call *call, const char *stage, double incumbent, double bound, long long nodes, long long open);

/* Did a call fail by the memory limit of the process (base/memory.h)? Then the plan ends as at any other limit. */
bool plan_memory_over(vouch_status status);

#endif

/* plan/call/call.h - what every stage of a plan is given: the model, the options, what is left of the limits, and who is told.
 *
 * Below the methods and above the search: methods and relaxations use it, nodes do not.
 */
#ifndef PLAN_CALL_CALL_H
#define PLAN_CALL_CALL_H

#include "base/clock.h"
#include "policy/policy.h"
#include "policy/space.h"

/* What planning from a later knowledge state asks for beyond the model. */
typedef struct plan_task {
    const double *p;                  /* [K] probability owed in each environment */
    const promise_averages *averages; /* owed on average */
    const double *floor;              /* [K] least U(k), or NULL; milp-ccl only */
    const double *start;              /* [T * pairs] a Markov policy that satisfies both, or NULL */
    double tolerance;                 /* with which the commitment is held */
} plan_task;

typedef struct plan_call {
    const vouch_model *m;              /* rescaled (mdp/rescale.h) */
    const vouch_plan_options *options; /* gap: of the rescaled model */
    deadline limit;
    vouch_policy *policy; /* figures in the units given, bounds in those of m: plan_settle */
    vouch_error *error;
    search_parts without;       /* parts of the search that are switched off */
    struct proof_writer *proof; /* of milp-ccl's tree; NULL: none is written */
    struct proof_writer *total; /* likewise, of the least total regret */
    const plan_task *task;      /* NULL: the model's commitment */
    const struct initial_policy
        *first;                /* found before anything else where the optima take long; NULL: none was looked for, or found */
    const policy_space *alike; /* whose optima hold here too; NULL: none are known */
    bool markov_searched;      /* the best Markov policy is known, and offered */
} plan_call;

/* Policies of lookahead L, measured by what the options ask for. */
space_options plan_space_options(plan_call *call, int L);
/* Makes the space of a method's policies. The task gives p and tolerance, the options the most classes, `so` the rest. A time limit
 * is divided: the graph of L > 0 may take graph_share of it, a graph of L = 0 most of it; Pareto sets and classes may go on until
 * detail_share of it has passed. If it passes before every U* is known, space->late is set and there are no classes. The time that
 * the U* took is subtracted from the limit, since the figures of the finished policy take as long again. */
vouch_status plan_space(plan_call *call, space_options *so, double graph_share, double detail_share, policy_space *space);
/* Pareto sets and classes of a space that was made without, as plan_space would have made them. */
vouch_status plan_space_detail(plan_call *call, space_options *so, double detail_share, policy_space *space);

/* Sums of one backward induction in every environment, of which U*_c takes about a dozen. */
double plan_optima_work(const vouch_model *m);

/* A node of the search for the caller, in the units given; context: the call. For search_options.on_node. */
void plan_report_node(void *context, const vouch_search_node *node);
/* Are the nodes or iterations allowed used up? */
bool plan_worked_enough(const plan_call *call);
void plan_progress(const plan_call *call, const char *stage, double incumbent, double bound, long long nodes, long long open);

/* Has a call failed because of the memory limit of the process (base/memory.h)? Then it ends as at any other limit. */
bool plan_memory_over(vouch_status status);

#endif

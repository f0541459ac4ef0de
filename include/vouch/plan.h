/* vouch/plan.h - policies that keep the commitment in every environment, with least maximum regret
 *
 * regret(k) = U*_c(k) - U(k), where U*_c(k) is the constrained optimum of environment k alone; a plan minimises
 * max_k regret(k) over a class of policies subject to Pr(S_T in Phi | k) >= p for every k.
 */
#ifndef VOUCH_PLAN_H
#define VOUCH_PLAN_H

#include <vouch/journal.h>
#include <vouch/method.h>
#include <vouch/mip.h>
#include <vouch/policy.h>
#include <vouch/trace.h>

VOUCH_C_BEGIN

typedef enum vouch_engine {
    VOUCH_ENGINE_AUTO = 0,
    VOUCH_ENGINE_POLICY, /* branch and bound on policies: no program is written down */
    VOUCH_ENGINE_LP      /* the compact program, by LP-based branch and bound */
} vouch_engine;

/* The objective, over the policies that keep every promise. */
typedef enum vouch_objective {
    VOUCH_OBJECTIVE_REGRET = 0, /* least max_k U*_c(k) - U(k) */
    VOUCH_OBJECTIVE_WEIGHTED,   /* largest sum_k weights[k] U(k): the multi-model MDP of Steimle, Kaufman, Denton (2021) */
    VOUCH_OBJECTIVE_MAX_MIN,    /* largest min_k U(k) */
    VOUCH_OBJECTIVES
} vouch_objective;

/* "regret", "weighted", "max-min"; and back (-1: no such objective). */
VOUCH_API const char *vouch_objective_text(vouch_objective objective);
VOUCH_API int vouch_objective_find(const char *word);

typedef enum vouch_plan_outcome {
    VOUCH_PLAN_OPTIMAL = 0, /* value and bound meet within the gap */
    VOUCH_PLAN_FEASIBLE,    /* a limit was reached; policy and bound are valid */
    VOUCH_PLAN_INFEASIBLE,  /* proved: the commitment cannot be kept */
    VOUCH_PLAN_LIMIT,       /* a limit was reached before any policy was found */
    VOUCH_PLAN_NUMERICAL
} vouch_plan_outcome;

typedef struct vouch_plan_progress {
    double seconds;
    double incumbent; /* INFINITY: none yet */
    double bound;     /* -INFINITY: nothing is proved yet, and incumbent is an upper bound on a first policy's */
    long long nodes, open_nodes;
    const char *stage; /* current activity, in a few words */
} vouch_plan_progress;

/* One descent of local search. */
typedef struct vouch_restart {
    int number;
    const char *start; /* kind of the starting policy, in a word */
    double regret;     /* of the policy it ended with */
    double shortfall;  /* shortfall of the commitment, summed over environments; 0: it is kept */
    long long work;    /* simplex iterations */
    int optimum;       /* number of the local optimum among the distinct ones, from 0 */
} vouch_restart;

/* One ended node of the search over policies. time, state, action: the decision that made it; -1: none (the root, and the action of
 * a split of value vectors). */
typedef struct vouch_search_node {
    long long id, parent; /* the root is 1, its parent 0; each stage has its own tree */
    int depth;
    int time, state, action;
    double bound, incumbent; /* INFINITY: none yet */
    vouch_node_end end;
} vouch_search_node;

typedef struct vouch_plan_options {
    vouch_method method;
    vouch_engine engine;
    int lookahead; /* L: knowledge is updated for L steps; 0..horizon; for methods whose policies use it */
    double gap;    /* absolute on the objective; NAN: the method's default */
    vouch_objective objective;
    const double *weights;     /* [K] of VOUCH_OBJECTIVE_WEIGHTED: none negative, not all 0; NULL: the model's prior, or 1 each */
    const vouch_policy *start; /* milp-ccl (deterministic), exact-ccl: initial policy, of the same L or of L = 0; NULL: none */
    int restarts;              /* exact-ccl: random starts of local search; 0: default */
    int certify;               /* exact-ccl: 1: close the gap by spatial branch and bound */
    int least_total_regret;    /* 1: the optimal policy of least total regret */
    long long tie_break_work;  /* backward inductions to prove the total regret least; 0: no limit. 10000 */
    double enough;             /* milp-ccl, REGRET: the search ends at the first policy of at most this maximum regret; 0: none */
    double cutoff;             /* milp-ccl, REGRET: the bound need not exceed this, from which on policies are equal; 0: none */
    long long class_limit;     /* likelihood classes in memory; 0: default */
    int threads;               /* the answer does not depend on it */
    int workers;               /* milp-ccl: processes forked for long searches, instead of threads; likewise. 0: none */
    int window;                /* milp-ccl: nodes searched at once; the answer depends on it, within the gap. 0: default */
    int grain;                 /* milp-ccl: most nodes given to a worker at once, if many are open; likewise. 0: 1 */
    vouch_journal *journal;    /* milp-ccl: stores the answers of nodes; NULL: none */
    const char *without;       /* parts of the search switched off, "word,word" (vouch/search.h); NULL: none */
    uint64_t seed;
    vouch_limits limits;
    vouch_log log;
    void (*on_node)(void *context, const vouch_search_node *node); /* policy engine, maximum regret; NULL: none */
    void *on_node_context;
    void (*progress)(void *context, const vouch_plan_progress *progress); /* NULL: none */
    void *progress_context;
    /* Receives the proof in order, without head and last line (src/check/FORMAT.md); NULL: none. */
    void (*proof)(void *context, const char *text);
    void *proof_context;
    void (*restart)(void *context, const vouch_restart *restart); /* exact-ccl: called for each descent; NULL: none */
    void *restart_context;
    vouch_trace *trace; /* milp-ccl by the policy engine; NULL: none */
} vouch_plan_options;

VOUCH_API void vouch_plan_options_init(vouch_plan_options *options);

typedef struct vouch_plan_result {
    vouch_plan_outcome outcome;
    int has_policy;
    int environments;                         /* K */
    const vouch_environment_figures *figures; /* [K]; without a policy only optimal_value holds */
    int promises;                             /* J */
    const double *commitments;                /* [K * J] probability of keeping each promise; NULL: one promise, see figures */
    /* [K * J] INFEASIBLE only, else NULL: the maximum for each promise and environment alone. All at least p: the promises are
     * infeasible jointly. */
    const double *largest_probability;
    double max_regret, total_regret; /* NAN without a policy */
    double bound; /* REGRET: proved lower bound on the least maximum regret; else proved upper bound on the objective's value */
    vouch_objective objective;
    vouch_sense sense;     /* MINIMISE: values are costs; MAX_MIN is then the least largest cost, and bounds lie below values */
    const double *weights; /* [K] as planned with; NULL unless WEIGHTED */
    double value;          /* of the objective: the maximum regret, sum_k weights[k] U(k), or min_k U(k); NAN without a policy */
    double total_bound;    /* proved lower bound on the total regret of policies with that maximum; NAN: not computed */
    double nearest_probability; /* exact-ccl without a policy: largest min_k Pr(S_T in Phi | k) found; else NAN */
    long long nodes, iterations;
    long long total_nodes; /* of the search for the least total regret, not reported to on_node */
    double seconds;
    /* [K] price of determinism: a lower bound on the regret in environment k of every deterministic policy, even if k is known;
     * NULL: not computed. */
    const double *regret_of_determinism;
    int optima_bounded;  /* 1: after a limit, optimal values and regrets are upper bounds */
    const double *worst; /* [K * J] least probabilities under the error of the model (vouch_policy_worst); NULL: not computed */
} vouch_plan_result;

/* OK sets *policy, without rules if the commitment is infeasible; free it with vouch_policy_free. */
VOUCH_API vouch_status vouch_plan(vouch_policy **policy, const vouch_model *model, const vouch_plan_options *options,
                                  vouch_error *error);
/* "optimal", "feasible", "infeasible", "limit", "numerical": as in policy files. */
VOUCH_API const char *vouch_plan_outcome_text(vouch_plan_outcome outcome);
VOUCH_API void vouch_policy_get_result(const vouch_policy *policy, vouch_plan_result *result); /* arrays owned by policy */

VOUCH_C_END
#endif

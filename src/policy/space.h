/* policy/space.h - the search space: owns policy graph, Pareto sets, likelihood classes and the constrained optima, so that search,
 * heuristics, baselines and evaluation share nodes and options. */
#ifndef POLICY_SPACE_H
#define POLICY_SPACE_H

#include "base/trace.h"
#include "mdp/dp.h"
#include "policy/policy.h"

/* Tolerance for floors of U(k): the rounding of a sum of T rewards, since CCIL with floors must be no worse than its first plan. */
static inline double floor_tolerance(int T) { return T * TOL_STEP; }

/* Limits on likelihood classes of history policies and of others, at the beginning of a search over levels (plan/relax/levels.h),
 * and on vectors of a Pareto set. */
#define HISTORY_CLASSES 1000000
#define SPACE_CLASSES   100000
#define LADDER_CLASSES  10000
#define PARETO_CAP      1000

typedef struct policy_space {
    arena memory; /* of p, floor, accepted, optimal, share and low */
    const vouch_model *m;
    int K;
    int promises; /* K + averages.count */
    double *p;    /* [promises] required in environment k (on average: implied level, mdp/model.h), then of averages */
    promise_averages averages;
    double tolerance; /* of p; KEEP_TOLERANCE, less if shortfalls of several plans would add up */
    double *floor;    /* [K] lower limit of U(k) (-INFINITY: none), or NULL: no floors */
    double *accepted; /* [promises] lower bound of Pr(k), or of the mean, for which bounds and proofs are valid */
    double *low;      /* [2K] thresholds of environments alone, then their p */
    double *optimal;  /* [K] regrets are this less U: U*_c(k), or for max-min an upper bound on all values */
    vouch_objective objective;
    const double *weights;     /* [K / group], the caller's; NULL: 1 each */
    dp_edge *edge;             /* [K] policies that attain optimal, stored if expensive; NULL: not stored, or owned by `alike` */
    const dp_edge *known_edge; /* edge, or the edge of `alike`; may be NULL */
    double *share;             /* [K] WEIGHTED: weight of each row, summing to 1; NULL: the maximum regret is minimised */
    double steep;              /* upper bound on the change of U*_c by one rounding of p; matters if 1 - p is tiny */
    double rounding;           /* of a value: smaller differences of regrets are ignored */
    double tie;                /* policies with equal regrets in the given rewards differ by at most this */
    double enough, cutoff;     /* regrets that end a search when found, and when proved (vouch/plan.h); 0: none */
    double seconds;            /* estimate for writing a policy: optimal is recomputed, the policy evaluated */
    bool late;                 /* time ran out: some of optimal are upper bounds, and only nodes are built */
    know_graph *g;
    pareto_sets *f;     /* or NULL */
    know_classes *c;    /* or NULL */
    class_plans *plans; /* followed by these classes, or NULL */
} policy_space;

typedef struct space_options {
    int L;
    long long class_limit;
    int pareto_cap; /* limit on vectors per node; 0: no Pareto sets */
    bool for_root;  /* no Pareto sets unless the root has one */
    int classes;    /* 1: build them */
    vouch_objective objective;
    const double *weights;            /* [environments], the caller's: WEIGHTED; NULL: 1 each */
    const double *p;                  /* [K] instead of the model's promises, without those on average; NULL: the model's */
    const promise_averages *averages; /* instead of the model's, or with p; NULL: the model's if p is NULL */
    const double *floor;              /* [K] as in policy_space; NULL: none */
    double tolerance;                 /* of the commitment; KEEP_TOLERANCE */
    const deadline *optima;           /* for U*_c, replaced by upper bounds after it; NULL: none */
    const double *most;               /* [K] known upper bounds on U; NULL: computed if needed */
    const policy_space *alike;        /* space with the same p, tolerance and objective, whose optima are reused; NULL: none */
    const deadline *limit;            /* for the graph, an error after it; NULL: none */
    const know_limits *graph;         /* limits of the graph; NULL: the usual ones, and `limit` */
    const deadline *detail;           /* for Pareto sets and classes, coarser after it; NULL: none */
    const deadline *end;              /* no classes after it, without an error; NULL: none */
    double enough, cutoff;            /* as in policy_space */
    bool keep_edges;                  /* store the policies of U*_c, so that each is computed once */
    void (*on_optimum)(void *context, int done); /* called after every environment's U*_c; NULL: none */
    void *context;
} space_options;

/* Defaults for lookahead L: classes, no Pareto sets. */
space_options space_options_for(int L);

/* ERROR_SIZE: the graph is too large. optimal[k] = -INFINITY if the commitment is infeasible in environment k alone. On failure
 * *space is empty. */
vouch_status space_make(const vouch_model *m, const space_options *options, policy_space *space, vouch_error *error);
/* Builds Pareto sets and classes, by the options, in a space without them. */
vouch_status space_detail(policy_space *space, const space_options *options, vouch_error *error);
void space_free(policy_space *space);        /* an empty one is fine */
void space_drop_detail(policy_space *space); /* frees classes and Pareto sets */

/* prob [T * pairs]: the optimal Markov policy for environment k alone, of value optimal[k]. */
vouch_status space_alone(const policy_space *space, int k, double prob[]);

/* The options of a policy node: its choices or, if its continuation is a Pareto set, value vectors. */
typedef struct option_range {
    int first, last;
    bool vectors;
} option_range;

option_range options_of(const policy_space *space, int node);

/* The nodes (of a history policy: classes) of a policy, and its prob [choices], or [slots] with classes, owned by the caller.
 * ERROR_INPUT: the policy is for another model or has no rules; ERROR_SIZE: too many nodes or classes. On failure *space is empty
 * and *prob NULL. */
vouch_status space_of_policy(const vouch_model *m, const vouch_policy *policy, policy_space *space, double **prob,
                             vouch_error *error);
/* Propagates prob [choices], or by_class prob [slots]; writes U, Pr [K] and returns reach [nodes * K], or [classes], owned by the
 * caller; NULL: out of memory. *bare: a node reached without a rule, or -1. */
double *space_propagate(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[], int *bare);

/* Switches graph and optima to the given rewards (less env[k].origin), for figures. Pareto sets and classes become invalid. */
vouch_status space_use_given(policy_space *space);
/* Targets aim [promises] of a stochastic plan: accepted + margin, at most p. */
void space_aim(const policy_space *space, double margin, double aim[]);

/* Writes rules and exact figures of prob, [slots] if by_class, else [choices], into an empty policy, for the given rewards. */
vouch_status space_write_policy(policy_space *space, const double prob[], bool by_class, vouch_policy *policy);

/* prob [first .. last) proportional to mass, which may be the same array, with entries below rounding set to 0. False, and zeros:
 * no mass. */
bool space_distribution(const double mass[], double prob[], int first, int last);

/* prob [choices] of the Markov policy table [T * pairs]. */
void space_spread(const know_graph *g, const double table[], double prob[]);

/* Exact figures of a policy. */
typedef struct figures {
    double *U, *Pr;   /* [K] */
    double shortfall; /* sum over k of the violations of p(k) and of the floor; 0 within the tolerances */
    double max_regret, total_regret;
} figures;

/* True if all Pr [K] keep the commitment. *missing, unless NULL: the largest violation. */
bool space_kept(const policy_space *space, const double Pr[], double *missing);
/* Violation of p(k) and of the floor by U and Pr in environment k; 0 within the tolerances. */
double space_missing(const policy_space *space, int k, double U, double Pr);
double space_asked(const policy_space *space, int k); /* required in environment k alone; 0 for a promise on average */
/* The objective for regret [K]: the maximum or, with shares, the weighted mean. */
double space_objective(const policy_space *space, const double regret[]);
/* Sum of the violations of promises on average by Pr + d (d NULL: 0); 0 within the tolerance. */
double space_missing_on_average(const policy_space *space, const double Pr[], const double d[]);
bool space_promised(const policy_space *space, int k); /* a promise with positive p depends on Pr(k) */
double space_price(const policy_space *space, int k);  /* initial multiplier of Pr(k): 1, or the weights in averages */
bool space_may_bind(const policy_space *space);        /* some promise has positive p */
/* Lower bound on sum_k mu_k Pr(k) over all policies with promises at least level [promises], for mu >= 0:
 *
 *     sum_k mu_k level_k + sum_a max(0, level_a - sum_k w_ak level_k) min { mu_k / w_ak : w_ak > 0 },
 *
 * where the minimum is the part of mu that is a multiplier of average a. */
double space_worth(const policy_space *space, const double mu[], const double level[]);
/* Derives shortfall and regrets from U and Pr; max_regret is the objective. */
void figures_derive(const policy_space *space, figures *f);

/* ---- record --------------------------------------------------------------------------------------------------------------------
 *
 * Trace events (base/trace.h) common to all searches over policies. A policy node is [time, state, set of
 * environments, state of the boundary or -1]; an option is its action or, in a Pareto set, -1 - the number of the vector. */

typedef struct tree_record {
    const char *kind; /* search: of deterministic policies; history: column generation alone; boxes */
    bool total;       /* total regret, not maximum */
    const char *why;  /* in a few words */
    long long first;  /* number of the root */
} tree_record;

void record_tree(vouch_trace *trace, const policy_space *space, const tree_record *tree); /* a search begins */
void record_place(vouch_trace *trace, const char *name, const know_graph *g, int node);
int record_option(const policy_space *space, int node, int option);

/* Writes the field `mass`: the mass [options] of each option at at most `most` policy nodes, randomised ones first. */
void record_masses(vouch_trace *trace, const policy_space *space, const double mass[], int most);

#endif

/* policy/space.h - the policies searched, and what they are measured against.
 *
 * One place that owns graph, Pareto sets, classes and the constrained optima, so that search, heuristics, baselines and evaluation
 * speak of the same nodes and options.
 */
#ifndef POLICY_SPACE_H
#define POLICY_SPACE_H

#include "base/clock.h"
#include "know/classes.h"
#include "know/pareto.h"
#include "know/graph.h"
#include "mdp/average.h"
#include "mdp/commitment.h"
#include "mdp/dp.h"
#include "mdp/tolerance.h"
#include "policy/policy.h"

/* A floor of U(k) counts as respected when missed by this, the rounding of a sum of T rewards: no more, because what is given away
 * at each replanning adds up, and CCIL with floors is said to be no worse than its first plan. */
static inline double floor_tolerance(int T) { return T * TOL_STEP; }

/* Most likelihood classes of a history policy, wherever one is planned, evaluated or played. */
#define HISTORY_CLASSES 1000000

/* Most likelihood classes of the others, and most vectors of a Pareto set, where there is no reason for fewer. */
#define SPACE_CLASSES 100000
/* Most classes that a search over levels (plan/relax/levels.h) begins with: finer ones are made when they are worth it. */
#define LADDER_CLASSES 10000
#define PARETO_CAP     1000

typedef struct policy_space {
    const vouch_model *m;
    int K;
    int promises; /* K + averages.count */
    double *p;    /* [promises] probability with which environment k must keep the commitment, then that of promises on average; of
                     a row of these what it owes at least (mdp/average.h) */
    promise_averages averages;
    double tolerance; /* with which p is held; KEEP_TOLERANCE, less where shortfalls of several plans would add up */
    double *floor;    /* [K] least U(k) allowed (-INFINITY: any), or NULL: no environment has one */
    double *accepted; /* [promises] no policy that counts as keeping p(k) has a smaller Pr(k) or mean: what bounds and proofs hold
                         for */
    double *optimal; /* [K] what regrets are counted from: U*_c(k) or, where the least value counts, one number above all of them */
    vouch_objective objective;
    const double *weights; /* [K / group] as asked for, the caller's; NULL: 1 each */
    dp_edge
        *edge; /* [K] what optimal is the value of, kept where it took long to find; NULL: nothing is kept, or `alike` keeps it */
    const dp_edge *known_edge; /* edge, or that of the space `alike`; may be NULL */
    double *share;             /* [K] WEIGHTED: of each row in the weighted regret, summing to 1; NULL: the largest regret counts */
    double steep;              /* by how much U*_c may move, at most, if p is rounded once more: matters where 1 - p is tiny */
    double rounding;           /* of a value: smaller differences of regrets decide nothing */
    double tie;                /* policies whose regrets are equal in the rewards as given differ by at most this */
    double enough, cutoff;     /* regrets that end a search when found, and when shown to be the least (vouch/plan.h); 0: none */
    double seconds;            /* that writing a policy takes at the end: optimal is found again, the policy evaluated */
    bool late;                 /* there was no time for some of optimal: they are upper bounds, and nothing but nodes is made */
    know_graph *g;
    pareto_sets *f;     /* NULL: none made */
    know_classes *c;    /* NULL: none made */
    class_plans *plans; /* that these follow; NULL: none does */
} policy_space;

typedef struct space_options {
    int L;
    long long class_limit;
    int pareto_cap; /* most vectors of a node; 0: no Pareto sets */
    bool for_root;  /* no Pareto sets unless the root has one */
    int classes;    /* 1: make them */
    vouch_objective objective;
    const double *weights;            /* [environments], the caller's: WEIGHTED; NULL: 1 each */
    const double *p;                  /* [K] instead of the model's promises, without those on average; NULL: the model's */
    const promise_averages *averages; /* instead of the model's, or with p; NULL: the model's if p is NULL */
    const double *floor;              /* [K] least U(k); NULL: none */
    double tolerance;                 /* of keeping the commitment; KEEP_TOLERANCE */
    const deadline *optima;           /* for U*_c, of which there are upper bounds when it passes; NULL: none */
    const double *most;        /* [K] no policy earns more: such bounds, known before; NULL: they are found when they are needed */
    const policy_space *alike; /* whose optima hold here too: of the same p, tolerance and objective; NULL: none */
    const deadline *limit;     /* for building the graph, which fails when it passes; NULL: none */
    const know_limits *graph;  /* instead of the usual limits of the graph; NULL: these, and `limit` */
    const deadline *detail;    /* for Pareto sets and classes, which are left coarser when it passes; NULL: none */
    const deadline *end;       /* when it passes no classes are made, without an error; NULL: none */
    double enough, cutoff;     /* as of the space */
    bool keep_edges;           /* of U*_c, so that it is found once */
    void (*on_optimum)(void *context, int done); /* after every environment's U*_c; NULL: none */
    void *context;
} space_options;

/* Policies of lookahead L, with classes and without Pareto sets. */
space_options space_options_for(int L);

/* Fails with ERROR_SIZE when the graph is too large. optimal[k] = -INFINITY where environment k alone cannot keep
 * the commitment. On failure *space is empty. */
vouch_status space_make(const vouch_model *m, const space_options *options, policy_space *space, vouch_error *error);
/* Pareto sets and classes, as the options ask for them, of a space that was made without. On failure there may be Pareto sets. */
vouch_status space_detail(policy_space *space, const space_options *options, vouch_error *error);
void space_free(policy_space *space); /* an empty one is fine */
/* Frees classes and Pareto sets. */
void space_drop_detail(policy_space *space);

/* prob [T * pairs]: the Markov policy that is best for environment k alone, whose value optimal[k] is. */
vouch_status space_alone(const policy_space *space, int k, double prob[]);

/* The options of a policy node: its choices or, where its continuation is a Pareto set, value vectors. */
typedef struct option_range {
    int first, last;
    bool vectors;
} option_range;

option_range options_of(const policy_space *space, int node);

/* The nodes that the rules of a policy are about, or of a history policy the classes, and its probabilities there: prob [choices],
 * or [slots] where there are classes, owned by the caller. ERROR_INPUT: the policy is for another model or has no rules;
 * ERROR_SIZE: too many nodes or classes. On failure *space is empty and *prob NULL. */
vouch_status space_of_policy(const vouch_model *m, const vouch_policy *policy, policy_space *space, double **prob,
                             vouch_error *error);
/* Propagates prob [choices], or by_class prob [slots]: U, Pr [K] written. reach [nodes * K], or [classes], is returned, owned by
 * the caller; NULL: memory. *bare: a node that is reached although it has no rule, or -1. */
double *space_propagate(const policy_space *space, const double prob[], bool by_class, double U[], double Pr[], int *bare);

/* From now on graph and optima are of the rewards as given (above the least one, if the model was rescaled), for figures: Pareto
 * sets and classes no longer fit. */
vouch_status space_use_given(policy_space *space);
/* aim [promises] of a stochastic plan: so much more than what is only just accepted, but no more than p itself. */
void space_aim(const policy_space *space, double margin, double aim[]);
/* The first margin that a plan which may spend the tolerance tries: rounding, which propagation must not lose again. */
double space_least_margin(const policy_space *space);

/* The end of every plan: rules and exact figures of prob into an empty policy, as the rewards were given (space_use_given). prob:
 * [slots] of classes if by_class, else [choices] of nodes; summing to 1 wherever it leads. */
vouch_status space_write_policy(policy_space *space, const double prob[], bool by_class, vouch_policy *policy);

/* prob [first .. last) in proportion to mass, which may be the same array, without what is rounding of a mixture's weights; false,
 * and zeros: there is no mass. */
bool space_distribution(const double mass[], double prob[], int first, int last);

/* A Markov policy at every node of g: prob [choices] from table [T * pairs]. */
void space_spread(const know_graph *g, const double table[], double prob[]);

/* Exact figures of a policy. */
typedef struct figures {
    double *U, *Pr;   /* [K] */
    double shortfall; /* sum over k of what is missing to p(k) and to the floor; 0 when kept within the tolerances */
    double max_regret, total_regret;
} figures;

/* Do all Pr [K] count as keeping the commitment? *missing, unless NULL: the most that one lacks to count. */
bool space_kept(const policy_space *space, const double Pr[], double *missing);
/* What U and Pr lack in environment k of p(k) and of the floor; 0 within the tolerances. */
double space_missing(const policy_space *space, int k, double U, double Pr);
/* What is asked of environment k alone: 0 by a promise on average. */
double space_asked(const policy_space *space, int k);
/* What is minimised, of regret [K]: the largest or, by shares, their mean. */
double space_objective(const policy_space *space, const double regret[]);
/* What U and Pr lack in all of the promises on average; 0 within the tolerance. d [K] (NULL: 0) is added to Pr. */
double space_missing_on_average(const policy_space *space, const double Pr[], const double d[]);
/* Does Pr(k) matter to a promise, as far as p says? */
bool space_promised(const policy_space *space, int k);
/* How much Pr(k) counts before anything else is known: 1, or as it does in a promise on average. */
double space_price(const policy_space *space, int k);
/* May some policy break a promise, as far as p says? */
bool space_may_bind(const policy_space *space);
/* The largest number that sum_k mu_k Pr(k) has under every policy whose promises are at least level [promises]: for mu >= 0
 *
 *     sum_k mu_k level_k + sum_a max(0, level_a - sum_k w_ak level_k) min { mu_k / w_ak : w_ak > 0 },
 *
 * since of mu so much is a multiplier of average a. Prices of rows alone say all. */
double space_worth(const policy_space *space, const double mu[], const double level[]);
/* Derives shortfall and regrets from U and Pr. max_regret: what is minimised, of these regrets. */
void figures_derive(const policy_space *space, figures *f);

#endif

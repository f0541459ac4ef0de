/* plan/outcomes/outcomes_search.h - searches for a policy better than the incumbent by branching on choices and on *outcomes*
 * (know/pairs.h), for models whose promises may bind when the policy search stagnates.
 *
 *     maximum regret >= max_k loss(k),
 *     loss(k) >= U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) }         pairs, in the hardest environment
 *     loss(k) >= U*_c(k) - min over mu >= 0 of  V_k(mu) - mu accepted(k)             in every environment,
 *
 * under the options allowed, with V_k(mu) = max u + mu q. If a promise binds, the hardest environment can afford few outcomes at
 * its unavoidable nodes, and reaches each in many ways. *Probing* rules out unaffordable options (repeated where their last bound
 * was near the cutoff); the search then branches on outcomes, which bind all environments, and not on ways. Merged pairs of other
 * environments are weaker than their V_k. Often the hardest environment and one more prove the optimum with far fewer disputed
 * nodes, so these two are searched first: a bound on their largest regret bounds the largest of all.
 *
 * Depth first, by counts of work, so results repeat, except at a limit; threads share open cases, trials and offers. Cost:
 * exponential at worst; a node tries every option at every policy node that the hardest environment can reach, and a trial
 * recomputes some sets of pairs. Invariant: no case that was cut off has a bound below the result.
 */
#ifndef PLAN_OUTCOMES_OUTCOMES_SEARCH_H
#define PLAN_OUTCOMES_OUTCOMES_SEARCH_H

#include "base/pool.h"
#include "know/pairs.h"
#include "plan/heuristic/incumbent.h"

typedef struct outcomes_limits {
    long long work; /* limit on sums of two pairs and priced slots */
    const deadline *time;
    double known;  /* an earlier bound; -INFINITY: none */
    pool *threads; /* NULL: the caller's thread only */
} outcomes_limits;

typedef struct outcomes_result {
    double bound; /* on the maximum regret of every policy; -INFINITY: none */
    long long nodes, work;
    bool better; /* a better policy was found */
} outcomes_result;

/* Nodes of the tree at the first turn; factor between turns. */
enum { OUTCOMES_FIRST = 256, OUTCOMES_AGAIN = 2 };

/* The work allowed after `worked` in inductions of the tree on g; 0: no turn. It grows with consecutive improvements, which a long
 * search needs, and after a failure is 0 until it is much larger than the work that failed. */
long long outcomes_allowed(const outcomes_schedule *when, long long worked, const know_graph *g);
/* Records the result of a search with this work. */
void outcomes_note(outcomes_schedule *when, const outcomes_result *result, long long work);

/* Minimises the maximum regret, without shares. Requires a known policy. Improves inc. */
vouch_status outcomes_search(const policy_space *space, incumbent *inc, double gap, const outcomes_limits *limits,
                             outcomes_result *result);

/* Smaller mass is ignored. */
#define OUTCOMES_USED 1e-12
/* Parallel trials of options or improvements of policies, independent of each other; fixed, so results do not depend on threads. */
enum { OUTCOMES_TOGETHER = 8 };
/* Parallel cases, and explorers; fixed, too. */
enum { OUTCOMES_LANES = 2 };

/* Memory of a thread for trials and improvements. */
typedef struct outcomes_room {
    know_outcomes e;        /* the search's, with its own queue */
    know_pairs *trial;      /* trial sets of the hardest environment */
    know_lagrangian prices; /* work: of all trials */
    unsigned char *allowed; /* [options] */
    incumbent *inc;
} outcomes_room;

/* An offered policy, and its figures after improvement. */
typedef struct outcomes_policy {
    int *pick; /* [nodes] */
    double shortfall, regret;
    bool better; /* than the best known */
} outcomes_policy;

typedef struct outcomes_state {
    const policy_space *space;
    know_outcomes *e;
    know_pairs **of; /* [K] */
    int K, hardest;
    int *row; /* [rows] environments of the bounds: all, or a subset, whose largest regret bounds the largest of all */
    int rows;
    incumbent *inc;
    double gap, target, cutoff;        /* cutoff: the smaller of the target and incumbent_cutoff */
    double cut;                        /* least bound of the parts cut off */
    long long most_work, nodes, tried; /* the last: work of trials */
    long long apart;                   /* work between exchanges of explorers */
    const deadline *limit;
    pool *threads;       /* NULL: the caller's thread only */
    outcomes_room *room; /* [rooms] one a thread */
    int rooms;
    outcomes_policy *offer;      /* [OUTCOMES_TOGETHER] */
    struct outcomes_state *lane; /* [OUTCOMES_LANES] states for single cases, with their own sets of the hardest environment,
                                    prices and incumbent; NULL in a lane */
    bool given_up, at_ease;      /* a limit was reached; a few environments cannot show the cutoff */
    double *mu;                  /* [K] last best price of the promise */
    know_lagrangian prices;      /* of the last environment; its work is the whole search's, or lane's */
    double *own, *mass;          /* [options] by pairs of the hardest environment; with the prices of the others */
    double *raise;               /* [options] rise of the bound in its last trial; INFINITY: not tried */
    int *pick, *walk;            /* [nodes] offered choices; position of a walk */
    arena memory;
} outcomes_state;

/* Outcomes and arrays for s->space; the caller sets the rest, and calls outcomes_end even after an error. */
vouch_status outcomes_begin(outcomes_state *s);
void outcomes_end(outcomes_state *s);
/* The sets of all environments, fine for the hardest only, or s->given_up; all: from outcomes_allow_all. */
vouch_status outcomes_make_pairs(outcomes_state *s, const unsigned char all[]);
/* After outcomes_make_pairs: searches with bounds of the hardest environment and the one of largest regret under the best policy
 * among the others. Raises *bound; *more: the work used. */
vouch_status outcomes_explore_two(outcomes_state *s, const unsigned char all[], double *bound, long long *more);
void outcomes_set_cutoff(outcomes_state *s);
/* Searches `all` [options] below the cutoff and records the bounds of the rest, unless it gives up. */
vouch_status outcomes_explore(outcomes_state *s, const unsigned char all[]);
/* The bound under allowed [options], at least to the cutoff. */
double outcomes_bound(outcomes_state *s, const unsigned char allowed[]);
/* The bound under the options allowed in a room, a subset of those in the last call of outcomes_bound, at its last best prices. */
double outcomes_bound_of_trial(const outcomes_state *s, outcomes_room *room);
/* Offers the best policy with one outcome exchanged, and policies on walks from it, until neither improves or the work of offers is
 * used. */
void outcomes_exchange(outcomes_state *s);

#endif

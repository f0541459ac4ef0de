/* plan/relax/levels.h - how finely the search over policies knows.
 *
 * For fixed multipliers the value of a class is convex and homogeneous in its likelihoods w, so whenever w = sum_j c_j w_j with
 * c_j >= 0
 *
 *     V(w) <= sum_j c_j V(w_j):
 *
 * a bound stays valid when a class is split into others, most coarsely into unit vectors, which reveal the environment (an
 * information relaxation: Brown, Smith, Sun, Operations Research 58, 2010). A *level* is a limit on the classes from which on the
 * environment is revealed (know/classes.h), or a set of classes that were grown where they matter (know/grown.h). Fine
 * levels bound better and coarse ones sooner; which is best differs a thousandfold between models. So where the finest has many
 * arcs the levels race: each searches with the same work, counted in arcs, the better half goes on with several times as much, and
 * the last one to the end. All share the incumbent.
 *
 * Source: src/THEORY.md, 5. Cost: a small multiple of the best level's. Invariant: `known` is a bound that some level has
 * proved, and only grows.
 */
#ifndef PLAN_RELAX_LEVELS_H
#define PLAN_RELAX_LEVELS_H

#include "plan/relax/belief_expansion.h"
#include "plan/heuristic/threshold_accepting.h"
#include "plan/search/search.h"

/* A search on one level, and its result. */
typedef struct policy_search {
    policy_space space; /* search[0].space with classes of its own, maybe without Pareto sets */
    colgen *r;
    kept_pairs kept;
    search_result result;
    bool grown; /* on classes that were grown, not cut at a time */
} policy_search;

enum { MOST_LEVELS = 8 };

typedef struct relaxation_levels {
    policy_search search[MOST_LEVELS]; /* [count] 0: the space given, whose classes are its own */
    int count;
    policy_search *last;       /* the one that goes on, or has proved the optimum */
    double known;              /* bound on the least maximum regret */
    double raced;              /* the best bound of the levels alone */
    walks walks;               /* from the best policy */
    belief_expansion *grown;   /* classes that matter, made one by one; NULL: none are */
    bool of_grown;             /* one of the levels is of them */
    struct shallower *shallow; /* Markov policies beside a search for L > 0 (plan/relax/shallower.h); NULL: none */
} relaxation_levels;

/* Minimises the maximum regret in `space`, improving inc; nodes and iterations are added to call->policy. An empty
 * relaxation_levels, cleared by the caller however it ends. */
vouch_status levels_search(relaxation_levels *l, plan_call *call, const policy_space *space, incumbent *inc, search_options *so);
void levels_clear(relaxation_levels *l);

#endif

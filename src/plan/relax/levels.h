/* plan/relax/levels.h - relaxation levels: the fineness of the likelihood classes of a search.
 *
 * For fixed multipliers the value of a class is convex and homogeneous in its likelihoods w, so if w = sum_j c_j w_j with c_j >= 0
 *
 *     V(w) <= sum_j c_j V(w_j):
 *
 * a bound stays valid when a class is split into others, at the coarsest into unit vectors, which reveal the environment (an
 * information relaxation: Brown, Smith, Sun, Operations Research 58, 2010). A *level* is a limit on the number of classes, after
 * which the environment is revealed (know/classes.h), or a set of expanded classes (know/classes.h). Fine levels have better
 * bounds, coarse ones are faster; the best one differs by factors of a thousand between models. So if the finest has many arcs the
 * levels race: each searches with the same work in arcs, the better half continues with several times as much, the last one to the
 * end, with a common incumbent.
 *
 * Source: src/THEORY.md, 5. Cost: a small multiple of the best level's.
 */
#ifndef PLAN_RELAX_LEVELS_H
#define PLAN_RELAX_LEVELS_H

#include "plan/relax/belief_expansion.h"
#include "plan/heuristic/local_search.h"
#include "plan/search/search.h"

/* A search on one level, and its result. */
typedef struct policy_search {
    policy_space space; /* search[0].space with classes of its own, maybe without Pareto sets */
    colgen *r;
    kept_pairs kept;
    search_result result;
    bool grown; /* on expanded classes */
} policy_search;

enum { MOST_LEVELS = 8 };

typedef struct relaxation_levels {
    policy_search search[MOST_LEVELS]; /* [count] 0: the given space, which owns its classes */
    int count;
    policy_search *last;       /* the last one run */
    double known;              /* bound on the least maximum regret */
    double raced;              /* the best bound of the levels alone */
    walks walks;               /* from the best policy */
    belief_expansion *grown;   /* NULL: none */
    bool of_grown;             /* one of the levels has its classes */
    struct shallower *shallow; /* search of Markov policies (plan/relax/levels.c); NULL: none */
} relaxation_levels;

/* Options of the trees of a plan, without its log, progress, workers and journal. */
void levels_options(search_options *so, plan_call *call);

/* Minimises the maximum regret in `space`, improves inc, and adds nodes and iterations to call->policy. l is empty before; the
 * caller clears it even after an error. */
vouch_status levels_search(relaxation_levels *l, plan_call *call, const policy_space *space, incumbent *inc, search_options *so);
void levels_clear(relaxation_levels *l);

#endif

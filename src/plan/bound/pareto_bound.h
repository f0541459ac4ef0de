/* plan/bound/pareto_bound.h - the bound of a tree node by pairs (know/pairs.h), the Pareto sets (value, probability of the promise)
 * of deterministic policies in each environment alone.
 *
 *     maximum regret >= max_k loss(k),   total regret >= sum_k loss(k),
 *     loss(k) = U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) }
 *
 * under the options allowed. It accounts for determinism (randomised policies can keep a promise exactly), which mixtures do not,
 * but not for the common policy of the environments, which mixtures do; so the search uses both (plan/search/node_bound.c). The
 * search branches where the maximising policies of the environments, or of one environment at different arrivals, disagree.
 */
#ifndef PLAN_BOUND_PARETO_BOUND_H
#define PLAN_BOUND_PARETO_BOUND_H

#include "plan/colgen/colgen.h"

typedef struct pareto_bound {
    const policy_space *space; /* may be gone when this is freed */
    int K;
    know_pairs **of;        /* [K] */
    know_pairs **trial;     /* [K] for trials of options; NULL: none yet */
    double *loss;           /* [K] of the last call; INFINITY: the promise cannot be kept; NAN: not computed */
    double *mass;           /* [options] after pareto_bound_mass: probability of use, the mean over environments */
    double *own;            /* [options] likewise, in the hardest environment */
    long long work;         /* sums of pairs when all options are allowed */
    unsigned char *all;     /* [options] 1 */
    bool long_search;       /* made for a long search */
    bool enough;            /* a short search has the same */
    int hardest;            /* environment of the largest loss in the last call */
    double *mu;             /* [K] last best price of each promise (plan/bound/single_lagrangian.h) */
    know_lagrangian prices; /* scratch */
    pairs_use use;          /* scratch */
    unsigned char *was;     /* [A] scratch */
    arena memory;           /* of all arrays; `failed` is set by trials, too */
} pareto_bound;

/* Makes sets as fine as about most_work sums of pairs allow with all options, finest for the hardest environment; for a long search
 * several times the work where they would be coarse. *out is unchanged on failure, and without an error if even coarse sets exceed
 * the work, the memory or the limit (NULL: none). */
vouch_status pareto_bound_fit(const policy_space *space, long long most_work, bool long_search, const deadline *limit,
                              pareto_bound **out);
/* A copy of the bound and its sets. ERROR_MEMORY. */
vouch_status pareto_bound_copy(const pareto_bound *from, pareto_bound **out);
/* Would pareto_bound_fit make these in the same space? */
static inline bool pareto_bound_fits(const pareto_bound *b, bool long_search) { return b->enough || b->long_search == long_search; }
/* Memory of its sets. */
size_t pareto_bound_bytes(const pareto_bound *b);
void pareto_bound_free(pareto_bound *b); /* NULL is fine */

/* The bound under cg->allowed for the goal of cg; INFINITY: no policy keeps the commitment (and the cap, for the total regret).
 * Environments are evaluated cyclically from `first` until the maximum passes the cutoff. */
double pareto_bound_solve(pareto_bound *b, const colgen *cg, double cutoff, int first);

/* The maximum of the Lagrangian bounds: weaker except where sets are merged, and much faster. Leaves the prices in b->mu unless the
 * cutoff was passed. */
double pareto_bound_by_price(pareto_bound *b, const unsigned char allowed[], double cutoff, int first);

/* Traces the maximising policies of the last call, which must have evaluated all environments, none INFINITY, into b->mass. */
void pareto_bound_mass(pareto_bound *b);

/* Can some policy break the commitment? If not, every environment alone has a deterministic optimal policy under any options, so
 * the mixture bound is at least as strong, and the price of determinism loss [K] (NULL: not wanted) is 0. */
bool pareto_bound_may_bind(const policy_space *space, double loss[]);

#endif

/* plan/bound/pareto_bound.h - the bound of a tree node by pairs (know/pairs.h): what pure policies attain in each environment
 * alone.
 *
 *     maximum regret >= max_k loss(k),   total regret >= sum_k loss(k),
 *     loss(k) = U*_c(k) - max { u : (u, q) in F_k(root), q >= accepted(k) }
 *
 * under the options allowed. It sees what mixtures do not: that a deterministic policy has no coins of its own to keep a promise
 * just so. It does not see that environments must share one policy, which mixtures do; so the two are asked side by side
 * (plan/search/node_bound.h). The policies behind the losses say where the environments want different things of a policy node, or
 * one environment does at different arrivals: there the search branches.
 */
#ifndef PLAN_BOUND_PARETO_BOUND_H
#define PLAN_BOUND_PARETO_BOUND_H

#include "know/pairs.h"
#include "know/single_lagrangian.h"
#include "plan/colgen/colgen.h"

typedef struct pareto_bound {
    const policy_space *space; /* may be gone when this is freed */
    int K;
    know_pairs **of;        /* [K] */
    know_pairs **trial;     /* [K] beside them, where options are tried; NULL: not yet */
    double *loss;           /* [K] of the last call; INFINITY: the promise cannot be kept; NAN: not looked at */
    double *mass;           /* [options] after pareto_bound_mass: how likely each is used, the mean over environments */
    double *own;            /* [options] likewise, by the hardest environment alone */
    long long work;         /* sums of pairs when every option is allowed */
    unsigned char *all;     /* [options] 1 */
    bool long_search;       /* made for one .. */
    bool enough;            /* .. and the same as for a short one */
    int hardest;            /* environment of the largest loss in the last call */
    double *mu;             /* [K] best price of each promise (plan/bound/single_lagrangian.h) when last sought */
    know_lagrangian prices; /* scratch */
    pairs_use use;          /* likewise */
    unsigned char *was;     /* [A] likewise */
    arena memory;           /* of these; failed: for a trial, too */
} pareto_bound;

/* Makes the sets as fine as some most_work sums of pairs allow when every option is, those of the hardest environment finest, which
 * does not depend on who asks; for a long search several times as many where they were coarse otherwise. *out is left as it is on
 * failure, and where coarse sets would take too much work, memory or of the limit (NULL: none), which is no failure. */
vouch_status pareto_bound_fit(const policy_space *space, long long most_work, bool long_search, const deadline *limit,
                              pareto_bound **out);
/* The same bound beside another one, whose sets are copied as they are now. ERROR_MEMORY. */
vouch_status pareto_bound_copy(const pareto_bound *from, pareto_bound **out);
/* Would pareto_bound_fit make these in the same space? */
static inline bool pareto_bound_fits(const pareto_bound *b, bool long_search) { return b->enough || b->long_search == long_search; }
/* Memory of its sets. */
size_t pareto_bound_bytes(const pareto_bound *b);
void pareto_bound_free(pareto_bound *b); /* NULL is fine */

/* The bound under allowed [options] for the goal of cg; INFINITY: no policy left keeps the commitment, and the cap on the total
 * regret's stage. Environments are looked at in turn from `first` on until the maximum passes the cutoff, where there are threads
 * some at once. */
double pareto_bound_solve(pareto_bound *b, const colgen *cg, double cutoff, int first);

/* The same maximum, but the losses that prices show: less, or more where sets are merged, and much sooner. Leaves the prices in
 * b->mu unless the cutoff was passed. */
double pareto_bound_by_price(pareto_bound *b, const unsigned char allowed[], double cutoff, int first);

/* Traces the policies behind the last call, in which every environment was looked at and none was INFINITY, into b->mass. */
void pareto_bound_mass(pareto_bound *b);

/* Might some policy break the commitment? If not, an environment alone has an optimal policy without coins, whatever options are
 * left, and the mixture bound contains that environment's: pairs show nothing. loss [K] by determinism is 0 then; NULL: not
 * wanted. */
bool pareto_bound_may_bind(const policy_space *space, double loss[]);

#endif

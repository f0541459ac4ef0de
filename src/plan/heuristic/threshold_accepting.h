/* plan/heuristic/threshold_accepting.h - walks from the best known policy that accept changes for the worse, by a decreasing
 * amount.
 *
 * A pass over the policy nodes (plan/heuristic/local_search.h) draws a choice at each and accepts it if the promises lose nothing
 * and
 *
 *     sum over k of regret(k)^POWER   grows by a factor of at most   (1 + threshold)^POWER,
 *
 * a smoothed maximum: most changes leave the maximum itself unchanged, or help one environment and make another the worst. The
 * threshold decreases to 0; then local search improves the result. In policies of some hundred nodes it finds improvements within
 * tenths of a second that perturbation with descent, or rounding of mixtures, miss within a minute.
 *
 * Source: G. Dueck, T. Scheuer, Threshold accepting, J. Comput. Phys. 90, 1990. A pass costs edges K. Work is counted, not timed,
 * so results are reproducible.
 */
#ifndef PLAN_HEURISTIC_THRESHOLD_ACCEPTING_H
#define PLAN_HEURISTIC_THRESHOLD_ACCEPTING_H

#include "base/pool.h"
#include "base/rng.h"
#include "plan/heuristic/incumbent.h"

/* State between calls. */
typedef struct threshold_accepting {
    rng random;
    int walks;   /* completed */
    double left; /* unused work; negative if overspent */
} threshold_accepting;

/* Walks for `work` more, in edges times environments. Requires a known policy. True: a better one was found. */
bool threshold_accepting_run(threshold_accepting *w, incumbent *inc, double work);

/* ---- chains of walks beside a search ----
 *
 * All chains start from the same policy, with their own random numbers, a share of the work and, if allowed, a thread. Results are
 * merged in the order of chains at a moment determined by counts, so the policy does not depend on threads. More than one chain,
 * since a single one often outlasts the search beside it. Cost: the work, and an incumbent for each chain. */
enum { CHAINS = 2 };

typedef struct walk_chain {
    threshold_accepting at, next; /* state before and after the current walks */
    incumbent *inc;               /* of the current walks; NULL: none */
    aside *thread;                /* NULL: the walks run in walks_end */
    atomic_bool aborted;
    deadline limit;
    double work;
    bool better; /* the current walks found a better policy */
} walk_chain;

typedef struct walks {
    walk_chain chain[CHAINS];
    double share;  /* of the work passed to walks_begin */
    double walked; /* value of the best policy after the last walks */
} walks;

void walks_init(walks *w, uint64_t seed);
/* Starts walks from the best policy of inc, with less work if the last ones from it found nothing. Requires !walks_begun(w). */
vouch_status walks_begin(walks *w, const incumbent *inc, bool threads, double work);
static inline bool walks_begun(const walks *w) { return w->chain[0].inc != NULL; }
/* Waits for the walks, or runs them now, and merges their policies into inc. True: a better one was found. */
bool walks_end(walks *w, incumbent *inc);
int walks_count(const walks *w);
/* Stops and frees the current walks, if any. */
void walks_abort(walks *w);

#endif

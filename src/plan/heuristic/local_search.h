/* plan/heuristic/local_search.h - local search by time slices for deterministic L-updates policies.
 *
 * U(k) and Pr(k) are linear in the policy of one time slice with the others fixed, since every history passes each time once:
 * changing node n of the slice from c to c' changes U(k) by
 *
 *     Pr(n|k) (Q(n,c';k) - Q(n,c;k)),                  likewise Pr(k) with the probability of the promise,
 *
 * exactly, and the changes within a slice add up. A pass goes backwards from the horizon, so values below are current and reach
 * probabilities above still hold: O(edges K). The result is a policy that no change of one node improves (incumbent_better).
 */
#ifndef PLAN_HEURISTIC_LOCAL_SEARCH_H
#define PLAN_HEURISTIC_LOCAL_SEARCH_H

#include "base/pool.h"
#include "base/rng.h"
#include "plan/heuristic/incumbent.h"

/* Slice passes per offered policy (local search usually converges earlier), and inductions of local_search_feasible. */
enum { OFFER_PASSES = 20, FEASIBLE_ROUNDS = 16 };

/* Evaluates pick [nodes] (-1: undecided, filled in by a guess), improves it by at most `passes` slice passes, and adopts it if it
 * is better. True: it became the incumbent. */
bool local_search_offer(incumbent *inc, const int pick[], int passes);

/* Offers the policy of a backward induction that maximises the promises' probabilities, weighted over environments, and repeats
 * with more weight on broken promises until all are kept, `rounds` are done, or time is out; the first round ignores the limit
 * where it takes a second at most. The result is improved as above. True: it became the incumbent. */
bool local_search_feasible(incumbent *inc, int rounds, int passes);

typedef struct perturbation {
    int tries;   /* policies offered */
    int changes; /* nodes drawn for a new choice in each, with repetition */
    int passes;  /* slice passes of each */
} perturbation;

/* Offers perturbations of the best policy. True: improved. */
bool local_search_perturb(incumbent *inc, rng *r, const perturbation *how);

/* ---- one backward pass over inc->pick, whose figures are inc->now, node by node; O(edges K) ----
 * At each node: local_enter, local_change for candidate choices, local_switch for one of them. */

/* Computes figures and reach probabilities of inc->pick. */
void local_evaluate(incumbent *inc);
/* Begins a pass, after local_evaluate. */
void local_begin(incumbent *inc);
/* Computes the values of node n under its pick, guessed where undecided. True: n is reached. */
bool local_enter(incumbent *inc, int n);
/* The change if n switches from its pick to c: d [2K], dU then dPr. */
void local_change(const incumbent *inc, int n, int c, double d[]);
/* Switches to c, which changes the figures by d. */
void local_switch(incumbent *inc, int n, int c, const double d[]);

/* Walks from the best known policy that accept changes for the worse, by a decreasing
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

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

#endif

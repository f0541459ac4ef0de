/* plan/heuristic/local_search.h - local search by time slices for deterministic L-updates policies.
 *
 * U(k) and Pr(k) are linear in the policy of one time slice when the others are held fixed (every history passes each time once):
 * changing node n of the slice from c to c' moves U(k) by
 *
 *     Pr(n|k) (Q(n,c';k) - Q(n,c;k)),                  likewise Pr(k) with the probability of the promise,
 *
 * exactly, and the moves of one slice add up. A pass goes from the horizon backwards, so that values below are fresh and reach
 * probabilities above still hold: O(edges K). It ends in a policy that no change of one node improves, as incumbent_better
 * compares.
 */
#ifndef PLAN_HEURISTIC_LOCAL_SEARCH_H
#define PLAN_HEURISTIC_LOCAL_SEARCH_H

#include "base/rng.h"
#include "plan/heuristic/incumbent.h"

/* Evaluates pick [nodes] (-1: nothing decided, filled in by a good guess), improves it by at most `passes` slice passes, and
 * keeps it if it is better. Returns true if it became the best. */
bool local_search_offer(incumbent *inc, const int pick[], int passes);

/* Offers the policy that a backward induction finds most likely to keep the promises, weighted over environments, and again with
 * more weight on those whose promise it breaks, until one is kept, `rounds` have been made, or time is out: the first is made
 * always where it takes a second at most. That is then improved as above. Returns true if it became the best. */
bool local_search_feasible(incumbent *inc, int rounds, int passes);

/* What local_search_perturb does. */
typedef struct perturbation {
    int tries;   /* policies offered */
    int changes; /* nodes whose choice is drawn anew in each, nearly: they may coincide */
    int passes;  /* slice passes of each */
} perturbation;

/* Perturbs the best policy and offers the result, again and again. Returns true if improved. */
bool local_search_perturb(incumbent *inc, rng *r, const perturbation *how);

#endif

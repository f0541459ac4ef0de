/* plan/heuristic/incumbent.h - the best known deterministic L-updates policy that keeps the commitment, by exact figures.
 *
 * A policy is pick [nodes], the choice at each policy node. Policies are compared lexicographically:
 *
 *     shortfall of the commitment,   maximum regret or its excess over the cap,   total regret,
 *
 * each with a margin for rounding. Invariant: best has no shortfall and, if the total is minimised, no excess over the cap.
 */
#ifndef PLAN_HEURISTIC_INCUMBENT_H
#define PLAN_HEURISTIC_INCUMBENT_H

#include "policy/space.h"

/* Success of the searches over outcomes (plan/outcomes/outcomes_search.h), shared by the stages of a search. */
typedef struct outcomes_schedule {
    int better;     /* consecutive improvements */
    long long vain; /* work allowed to the last search that found none */
} outcomes_schedule;

typedef struct incumbent {
    const policy_space *space;
    bool found;            /* best keeps the commitment */
    int *best;             /* [nodes] */
    figures value;         /* of best */
    bool total;            /* compare by total regret under the cap, else by maximum (then total) regret */
    double cap;            /* on the maximum regret of a new incumbent */
    double bound_cap;      /* on the maximum regret of policies covered by bounds on the total */
    const deadline *limit; /* of local search; NULL: none */
    outcomes_schedule outcomes;
    arena memory; /* of all arrays */
    /* scratch of local search */
    int *pick; /* [nodes] */
    figures now;
    double *prob, *reach, *gain, *keep; /* [choices], [nodes * K] of pick */
    double *delta;                      /* [4K] */
    double *worth, *best_worth;         /* [2K] of a choice: u, then pr */
} incumbent;

typedef struct merit {
    double shortfall, regret, total;
} merit;

vouch_status incumbent_new(const policy_space *space, incumbent **out);
void incumbent_free(incumbent *inc); /* NULL is fine */

/* Switches to the least total regret among policies of the maximum regret of best, which stays. In planned rewards their maximum
 * may be larger by space->tie: all of it for bounds, at most `left` (the remainder of the gap after stage one) for incumbents. */
void incumbent_seek_total(incumbent *inc, double left);

/* Maximum or total regret of best; INFINITY: none found. */
double incumbent_value(const incumbent *inc);
/* Bound at which a node is pruned: the value minus the gap (INFINITY: any policy will do), at most the caller's cutoff; below every
 * regret if best is good enough; INFINITY if none is found. */
double incumbent_cutoff(const incumbent *inc, double gap);

merit incumbent_merit(const incumbent *inc, double shortfall, double max_regret, double total);
bool incumbent_better(const incumbent *inc, const merit *a, const merit *b);

/* Adopts pick [nodes] with exact figures f if it keeps the commitment and is better. True: adopted. */
bool incumbent_consider(incumbent *inc, const int pick[], const figures *f);

/* Copies the best policy and the goal (same space). */
void incumbent_copy(incumbent *to, const incumbent *from);
/* Adopts the best policy of `from` if it is better. */
void incumbent_merge(incumbent *inc, const incumbent *from);

#endif

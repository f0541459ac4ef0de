/* plan/heuristic/incumbent.h - the best deterministic L-updates policy known that keeps the commitment, by exact figures.
 *
 * A policy is pick [nodes], the choice taken at each policy node. Policies are compared lexicographically:
 *
 *     shortfall of the commitment,   maximum regret or its excess over the cap,   total regret,
 *
 * each with a margin below which a difference is rounding. O(nodes) to take one over. Invariant: best has no shortfall, and where
 * the total is sought no more than the cap.
 */
#ifndef PLAN_HEURISTIC_INCUMBENT_H
#define PLAN_HEURISTIC_INCUMBENT_H

#include "base/arena.h"
#include "base/clock.h"
#include "know/propagate.h"
#include "policy/space.h"

/* How searches by outcomes fared (plan/outcomes/outcomes_search.h), for all that improve a policy. */
typedef struct outcomes_schedule {
    int better;     /* so many times in a row they have found a better one */
    long long vain; /* work allowed since then to the last that did not */
} outcomes_schedule;

typedef struct incumbent {
    const policy_space *space;
    bool found;            /* best keeps the commitment */
    int *best;             /* [nodes] */
    figures value;         /* of best */
    bool total;            /* compare by total regret under the cap, else by maximum (then total) regret */
    double cap;            /* of policies found */
    double bound_cap;      /* of those that bounds on the total regret count with */
    const deadline *limit; /* local search stops when it has passed; NULL: none */
    outcomes_schedule outcomes;
    arena memory; /* of all arrays */
    /* scratch of local search */
    int *pick; /* [nodes] */
    figures now;
    double *prob, *reach, *gain, *keep; /* [choices], [nodes * K] of pick */
    double *delta;                      /* [4K] */
    double *worth, *best_worth;         /* [2K] of a choice: u, then pr */
} incumbent;

/* What is compared. */
typedef struct merit {
    double shortfall, regret, total;
} merit;

vouch_status incumbent_new(const policy_space *space, incumbent **out);
void incumbent_free(incumbent *inc); /* NULL is fine */

/* From now on least total regret among policies of the maximum regret of best is sought; best stays. In the rewards planned with,
 * theirs may be larger by space->tie, and a new best takes no more of that than `left`, what the first stage left of the gap;
 * bounds hold for all of them. */
void incumbent_seek_total(incumbent *inc, double left);

/* The value compared: maximum regret, or total regret. INFINITY while none is found. */
double incumbent_value(const incumbent *inc);
/* What is no better than it by more than the gap, which may be infinite: any policy will do. INFINITY while none is found; no more
 * than the cutoff asked for; and below every regret where the best policy is enough. */
double incumbent_cutoff(const incumbent *inc, double gap);

merit incumbent_merit(const incumbent *inc, double shortfall, double max_regret, double total);
bool incumbent_better(const incumbent *inc, const merit *a, const merit *b);

/* Takes over pick [nodes], whose exact figures are f, if it keeps the commitment and is better. True if it did. */
bool incumbent_consider(incumbent *inc, const int pick[], const figures *f);

/* Makes `to` hold what `from` holds (same space). */
void incumbent_copy(incumbent *to, const incumbent *from);
/* Takes over the best policy of `from` if it is better. */
void incumbent_take(incumbent *inc, const incumbent *from);

#endif

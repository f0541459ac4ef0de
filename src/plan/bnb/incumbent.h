/* plan/bnb/incumbent.h - deterministic L-updates policies: exact figures and local search by time slices.
 *
 * A policy is pick [nodes], the choice taken at each policy node. U(k) and Pr(k) are linear in the policy of one time slice when the others are held
 * fixed (every history passes each time once): changing node n of the slice from c to c' moves U(k) by
 * Pr(n|k) (Q(n,c';k) - Q(n,c;k)), exactly, and the moves of one slice add up. A pass goes from the horizon backwards, so
 * that values below are fresh and reach probabilities above still hold.
 */
#ifndef PLAN_BNB_INCUMBENT_H
#define PLAN_BNB_INCUMBENT_H

#include "base/clock.h"
#include "base/rng.h"
#include "policy/space.h"

typedef struct incumbent {
    const policy_space *space;
    bool found;            /* best keeps the commitment */
    int *best;             /* [nodes] */
    figures value;         /* of best */
    bool total;            /* compare by total regret under the cap, else by maximum (then total) regret */
    double cap;            /* of policies found */
    double bound_cap;      /* of those that bounds on the total regret count with */
    const deadline *limit; /* local search stops when it has passed; NULL: none */
    /* scratch */
    int *pick; /* [nodes] */
    figures now;
    double *prob, *reach, *gain, *keep, *delta;
} incumbent;

vouch_status incumbent_new(const policy_space *space, incumbent **out);
void incumbent_free(incumbent *inc); /* NULL is fine */

/* From now on least total regret among policies of the maximum regret of best is sought; best stays. In the rewards planned with, theirs may be larger by
 * space->tie, and a new best takes no more of that than `left`, what the first stage left of the gap; bounds hold for all of them. */
void incumbent_seek_total(incumbent *inc, double left);

/* The value compared: maximum regret, or total regret. INFINITY while none is found. */
double incumbent_value(const incumbent *inc);

/* Evaluates pick [nodes] (-1: nothing decided, filled in by a good guess), improves it by at most `passes` slice passes, and
 * keeps it if it is better. Returns true if it became the best. */
bool incumbent_offer(incumbent *inc, const int pick[], int passes);

/* Makes `to` hold what `from` holds (same space). */
void incumbent_copy(incumbent *to, const incumbent *from);
/* Takes over the best policy of `from` if it is better. */
void incumbent_take(incumbent *inc, const incumbent *from);

/* Disturbs the best policy at about `changes` nodes and offers the result, `tries` times. Returns true if improved. */
bool incumbent_perturb(incumbent *inc, rng *r, int tries, int changes, int passes);

#endif

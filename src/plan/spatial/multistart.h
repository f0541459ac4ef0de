/* plan/spatial/multistart.h - stochastic L-updates policies: local search from many starts.
 *
 *     min max over k of U*(k) - U(k; pi)   subject to   Pr(k; pi) >= p(k),     U and Pr multilinear in pi (src/THEORY.md, 6).
 *
 * Each start is a policy improved by nlp/minimax.h; the best that keeps the commitment is held. Starts are made in batches, and
 * starts near the best one use the best of when the batch began, so that the order within a batch does not matter.
 *
 * Cost of a descent: some dozens of linear programs of the policy's size. Invariant: the best policy's figures are computed
 * by propagation, and it never gets worse.
 */
#ifndef PLAN_SPATIAL_MULTISTART_H
#define PLAN_SPATIAL_MULTISTART_H

#include "base/trace.h"
#include "policy/space.h"

typedef enum start_kind {
    START_HISTORY,
    START_DETERMINISTIC,
    START_ALONE,
    START_GIVEN,
    START_RANDOM,
    START_VERTEX,
    START_DISTURBED
} start_kind;

/* One descent, as logged. */
typedef struct descent_record {
    start_kind start;
    double regret, shortfall; /* where it ended */
    long long work;           /* simplex iterations */
    int optimum;              /* number of the local optimum among the distinct ones found */
} descent_record;

/* State of a multistart; until a policy keeps the commitment, best is the one of least shortfall. */
typedef struct multistart_result {
    bool found;                   /* best keeps the commitment */
    double regret;                /* INFINITY: not found */
    double nearest;               /* least Pr over environments of best */
    const double *best;           /* [choices] */
    long long work;               /* simplex iterations */
    int descents, optima;         /* and their distinct ends */
    const descent_record *record; /* [descents] */
} multistart_result;

typedef struct multistart multistart;

/* seed: of all random starts. threads: most descents at once; results do not depend on it. */
vouch_status multistart_new(const policy_space *space, uint64_t seed, int threads, multistart **out);
void multistart_free(multistart *s); /* NULL is fine */

/* Descents are told from now on: where each began and ended, and the best then. Wanted of one thread only. */
void multistart_watch(multistart *s, vouch_trace *trace);

/* What descents try to reach of Pr(k), at first p(k); the test of a kept promise stays the same. */
void multistart_aim(multistart *s, const double aim[]);

/* Takes prob if it is better than the best policy, and descends from prob [choices] (each node's summing to 1; where they sum to 0,
 * uniform) until the regret is at most good_enough. */
vouch_status multistart_offer(multistart *s, start_kind start, const double prob[], double good_enough, const deadline *limit);
/* `count` random starts. */
vouch_status multistart_restart(multistart *s, int count, double good_enough, const deadline *limit);

const multistart_result *multistart_result_of(const multistart *s);
const char *start_kind_text(start_kind start);

#endif

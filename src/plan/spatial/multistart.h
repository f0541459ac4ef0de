/* plan/spatial/multistart.h - stochastic L-updates policies: local search from many starts.
 *
 * Each start is a policy improved by nlp/minimax.h; the best that keeps the commitment is held. Starts come in batches, and those that
 * disturb the best take it as it was when the batch began, so that the order within a batch does not matter.
 */
#ifndef PLAN_SPATIAL_MULTISTART_H
#define PLAN_SPATIAL_MULTISTART_H

#include "base/clock.h"
#include "policy/space.h"

typedef enum exact_start {
    START_HISTORY,
    START_DETERMINISTIC,
    START_ALONE,
    START_GIVEN,
    START_RANDOM,
    START_VERTEX,
    START_DISTURBED
} exact_start;

/* One descent, as logged. */
typedef struct exact_record {
    exact_start start;
    double regret, shortfall; /* where it ended */
    long long work;           /* simplex iterations */
    int optimum;              /* number of the local optimum among the distinct ones found so far */
} exact_record;

typedef struct exact_search exact_search;

/* seed: of all random starts. threads: at most so many descents at once; what is found does not depend on it. */
vouch_status exact_search_new(const policy_space *space, uint64_t seed, int threads, exact_search **out);
void exact_search_free(exact_search *s); /* NULL is fine */

/* What descents try to reach of Pr(k), at first p(k); what counts as kept is the same whatever they aim at. */
void exact_search_aim(exact_search *s, const double aim[]);

/* Takes prob if it is better than what there is, and descends from prob [choices] (each node's summing to 1; where they sum to 0, uniform) until the regret is at most good_enough. */
vouch_status exact_search_offer(exact_search *s, exact_start start, const double prob[], double good_enough, const deadline *limit);
/* `count` random starts. */
vouch_status exact_search_restart(exact_search *s, int count, double good_enough, const deadline *limit);

/* The best policy; false while none keeps the commitment (then the one that is least short of it, if any). prob [choices], owned. */
bool exact_search_found(const exact_search *s);
const double *exact_search_best(const exact_search *s);
double exact_search_nearest(const exact_search *s); /* least Pr over environments of that policy */
double exact_search_regret(const exact_search *s);  /* INFINITY: none */
long long exact_search_work(const exact_search *s);

int exact_search_records(const exact_search *s);
const exact_record *exact_search_record(const exact_search *s, int i);
int exact_search_optima(const exact_search *s);
const char *exact_start_text(exact_start start);

#endif

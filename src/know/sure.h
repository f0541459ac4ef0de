/* know/sure.h - the observations after each pair, and promises with probability 1, by search of the AND/OR graph of knowledge
 * states.
 *
 *     sure(T, s, kappa):  every k in kappa has s in its set,
 *     sure(t, s, kappa):  some action a has sure(t+1, s', kappa') for every outcome (r, s') of it that is possible in kappa.
 *
 * A policy that keeps every such promise with probability 1 exists iff sure(0, s0, all): only the support of distributions matters.
 * If it exists the search ends with its actions; if not, no policy of any class keeps the promises. Source: van der Vegt, Jansen,
 * Junges, TACAS 2023 (almost-sure objectives in multi-environment MDPs). */
#ifndef KNOW_SURE_H
#define KNOW_SURE_H

#include "base/clock.h"
#include "mdp/model.h"

/* An *outcome* of a pair is a successor with an observed reward possible in some environment. It updates the set kappa of
 * consistent environments to kappa & bits[o]. */
typedef struct successor_sets {
    int words;      /* of a set: 64 environments each */
    int *start;     /* [pairs + 1] outcomes of a pair */
    int *next;      /* [outcomes] successor */
    uint64_t *bits; /* [outcomes * words] the environments in which its probability is positive */
    double least;   /* least positive probability of an outcome in an environment */
} successor_sets;

/* ERROR_SIZE: more than `most` words. On failure *sets is empty. */
vouch_status successor_sets_new(const vouch_model *m, long long most, successor_sets *sets);
void successor_sets_free(successor_sets *sets); /* an empty one is fine */

static inline const uint64_t *successor_bits(const successor_sets *sets, int o)
{
    return sets->bits + (size_t)o * (size_t)sets->words;
}

typedef enum sure_verdict {
    SURE_UNKNOWN = 0, /* a limit was reached */
    SURE_KEPT,
    SURE_IMPOSSIBLE
} sure_verdict;

typedef struct sure_search sure_search;

typedef struct sure_limits {
    long long work;       /* words of sets read */
    long long words;      /* of 8 bytes, in memory */
    const deadline *time; /* NULL: none */
} sure_limits;

/* required [K]: the rows whose promise must be kept surely; other rows are ignored. sets must outlive the search. ERROR_MEMORY:
 * *search is NULL. */
vouch_status sure_search_new(const vouch_model *m, const bool required[], const successor_sets *sets, const sure_limits *limits,
                             sure_search **search);
void sure_search_free(sure_search *search); /* NULL is fine */

sure_verdict sure_answer(const sure_search *search);
/* If impossible: every deterministic policy breaks a promise with at least this probability in some environment. */
double sure_least_failure(const sure_search *search);
/* A pair that surely keeps the promises of the required environments of `set` from here; -1: none known. */
int sure_pair(const sure_search *search, int time, int state, const uint64_t set[]);

#endif

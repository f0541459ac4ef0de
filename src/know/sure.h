/* know/sure.h - promises with probability 1, by look-ahead on the AND/OR graph of knowledge states.
 *
 *     sure(T, s, kappa):  every k in kappa has s in its set,
 *     sure(t, s, kappa):  some action a has sure(t+1, s', kappa') for every outcome (r, s') of it that is possible in kappa.
 *
 * A policy that keeps every such promise with probability 1 exists iff sure(0, s0, all): of histories that are possible, only what
 * they leave possible matters, not how probable they are. Where it exists the search ends with its actions. Where it does not, no
 * policy of any class keeps them, whatever it remembers. Source: van der Vegt, Jansen, Junges, TACAS 2023 (almost-sure objectives
 * in multi-environment MDPs).
 */
#ifndef KNOW_SURE_H
#define KNOW_SURE_H

#include "base/clock.h"
#include "know/successors.h"

typedef enum sure_verdict {
    SURE_UNKNOWN = 0, /* a limit was reached */
    SURE_KEPT,
    SURE_IMPOSSIBLE
} sure_verdict;

typedef struct sure_search sure_search;

typedef struct sure_limits {
    long long work;       /* words of sets looked at */
    long long words;      /* most held in memory, of 8 bytes */
    const deadline *time; /* NULL: none */
} sure_limits;

/* required [K]: the rows whose promise is to be kept surely; the others are taken for absent. sets have to stay as long as the
 * search does. ERROR_MEMORY: *search is NULL. */
vouch_status sure_search_new(const vouch_model *m, const bool required[], const successor_sets *sets, const sure_limits *limits,
                             sure_search **search);
void sure_search_free(sure_search *search); /* NULL is fine */

sure_verdict sure_answer(const sure_search *search);
/* Where it is impossible every deterministic policy breaks a promise with at least this probability in some environment. */
double sure_least_failure(const sure_search *search);
/* An action that keeps the promises of the required ones of `set` surely from here, as a pair; -1: none is known. */
int sure_pair(const sure_search *search, int time, int state, const uint64_t set[]);

#endif

/* tests/oracle/wild.c - see wild.h. */
#include "oracle/wild.h"

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "mdp/dp.h"

static int below(rng *r, int n) { return (int)rng_below(r, (uint64_t)n); }

static void must(vouch_status status)
{
    if (status) abort();
}

/* One pair in environment k: the count successors `next` with weights in eighths, rewards in quarters, per successor or for all. */
static void add_pair(vouch_model *m, rng *r, int k, int s, int a, int count, const int *next, bool per_successor, int reward)
{
    int left = 8;
    for (int i = 0; i < count; i++) {
        int part = i + 1 < count ? 1 + below(r, left - (count - i - 1)) : left;
        left -= part;
        must(vouch_model_add(m, k, s, a, next[i], part / 8.0, 0.25 * (per_successor ? below(r, 5) - 1 : reward)));
    }
}

/* at_odds: environments often send the same action elsewhere, so that what suits one may break the commitment in another. */
static void add_state(vouch_model *m, rng *r, int s, int A, int K, int S, bool at_odds)
{
    int sure = below(r, A);
    for (int a = 0; a < A; a++) {
        if (a != sure && below(r, 4) == 0) continue;
        int next[5], count = 1 + (S > 1 ? below(r, 2) : 0), kind = at_odds && below(r, 3) ? 1 : below(r, 4);
        bool per_successor = below(r, 4) == 0;
        int reward = below(r, 7) - 1;
        next[0] = below(r, S);
        if (count == 2) next[1] = (next[0] + 1 + below(r, S - 1)) % S;
        rng replay = *r;
        for (int k = 0; k < K; k++) {
            if (kind == 0) *r = replay; /* the same in every environment */
            if (kind == 1 && k > 0) next[0] = count == 2 ? (next[1] + 1 + below(r, S - 1)) % S : below(r, S);
            if (kind == 2) reward = below(r, 7) - 1;
            add_pair(m, r, k, s, a, count, next, per_successor, reward);
        }
    }
}

vouch_model *wild_model(uint64_t seed)
{
    rng r = rng_seed(seed);
    int S = 2 + below(&r, 4), A = 1 + below(&r, 3), K = 1 + below(&r, 4), T = 1 + below(&r, 5);
    vouch_model *m;
    must(vouch_model_new(&m, S, A, K, T));
    must(vouch_model_set_initial(m, below(&r, S)));
    for (int s = 0; s < S; s++) must(vouch_model_set_commitment(m, s, below(&r, 3) == 0));
    bool at_odds = seed % 3 == 0;
    for (int s = 0; s < S; s++) add_state(m, &r, s, A, K, S, at_odds);
    must(vouch_model_finish(m, NULL, NULL));
    wild_probability(m, at_odds ? 3 + below(&r, 2) : below(&r, 5));
    return m;
}

void wild_probability(vouch_model *m, int quarters)
{
    double least = 1;
    for (int k = 0; k < m->K; k++) least = fmin(least, dp_best_probability(m, k));
    must(vouch_model_set_probability(m, fmin(1, least * quarters / 4)));
}

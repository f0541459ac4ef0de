/* know/successors.c - groups the outcomes of all environments by successor and observation, one pair after another.
 *
 * Cost: O(K outcomes) and, where one successor is paid in many ways, the search for its observation in a list of them. A
 * successor's list hangs from column[successor], which is -1 for all states between two pairs.
 */
#include "base/bits.h"
#include "know/successors.h"

#include <math.h>

#include "base/memory.h"

typedef struct maker {
    const vouch_model *m;
    successor_sets *sets;
    long long most;    /* words */
    int *column, *tie; /* [S], [outcomes] first outcome of a successor, the next of the same one; -1: none */
    int *seen;         /* [outcomes] */
    int outcomes;
    size_t next_capacity, bits_capacity, tie_capacity, seen_capacity;
} maker;

/* The outcome of the pair being made with this successor and observation, made if new. -1: memory, -2: too many. */
static int outcome_of(maker *k, int next, int seen)
{
    successor_sets *sets = k->sets;
    int o = k->column[next];
    while (o >= 0 && k->seen[o] != seen) o = k->tie[o];
    if (o >= 0) return o;
    size_t n = (size_t)k->outcomes, words = (size_t)sets->words;
    if ((long long)((n + 1) * words) > k->most) return -2;
    if (MEM_RESERVE(&sets->next, &k->next_capacity, n) || MEM_RESERVE(&k->tie, &k->tie_capacity, n) ||
        MEM_RESERVE(&k->seen, &k->seen_capacity, n) || mem_reserve((void **)&sets->bits, &k->bits_capacity, n, words * 8))
        return -1;
    memset(sets->bits + n * words, 0, words * 8);
    sets->next[n] = next;
    k->seen[n] = seen;
    k->tie[n] = k->column[next];
    return k->column[next] = k->outcomes++;
}

static vouch_status make(maker *k)
{
    const vouch_model *m = k->m;
    successor_sets *sets = k->sets;
    for (int q = 0; q < m->pairs; q++) {
        sets->start[q] = k->outcomes;
        for (int e = 0; e < m->K; e++) {
            const mdp *env = &m->env[e];
            for (int i = env->start[q]; i < env->start[q + 1]; i++) {
                if (env->prob[i] <= 0) continue;
                int o = outcome_of(k, env->next[i], env->seen[i]);
                if (o < 0) return o == -1 ? VOUCH_ERROR_MEMORY : VOUCH_ERROR_SIZE;
                bits_add(sets->bits + (size_t)o * (size_t)sets->words, e);
                sets->least = fmin(sets->least, env->prob[i]);
            }
        }
        for (int o = sets->start[q]; o < k->outcomes; o++) k->column[sets->next[o]] = -1;
    }
    sets->start[m->pairs] = k->outcomes;
    return VOUCH_OK;
}

vouch_status successor_sets_new(const vouch_model *m, long long most, successor_sets *sets)
{
    *sets = (successor_sets){.words = (m->K + 63) / 64, .least = 1};
    maker k = {.m = m, .sets = sets, .most = most};
    sets->start = MEM_NEW(int, m->pairs + 1);
    k.column = MEM_NEW(int, m->S);
    vouch_status status = sets->start && k.column ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    for (int s = 0; s < m->S && !status; s++) k.column[s] = -1;
    if (!status) status = make(&k);
    mem_free(k.column);
    mem_free(k.tie);
    mem_free(k.seen);
    if (status) successor_sets_free(sets);
    return status;
}

void successor_sets_free(successor_sets *sets)
{
    mem_free(sets->start);
    mem_free(sets->next);
    mem_free(sets->bits);
    *sets = (successor_sets){0};
}

/* know/sure.c - depth-first search over knowledge states with memoisation.
 *
 * Two tables, made before the search, refute states: alone[t][s], the environments whose set can be reached surely if they are
 * known, and most[t][s], an upper bound on the number of environments that outcomes can still distinguish,
 *
 *     most(T, s) = |alone(T, s)|,    most(t, s) = max_a sum over outcomes min(|outcome|, most(t+1, s')).
 *
 * Actions are tried in increasing order of the sum of squares of the sizes of the sets they leave. A set is sure if a superset is,
 * and lost if a subset is; actions with the same outcomes are tried once. Cost: O(A outcomes words) a knowledge state, of which
 * there may be exponentially many: limits are counted. Recursion is T deep. */
#include "know/sure.h"

#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/bits.h"
#include "base/check.h"
#include "base/memory.h"

enum {
    DEEPEST = 10000,        /* horizon: depth of the recursion */
    RELATED = 64,           /* newest sets of the same time and state that are compared for inclusion */
    LIKE = 16,              /* earlier actions that are compared for the same outcomes */
    WORK_PER_CHECK = 100000 /* between two reads of the clock */
};

static const int LOST = -1; /* in the place of a pair */

typedef struct trial {
    double score; /* sum of squares of the sets that it leaves */
    int pair;
} trial;

struct sure_search {
    const vouch_model *m;
    const successor_sets *sets;
    sure_limits limits;
    sure_verdict answer;
    long long work, checked;
    uint64_t *required; /* [words] */
    uint64_t *alone;    /* [(T+1) * S * words] */
    int *most;          /* [(T+1) * S] */
    int *newest;        /* [(T+1) * S] settled knowledge state of a time and state, -1: none */
    intern settled;     /* 1 + words: t * S + s, set */
    int *pair, *before; /* [settled] a pair that keeps the promises, or LOST; the one settled before at its time and state */
    size_t pair_capacity, before_capacity;
    uint64_t *here; /* [(T+2) * (1 + words)] the key of the knowledge state at each time */
    trial *trials;  /* of all times on the path */
    size_t trial_capacity, trial_count;
    bool stopped; /* by a limit */
    bool no_memory;
    arena memory;
};

static size_t place(const sure_search *x, int t, int s) { return (size_t)t * (size_t)x->m->S + (size_t)s; }

static const uint64_t *alone_at(const sure_search *x, int t, int s) { return x->alone + place(x, t, s) * (size_t)x->sets->words; }

/* True if, after this pair at time t, every environment of `set` could still succeed alone. */
static bool may(const sure_search *x, int t, int q, const uint64_t set[])
{
    const successor_sets *sets = x->sets;
    for (int o = sets->start[q]; o < sets->start[q + 1]; o++)
        if (!bits_common_within(set, successor_bits(sets, o), alone_at(x, t + 1, sets->next[o]), sets->words)) return false;
    return true;
}

/* ---- the two tables ------------------------------------------------------------------------------------------------- */

static void tables_at(sure_search *x, int t, int s)
{
    const successor_sets *sets = x->sets;
    int words = sets->words;
    size_t at = place(x, t, s);
    uint64_t *alone = x->alone + at * (size_t)words;
    long long most = 0;
    for (int q = x->m->pair_start[s]; q < x->m->pair_start[s + 1]; q++) {
        long long sum = 0;
        for (int o = sets->start[q]; o < sets->start[q + 1]; o++) {
            int left = x->most[place(x, t + 1, sets->next[o])], count = bits_count(successor_bits(sets, o), words);
            sum += left < count ? left : count;
        }
        most = sum > most ? sum : most;
        for (int w = 0; w < words; w++) {
            uint64_t fails = 0;
            for (int o = sets->start[q]; o < sets->start[q + 1]; o++)
                fails |= successor_bits(sets, o)[w] & ~alone_at(x, t + 1, sets->next[o])[w];
            alone[w] |= x->required[w] & ~fails;
        }
        x->work += 2LL * words * (sets->start[q + 1] - sets->start[q]);
    }
    int count = bits_count(alone, words);
    x->most[at] = most < count ? (int)most : count;
}

static void make_tables(sure_search *x)
{
    const vouch_model *m = x->m;
    int words = x->sets->words;
    for (int s = 0; s < m->S; s++) {
        uint64_t *alone = x->alone + place(x, m->T, s) * (size_t)words;
        for (int k = 0; k < m->K; k++)
            if (m->env[k].terminal[s] >= 1) bits_add(alone, k);
        bits_common(alone, x->required, words, alone);
        x->most[place(x, m->T, s)] = bits_count(alone, words);
    }
    for (int t = m->T - 1; t >= 0; t--)
        for (int s = 0; s < m->S; s++) {
            tables_at(x, t, s);
            x->stopped = x->work > x->limits.work || (x->limits.time && s == 0 && deadline_expired(x->limits.time));
            if (x->stopped) return;
        }
}

/* ---- settled states ------------------------------------------------------------------------------------------------- */

/* The pair of a settled state that implies the result for `set`: itself, a sure superset, or a lost subset. -2: none. */
static int known(const sure_search *x, size_t at, const uint64_t key[], int related)
{
    int words = x->sets->words, id = intern_find(&x->settled, key);
    if (id >= 0) return x->pair[id];
    for (id = x->newest[at]; id >= 0 && related > 0; id = x->before[id], related--) {
        const uint64_t *other = intern_key(&x->settled, id) + 1;
        if (x->pair[id] == LOST ? bits_within(other, key + 1, words) : bits_within(key + 1, other, words)) return x->pair[id];
    }
    return -2;
}

static void settle(sure_search *x, size_t at, const uint64_t key[], int pair)
{
    if ((long long)x->settled.count * (x->sets->words + 4) > x->limits.words) {
        x->stopped = true;
        return;
    }
    bool fresh;
    int id = intern_add(&x->settled, key, &fresh);
    if (id < 0 || MEM_RESERVE(&x->pair, &x->pair_capacity, id) || MEM_RESERVE(&x->before, &x->before_capacity, id)) {
        x->no_memory = x->stopped = true;
        return;
    }
    CHECK(fresh);
    x->pair[id] = pair;
    x->before[id] = x->newest[at];
    x->newest[at] = id;
}

/* ---- the search ----------------------------------------------------------------------------------------------------- */

static bool out_of_work(sure_search *x)
{
    if (x->work - x->checked > WORK_PER_CHECK) {
        x->checked = x->work;
        x->stopped |= x->work > x->limits.work || (x->limits.time && deadline_expired(x->limits.time));
    }
    return x->stopped;
}

static int by_score(const void *a, const void *b)
{
    const trial *x = a, *y = b;
    return x->score < y->score ? -1 : x->score > y->score ? 1 : (x->pair > y->pair) - (x->pair < y->pair);
}

/* The first outcome from o on that is possible in `set`, or `last`. */
static int possible(const successor_sets *sets, const uint64_t set[], int o, int last)
{
    while (o < last && !bits_meet(set, successor_bits(sets, o), sets->words)) o++;
    return o;
}

/* True if pairs c and d have the same outcomes for `set`. */
static bool alike(const successor_sets *sets, const uint64_t set[], int c, int d)
{
    int words = sets->words, last_c = sets->start[c + 1], last_d = sets->start[d + 1];
    int x = possible(sets, set, sets->start[c], last_c), y = possible(sets, set, sets->start[d], last_d);
    while (x < last_c && y < last_d) {
        if (sets->next[x] != sets->next[y]) return false;
        for (int w = 0; w < words; w++)
            if (set[w] & (successor_bits(sets, x)[w] ^ successor_bits(sets, y)[w])) return false;
        x = possible(sets, set, x + 1, last_c);
        y = possible(sets, set, y + 1, last_d);
    }
    return x == last_c && y == last_d;
}

static int add_trial(sure_search *x, trial one)
{
    if (MEM_RESERVE(&x->trials, &x->trial_capacity, x->trial_count)) {
        x->no_memory = x->stopped = true;
        return -1;
    }
    x->trials[x->trial_count++] = one;
    return 0;
}

/* Adds the pairs that may keep the promises of `set` to the path, best first. */
static void list_trials(sure_search *x, int t, int s, const uint64_t set[])
{
    const successor_sets *sets = x->sets;
    size_t first = x->trial_count;
    uint64_t *left = x->here + (size_t)(t + 1) * (size_t)(sets->words + 1) + 1;
    for (int q = x->m->pair_start[s]; q < x->m->pair_start[s + 1]; q++) {
        bool good = may(x, t, q, set);
        double score = 0;
        x->work += 2LL * sets->words * (sets->start[q + 1] - sets->start[q]);
        for (int o = sets->start[q]; o < sets->start[q + 1] && good; o++) {
            if (!bits_common(set, successor_bits(sets, o), sets->words, left)) continue;
            int count = bits_count(left, sets->words);
            good = count <= x->most[place(x, t + 1, sets->next[o])];
            score += (double)count * count;
        }
        if (good && add_trial(x, (trial){score, q})) return;
    }
    if (x->trial_count > first) qsort(x->trials + first, x->trial_count - first, sizeof *x->trials, by_score);
}

/* True if trial i repeats an earlier one, from `first` on. */
static bool tried(const sure_search *x, size_t first, size_t i, const uint64_t set[])
{
    for (size_t j = i; j > first && i - j < LIKE && x->trials[j - 1].score == x->trials[i].score; j--)
        if (alike(x->sets, set, x->trials[i].pair, x->trials[j - 1].pair)) return true;
    return false;
}

static bool sure(sure_search *x, int t);

/* Writes the knowledge state at time t to the path. */
static void step_to(const sure_search *x, int t, int s) { x->here[(size_t)t * (size_t)(x->sets->words + 1)] = place(x, t, s); }

/* True if all outcomes of the pair are sure; outcomes with most environments are tried first. */
static bool outcomes_sure(sure_search *x, int t, int q, const uint64_t set[])
{
    const successor_sets *sets = x->sets;
    uint64_t *left = x->here + (size_t)(t + 1) * (size_t)(sets->words + 1) + 1;
    size_t first = x->trial_count;
    for (int o = sets->start[q]; o < sets->start[q + 1]; o++)
        if (bits_common(set, successor_bits(sets, o), sets->words, left))
            if (add_trial(x, (trial){-bits_count(left, sets->words), o})) return false;
    size_t last = x->trial_count;
    qsort(x->trials + first, last - first, sizeof *x->trials, by_score);
    bool all = true;
    for (size_t i = first; i < last && all; i++) {
        int o = x->trials[i].pair;
        bits_common(set, successor_bits(sets, o), sets->words, left);
        step_to(x, t + 1, sets->next[o]);
        all = sure(x, t + 1);
    }
    x->trial_count = first;
    return all;
}

/* True if the promises of the knowledge state on the path at time t can be kept. False also after a limit. */
static bool sure(sure_search *x, int t)
{
    const uint64_t *key = x->here + (size_t)t * (size_t)(x->sets->words + 1), *set = key + 1;
    size_t at = (size_t)key[0];
    int s = (int)(at % (size_t)x->m->S), words = x->sets->words;
    if (out_of_work(x)) return false;
    if (!bits_within(set, x->alone + at * (size_t)words, words)) return false;
    int count = bits_count(set, words);
    if (t == x->m->T || count == 1) return true;
    if (count > x->most[at]) return false;
    int found = known(x, at, key, RELATED);
    x->work += (long long)RELATED * words;
    if (found > -2) return found >= 0;
    size_t first = x->trial_count;
    found = LOST;
    list_trials(x, t, s, set);
    for (size_t i = first, last = x->trial_count; i < last && found == LOST && !x->stopped; i++)
        if (!tried(x, first, i, set) && outcomes_sure(x, t, x->trials[i].pair, set)) found = x->trials[i].pair;
    x->trial_count = first;
    if (!x->stopped) settle(x, at, key, found);
    return found >= 0;
}

static void search(sure_search *x)
{
    make_tables(x);
    if (x->stopped) return;
    memcpy(x->here + 1, x->required, (size_t)x->sets->words * sizeof *x->here);
    step_to(x, 0, x->m->s0);
    bool kept = sure(x, 0);
    x->answer = kept ? SURE_KEPT : x->stopped ? SURE_UNKNOWN : SURE_IMPOSSIBLE;
}

static bool fits(const sure_search *x)
{
    double cells = (double)(x->m->T + 1) * x->m->S;
    return x->m->T <= DEEPEST && cells * (x->sets->words + 1) <= (double)x->limits.words;
}

vouch_status sure_search_new(const vouch_model *m, const bool required[], const successor_sets *sets, const sure_limits *limits,
                             sure_search **search_)
{
    sure_search *x = *search_ = MEM_ZERO(sure_search, 1);
    if (!x) return VOUCH_ERROR_MEMORY;
    x->m = m;
    x->sets = sets;
    x->limits = *limits;
    bool none = true;
    for (int k = 0; k < m->K; k++) none &= !required[k];
    if (none || !fits(x)) return VOUCH_OK;
    size_t cells = place(x, m->T + 1, 0), words = (size_t)sets->words;
    x->required = ARENA_ZERO(&x->memory, uint64_t, words);
    x->alone = ARENA_ZERO(&x->memory, uint64_t, cells * words);
    x->most = ARENA_ZERO(&x->memory, int, cells);
    x->newest = ARENA_NEW(&x->memory, int, cells);
    x->here = ARENA_ZERO(&x->memory, uint64_t, (size_t)(m->T + 2) * (words + 1));
    bool failed = x->memory.failed || intern_init(&x->settled, 1 + sets->words);
    for (size_t i = 0; i < cells && !failed; i++) x->newest[i] = -1;
    for (int k = 0; k < m->K && !failed; k++)
        if (required[k]) bits_add(x->required, k);
    if (!failed) search(x);
    if (!failed && !x->no_memory) return VOUCH_OK;
    sure_search_free(x);
    *search_ = NULL;
    return VOUCH_ERROR_MEMORY;
}

void sure_search_free(sure_search *x)
{
    if (!x) return;
    intern_free(&x->settled);
    MEM_FREE_ALL(x->pair, x->before, x->trials);
    ARENA_FREE(x);
}

sure_verdict sure_answer(const sure_search *x) { return x->answer; }

double sure_least_failure(const sure_search *x) { return pow(x->sets->least, x->m->T); }

int sure_pair(const sure_search *x, int time, int state, const uint64_t set[])
{
    int words = x->sets->words;
    if (x->answer != SURE_KEPT || time >= x->m->T) return LOST;
    size_t at = place(x, time, state);
    uint64_t *key = x->here + (size_t)time * (size_t)(words + 1);
    key[0] = at;
    if (!bits_common(set, x->required, words, key + 1)) return LOST;
    if (bits_count(key + 1, words) > 1) {
        int found = known(x, at, key, x->settled.count);
        return found >= 0 ? found : LOST;
    }
    for (int q = x->m->pair_start[state]; q < x->m->pair_start[state + 1]; q++)
        if (may(x, time, q, key + 1)) return q;
    return LOST;
}

/* know/sure.c - groups the outcomes of all environments by successor and observation, one pair after another.
 *
 * Cost: O(K outcomes) and, where one successor is paid in many ways, the search for its observation in a list of them. A
 * successor's list hangs from column[successor], which is -1 for all states between two pairs. */

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
    MEM_FREE_ALL(k.column, k.tie, k.seen);
    if (status) successor_sets_free(sets);
    return status;
}

void successor_sets_free(successor_sets *sets)
{
    MEM_FREE_ALL(sets->start, sets->next, sets->bits);
    *sets = (successor_sets){0};
}

/* plan/heuristic/splitting.c - value functions of single environments, and the ranks of a node's actions by them.
 *
 * Tables of K (T+1) S numbers, made once by backward induction. A node costs O(A outcomes |kappa| A) with a step of look-ahead, and
 * O(A outcomes |kappa|) without, if that is too long. Sums are over environments in their order, so ranks are reproducible;
 * differences within rounding are ties, and the first action wins.
 */
#include "base/bits.h"
#include "plan/heuristic/splitting.h"

#include <math.h>

#include "base/arena.h"
#include "base/memory.h"
#include "mdp/dp.h"

static const double MOST_TABLE = 1e7;  /* entries of the value functions */
static const double MOST_LOOKED = 3e6; /* limit on sums of a node with a step of look-ahead */
enum { STEPS = 30 };                   /* of a clock, for a sum */
static const double SAME = 1e-9;       /* per environment: smaller differences are rounding */

typedef struct rank {
    double keep, earn, left; /* promises and rewards as above, environments left */
} rank;

struct splitting {
    const vouch_model *m;
    const successor_sets *sets;
    bool *asks;          /* [K] has a promise that may be broken */
    bool binds;          /* some environment has one */
    double *keep, *earn; /* [K * (T+1) * S] */
    rank *ranks;         /* [A] of the current node */
    int *member;         /* [K] of the current set */
    uint64_t *left;      /* [words] */
    const sure_search *sure;
    int width;
    long long work, most;
    work_clock clock;
    arena memory;
};

static const double *values(const splitting *x, const double *table, int k, int t)
{
    return table + ((size_t)k * (size_t)(x->m->T + 1) + (size_t)t) * (size_t)x->m->S;
}

/* [(T+1) * S] the most reward to go in environment k. */
static void earn_most(const splitting *x, int k)
{
    const vouch_model *m = x->m;
    const mdp *e = &m->env[k];
    double *v = x->earn + (size_t)k * (size_t)(m->T + 1) * (size_t)m->S;
    for (int s = 0; s < m->S; s++) v[(size_t)m->T * (size_t)m->S + (size_t)s] = 0;
    for (int t = m->T - 1; t >= 0; t--) {
        const double *next = v + (size_t)(t + 1) * (size_t)m->S;
        for (int s = 0; s < m->S; s++) {
            double best = -INFINITY;
            for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++) {
                double sum = e->expected[q];
                for (int i = e->start[q]; i < e->start[q + 1]; i++) sum += e->prob[i] * next[e->next[i]];
                best = fmax(best, sum);
            }
            v[(size_t)t * (size_t)m->S + (size_t)s] = best > -INFINITY ? best : 0;
        }
    }
}

vouch_status splitting_new(const policy_space *space, const successor_sets *sets, splitting **out)
{
    const vouch_model *m = space->m;
    double cells = (double)m->K * (m->T + 1) * m->S;
    *out = NULL;
    if (cells > MOST_TABLE) return VOUCH_ERROR_SIZE;
    splitting *x = MEM_ZERO(splitting, 1);
    if (!x) return VOUCH_ERROR_MEMORY;
    x->m = m;
    x->sets = sets;
    x->asks = ARENA_ZERO(&x->memory, bool, m->K);
    x->keep = ARENA_ZERO(&x->memory, double, cells);
    x->earn = ARENA_NEW(&x->memory, double, cells);
    x->ranks = ARENA_NEW(&x->memory, rank, m->A);
    x->member = ARENA_NEW(&x->memory, int, m->K);
    x->left = ARENA_NEW(&x->memory, uint64_t, sets->words);
    if (x->memory.failed) {
        splitting_free(x);
        return VOUCH_ERROR_MEMORY;
    }
    for (int k = 0; k < m->K; k++) {
        x->binds |= x->asks[k] = space->accepted[k] > 0;
        if (x->asks[k]) dp_reachable_probability(m, k, x->keep + (size_t)k * (size_t)(m->T + 1) * (size_t)m->S);
        earn_most(x, k);
    }
    *out = x;
    return VOUCH_OK;
}

void splitting_free(splitting *x)
{
    if (!x) return;
    arena_free(&x->memory);
    mem_free(x);
}

static double chance(const mdp *e, int q, int next)
{
    int o = mdp_outcome(e, q, next);
    return o < 0 ? 0 : e->prob[o];
}

/* keep and earn of pair q in environment k at time t, the rest as if the environment were known. */
static rank alone(const splitting *x, int k, int t, int q)
{
    const mdp *e = &x->m->env[k];
    const double *keep = values(x, x->keep, k, t + 1), *earn = values(x, x->earn, k, t + 1);
    rank r = {.earn = e->expected[q]};
    for (int i = e->start[q]; i < e->start[q + 1]; i++) {
        if (x->asks[k]) r.keep += e->prob[i] * keep[e->next[i]];
        r.earn += e->prob[i] * earn[e->next[i]];
    }
    return r;
}

/* Adds what outcome o of pair q at time t is worth, after which x->left remains, as if the next action were chosen for all of it.
 */
static void add_outcome(splitting *x, int t, int q, int o, bool look, rank *sum)
{
    const vouch_model *m = x->m;
    int count = bits_list(x->left, x->sets->words, x->member), next = x->sets->next[o];
    double keep = -INFINITY, earn = -INFINITY;
    if (!look || t + 1 == m->T) {
        keep = earn = 0;
        for (int i = 0; i < count; i++) {
            double p = chance(&m->env[x->member[i]], q, next);
            keep += p * values(x, x->keep, x->member[i], t + 1)[next];
            earn += p * values(x, x->earn, x->member[i], t + 1)[next];
        }
    }
    for (int b = m->pair_start[next]; b < m->pair_start[next + 1] && look && t + 1 < m->T; b++) {
        rank r = {0};
        for (int i = 0; i < count; i++) {
            double p = chance(&m->env[x->member[i]], q, next);
            rank one = alone(x, x->member[i], t + 1, b);
            r.keep += p * one.keep;
            r.earn += p * one.earn;
        }
        keep = fmax(keep, r.keep);
        earn = fmax(earn, r.earn);
        x->work += 2LL * count;
    }
    x->work += count;
    sum->keep += keep;
    sum->earn += earn;
    sum->left += (double)count * count;
}

/* false: there is no more time. */
static bool rank_pairs(splitting *x, int t, int s, const uint64_t set[])
{
    const vouch_model *m = x->m;
    int first = m->pair_start[s], pairs = m->pair_start[s + 1] - first, count = bits_list(set, x->sets->words, x->member);
    bool look = (double)pairs * pairs * count <= MOST_LOOKED;
    long long done = x->work;
    for (int i = 0; i < pairs; i++) {
        int q = first + i;
        rank r = {0};
        if (clock_late(&x->clock, STEPS * (x->work - done))) return false;
        done = x->work;
        count = bits_list(set, x->sets->words, x->member);
        for (int j = 0; j < count; j++) r.earn += m->env[x->member[j]].expected[q];
        for (int o = x->sets->start[q]; o < x->sets->start[q + 1]; o++)
            if (bits_common(set, successor_bits(x->sets, o), x->sets->words, x->left)) add_outcome(x, t, q, o, look, &r);
        x->work += count + m->K / 8; /* listing members */
        x->ranks[i] = r;
    }
    return true;
}

/* Orders in which actions are looked at. */
typedef enum order { BY_PROMISE, BY_REWARD, BY_SPLIT } order;

/* a - b, 0 where it is rounding. */
static double more(double a, double b, double same) { return fabs(a - b) <= same ? 0 : a - b; }

static bool better(const splitting *x, order by, const rank *a, const rank *b)
{
    double same = SAME * x->m->K, keep = more(a->keep, b->keep, same), earn = more(a->earn, b->earn, same * x->m->T),
           split = more(b->left, a->left, same);
    if (by == BY_PROMISE) return keep != 0 ? keep > 0 : split != 0 ? split > 0 : earn > 0;
    if (by == BY_REWARD) return earn != 0 ? earn > 0 : keep != 0 ? keep > 0 : split > 0;
    return split != 0 ? split > 0 : keep != 0 ? keep > 0 : earn > 0;
}

/* Puts a pair in its place among `count` others, unless it is there. Returns how many there are. */
static int insert(int pair[], int count, int q)
{
    int at = count;
    for (int i = 0; i < count; i++)
        if (pair[i] == q) return count;
    for (; at > 0 && pair[at - 1] > q; at--) pair[at] = pair[at - 1];
    pair[at] = q;
    return count + 1;
}

static int offer(void *context, int t, int s, const uint64_t set[], int pair[])
{
    static const order promised[] = {BY_PROMISE, BY_REWARD, BY_SPLIT}, free_of_it[] = {BY_REWARD, BY_SPLIT, BY_PROMISE};
    splitting *x = context;
    int first = x->m->pair_start[s], pairs = x->m->pair_start[s + 1] - first, count = 0;
    int sure = x->sure ? sure_pair(x->sure, t, s, set) : -1;
    if (x->work > x->most) return -1;
    if (sure >= 0) count = insert(pair, count, sure);
    if (sure >= 0 && x->width == 1) return count;
    if (!rank_pairs(x, t, s, set)) return -1;
    for (int i = 0; i < x->width && count < pairs; i++) {
        order by = x->binds ? promised[i] : free_of_it[i];
        int best = 0;
        for (int q = 1; q < pairs; q++)
            if (better(x, by, &x->ranks[q], &x->ranks[best])) best = q;
        count = insert(pair, count, first + best);
    }
    return count;
}

know_offer splitting_offer(splitting *x, const sure_search *sure, int width, long long work, const deadline *limit)
{
    x->sure = sure;
    x->width = width;
    x->work = 0;
    x->clock = (work_clock){.limit = limit};
    x->most = work;
    return (know_offer){offer, x};
}

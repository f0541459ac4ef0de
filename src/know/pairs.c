/* know/pairs.c - see pairs.h. Items are stored by time, so that children come after their parents. A pair of a slot with one or two
 * arcs, as in mazes, is named by its parts, so that tracing does not sum again. */
#include "know/pairs.h"

#include <math.h>
#include <string.h>

#include "base/check.h"

/* Whose set of an item there is: the pairs' own, or for a trial that has made none the base's. */
static const know_pairs *holder(const know_pairs *p, int item) { return p->base && !p->own[item] ? p->base : p; }

static const nondominated *set_of(const know_pairs *p, int item)
{
    return holder(p, item)->set + (size_t)item * (size_t)p->pareto_front.most;
}

/* Computes the set of one slot, sum after sum; empty if a child's is. The links hold the parts of each sum. */
static nondominated *slot_set(know_pairs *p, int slot, int *count)
{
    nondominated *now = p->sum[0], *next = p->sum[1];
    now[0] = (nondominated){p->pay_u[slot], p->pay_q[slot], 0, 0};
    *count = 1;
    for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) {
        int child = p->arc_child[a], *link = p->link + 2 * (size_t)(a - p->arc_start[slot]) * (size_t)p->pareto_front.most;
        const int below = holder(p, child)->count[child];
        if (below == 0) {
            *count = 0;
            return now;
        }
        *count = front_sum(&p->pareto_front, now, *count, set_of(p, child), below, p->arc_factor[a], next);
        for (int i = 0; i < *count; i++) {
            link[2 * i] = next[i].from;
            link[2 * i + 1] = next[i].to;
        }
        nondominated *swap = now;
        now = next;
        next = swap;
    }
    return now;
}

/* Arcs of a slot whose links a pair holds by itself. */
enum { HELD = 2 };

static int arcs_of(const know_pairs *p, int slot) { return p->arc_start[slot + 1] - p->arc_start[slot]; }

/* The name of pair i of a slot's own set: its parts if they fit, otherwise its number. */
static int name_pair(const know_pairs *p, int slot, int i)
{
    const int *link = p->link;
    int most = p->pareto_front.most, arcs = arcs_of(p, slot);
    if (arcs > HELD || arcs == 0) return i;
    if (arcs == 1) return link[2 * i + 1];
    const int *last = link + 2 * most + 2 * i;
    return link[2 * last[0] + 1] * most + last[1];
}

/* Computes the set of an item from its children's sets. Returns whether it changed. */
static bool make_set(know_pairs *p, int item, const unsigned char allowed[])
{
    nondominated *now = p->both[0], *next = p->both[1];
    const nondominated *set = set_of(p, item);
    int n = 0;
    if (item >= p->end) {
        now[0] = (nondominated){p->end_u[item], p->end_q[item], 0, 0};
        n = 1;
    }
    for (int slot = p->slot_start[item]; item < p->end && slot < p->slot_start[item + 1]; slot++) {
        int count;
        if (!allowed[p->slot_option[slot]]) continue;
        nondominated *of_slot = slot_set(p, slot, &count);
        for (int i = 0; i < count; i++) {
            of_slot[i].from = slot;
            of_slot[i].to = name_pair(p, slot, i);
        }
        p->pareto_front.work += n + count;
        n = front_unite(now, n, of_slot, count, next);
        n = front_thin(&p->pareto_front, next, n);
        nondominated *swap = now;
        now = next;
        next = swap;
    }
    bool same = n == holder(p, item)->count[item];
    for (int i = 0; i < n && same; i++) same = now[i].u == set[i].u && now[i].q == set[i].q;
    if (p->base && same) return false;
    memcpy(p->set + (size_t)item * (size_t)p->pareto_front.most, now, (size_t)n * sizeof *set);
    p->count[item] = n;
    return !same;
}

/* Marks the reachable items. */
static void find_reached(know_pairs *p, const unsigned char allowed[])
{
    memset(p->reached, 0, (size_t)p->items);
    p->reached[0] = 1;
    for (int i = 0; i < p->end; i++) {
        if (!p->reached[i]) continue;
        for (int slot = p->slot_start[i]; slot < p->slot_start[i + 1]; slot++) {
            if (!allowed[p->slot_option[slot]]) continue;
            for (int a = p->arc_start[slot]; a < p->arc_start[slot + 1]; a++) p->reached[p->arc_child[a]] = 1;
        }
    }
}

/* Marks the items whose options are others than the sets were made for. */
static void mark_changes(know_pairs *p, const unsigned char allowed[])
{
    const unsigned char *was = p->base ? p->base->was : p->was;
    for (int o = 0; o < p->options; o++) {
        if (allowed[o] == was[o]) continue;
        for (int64_t i = p->option_start[o]; i < p->option_start[o + 1]; i++) p->stale[p->item[p->option_slot[i]]] = 1;
    }
}

/* Marks the items that may lead to one whose set has changed. */
static void mark_above(know_pairs *p, int item, const unsigned char allowed[])
{
    for (int64_t i = p->above_start[item]; i < p->above_start[item + 1]; i++)
        if (allowed[p->slot_option[p->above[i]]]) p->stale[p->item[p->above[i]]] = 1;
}

/* The pair of the root that answers; -1: none. */
static int answer(const know_pairs *p, double least)
{
    const nondominated *root = set_of(p, 0);
    int best = -1;
    for (int i = 0; i < holder(p, 0)->count[0] && root[i].q >= least - p->slack; i++) best = i;
    return best;
}

double pairs_solve(know_pairs *p, const unsigned char allowed[], double least)
{
    long long before = p->pareto_front.work;
    find_reached(p, allowed);
    if (!p->made) memset(p->stale, 1, (size_t)p->items);
    mark_changes(p, allowed);
    memcpy(p->was, allowed, (size_t)p->options);
    for (int i = p->items - 1; i >= 0; i--) {
        if (p->most_work > 0 && p->pareto_front.work - before > p->most_work) {
            p->made = false;
            return INFINITY;
        }
        if (!p->stale[i] || !p->reached[i]) continue;
        p->stale[i] = 0;
        if (make_set(p, i, allowed)) mark_above(p, i, allowed);
    }
    p->made = true;
    int best = answer(p, least);
    return best < 0 ? -INFINITY : p->set[best].u;
}

double pairs_try(know_pairs *trial, const unsigned char allowed[], double least)
{
    CHECK(trial->base && trial->base->made);
    find_reached(trial, allowed);
    mark_changes(trial, allowed);
    for (int i = trial->items - 1; i >= 0; i--) {
        if (!trial->stale[i] || !trial->reached[i]) continue;
        trial->own[i] = make_set(trial, i, allowed);
        if (trial->own[i]) mark_above(trial, i, allowed);
    }
    int best = answer(trial, least);
    double most = best < 0 ? -INFINITY : set_of(trial, 0)[best].u;
    memset(trial->stale, 0, (size_t)trial->items);
    memset(trial->own, 0, (size_t)trial->items);
    return most;
}

/* Adds to the weight of a pair of an arc's child. */
static void want_more(know_pairs *p, int arc, int pair, double want)
{
    p->want[(size_t)p->arc_child[arc] * (size_t)p->pareto_front.most + (size_t)pair] += want * p->arc_factor[arc];
}

/* Outputs of a trace; NULL: not wanted. */
typedef struct tracer {
    double *mass; /* by option, or by slot */
    bool by_slot;
    const pairs_use *use;
} tracer;

static void note_use(const pairs_use *use, int item, double want, const nondominated *pair)
{
    use->reach[item] += want;
    use->u[item] += want * pair->u;
    use->q[item] += want * pair->q;
}

/* Distributes the weights of an item's pairs over its slots and their children. */
static void trace_item(know_pairs *p, int item, const tracer *into)
{
    size_t most = (size_t)p->pareto_front.most;
    const nondominated *set = p->set + (size_t)item * most;
    double *want = p->want + (size_t)item * most;
    int made = -1;
    for (int i = 0; i < p->count[item]; i++) {
        if (want[i] <= 0) continue;
        int slot = set[i].from, at = set[i].to, first = p->arc_start[slot], arcs = arcs_of(p, slot), count;
        if (into->mass) into->mass[into->by_slot ? slot : p->slot_option[slot]] += want[i];
        if (into->use) note_use(into->use, item, want[i], &set[i]);
        if (arcs > HELD && slot != made) {
            slot_set(p, slot, &count);
            made = slot;
        }
        for (int a = arcs - 1; a >= 0 && arcs > HELD; a--) {
            const int *link = p->link + 2 * ((size_t)a * most + (size_t)at);
            want_more(p, first + a, link[1], want[i]);
            at = link[0];
        }
        if (arcs == 2) want_more(p, first, at / (int)most, want[i]);
        if (arcs == 1 || arcs == 2) want_more(p, first + arcs - 1, at % (int)most, want[i]);
        want[i] = 0;
    }
}

static void trace(know_pairs *p, double least, const tracer *into)
{
    int best = answer(p, least);
    if (best < 0) return;
    p->want[best] = 1;
    for (int i = 0; i < p->end; i++) trace_item(p, i, into);
    memset(p->want + (size_t)p->end * (size_t)p->pareto_front.most, 0,
           (size_t)(p->items - p->end) * (size_t)p->pareto_front.most * sizeof(double));
}

void pairs_trace(know_pairs *p, double least, double mass[], bool by_slot)
{
    trace(p, least, &(tracer){.mass = mass, .by_slot = by_slot});
}

void pairs_trace_items(know_pairs *p, double least, const pairs_use *use)
{
    size_t bytes = (size_t)p->items * sizeof(double);
    memset(use->reach, 0, bytes);
    memset(use->u, 0, bytes);
    memset(use->q, 0, bytes);
    trace(p, least, &(tracer){.use = use});
}

double pairs_slot_most(know_pairs *p, int slot, double least)
{
    int count;
    const nondominated *set = slot_set(p, slot, &count);
    double most = -INFINITY;
    for (int i = 0; i < count && set[i].q >= least; i++) most = set[i].u;
    return most;
}

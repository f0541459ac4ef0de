/* mip/parallel.c - several searches on one tree, in rounds.
 *
 * Each search has its own queue, relaxation, domain and incumbent, and in a round works on nodes of its own until it has done a
 * given number of nodes or simplex iterations, which it does on any thread. Between rounds, in the order of the searches and never
 * of the clock, all learn the best incumbent and the sums of pseudo-costs and counters, and the best nodes of all queues are dealt
 * out anew. So the number of searches changes the tree, and the number of threads changes nothing.
 *
 * Source: synchronised parallel branch and bound, as in T. K. Ralphs, Y. Shinano, T. Berthold, T. Koch, Parallel solvers for
 * mixed integer linear optimization (2018), section 3. Small trees, of fewer than FIRST_NODES nodes, are searched by one alone;
 * threads then share the trials of its branchings (trials.h).
 */
#include "mip/parallel.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/pool.h"
#include "mip/trials.h"

enum {
    SEARCHES = 4,
    THREADS_MOST = 8,                       /* used, for trials of branchings before there are several searches */
    FIRST_NODES = 100,                      /* ended by the first search alone */
    ROUND_NODES = 50,                       /* most that a search ends in a round */
    ROUND_ITERATIONS = 500,                 /* after which it begins no other node */
    NEAR_ITERATIONS = 8 * ROUND_ITERATIONS, /* of all: a limit this close is left to one search */
    DEALT = 16                              /* nodes of each queue that are dealt out between rounds */
};

/* What is added up over the searches. */
typedef struct counters {
    long long nodes, iterations, solves, strong, heuristic;
} counters;

typedef struct crew {
    arena memory;                 /* of `known` */
    mip_search own[SEARCHES];     /* [0] is not used */
    mip_search *search[SEARCHES]; /* [0]: the one that others were made from */
    mip_owner owner[SEARCHES];
    tree_walk walk[SEARCHES];
    int count;          /* searches that there are */
    pseudo_costs known; /* to all when the round began */
    counters before;    /* likewise */
    node_queue hand;    /* nodes on their way from one queue to another */
    pool *threads;      /* not owned; NULL: none but this one */
} crew;

static counters counted(const mip_search *s)
{
    return (counters){s->tree.nodes, s->lp.relax.iterations, s->lp.relax.solves, s->strong_iterations, s->heuristic_iterations};
}

static void set_counters(mip_search *s, counters c)
{
    s->tree.nodes = c.nodes;
    s->lp.relax.iterations = c.iterations;
    s->lp.relax.solves = c.solves;
    s->strong_iterations = c.strong;
    s->heuristic_iterations = c.heuristic;
}

static void copy_pseudo(pseudo_costs *to, const pseudo_costs *from, int n)
{
    for (int d = 0; d < 2; d++) {
        MEM_COPY(to->sum[d], from->sum[d], n);
        MEM_COPY(to->count[d], from->count[d], n);
        to->total[d] = from->total[d];
        to->totals[d] = from->totals[d];
    }
}

/* ---- the searches ------------------------------------------------------------------------------------------------------ */

/* The bounds that hold everywhere: those of s before the first change on its trail. */
static void copy_root_domain(domain *to, const domain *from)
{
    int n = from->model->n;
    MEM_COPY(to->lower, from->lower, n);
    MEM_COPY(to->upper, from->upper, n);
    for (size_t k = from->trail; k-- > 0;) {
        const bound_change *c = &from->stack[k];
        to->lower[c->col] = c->lower;
        to->upper[c->col] = c->upper;
    }
    to->objective_bound = from->objective_bound;
    domain_queue_all(to);
}

/* False: memory. */
static bool fork_search(crew *c, const mip_search *s)
{
    int k = c->count, n = s->model->n;
    mip_search *t = &c->own[k];
    c->owner[k] = *s->owner;
    c->owner[k].context = s->owner->fork(s->owner->context);
    if (!c->owner[k].context) return false;
    if (mip_search_init(t, s->model, s->options, s->clock, &c->owner[k]) != VOUCH_OK) {
        s->owner->release(c->owner[k].context);
        return false;
    }
    c->search[c->count++] = t;
    node_queue_init(&t->tree.open, s->tree.open.deep);
    if (relax_copy(&t->lp.relax, &s->lp.relax) != VOUCH_OK) return false;
    copy_root_domain(&t->dom, &s->dom);
    MEM_COPY(t->best.x, s->best.x, s->best.found ? n : 0);
    t->best.found = s->best.found;
    t->best.value = s->best.value;
    t->best.cutoff = s->best.cutoff;
    MEM_COPY(t->root.x, s->root.x, n);
    MEM_COPY(t->root.reduced, s->root.reduced, n);
    t->root.value = s->root.value;
    t->root.solved = s->root.solved;
    t->root.cut = t->root.news = true;
    copy_pseudo(&t->pseudo, &s->pseudo, n);
    t->rooms = s->rooms;
    t->symmetry.group = s->symmetry.group;
    t->symmetry.sought = s->symmetry.sought;
    set_counters(t, counted(s));
    t->tree.ids = s->tree.ids + k;
    t->tree.id_step = SEARCHES;
    return true;
}

static void crew_free(crew *c)
{
    for (int k = 1; k < c->count; k++) {
        node_release(c->walk[k].next);
        c->owner[k].release(c->owner[k].context);
        mip_search_free(c->search[k]);
    }
    c->search[0]->room = -1;
    node_queue_free(&c->hand);
    arena_free(&c->memory);
    mem_free(c);
}

/* NULL: memory, and what was begun is ended. */
static crew *crew_new(mip_search *s, const tree_walk *w, pool *threads)
{
    crew *c = MEM_ZERO(crew, 1);
    int n = s->model->n;
    if (!c) return NULL;
    c->search[0] = s;
    c->walk[0] = *w;
    c->count = 1;
    node_queue_init(&c->hand, s->tree.open.deep);
    for (int d = 0; d < 2; d++) {
        c->known.sum[d] = ARENA_NEW(&c->memory, double, n);
        c->known.count[d] = ARENA_NEW(&c->memory, int, n);
    }
    bool fits = !c->memory.failed;
    while (fits && c->count < SEARCHES) fits = fork_search(c, s);
    if (!fits) {
        crew_free(c);
        return NULL;
    }
    s->tree.id_step = SEARCHES;
    copy_pseudo(&c->known, &s->pseudo, n);
    c->before = counted(s);
    c->threads = threads;
    return c;
}

/* ---- between rounds ----------------------------------------------------------------------------------------------------- */

static void share_counters(crew *c)
{
    counters all = c->before, b = c->before;
    for (int k = 0; k < c->count; k++) {
        counters now = counted(c->search[k]);
        all.nodes += now.nodes - b.nodes;
        all.iterations += now.iterations - b.iterations;
        all.solves += now.solves - b.solves;
        all.strong += now.strong - b.strong;
        all.heuristic += now.heuristic - b.heuristic;
    }
    for (int k = 0; k < c->count; k++) set_counters(c->search[k], all);
    c->before = all;
}

static void share_pseudo(crew *c)
{
    mip_search *first = c->search[0];
    int n = first->model->n;
    pseudo_costs *sum = &first->pseudo;
    for (int d = 0; d < 2; d++) {
        for (int k = 1; k < c->count; k++) {
            const pseudo_costs *p = &c->search[k]->pseudo;
            for (int j = 0; j < n; j++) {
                sum->sum[d][j] += p->sum[d][j] - c->known.sum[d][j];
                sum->count[d][j] += p->count[d][j] - c->known.count[d][j];
            }
            sum->total[d] += p->total[d] - c->known.total[d];
            sum->totals[d] += p->totals[d] - c->known.totals[d];
        }
        for (int j = 0; j < n; j++) sum->sum[d][j] = fmax(sum->sum[d][j], 0); /* differences round */
    }
    for (int k = 1; k < c->count; k++) copy_pseudo(&c->search[k]->pseudo, sum, n);
    copy_pseudo(&c->known, sum, n);
}

/* The best point, of equal ones that of the first search, and why any of them must end, become those of all. */
static void share_ends(crew *c)
{
    mip_search *best = c->search[0];
    search_end end = best->end;
    double closed = INFINITY;
    for (int k = 0; k < c->count; k++) {
        const mip_search *t = c->search[k];
        if (t->best.found && t->best.value < best->best.value) best = c->search[k];
        end.stopped = end.stopped || t->end.stopped;
        end.unproved = end.unproved || t->end.unproved;
        end.memory = end.memory || t->end.memory;
    }
    for (int pass = 0; pass < 2; pass++) /* the first finds the best, the second tells all */
        for (int k = 1; k < c->count; k++) c->owner[k].exchange(c->search[0]->owner->context, c->owner[k].context);
    for (int k = 0; k < c->count; k++) {
        mip_search *t = c->search[k];
        if (best->best.found) mip_search_adopt(t, best->best.x, best->best.value);
        if (c->walk[k].next && c->walk[k].next->bound >= t->best.cutoff) {
            t->tree.closed = fmin(t->tree.closed, c->walk[k].next->bound);
            node_release(c->walk[k].next);
            c->walk[k].next = NULL;
        }
        closed = fmin(closed, t->tree.closed);
    }
    for (int k = 0; k < c->count; k++) {
        c->search[k]->end = end;
        c->search[k]->tree.closed = closed;
    }
}

/* The best nodes of all queues go round, so that none has but poor ones. */
static void deal(crew *c)
{
    for (int k = 0; k < c->count; k++)
        for (int i = 0; i < DEALT; i++) {
            mip_node *n = node_queue_pop(&c->search[k]->tree.open);
            if (!n) break;
            if (node_queue_push(&c->hand, n) != 0) mip_tree_push(c->search[k], n);
        }
    int to = 0;
    for (mip_node *n = node_queue_pop(&c->hand); n; n = node_queue_pop(&c->hand)) {
        mip_tree_push(c->search[to], n);
        to = (to + 1) % c->count;
    }
    double elsewhere = INFINITY;
    for (int k = 1; k < c->count; k++) {
        elsewhere = fmin(elsewhere, node_queue_bound(&c->search[k]->tree.open));
        if (c->walk[k].next) elsewhere = fmin(elsewhere, c->walk[k].next->bound);
    }
    c->search[0]->tree.elsewhere = elsewhere;
}

/* ---- rounds -------------------------------------------------------------------------------------------------------------- */

static void work_in_round(void *context, int k, int thread)
{
    crew *c = context;
    mip_search *s = c->search[k];
    s->room = thread;
    mip_tree_walk(s, &c->walk[k], s->tree.nodes + ROUND_NODES, s->lp.relax.iterations + ROUND_ITERATIONS);
}

static void work_round(crew *c)
{
    if (c->threads)
        pool_run(c->threads, c->count, work_in_round, c);
    else
        for (int k = 0; k < c->count; k++) work_in_round(c, k, 0);
    share_counters(c);
    share_pseudo(c);
    share_ends(c);
    deal(c);
    mip_tree_report(c->search[0], &c->walk[0]);
}

/* Limits are met to the node, by one search: they are too near for a round of all. */
static bool limit_is_near(const mip_search *s)
{
    long long nodes = s->options->limits.nodes, iterations = s->clock->limits.iterations;
    return (nodes > 0 && nodes - s->tree.nodes < SEARCHES * ROUND_NODES) ||
           (iterations > 0 && iterations - s->lp.relax.iterations < NEAR_ITERATIONS);
}

static bool all_done(const crew *c)
{
    bool done = true;
    for (int k = 0; k < c->count; k++) done = done && mip_tree_done(c->search[k], &c->walk[k]);
    return done;
}

/* All nodes to the first search. */
static void gather(crew *c, tree_walk *w)
{
    mip_search *s = c->search[0];
    for (int k = 1; k < c->count; k++) {
        mip_search *t = c->search[k];
        mip_tree_push(s, c->walk[k].next);
        c->walk[k].next = NULL;
        for (mip_node *n = node_queue_pop(&t->tree.open); n; n = node_queue_pop(&t->tree.open)) mip_tree_push(s, n);
        if (t->tree.ids > s->tree.ids) s->tree.ids = t->tree.ids;
    }
    *w = c->walk[0];
    c->walk[0].next = NULL;
    s->tree.id_step = 1;
    s->tree.elsewhere = INFINITY;
}

/* All that is left is in s and w again afterwards: a limit is near or reached, or nothing is left. */
static void search_together(mip_search *s, tree_walk *w, pool *threads)
{
    if (!s->owner->fork || limit_is_near(s)) return;
    mip_tree_walk(s, w, FIRST_NODES, 0);
    bool ends = s->end.stopped || s->end.memory || !s->root.solved;
    if (ends || s->tree.open.nodes.count < 2 * (size_t)SEARCHES || limit_is_near(s)) return;
    crew *c = crew_new(s, w, threads);
    if (!c) {
        s->end.memory = true;
        return;
    }
    deal(c);
    while (!s->end.stopped && !s->end.memory && !limit_is_near(s) && !all_done(c)) work_round(c);
    gather(c, w);
    crew_free(c);
}

vouch_status mip_tree_search(mip_search *s)
{
    tree_walk w;
    if (mip_tree_begin(s, &w) != VOUCH_OK) return VOUCH_ERROR_MEMORY;
    int wanted = s->owner->fork && !s->options->trace ? s->options->threads : 1; /* a trace has one place to write to */
    pool *threads = wanted > 1 ? pool_new(wanted < THREADS_MOST ? wanted : THREADS_MOST) : NULL;
    s->rooms = trial_rooms_new(threads, threads ? THREADS_MOST : 1);
    if (!s->rooms) s->end.memory = true;
    search_together(s, &w, threads);
    mip_tree_walk(s, &w, 0, 0);
    node_release(w.next);
    trial_rooms_free(s->rooms);
    s->rooms = NULL;
    pool_free(threads);
    s->end.complete = !s->end.stopped && !s->end.memory && !s->end.unproved;
    return s->end.memory ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* plan/bnb/search.c - see search.h.
 *
 * The loop takes nodes in rounds: first the promising children of the last round (plunging), then open nodes of least bound. The
 * nodes of a round are processed independently, from the same incumbent, and merged in order; so the result depends on the size of
 * the rounds but not on how many threads share them. Rounds hold one node until the search proves long, since a round
 * of several nodes knows less when it starts. At the same point the tree is begun again with strong branching (plan/bnb/branching.h), which is not
 * worth its price in short searches.
 */
#include "plan/bnb/search.h"

#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/pool.h"
#include "plan/bnb/node.h"

/* Nodes processed one by one before rounds of ROUND nodes begin. Counts, not seconds: the same on every machine. */
static const long long ALONE = 128;
enum { ROUND = 8 };
/* Memory for open nodes, and how many there may be however large. Beyond that the search goes depth first. */
static const size_t STORE_BYTES = (size_t)512 << 20, LEAST_OPEN = 64;
typedef struct search {
    const search_options *options;
    search_result *result;
    incumbent *inc; /* the caller's */
    colgen *colgen; /* the caller's, of solver 0 */
    master_goal goal;
    open_nodes open;
    size_t most_open;  /* nodes in it beyond which new ones are stacked */
    tree_node **stack; /* [stacked] taken last in, first out, before open ones: little is kept of a tree searched so */
    size_t stacked, stack_capacity;
    tree_node *plunge[ROUND]; /* promising children of the last round, in order */
    int plunging;
    double worst_cut; /* least bound among nodes cut off or given up */
    double left;      /* least bound among nodes left unfinished */
    long long ids, inductions_before;
    bool limit;
    bool strong;  /* the tree was begun again with strong branching */
    double floor; /* bound proved by the first tree */
    rng random;
    pool *threads;          /* made when rounds begin */
    node_solver solver[64]; /* [solvers], one a thread; 0 borrows r and inc of the caller while alone */
    int solvers;
    tree_node *round[ROUND];
    node_result results[ROUND];
    incumbent *found[ROUND]; /* what each node of a round found */
    int taken;
} search;

void search_options_init(search_options *options)
{
    *options = (search_options){
        .gap = 1e-6, .floor = -INFINITY, .patience = 0.05, .perturbations = 20, .seed = 1, .threads = 1, .first_id = 1};
}

static double cutoff(const search *s) { return incumbent_value(s->inc) - s->options->gap; }

static double open_bound(const search *s)
{
    double bound = s->open.count ? s->open.item[0]->bound : INFINITY;
    for (int i = 0; i < s->plunging; i++) bound = fmin(bound, s->plunge[i]->bound);
    for (size_t i = 0; i < s->stacked; i++) bound = fmin(bound, s->stack[i]->bound);
    return bound;
}

static void report(search *s, double bound)
{
    if (s->options->progress)
        s->options->progress(s->options->progress_context, incumbent_value(s->inc), bound, s->result->nodes,
                             (long long)(s->open.count + s->stacked));
}

static void report_node(search *s, const tree_node *n, vouch_node_end end)
{
    if (!s->options->on_node) return;
    const know_graph *g = s->colgen->space->g;
    vouch_search_node out = {.id = n->id,
                             .parent = n->parent ? n->parent->id : 0,
                             .depth = n->depth,
                             .bound = n->bound,
                             .end = end,
                             .incumbent = incumbent_value(s->inc),
                             .time = -1,
                             .state = -1,
                             .action = -1};
    if (n->made.node >= 0) {
        out.time = know_time(g, n->made.node);
        out.state = g->state[n->made.node];
        if (n->made.option >= 0) out.action = g->m->pair_action[g->choice_pair[n->made.option]];
    }
    s->options->on_node(s->options->on_node_context, &out);
}

/* Discards a node that can no longer matter. */
static void prune(search *s, tree_node *n)
{
    s->worst_cut = fmin(s->worst_cut, n->bound);
    s->result->nodes++;
    report_node(s, n, VOUCH_NODE_BOUND);
    tree_node_release(n);
}

/* Fills the round: promising children first, then open nodes. */
static void take_round(search *s, int size)
{
    int kept = 0;
    s->taken = 0;
    for (int i = 0; i < s->plunging; i++) {
        tree_node *n = s->plunge[i];
        if (n->bound >= cutoff(s))
            prune(s, n);
        else if (s->taken < size)
            s->round[s->taken++] = n;
        else
            s->plunge[kept++] = n;
    }
    s->plunging = kept;
    while (s->taken < size && (s->stacked || s->open.count)) {
        tree_node *n = s->stacked ? s->stack[--s->stacked] : open_pop(&s->open);
        if (n->bound >= cutoff(s))
            prune(s, n);
        else
            s->round[s->taken++] = n;
    }
}

static vouch_status stack_push(search *s, tree_node *n)
{
    if (mem_reserve((void **)&s->stack, &s->stack_capacity, s->stacked, sizeof *s->stack)) return VOUCH_ERROR_MEMORY;
    s->stack[s->stacked++] = n;
    return VOUCH_OK;
}

static vouch_status add_child(search *s, tree_node *parent, const child *c, bool promising)
{
    tree_node *n = MEM_ZERO(tree_node, 1);
    if (!n) return VOUCH_ERROR_MEMORY;
    n->id = ++s->ids;
    n->parent = parent;
    n->depth = parent->depth + 1;
    n->made = c->made;
    n->bound = c->bound;
    parent->children++;
    if (promising) {
        s->plunge[s->plunging++] = n;
        return VOUCH_OK;
    }
    vouch_status status = s->open.count < s->most_open ? open_push(&s->open, n) : stack_push(s, n);
    if (status) { /* the parent stays: its round is not over */
        parent->children--;
        mem_free(n);
    }
    return status;
}

/* Takes over what the round found, in its order. */
static vouch_status merge_round(search *s, bool alone)
{
    vouch_status status = VOUCH_OK;
    bool plunging = !(s->options->without & VOUCH_WITHOUT_PLUNGING);
    for (int i = 0; i < s->taken; i++) {
        tree_node *n = s->round[i];
        node_result *o = &s->results[i];
        if (!alone) incumbent_take(s->inc, s->found[i]);
        if (!status) status = o->status;
        s->result->nodes++;
        if (o->limit) {
            s->limit = true;
            s->left = fmin(s->left, n->bound);
        }
        s->worst_cut = fmin(s->worst_cut, o->cut);
        for (int c = 0; c < o->children && !status; c++)
            if (c != o->promising) status = add_child(s, n, &o->made[c], false);
        if (o->promising >= 0 && !status) status = add_child(s, n, &o->made[o->promising], plunging);
        report_node(s, n, o->end);
        if (n->children == 0) tree_node_release(n);
    }
    s->taken = 0;
    return status;
}

static void process_task(void *context, int i, int thread)
{
    search *s = context;
    node_solver *e = &s->solver[thread];
    e->strong = true;
    incumbent_copy(s->found[i], s->inc);
    e->inc = s->found[i];
    node_process(e, s->round[i], NULL, &s->results[i]);
}

/* Threads, their solvers, and an incumbent for each node of a round. */
static vouch_status prepare_rounds(search *s)
{
    int threads = s->options->threads < ROUND ? s->options->threads : ROUND;
    s->threads = pool_new(threads);
    if (!s->threads) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < ROUND; i++) {
        vouch_status status = incumbent_new(s->colgen->space, &s->found[i]);
        if (status) return status;
        s->found[i]->limit = s->inc->limit;
    }
    for (; s->solvers < threads; s->solvers++) {
        colgen *r = NULL;
        vouch_status status = colgen_new(s->colgen->space, &r);
        if (!status) colgen_set_goal(r, s->goal, s->inc->bound_cap);
        if (!status) r->gap = s->options->gap;
        if (!status) status = node_solver_init(&s->solver[s->solvers], r, NULL, s->options);
        if (status) {
            node_solver_clear(&s->solver[s->solvers]);
            colgen_free(r);
            return status;
        }
    }
    return VOUCH_OK;
}

static long long inductions(const search *s)
{
    long long sum = s->colgen->inductions - s->inductions_before;
    for (int i = 1; i < s->solvers; i++) sum += s->solver[i].colgen->inductions;
    return sum;
}

static bool stop(search *s)
{
    const vouch_limits *limits = &s->options->limit.limits;
    if (s->options->most_inductions > 0 && inductions(s) >= s->options->most_inductions) s->limit = true;
    if (s->options->most_nodes > 0 && s->result->nodes >= s->options->most_nodes) s->limit = true;
    if (limits->nodes > 0 && s->result->nodes >= limits->nodes) s->limit = true;
    if (deadline_iterations_left(&s->options->limit, inductions(s)) < 0) s->limit = true;
    return s->limit || (!s->plunging && !s->stacked && !s->open.count);
}

static vouch_status run_round(search *s)
{
    bool alone = s->result->nodes < ALONE;
    vouch_status status = VOUCH_OK;
    long long most = deadline_iterations_left(&s->options->limit, inductions(s));
    take_round(s, alone ? 1 : ROUND);
    s->colgen->most = most;
    if (alone && s->taken) {
        s->solver[0].inc = s->inc;
        node_process(&s->solver[0], s->round[0], s->round[0]->parent ? NULL : &s->random, &s->results[0]);
    } else if (s->taken) {
        if (!s->threads) status = prepare_rounds(s);
        for (int i = 1; i < s->solvers; i++)
            s->solver[i].colgen->most = most; /* of each node: which thread has it must not matter */
        if (!status)
            pool_run(s->threads, s->taken, process_task, s);
        else
            for (int i = 0; i < s->taken; i++) {
                s->results[i] = (node_result){.status = status, .cut = INFINITY, .promising = -1, .made = s->results[i].made};
                if (s->found[i]) incumbent_copy(s->found[i], s->inc);
            }
    }
    vouch_status merged = merge_round(s, alone || status);
    return status ? status : merged;
}

static vouch_status make_root(search *s)
{
    tree_node *root = MEM_ZERO(tree_node, 1);
    if (!root) return VOUCH_ERROR_MEMORY;
    root->id = ++s->ids;
    root->made.node = -1;
    root->bound = s->floor;
    s->plunge[s->plunging++] = root;
    return VOUCH_OK;
}

static double proved_bound(const search *s)
{
    return fmin(fmin(open_bound(s), s->left), fmin(s->worst_cut, incumbent_value(s->inc)));
}

/* The search turned out long: what was branched on first, by mass, may have multiplied the tree for nothing, so it begins again and from now
 * on tries before it branches. */
static vouch_status restart(search *s)
{
    s->strong = true;
    s->floor = fmax(s->floor, proved_bound(s));
    for (int i = 0; i < s->plunging; i++) tree_node_release(s->plunge[i]);
    s->plunging = 0;
    while (s->stacked) tree_node_release(s->stack[--s->stacked]);
    open_free(&s->open);
    s->worst_cut = INFINITY;
    return make_root(s);
}

/* How many open nodes fit: each holds on to about one policy for each row of the master program. */
static size_t store(const policy_space *space)
{
    size_t K = (size_t)space->K,
           policy = sizeof(column) + 2 * K * sizeof(double) + (size_t)space->g->nodes * (sizeof(double) + sizeof(int));
    size_t fit = STORE_BYTES / ((2 * K + 1) * policy);
    return fit > LEAST_OPEN ? fit : LEAST_OPEN;
}

static vouch_status start(search *s)
{
    s->most_open = s->options->most_open > 0 ? (size_t)s->options->most_open : store(s->colgen->space);
    s->floor = fmax(s->options->floor, s->goal == MASTER_TOTAL_REGRET ? s->colgen->space->lowest_total : s->colgen->space->lowest);
    s->ids = s->options->first_id - 1;
    vouch_status status = make_root(s);
    if (status) return status;
    int most_children = s->colgen->space->g->m->A > 2 ? s->colgen->space->g->m->A : 2;
    for (int i = 0; i < ROUND; i++) {
        s->results[i].made = MEM_NEW(child, most_children);
        if (!s->results[i].made) return VOUCH_ERROR_MEMORY;
    }
    colgen_set_goal(s->colgen, s->goal, s->inc->bound_cap);
    s->colgen->gap = s->options->gap;
    s->solvers = 1;
    return node_solver_init(&s->solver[0], s->colgen, s->inc, s->options);
}

static void finish(search *s)
{
    for (int i = 0; i < s->plunging; i++) tree_node_release(s->plunge[i]);
    while (s->stacked) tree_node_release(s->stack[--s->stacked]);
    mem_free(s->stack);
    open_free(&s->open);
    pool_free(s->threads);
    for (int i = 0; i < s->solvers; i++) {
        node_solver_clear(&s->solver[i]);
        if (i > 0) colgen_free(s->solver[i].colgen);
    }
    for (int i = 0; i < ROUND; i++) {
        mem_free(s->results[i].made);
        incumbent_free(s->found[i]);
    }
    mem_free(s);
}

vouch_status search_run(colgen *r, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    *result = (search_result){.bound = -INFINITY};
    search *s = MEM_ZERO(search, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    s->options = options;
    s->result = result;
    s->inc = inc;
    s->colgen = r;
    s->goal = goal;
    s->worst_cut = s->left = INFINITY;
    s->inductions_before = r->inductions;
    s->random = rng_seed(options->seed);
    vouch_status status = start(s);
    while (!status && !stop(s)) {
        if (!s->strong && result->nodes >= ALONE) status = restart(s);
        if (!status) status = run_round(s);
        if ((result->nodes & 15) == 0 || result->nodes > ALONE)
            report(s, fmax(s->floor, fmin(open_bound(s), incumbent_value(inc))));
    }
    double bound = fmax(s->floor, proved_bound(s));
    result->limit = s->limit;
    bool done = !status && !s->limit;
    double value = incumbent_value(inc);
    result->infeasible = done && !inc->found && !isfinite(bound);
    /* a node given up for numerical reasons leaves its bound below the incumbent: then nothing is proved */
    result->proved = result->infeasible || (done && inc->found && value - bound <= options->gap + r->space->rounding);
    result->bound = bound;
    result->inductions = inductions(s);
    r->most = 0;
    result->ids = s->ids;
    report(s, bound);
    finish(s);
    return status;
}

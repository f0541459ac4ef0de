/* plan/bnb/search.c - rounds of nodes over one tree:  bound proved = min(open nodes, cut-off parts, unfinished ones, incumbent).
 *
 * The loop takes nodes in rounds: first the promising children of the last round (plunging), then open nodes of least bound. The
 * nodes of a round are processed independently, from the same incumbent, and merged in order; so the result depends on the size of
 * the rounds but not on how many threads share them. Rounds hold one node until the search proves long, since a round
 * of several nodes knows less when it starts. At the same point the tree is restarted with strong branching
 * (plan/bnb/branching.h), which is not worth its price in short searches.
 *
 * Invariant: no policy is worth less than the least of the bounds of open nodes, worst_cut (of what was cut off), left (of what a
 * limit left) and the incumbent. That least is the bound proved.
 */
#include "plan/bnb/search.h"

#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/heap.h"
#include "base/memory.h"
#include "base/pool.h"
#include "plan/bnb/debug_policy.h"
#include "plan/bnb/node.h"
#include "plan/bnb/proof_writer.h"
#include "plan/bnb/record.h"

/* Nodes processed one by one before rounds of ROUND nodes begin. Counts, not seconds: the same on every machine. */
static const long long ALONE = 128;
enum { ROUND = 8, MOST_THREADS = ROUND };
/* Nodes between two reports while they are processed one by one. */
static const long long REPORTED = 16;
/* Pairs of a set, where the work allows. */
enum { MOST_PAIRS = 32 };
/* Memory for open nodes, and how many there may be however large. Beyond that the search goes depth first. */
static const size_t STORE_BYTES = (size_t)512 << 20, LEAST_OPEN = 64;
typedef struct search {
    const search_options *options;
    search_result *result;
    incumbent *inc; /* the caller's */
    colgen *colgen; /* the caller's, of solver 0 */
    master_goal goal;
    double floor;                  /* bound known before, or proved by the tree before the restart */
    source_record source[SOURCES]; /* what the root has shown, for the restart */
    int pairs;                     /* likewise, how fine the sets of pairs may be */
    bool strong;                   /* the tree was restarted with strong branching */
    bool limit;
    long long ids, inductions_before;
    rng random;
    /* the tree */
    heap open;         /* of tree_node */
    size_t most_open;  /* nodes in it beyond which new ones are stacked */
    tree_node **stack; /* [stacked] taken last in, first out, before open ones: little is kept of a tree searched so */
    size_t stacked, stack_capacity;
    tree_node *plunge[ROUND]; /* promising children of the last round, in order */
    int plunging;
    double worst_cut; /* least bound among nodes cut off or given up */
    double left;      /* least bound among nodes left unfinished */
    /* a round */
    pool *threads;                    /* made when rounds begin */
    node_solver solver[MOST_THREADS]; /* [solvers], one a thread; 0 borrows colgen and inc of the caller while alone */
    int solvers;
    tree_node *round[ROUND];
    int taken;
    node_result results[ROUND];
    incumbent *found[ROUND]; /* what each node of a round found */
} search;

void search_options_init(search_options *options)
{
    *options = (search_options){
        .gap = 1e-6, .floor = -INFINITY, .patience = 0.05, .perturbations = 20, .seed = 1, .threads = 1, .first_id = 1};
}

static double cutoff(const search *s) { return incumbent_cutoff(s->inc, s->options->gap); }

static double open_bound(const search *s)
{
    const tree_node *least = heap_top(&s->open);
    double bound = least ? least->bound : INFINITY;
    for (int i = 0; i < s->plunging; i++) bound = fmin(bound, s->plunge[i]->bound);
    for (size_t i = 0; i < s->stacked; i++) bound = fmin(bound, s->stack[i]->bound);
    return bound;
}

/* Contract: nodes that wait are leaves with a counted parent, and the tree was not split below what was known of its root. */
static void tree_node_check(const search *s, const tree_node *n)
{
    CHECK(n->children == 0 && (!n->parent || n->parent->children > 0) && n->id <= s->ids);
    CHECK_COMPARE(n->bound, >=, s->floor);
}

static void tree_check(const search *s)
{
#ifdef VOUCH_DEBUG
    for (int i = 0; i < s->plunging; i++) tree_node_check(s, s->plunge[i]);
    for (size_t i = 0; i < s->stacked; i++) tree_node_check(s, s->stack[i]);
    for (size_t i = 0; i < s->open.count; i++) tree_node_check(s, s->open.item[i]);
    for (size_t i = 1; i < s->open.count; i++) CHECK(tree_node_before(NULL, s->open.item[(i - 1) / 2], s->open.item[i]));
#else
    (void)s;
    (void)tree_node_check;
#endif
}

static void report(search *s, double bound)
{
    if (s->options->progress)
        s->options->progress(s->options->progress_context, incumbent_value(s->inc), bound, s->result->nodes,
                             (long long)(s->open.count + s->stacked));
}

static long long inductions(const search *s)
{
    long long sum = s->colgen->inductions - s->inductions_before;
    for (int i = 1; i < s->solvers; i++) sum += s->solver[i].colgen->inductions;
    return sum;
}

static void report_node(search *s, const tree_node *n, const node_result *result, bool pruned)
{
    record_node(s->options, s->colgen->space, n,
                &(node_record){result->end, pruned, result->children, incumbent_value(s->inc), inductions(s)});
}

/* Releases a node that can no longer matter. */
static void prune(search *s, tree_node *n)
{
    s->worst_cut = fmin(s->worst_cut, n->bound);
    s->result->nodes++;
    if (s->options->proof) proof_prune(s->options->proof, n, cutoff(s));
    report_node(s, n, &(node_result){.end = VOUCH_NODE_BOUND}, true);
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
        tree_node *n = s->stacked ? s->stack[--s->stacked] : (tree_node *)heap_pop(&s->open);
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
    tree_node *n;
    if (tree_node_new(parent, &c->made, c->bound, &n)) return VOUCH_ERROR_MEMORY;
    n->id = ++s->ids;
    if (s->options->proof) proof_child(s->options->proof, n);
    if (promising) {
        CHECK_COMPARE(s->plunging, <, ROUND);
        s->plunge[s->plunging++] = n;
        return VOUCH_OK;
    }
    vouch_status status = s->open.count >= s->most_open ? stack_push(s, n) : heap_push(&s->open, n) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
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
        const node_result *o = &s->results[i];
        CHECK(o->promising < o->children && (o->children == 0 || o->end == VOUCH_NODE_BRANCHED));
        if (!alone) incumbent_take(s->inc, s->found[i]);
        if (!status) status = o->status;
        s->result->nodes++;
        if (o->limit) {
            s->limit = true;
            s->left = fmin(s->left, n->bound);
        }
        s->worst_cut = fmin(s->worst_cut, o->cut);
        if (!n->parent) {
            MEM_COPY(s->source, n->source, SOURCES);
            s->pairs = n->pairs;
        }
        if (s->options->proof && !status) proof_node(s->options->proof, n, o, cutoff(s));
        for (int c = 0; c < o->children && !status; c++)
            if (c != o->promising) status = add_child(s, n, &o->made[c], false);
        if (o->promising >= 0 && !status) status = add_child(s, n, &o->made[o->promising], plunging);
        report_node(s, n, o, false);
        if (n->children == 0) tree_node_release(n);
    }
    s->taken = 0;
    return status;
}

static void process_task(void *context, int i, int thread)
{
    search *s = context;
    node_solver *solver = &s->solver[thread];
    CHECK(thread < s->solvers && solver->colgen->goal == s->goal);
    incumbent_copy(s->found[i], s->inc);
    solver->strong = true;
    solver->inc = s->found[i];
    node_process(solver, s->round[i], NULL, &s->results[i]);
}

/* Threads, their solvers, and an incumbent for each node of a round. */
static vouch_status prepare_rounds(search *s)
{
    int threads = s->options->trace ? 1 : s->options->threads < MOST_THREADS ? s->options->threads : MOST_THREADS;
    s->threads = pool_new(threads);
    if (!s->threads) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < ROUND; i++) {
        vouch_status status = incumbent_new(s->colgen->space, &s->found[i]);
        if (status) return status;
        s->found[i]->limit = s->inc->limit;
    }
    for (; s->solvers < threads; s->solvers++) {
        colgen *cg = NULL;
        vouch_status status = colgen_new(s->colgen->space, &cg);
        if (status) return status;
        colgen_set_goal(cg, s->goal, s->inc->bound_cap);
        cg->gap = s->options->gap;
        status = node_solver_init(&s->solver[s->solvers], cg, NULL, s->options);
        if (status) {
            node_solver_clear(&s->solver[s->solvers]);
            colgen_free(cg);
            return status;
        }
    }
    return VOUCH_OK;
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
                node_result_begin(&s->results[i], status);
                if (s->found[i]) incumbent_copy(s->found[i], s->inc);
            }
    }
    vouch_status merged = merge_round(s, alone || status);
    return status ? status : merged;
}

static vouch_status make_root(search *s, const char *why)
{
    CHECK(s->plunging == 0 && s->stacked == 0 && s->open.count == 0);
    tree_node *root;
    if (tree_node_new(NULL, &(decision){.node = -1}, s->floor, &root)) return VOUCH_ERROR_MEMORY;
    root->id = ++s->ids;
    MEM_COPY(root->source, s->source, SOURCES);
    root->pairs = s->pairs;
    s->plunge[s->plunging++] = root;
    record_tree(s->options->trace, s->colgen->space, s->goal, root->id, why);
    return s->options->proof ? proof_begin(s->options->proof, s->colgen->space, s->options, root) : VOUCH_OK;
}

/* Frees all nodes that wait. */
static void clear_tree(search *s)
{
    for (int i = 0; i < s->plunging; i++) tree_node_release(s->plunge[i]);
    s->plunging = 0;
    while (s->stacked) tree_node_release(s->stack[--s->stacked]);
    while (s->open.count) tree_node_release(heap_pop(&s->open));
}

static double proved_bound(const search *s)
{
    return fmin(fmin(open_bound(s), s->left), fmin(s->worst_cut, incumbent_value(s->inc)));
}

/* Where the search stands, to log and trace. */
static void tell(const search *s, bool news)
{
    if (!record_wanted(s->options)) return;
    record_state(s->options, s->colgen->space,
                 &(search_state){.nodes = s->result->nodes,
                                 .open = (long long)(s->open.count + s->stacked) + s->plunging,
                                 .work = inductions(s),
                                 .best = incumbent_value(s->inc),
                                 .bound = fmax(s->floor, proved_bound(s)),
                                 .news = news});
}

/* The search turned out long: what was branched on first, by mass, may have multiplied the tree for nothing, so it is restarted
 * and from now on tries before it branches. */
static vouch_status restart(search *s)
{
    s->strong = true;
    if (!s->options->proof) s->floor = fmax(s->floor, proved_bound(s)); /* a proof is of one tree alone */
    clear_tree(s);
    s->worst_cut = INFINITY;
    return make_root(s, "the search is long so it starts again and tries before it branches");
}

/* How many open nodes fit: each holds on to about one policy for each row of the master program. */
static size_t open_capacity(const policy_space *space)
{
    size_t K = (size_t)space->K,
           policy = sizeof(column) + 2 * K * sizeof(double) + (size_t)space->g->nodes * (sizeof(double) + sizeof(int));
    size_t fit = STORE_BYTES / ((2 * K + 1) * policy);
    return fit > LEAST_OPEN ? fit : LEAST_OPEN;
}

/* Might some policy break the commitment? If not, an environment alone has an optimal policy without coins, whatever options are
 * left, and the mixture bound contains that environment's: pairs show nothing. loss [K] by determinism is 0 then; NULL: not
 * wanted. */
static bool may_bind(const policy_space *space, double loss[])
{
    for (int k = 0; k < space->K; k++)
        if (space->accepted[k] > 0) return true;
    for (int k = 0; loss && k < space->K; k++) loss[k] = 0;
    return false;
}

static vouch_status start(search *s)
{
    s->most_open = s->options->most_open > 0 ? (size_t)s->options->most_open : open_capacity(s->colgen->space);
    s->floor = fmax(s->options->proof ? -INFINITY : s->options->floor,
                    s->goal == MASTER_TOTAL_REGRET ? s->colgen->space->lowest_total : s->colgen->space->lowest);
    s->ids = s->options->first_id - 1;
    for (int i = 0; i < SOURCES; i++) s->source[i].bound = -INFINITY;
    s->pairs = s->options->without & VOUCH_WITHOUT_PAIRS || !may_bind(s->colgen->space, s->options->determinism) ? 0 : MOST_PAIRS;
    vouch_status status = make_root(s, "the search begins");
    if (status) return status;
    for (int i = 0; i < ROUND && !status; i++) status = node_result_init(&s->results[i], s->colgen->space, s->options);
    if (status) return status;
    colgen_set_goal(s->colgen, s->goal, s->inc->bound_cap);
    s->colgen->gap = s->options->gap;
    s->solvers = 1;
    return node_solver_init(&s->solver[0], s->colgen, s->inc, s->options);
}

static void finish(search *s)
{
    clear_tree(s);
    heap_free(&s->open);
    mem_free(s->stack);
    pool_free(s->threads);
    for (int i = 0; i < s->solvers; i++) {
        node_solver_clear(&s->solver[i]);
        if (i > 0) colgen_free(s->solver[i].colgen);
    }
    for (int i = 0; i < ROUND; i++) {
        node_result_clear(&s->results[i]);
        incumbent_free(s->found[i]);
    }
    mem_free(s);
}

/* What is proved, and why the search ended. */
static void conclude(search *s, vouch_status status)
{
    search_result *result = s->result;
    double bound = fmax(s->floor, proved_bound(s)), value = incumbent_value(s->inc);
    bool done = !status && !s->limit;
    debug_bound_check(bound, value);
    result->bound = bound;
    result->limit = s->limit;
    result->inductions = inductions(s);
    result->ids = s->ids;
    result->infeasible = done && !s->inc->found && !isfinite(bound);
    /* a node given up for numerical reasons leaves its bound below the incumbent: then nothing is proved */
    result->proved = result->infeasible || (done && s->inc->found && value - bound <= s->options->gap + s->colgen->space->rounding);
    report(s, bound);
    tell(s, true);
}

vouch_status search_run(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    *result = (search_result){.bound = -INFINITY};
    search *s = MEM_ZERO(search, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    s->options = options;
    s->result = result;
    s->inc = inc;
    s->colgen = cg;
    s->goal = goal;
    s->worst_cut = s->left = INFINITY;
    heap_init(&s->open, tree_node_before, NULL);
    s->inductions_before = cg->inductions;
    s->random = rng_seed(options->seed);
    vouch_status status = start(s);
    double told = incumbent_value(inc);
    while (!status && !stop(s)) {
        if (!s->strong && result->nodes >= ALONE) status = restart(s);
        if (!status) status = run_round(s);
        tell(s, incumbent_value(inc) < told);
        told = incumbent_value(inc);
        if (result->nodes % REPORTED == 0) tree_check(s);
        if (result->nodes % REPORTED == 0 || result->nodes > ALONE)
            report(s, fmax(s->floor, fmin(open_bound(s), incumbent_value(inc))));
    }
    conclude(s, status);
    cg->most = 0;
    finish(s);
    return status;
}

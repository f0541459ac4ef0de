/* plan/search/search.c - branch and bound with several nodes in progress: bound proved = min(open, cut off, unfinished, incumbent).
 *
 * The loop takes promising children first (plunging), then the open node of least bound. A long search distributes nodes as tasks
 * (plan/search/node_task.h, link/tasks.h), each with up to `grain` nodes of the tree below it while many are open; up to `window`
 * nodes are in progress. A node starts from the state at its selection, and answers are merged in the order of selection, so the
 * result depends on the window but not on the number of threads or processes. A short search processes nodes one by one, since a
 * node selected while others are in progress starts from an older state. When tasks begin, the tree is restarted with strong
 * branching (plan/branch/branching.h).
 *
 * In a group of processes (link/group.h) the first one searches, the others process its tasks and then receive the result, so all
 * continue from the same state.
 *
 * Invariant: the proved bound is the minimum over open nodes, nodes in progress, worst_cut (pruned nodes), left (unfinished nodes)
 * and the incumbent.
 */
#include "plan/search/search.h"

#include "base/check.h"
#include "base/heap.h"
#include "base/memory.h"
#include "link/group.h"
#include "link/tasks.h"
#include "plan/outcomes/outcomes_search.h"
#include "plan/search/node.h"
#include "plan/search/node_task.h"
#include "plan/search/proof_writer.h"
#include "plan/search/record.h"
#include "policy/parameters.h"

/* The open nodes of the tree in the order of selection: promising children, oldest first (plunging); then stacked nodes, last
 * first; then by least bound. Nodes are stacked when the heap is full: depth-first search needs little memory. */
typedef struct open_nodes {
    heap by_bound;     /* of tree_node */
    size_t most;       /* nodes in it beyond which new ones are stacked */
    tree_node **stack; /* [stacked] */
    size_t stacked, stack_capacity;
    tree_node **plunge; /* [most_plunging] */
    int plunging, most_plunging;
} open_nodes;

/* Memory for open nodes and their least number; beyond these the search goes depth first. */
static const size_t STORE_BYTES = (size_t)512 << 20, LEAST_OPEN = 64;

/* Without promising children. */
static size_t open_nodes_queued(const open_nodes *o) { return o->by_bound.count + o->stacked; }
static size_t open_nodes_count(const open_nodes *o) { return open_nodes_queued(o) + (size_t)o->plunging; }

/* most_plunging: capacity for promising children. ERROR_MEMORY leaves *o to be freed, too. */
static vouch_status open_nodes_init(open_nodes *o, int most_plunging, size_t most)
{
    *o = (open_nodes){.most = most, .most_plunging = most_plunging, .plunge = MEM_NEW(tree_node *, most_plunging)};
    heap_init(&o->by_bound, tree_node_before, NULL);
    return o->plunge ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

/* ERROR_MEMORY: n was not added. */
static vouch_status open_nodes_put(open_nodes *o, tree_node *n, bool promising)
{
    if (promising) {
        CHECK_COMPARE(o->plunging, <, o->most_plunging);
        o->plunge[o->plunging++] = n;
        return VOUCH_OK;
    }
    if (o->by_bound.count < o->most) return heap_push(&o->by_bound, n) ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    if (MEM_RESERVE(&o->stack, &o->stack_capacity, o->stacked)) return VOUCH_ERROR_MEMORY;
    o->stack[o->stacked++] = n;
    return VOUCH_OK;
}

/* NULL: none is left. */
static tree_node *open_nodes_take(open_nodes *o)
{
    if (!o->plunging) return o->stacked ? o->stack[--o->stacked] : (tree_node *)heap_pop(&o->by_bound);
    tree_node *n = o->plunge[0];
    memmove(o->plunge, o->plunge + 1, (size_t)--o->plunging * sizeof *o->plunge);
    return n;
}

static void check(const tree_node *n, long long ids, double floor)
{
    CHECK(n->children == 0 && (!n->parent || n->parent->children > 0) && n->id <= ids);
    CHECK_COMPARE(n->bound, >=, floor);
}

/* Number of open nodes that fit in memory: each holds about one policy per row of the master program. */
static size_t open_nodes_capacity(const policy_space *space)
{
    size_t K = (size_t)space->K,
           policy = sizeof(column) + 2 * K * sizeof(double) + (size_t)space->g->nodes * (sizeof(double) + sizeof(int));
    size_t fit = STORE_BYTES / ((2 * K + 1) * policy);
    return fit > LEAST_OPEN ? fit : LEAST_OPEN;
}

/* The turns of the search over outcomes (plan/outcomes/outcomes_search.h): at OUTCOMES_FIRST nodes, then each time that their
 * number has grown OUTCOMES_AGAIN times, with as much work as the tree has used. */
typedef struct outcomes_turns {
    const policy_space *space;
    const search_options *options;
    double bound;  /* shown by outcomes; -INFINITY: none */
    long long at;  /* nodes of the tree at the next turn */
    pool *threads; /* borrowed; NULL: the caller's thread only */
} outcomes_turns;

/* State of the tree. */
typedef struct outcomes_moment {
    long long nodes, inductions;
    double known; /* the bound */
} outcomes_moment;

static void outcomes_turns_init(outcomes_turns *t, const policy_space *space, const search_options *options, pool *threads)
{
    *t = (outcomes_turns){.space = space, .options = options, .bound = -INFINITY, .at = OUTCOMES_FIRST, .threads = threads};
}

/* Promises must be able to bind. */
static bool wanted(const outcomes_turns *t, const incumbent *inc)
{
    return inc->found && !inc->total && !part_off(t->options->without, VOUCH_PART_OUTCOMES) && !t->space->share &&
           space_may_bind(t->space);
}

static vouch_status ask(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    const search_options *o = t->options;
    outcomes_result result;
    outcomes_limits limits = {.work = outcomes_allowed(&inc->outcomes, now->inductions * t->space->c->arcs, t->space->g),
                              .known = now->known,
                              .time = inc->limit ? inc->limit : &o->limit,
                              .threads = t->threads};
    if (limits.work <= 0) return VOUCH_OK;
    vouch_status status = outcomes_search(t->space, inc, o->gap, &limits, &result);
    log_line(&o->log, VOUCH_LOG_DETAIL, "outcomes: best %.10g, bound %.10g: %lld nodes", incumbent_value(inc), result.bound,
             result.nodes);
    outcomes_note(&inc->outcomes, &result, limits.work);
    t->bound = fmax(t->bound, result.bound);
    return status;
}

/* Runs the search over outcomes if it is its turn; for the maximum regret only. */
static vouch_status outcomes_turns_go_on(outcomes_turns *t, const outcomes_moment *now, incumbent *inc)
{
    if (now->nodes < t->at) return VOUCH_OK;
    t->at = OUTCOMES_AGAIN * now->nodes;
    return wanted(t, inc) ? ask(t, now, inc) : VOUCH_OK;
}

typedef struct tree_search {
    const search_options *options;
    search_result *result;
    incumbent *inc; /* the caller's */
    colgen *colgen; /* the caller's, of solver 0 */
    master_goal goal;
    double floor;                  /* bound known before, or proved by the tree before the restart */
    source_record source[SOURCES]; /* bounds of the root, for the restart */
    int pairs;                     /* likewise: pairs in a set (tree_node) */
    double *pure_gain;             /* [K] recent share of the gap closed by deterministic mixtures; -1: the search is short */
    double *lambda;                /* [3K] initial multipliers of tasks: a worker in this process overwrites those in colgen */
    branching_record record;       /* gains of branching on each choice */
    outcomes_turns outcomes;
    bool strong; /* the tree was restarted with strong branching */
    bool limit;
    long long ids;
    rng random;
    /* the tree */
    open_nodes open;
    tree_node **made; /* [made_count] children of the nodes being merged; NULL: processed in the same task */
    size_t made_count, made_capacity;
    double worst_cut; /* least bound of pruned nodes and fixed options */
    double left;      /* least bound of unfinished nodes */
    /* nodes in progress */
    pool *threads;      /* of the search over outcomes; NULL: the caller's only */
    node_solver solver; /* borrows colgen and inc of the caller */
    node_alone alone;
    node_result answer; /* of one node */
    node_work shared;
    task_work work;
    tasks *tasks;          /* NULL: the search is short */
    tree_node **under_way; /* [window] nodes distributed as tasks: number i is at i % window */
    long long given, merged;
    int window;
    long long inductions, beside; /* used; already reported to options->beside */
} search;

static double cutoff(const search *s) { return incumbent_cutoff(s->inc, s->options->gap); }

static double open_bound(const search *s)
{
    /* The least bound; INFINITY: none is left. */
    const tree_node *least = heap_top(&s->open.by_bound);
    double bound = least ? least->bound : INFINITY;
    for (int i = 0; i < s->open.plunging; i++) bound = fmin(bound, s->open.plunge[i]->bound);
    for (size_t i = 0; i < s->open.stacked; i++) bound = fmin(bound, s->open.stack[i]->bound);
    for (long long i = s->merged; i < s->given; i++) bound = fmin(bound, s->under_way[i % s->window]->bound);
    return bound;
}

static void report(search *s, double bound)
{
    if (s->options->progress)
        s->options->progress(s->options->progress_context, incumbent_value(s->inc), bound, s->result->nodes,
                             (long long)open_nodes_queued(&s->open));
}

static void report_node(search *s, const tree_node *n, const node_result *result, bool pruned)
{
    record_node(s->options, s->colgen->space, n,
                &(node_record){result->end, pruned, result->children, incumbent_value(s->inc), s->inductions});
}

static void prune(search *s, tree_node *n)
{
    s->worst_cut = fmin(s->worst_cut, n->bound);
    s->result->nodes++;
    if (s->options->proof) proof_prune(s->options->proof, n, cutoff(s));
    report_node(s, n, &(node_result){.end = VOUCH_NODE_BOUND}, true);
    tree_node_release(n);
}

/* NULL: none. */
static tree_node *select_node(search *s)
{
    tree_node *n;
    while ((n = open_nodes_take(&s->open)) && n->bound >= cutoff(s)) prune(s, n);
    return n;
}

/* Numbers a child and stores it for queue_children. */
static vouch_status add_child(search *s, tree_node *parent, const child *c)
{
    tree_node *n;
    if (MEM_RESERVE(&s->made, &s->made_capacity, s->made_count) || tree_node_new(parent, &c->made, c->bound, &n))
        return VOUCH_ERROR_MEMORY;
    n->id = ++s->ids;
    s->made[s->made_count++] = n;
    if (s->options->proof) proof_child(s->options->proof, n);
    return VOUCH_OK;
}

/* Queues the new children that are not processed yet; the promising child of the last node merged comes first. */
static vouch_status queue_children(search *s)
{
    bool plunging = s->answer.promising >= 0 && !part_off(s->options->without, VOUCH_PART_PLUNGING);
    for (size_t i = 0; i < s->made_count; i++) {
        if (s->made[i] && open_nodes_put(&s->open, s->made[i], plunging && i + 1 == s->made_count)) return VOUCH_ERROR_MEMORY;
        s->made[i] = NULL;
    }
    s->made_count = 0;
    return VOUCH_OK;
}

static vouch_status merge(search *s, tree_node *n, const node_result *o)
{
    vouch_status status = o->status;
    CHECK(o->promising < o->children && (o->children == 0 || o->end == VOUCH_NODE_BRANCHED));
    s->result->nodes++;
    s->result->pairs_led += bound_leader(n) == SOURCE_PAIRS;
    if (o->limit) {
        s->limit = true;
        s->left = fmin(s->left, n->bound);
    }
    s->worst_cut = fmin(s->worst_cut, o->cut);
    branching_record_note(&s->record, n, o, cutoff(s));
    if (o->pure >= 0) s->pure_gain[o->pure] += SEARCH.pure_weight * (o->pure_gain - s->pure_gain[o->pure]);
    if (!n->parent) {
        MEM_COPY(s->source, n->source, SOURCES);
        s->pairs = n->pairs;
    }
    if (s->options->proof && !status) proof_node(s->options->proof, n, o, cutoff(s));
    for (int i = 0; i < o->children && !status; i++) status = add_child(s, n, &o->made[node_result_child(o, i)]);
    report_node(s, n, o, false);
    if (n->children == 0) tree_node_release(n);
    return status;
}

static bool stop(search *s)
{
    const deadline *limit = &s->options->limit;
    if (s->options->most_inductions > 0 && s->inductions >= s->options->most_inductions) s->limit = true;
    if (deadline_nodes_left(limit, s->result->nodes) < 0 || deadline_iterations_left(limit, s->inductions) < 0) s->limit = true;
    return s->limit || open_nodes_count(&s->open) == 0 || fmax(s->outcomes.bound, s->options->elsewhere) >= cutoff(s);
}

static vouch_status process_alone(search *s)
{
    tree_node *n = select_node(s);
    if (!n) return VOUCH_OK;
    s->colgen->most = deadline_iterations_left(&s->options->limit, s->inductions);
    const node_task_start start = {s->colgen->mix.lambda, s->pure_gain, &s->record, 1};
    node_alone_process(&s->alone, &s->solver, n, n->parent ? NULL : &s->random, &start, &s->answer, &s->inductions);
    vouch_status status = merge(s, n, &s->answer);
    return status ? status : queue_children(s);
}

/* Starts the tasks. A traced search stays in this thread. */
static vouch_status share_work(search *s)
{
    const search_options *o = s->options;
    int workers = o->trace ? 0 : o->workers, threads = o->trace ? 1 : o->threads;
    bool here = workers <= 0 && threads <= 1;
    s->shared = (node_work){s->colgen->space, s->goal, s->inc, o, here ? s->colgen : NULL};
    task_places places = {
        .workers = workers, .threads = threads, .window = s->window, .journal = o->journal, .kind = node_work_kind(&s->shared)};
    s->work = node_task_work(&s->shared);
    MEM_COPY(s->lambda, s->colgen->mix.lambda, 3 * s->colgen->space->K); /* with nu and mu */
    vouch_status status = s->pairs ? bound_keep_pairs(s->colgen->space, o) : VOUCH_OK;
    return status ? status : tasks_new(&s->tasks, &s->work, &places, &o->limit);
}

/* Nodes of the next task: one, plus as many below it as are open per place of the window, since they are processed before better
 * open nodes; at most the remaining limit. */
static int task_grain(const search *s)
{
    long long most = s->options->grain, limit = s->options->limit.limits.nodes;
    long long grain = 1 + (long long)open_nodes_queued(&s->open) / s->window;
    if (limit > 0 && limit - s->result->nodes < most) most = limit - s->result->nodes;
    if (grain > most) grain = most;
    return grain > 1 ? (int)grain : 1;
}

static vouch_status distribute_nodes(search *s)
{
    vouch_status status = VOUCH_OK;
    while (!status && tasks_room(s->tasks) && !stop(s)) {
        tree_node *n = select_node(s);
        if (!n) break;
        message *m = tasks_next_task(s->tasks);
        node_task_write(m, n, s->inc, deadline_iterations_left(&s->options->limit, s->inductions),
                        &(node_task_start){s->lambda, s->pure_gain, &s->record, task_grain(s)});
        s->under_way[s->given++ % s->window] = n;
        status = tasks_give(s->tasks);
    }
    return status;
}

/* A limit or an error ended n. */
static vouch_status merge_nothing(search *s, tree_node *n, vouch_status status)
{
    node_result_begin(&s->answer, status);
    s->answer.limit = !status;
    if (!status) s->answer.end = VOUCH_NODE_LIMIT;
    return merge(s, n, &s->answer);
}

/* Waits for the answer of the oldest task and merges it. */
static vouch_status merge_next(search *s)
{
    tree_node *n = s->under_way[s->merged++ % s->window];
    message *m;
    vouch_status status = tasks_take(s->tasks, &m);
    if (status || !m) return merge_nothing(s, n, status);
    while (n && !status) {
        node_result_begin(&s->answer, VOUCH_OK);
        s->answer.status = node_answer_read(m, n, &s->answer, s->inc, &s->inductions);
        status = merge(s, n, &s->answer);
        if (!status) status = node_answer_next(m, s->made, s->made_count, &n);
    }
    if (!status) tasks_keep(s->tasks);
    return status ? status : queue_children(s);
}

static vouch_status make_root(search *s, const char *why)
{
    CHECK(open_nodes_count(&s->open) == 0);
    tree_node *root;
    if (tree_node_new(NULL, &(decision){.node = -1}, s->floor, &root)) return VOUCH_ERROR_MEMORY;
    root->id = ++s->ids;
    MEM_COPY(root->source, s->source, SOURCES);
    root->pairs = s->pairs;
    if (open_nodes_put(&s->open, root, true)) return VOUCH_ERROR_MEMORY;
    record_tree(s->options->trace, s->colgen->space, &(tree_record){"search", s->goal == MASTER_TOTAL_REGRET, why, root->id});
    return s->options->proof ? proof_begin(s->options->proof, s->colgen->space, s->options, root) : VOUCH_OK;
}

/* Frees an open node; if a limit ended the search, its bound is part of the proof. */
static void drop_node(search *s, tree_node *n)
{
    if (s->options->proof && s->limit) proof_leave(s->options->proof, n);
    tree_node_release(n);
}

static void clear_tree(search *s)
{
    tree_node *n;
    for (size_t i = 0; i < s->made_count; i++)
        if (s->made[i]) drop_node(s, s->made[i]);
    s->made_count = 0;
    while (s->open.plunging) drop_node(s, open_nodes_take(&s->open));
    for (; s->merged < s->given; s->merged++) drop_node(s, s->under_way[s->merged % s->window]);
    while ((n = open_nodes_take(&s->open))) drop_node(s, n);
}

static double proved_bound(const search *s)
{
    return fmin(fmin(open_bound(s), s->left), fmin(s->worst_cut, incumbent_value(s->inc)));
}

/* Includes the initial bound and the bound by outcomes; known_bound also includes external bounds, which a restart must not put
 * into its root. */
static double shown_bound(const search *s) { return fmax(fmax(s->floor, s->outcomes.bound), proved_bound(s)); }
static double known_bound(const search *s) { return fmax(shown_bound(s), fmin(s->options->elsewhere, incumbent_value(s->inc))); }

/* Do outcomes and deterministic mixtures pay? */
static bool is_long(const search *s)
{
    return (double)s->inductions * (SEARCH.master_cost + s->colgen->space->c->arcs) >= SEARCH.begin_work;
}

static void begin_deterministic(search *s)
{
    if (s->pure_gain[0] >= 0 || !is_long(s)) return;
    for (int k = 0; k < s->colgen->space->K; k++) s->pure_gain[k] = SEARCH.pure_expected;
}

/* A search over outcomes may show that nothing below the cutoff remains. */
static vouch_status search_outcomes(search *s)
{
    if (s->goal != MASTER_MAX_REGRET || !is_long(s)) return VOUCH_OK;
    return outcomes_turns_go_on(&s->outcomes, &(outcomes_moment){s->result->nodes, s->inductions, known_bound(s)}, s->inc);
}

static vouch_status run_beside(search *s)
{
    long long more = s->inductions - s->beside;
    s->beside = s->inductions;
    if (!s->options->beside || more == 0) return VOUCH_OK;
    return s->options->beside(s->options->beside_context, s->colgen->space, more, s->inc);
}

static void report_state(const search *s, int news)
{
    if (!record_wanted(s->options)) return;
    record_state(s->options, s->colgen->space,
                 &(search_state){.nodes = s->result->nodes,
                                 .open = (long long)open_nodes_count(&s->open) + (s->given - s->merged),
                                 .work = s->inductions,
                                 .best = incumbent_value(s->inc),
                                 .bound = known_bound(s),
                                 .news = news});
}

/* The first branchings, by mass, may be poor: a long search restarts with strong branching. */
static vouch_status restart(search *s)
{
    s->strong = true;
    if (!s->options->proof) s->floor = shown_bound(s); /* a proof has one tree */
    clear_tree(s);
    s->worst_cut = INFINITY;
    return make_root(s, "the search is long so it starts again and tries before it branches");
}

/* Merges at least one more node. False: the search is over. */
static bool advance(search *s, vouch_status *status)
{
    begin_deterministic(s);
    *status = search_outcomes(s);
    if (!*status) *status = run_beside(s);
    if (*status) return false;
    if (stop(s) && !s->tasks) return false;
    if (!s->tasks && s->result->nodes < s->options->alone) {
        *status = process_alone(s);
        return true;
    }
    if (!s->strong) *status = restart(s);
    if (!*status && !s->tasks) *status = share_work(s);
    if (!*status) *status = distribute_nodes(s);
    if (*status || s->merged == s->given) return *status != VOUCH_OK;
    *status = merge_next(s);
    return true;
}

static vouch_status start(search *s)
{
    const search_options *so = s->options;
    size_t most_open = so->most_open > 0 ? (size_t)so->most_open : open_nodes_capacity(s->colgen->space);
    s->floor = fmax(so->proof ? -INFINITY : so->floor, 0);
    s->ids = so->first_id - 1;
    for (int i = 0; i < SOURCES; i++) s->source[i].bound = -INFINITY;
    s->pairs = !part_off(so->without, VOUCH_PART_PARETO) && pareto_bound_may_bind(s->colgen->space, so->determinism);
    if (so->threads > 1 && so->workers <= 0 && !(s->threads = pool_new(so->threads))) return VOUCH_ERROR_MEMORY;
    outcomes_turns_init(&s->outcomes, s->colgen->space, so, s->threads);
    s->window = s->options->window > 0 ? s->options->window : SEARCH.window;
    s->under_way = MEM_NEW(tree_node *, s->window);
    vouch_status status = s->under_way ? open_nodes_init(&s->open, s->window + 1, most_open) : VOUCH_ERROR_MEMORY;
    if (!status) status = make_root(s, "the search begins");
    if (!status) status = node_result_init(&s->answer, s->colgen->space, so);
    if (status) return status;
    int K = s->colgen->space->K;
    s->pure_gain = MEM_NEW(double, 4 * K);
    if (!s->pure_gain || branching_record_new(s->colgen->space->g, &s->record)) return VOUCH_ERROR_MEMORY;
    s->lambda = s->pure_gain + K;
    for (int k = 0; k < K; k++) s->pure_gain[k] = -1;
    colgen_set_goal(s->colgen, s->goal, s->inc->bound_cap);
    s->colgen->gap = so->gap;
    status = node_alone_init(&s->alone, &(node_work){s->colgen->space, s->goal, s->inc, so, NULL});
    return status ? status : node_solver_init(&s->solver, s->colgen, s->inc, so);
}

static void conclude(search *s, vouch_status status)
{
    search_result *result = s->result;
    double bound = known_bound(s), value = incumbent_value(s->inc);
    bool done = !status && !s->limit;
    debug_bound_check(bound, value);
    result->bound = bound;
    result->limit = s->limit;
    result->inductions = s->inductions;
    result->ids = s->ids;
    result->infeasible = done && !s->inc->found && !isfinite(bound);
    /* a node ended by numerical trouble leaves its bound below the incumbent: then nothing is proved */
    result->proved = result->infeasible || (done && s->inc->found && value - bound <= s->options->gap + s->colgen->space->rounding);
    report(s, bound);
    report_state(s, log_due(result->nodes) ? -1 : 1);
    if (s->tasks) tasks_log(s->tasks, &s->options->log);
}

vouch_status search_begin(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result,
                          tree_search **out)
{
    *result = (search_result){.bound = -INFINITY};
    search *s = *out = MEM_ZERO(search, 1);
    if (!s) return VOUCH_ERROR_MEMORY;
    s->options = options;
    s->result = result;
    s->inc = inc;
    s->colgen = cg;
    s->goal = goal;
    s->worst_cut = s->left = INFINITY;
    s->random = rng_seed(options->seed);
    return start(s);
}

vouch_status search_continue(search *s)
{
    vouch_status status = VOUCH_OK;
    double before = incumbent_value(s->inc);
    s->limit = false;
    for (; !status && advance(s, &status); before = incumbent_value(s->inc)) {
        report_state(s, incumbent_value(s->inc) < before);
        if (s->result->nodes % SEARCH.reported != 0) continue;
        /* Contract (debug builds): open nodes are leaves with a counted parent, ids are at most `ids`, bounds at least `floor`. */
        for (int i = 0; i < s->open.plunging; i++) check(s->open.plunge[i], s->ids, s->floor);
        for (size_t i = 0; i < s->open.stacked; i++) check(s->open.stack[i], s->ids, s->floor);
        for (size_t i = 0; i < s->open.by_bound.count; i++) check(s->open.by_bound.item[i], s->ids, s->floor);
        for (size_t i = 1; i < s->open.by_bound.count; i++)
            CHECK(tree_node_before(NULL, s->open.by_bound.item[(i - 1) / 2], s->open.by_bound.item[i]));
        report(s, known_bound(s));
    }
    conclude(s, status);
    s->colgen->most = 0;
    return status;
}

void search_end(search *s)
{
    if (!s) return;
    clear_tree(s);
    CHECK(open_nodes_count(&s->open) == 0);
    heap_free(&s->open.by_bound);
    mem_free(s->open.stack);
    mem_free(s->open.plunge);
    mem_free(s->made);
    mem_free(s->pure_gain);
    arena_free(&s->record.memory);
    mem_free(s->under_way);
    tasks_free(s->tasks);
    node_result_clear(&s->answer);
    node_alone_clear(&s->alone);
    if (s->solver.colgen) node_solver_clear(&s->solver);
    pool_free(s->threads);
    mem_free(s);
}

/* Nodes processed one by one before tasks begin. */
enum { ALONE = 128 };

void search_options_init(search_options *options)
{
    *options = (search_options){.gap = 1e-6,
                                .floor = -INFINITY,
                                .elsewhere = -INFINITY,
                                .patience = 0.05,
                                .perturbations = 20,
                                .seed = 1,
                                .threads = 1,
                                .first_id = 1};
    options->alone = ALONE;
}

/* ---- a group of processes ---- */

static void code_end(codec c, const colgen *cg, incumbent *inc, const search_options *options, search_result *result)
{
    int K = cg->space->K;
    code_bool(c, &result->proved);
    code_bool(c, &result->infeasible);
    code_bool(c, &result->limit);
    code_real(c, &result->bound);
    code_long(c, &result->nodes);
    code_long(c, &result->inductions);
    code_long(c, &result->ids);
    if (options->determinism) CODE(c, options->determinism, K);
    code_bool(c, &inc->found);
    CODE(c, inc->best, cg->space->g->nodes);
    CODE(c, inc->value.U, K);
    CODE(c, inc->value.Pr, K);
    code_real(c, &inc->value.max_regret);
    code_real(c, &inc->value.total_regret);
}

/* The other processes work for the first. */
static vouch_status serve(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    node_work shared = {cg->space, goal, inc, options, NULL};
    task_work work = node_task_work(&shared);
    message last = {0};
    *result = (search_result){.bound = -INFINITY};
    vouch_status status = group_serve(node_work_kind(&shared), &work, &last);
    if (!status) code_end(reading(&last), cg, inc, options, result);
    if (!status && last.failed) status = VOUCH_ERROR_IO;
    message_free(&last);
    return status;
}

vouch_status search_run(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    tree_search *s;
    vouch_status status = search_begin(cg, inc, goal, options, result, &s);
    if (!status) status = search_continue(s);
    search_end(s);
    return status;
}

vouch_status search_shared(colgen *cg, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    if (options->workers > 0 && group_is_worker()) return serve(cg, inc, goal, options, result);
    vouch_status status = search_run(cg, inc, goal, options, result);
    if (options->workers <= 0 || group_workers() == 0) return status;
    message last = {0};
    code_end(writing(&last), cg, inc, options, result);
    group_finish(node_work_kind(&(node_work){cg->space, goal, inc, options, NULL}), &last);
    message_free(&last);
    return status;
}

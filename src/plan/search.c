/* plan/search.c - see search.h. The loop reads: take a node, restrict, bound, round, branch. */
#include "plan/search.h"

#include <math.h>
#include <string.h>

#include "base/log.h"
#include "base/memory.h"

/* A policy node disagrees when more than this mass of the mixture is off its heaviest option. */
static const double DISAGREE = 1e-9;
/* Columns a node hands to its children: those of the mixture and the newest, in multiples of the master's rows. */
static const int INHERIT = 3;

typedef struct decision {
    int node;       /* policy node, -1 at the root */
    int option;     /* the one option allowed, or -1: a split of its frontier */
    int coordinate; /* of the vectors: k, or K + k */
    double threshold;
    bool above;     /* keep vectors above the threshold, else at or below */
} decision;

typedef struct tree_node {
    long long id;
    struct tree_node *parent;
    int children; /* alive below; a node is freed when processed and without children */
    int depth;
    decision made;
    double bound;
    column **columns; /* inherited by the children */
    int count;
    double *multipliers; /* [2K] */
} tree_node;

typedef struct tree {
    relaxation *r;
    incumbent *inc;
    const search_options *options;
    search_result *result;
    tree_node **heap; /* open nodes, least bound first */
    size_t open, capacity;
    tree_node *next;  /* plunging: the child to take now, or NULL */
    double worst_cut; /* least bound among nodes cut off or given up with a bound below the incumbent */
    long long ids;
    int *pick;        /* [nodes] */
    int *heaviest;    /* [nodes] option */
    double *probed;      /* [A] bounds of children */
    unsigned char *was;  /* [A] */
    rng random;
    bool feasible;    /* some node's relaxation was not infeasible */
} tree;

void search_options_init(search_options *options)
{
    *options = (search_options){.gap = 1e-6, .patience = 0.05, .shakes = 20, .seed = 1};
}

static void node_release(tree_node *n)
{
    while (n && n->children == 0) {
        tree_node *parent = n->parent;
        for (int i = 0; i < n->count; i++) column_release(n->columns[i]);
        mem_free(n->columns);
        mem_free(n->multipliers);
        mem_free(n);
        if (!parent) return;
        parent->children--;
        n = parent;
    }
}

static bool before(const tree_node *a, const tree_node *b)
{
    if (a->bound != b->bound) return a->bound < b->bound;
    if (a->depth != b->depth) return a->depth > b->depth;
    return a->id < b->id;
}

static vouch_status heap_push(tree *t, tree_node *n)
{
    if (mem_reserve((void **)&t->heap, &t->capacity, t->open, sizeof *t->heap)) return VOUCH_ERROR_MEMORY;
    size_t i = t->open++;
    while (i > 0 && before(n, t->heap[(i - 1) / 2])) {
        t->heap[i] = t->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    t->heap[i] = n;
    return VOUCH_OK;
}

static tree_node *heap_pop(tree *t)
{
    tree_node *top = t->heap[0], *last = t->heap[--t->open];
    size_t i = 0;
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= t->open) break;
        if (child + 1 < t->open && before(t->heap[child + 1], t->heap[child])) child++;
        if (!before(t->heap[child], last)) break;
        t->heap[i] = t->heap[child];
        i = child;
    }
    if (t->open) t->heap[i] = last;
    return top;
}

static double cutoff(const tree *t)
{
    double value = incumbent_value(t->inc);
    return value - t->options->gap;
}

/* Options allowed at the node: all, restricted by each decision on the way to the root. */
static void restrict_options(tree *t, const tree_node *n)
{
    const know_classes *c = t->r->space->c;
    const know_graph *g = t->r->space->g;
    const frontier *f = t->r->space->f;
    unsigned char *allowed = t->r->allowed;
    memset(allowed, 1, (size_t)c->options);
    for (; n && n->made.node >= 0; n = n->parent) {
        const decision *d = &n->made;
        if (d->option >= 0) {
            unsigned char was = allowed[d->option];
            memset(allowed + g->choice_start[d->node], 0, (size_t)(g->choice_start[d->node + 1] - g->choice_start[d->node]));
            allowed[d->option] = was;
            continue;
        }
        for (int v = f->start[d->node]; v < f->start[d->node] + f->count[d->node]; v++) {
            double x = f->value[(size_t)v * 2 * (size_t)g->K + (size_t)d->coordinate];
            if ((x > d->threshold) != d->above) allowed[g->choices + v] = 0;
        }
    }
}

/* From the mixture's mass: the heaviest option of each policy node, and the node that disagrees most (-1: none). */
static int find_disagreement(tree *t)
{
    const know_graph *g = t->r->space->g;
    const frontier *f = t->r->space->f;
    relaxation *r = t->r;
    relaxation_mass(r);
    int worst = -1;
    double most = DISAGREE;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int first = g->choice_start[n], last = g->choice_start[n + 1];
        if (f && n < g->time_start[g->L + 1] && f->count[n] >= 0) {
            first = g->choices + f->start[n];
            last = first + f->count[n];
        }
        double sum = 0, top = 0;
        int heaviest = -1;
        for (int o = first; o < last; o++) {
            sum += r->mass[o];
            if (r->mass[o] > top) {
                top = r->mass[o];
                heaviest = o;
            }
        }
        t->heaviest[n] = heaviest;
        if (sum - top > most) {
            most = sum - top;
            worst = n;
        }
    }
    return worst;
}

/* Rounds the mixture to one choice a node and offers it. */
static void round_mixture(tree *t, int passes)
{
    const know_graph *g = t->r->space->g;
    for (int n = 0; n < g->nodes; n++) t->pick[n] = t->inc->found ? t->inc->best[n] : -1;
    for (int n = g->time_start[g->T] - 1; n >= 0; n--) { /* nodes above a frontier come later: their choice stands */
        int o = t->heaviest[n];
        if (o < 0) continue;
        if (o >= g->choices) frontier_apply(t->r->space->f, g, o - g->choices, t->pick);
        else t->pick[n] = o;
    }
    incumbent_offer(t->inc, t->pick, passes);
}

static vouch_status add_child(tree *t, tree_node *parent, decision d, double bound, bool plunge)
{
    tree_node *n = MEM_ZERO(tree_node, 1);
    if (!n) return VOUCH_ERROR_MEMORY;
    n->id = ++t->ids;
    n->parent = parent;
    n->depth = parent->depth + 1;
    n->made = d;
    n->bound = bound;
    parent->children++;
    if (plunge) {
        t->next = n;
        return VOUCH_OK;
    }
    vouch_status status = heap_push(t, n);
    if (status) node_release(n);
    return status;
}

/* Splits the frontier of `node` where the mixture's vectors spread most (mass-weighted variance), at their mean. */
static vouch_status split_frontier(tree *t, tree_node *n, int node)
{
    const know_graph *g = t->r->space->g;
    const frontier *f = t->r->space->f;
    int dim = 2 * g->K, best = -1;
    double best_variance = 0, threshold = 0;
    for (int i = 0; i < dim; i++) {
        double sum = 0, mean = 0, square = 0;
        for (int v = f->start[node]; v < f->start[node] + f->count[node]; v++) {
            double mass = t->r->mass[g->choices + v], x = f->value[(size_t)v * (size_t)dim + (size_t)i];
            sum += mass;
            mean += mass * x;
            square += mass * x * x;
        }
        mean /= sum;
        double variance = square / sum - mean * mean;
        if (variance > best_variance * (1 + 1e-9)) {
            best_variance = variance;
            best = i;
            threshold = mean;
        }
    }
    if (best < 0) return VOUCH_OK;
    int heavy = t->heaviest[node];
    bool heavy_above = f->value[(size_t)(heavy - g->choices) * (size_t)dim + (size_t)best] > threshold;
    decision d = {.node = node, .option = -1, .coordinate = best, .threshold = threshold};
    d.above = !heavy_above;
    vouch_status status = add_child(t, n, d, n->bound, false);
    d.above = heavy_above;
    if (!status) status = add_child(t, n, d, n->bound, true);
    return status;
}

/* One child an action at policy node n, each with the Lagrangian bound of one probing induction; those at the cutoff are not
 * made. The most promising is taken next. (Choosing n by the gain of such probes instead of by mass was tried and makes much
 * larger trees: small gains at late nodes win over the early decisions that matter.) */
static vouch_status branch(tree *t, tree_node *node, int n)
{
    const know_graph *g = t->r->space->g;
    unsigned char *allowed = t->r->allowed;
    int first = g->choice_start[n], count = g->choice_start[n + 1] - first, time = know_time(g, n), best = -1;
    double limit = cutoff(t);
    vouch_status status = VOUCH_OK;
    memcpy(t->was, allowed + first, (size_t)count);
    memset(allowed + first, 0, (size_t)count);
    for (int i = 0; i < count; i++) {
        t->probed[i] = INFINITY;
        if (!t->was[i] || g->choice_twin[first + i] != first + i) continue;
        allowed[first + i] = 1;
        t->probed[i] = fmax(node->bound, relaxation_probe(t->r, time));
        allowed[first + i] = 0;
        if (t->probed[i] >= limit) {
            t->worst_cut = fmin(t->worst_cut, t->probed[i]);
            t->probed[i] = INFINITY;
            continue;
        }
        if (best < 0 || t->probed[i] < t->probed[best] || (t->probed[i] == t->probed[best] && first + i == t->heaviest[n])) best = i;
    }
    for (int i = 0; i < count && !status; i++)
        if (i != best && t->probed[i] < INFINITY) status = add_child(t, node, (decision){.node = n, .option = first + i}, t->probed[i], false);
    if (best >= 0 && !status) status = add_child(t, node, (decision){.node = n, .option = first + best}, t->probed[best], true);
    return status;
}

/* Keeps for the children the columns of the mixture and the newest ones, and the multipliers. */
static vouch_status bequeath(tree *t, tree_node *n)
{
    relaxation *r = t->r;
    int K = r->space->K, most = INHERIT * (2 * K + 1);
    n->columns = MEM_NEW(column *, r->count);
    n->multipliers = MEM_NEW(double, 2 * K);
    if (!n->columns || !n->multipliers) return VOUCH_ERROR_MEMORY;
    for (int i = 0; i < r->count; i++)
        if (r->alpha[i] > 0 || i >= r->count - most) {
            r->columns[i]->refs++;
            n->columns[n->count++] = r->columns[i];
        }
    memcpy(n->multipliers, r->lambda, (size_t)K * sizeof(double));
    memcpy(n->multipliers + K, r->mu, (size_t)K * sizeof(double));
    return VOUCH_OK;
}

/* Bounds one node and branches. Sets *limit when the node was left unfinished. */
static vouch_status process(tree *t, tree_node *n, bool *limit)
{
    relaxation *r = t->r;
    int K = r->space->K;
    restrict_options(t, n);
    if (n->parent) {
        memcpy(r->lambda, n->parent->multipliers, (size_t)K * sizeof(double));
        memcpy(r->mu, n->parent->multipliers + K, (size_t)K * sizeof(double));
    }
    vouch_status status = relaxation_start(r, n->parent ? n->parent->columns : NULL, n->parent ? n->parent->count : 0);
    if (status) return status;
    double patience = t->options->patience;
    for (;;) {
        relaxation_end end;
        status = relaxation_solve(r, cutoff(t), patience, &t->options->limit, &end);
        if (status) return status;
        n->bound = fmax(n->bound, r->bound);
        if (end == RELAXED_LIMIT) {
            *limit = true;
            return VOUCH_OK;
        }
        if (end == RELAXED_INFEASIBLE) return VOUCH_OK;
        t->feasible = true;
        if (end == RELAXED_CUT) {
            t->worst_cut = fmin(t->worst_cut, n->bound);
            return VOUCH_OK;
        }
        int node = find_disagreement(t);
        round_mixture(t, n->parent ? 2 : 20);
        if (!n->parent && t->options->shakes > 0 && t->inc->found && incumbent_value(t->inc) - n->bound > t->options->gap)
            incumbent_shake(t->inc, &t->random, t->options->shakes, 3, 10);
        if (n->bound >= cutoff(t)) {
            t->worst_cut = fmin(t->worst_cut, n->bound);
            return VOUCH_OK;
        }
        if (node >= 0) {
            status = bequeath(t, n);
            if (status) return status;
            return t->heaviest[node] >= t->r->space->g->choices ? split_frontier(t, n, node) : branch(t, n, node);
        }
        if (patience == 0 || end == RELAXED_SOLVED) { /* the mixture is one policy: solved, but for rounding */
            t->worst_cut = fmin(t->worst_cut, n->bound);
            return VOUCH_OK;
        }
        patience = 0; /* stopped early without disagreement: finish the bound */
    }
}

static double open_bound(const tree *t)
{
    double bound = t->open ? t->heap[0]->bound : INFINITY;
    if (t->next) bound = fmin(bound, t->next->bound);
    return bound;
}

static void report(tree *t, double bound)
{
    if (t->options->progress)
        t->options->progress(t->options->progress_context, incumbent_value(t->inc), bound, t->result->nodes, (long long)t->open);
}

vouch_status search_run(relaxation *r, incumbent *inc, master_goal goal, const search_options *options, search_result *result)
{
    const know_graph *g = r->space->g;
    *result = (search_result){.bound = -INFINITY};
    tree t = {.r = r, .inc = inc, .options = options, .result = result, .worst_cut = INFINITY, .random = rng_seed(options->seed)};
    long long sweeps_before = r->sweeps;
    vouch_status status = VOUCH_ERROR_MEMORY;
    t.pick = MEM_NEW(int, g->nodes);
    t.heaviest = MEM_NEW(int, g->nodes);
    t.probed = MEM_NEW(double, g->m->A);
    t.was = MEM_NEW(unsigned char, g->m->A);
    tree_node *root = MEM_ZERO(tree_node, 1);
    bool limit = false;
    double left_bound = INFINITY; /* of a node left unfinished */
    if (!t.pick || !t.heaviest || !t.probed || !t.was || !root) {
        mem_free(root);
        goto done;
    }
    relaxation_goal(r, goal, inc->cap);
    root->id = ++t.ids;
    root->made.node = -1;
    root->bound = 0; /* no regret is negative: U*_c is an upper bound */
    t.next = root;
    status = VOUCH_OK;
    while (!status && !limit && (t.next || t.open)) {
        tree_node *n = t.next;
        t.next = NULL;
        if (!n) n = heap_pop(&t);
        if (n->bound >= cutoff(&t)) {
            t.worst_cut = fmin(t.worst_cut, n->bound);
            node_release(n);
            continue;
        }
        bool worked_out = options->most_sweeps > 0 && r->sweeps - sweeps_before >= options->most_sweeps;
        if (worked_out || (options->limit.limits.nodes > 0 && result->nodes >= options->limit.limits.nodes)) {
            left_bound = n->bound;
            limit = true;
            node_release(n);
            break;
        }
        result->nodes++;
        status = process(&t, n, &limit);
        if (limit) left_bound = n->bound;
        if (n->children == 0) node_release(n);
        if ((result->nodes & 15) == 0) report(&t, fmin(open_bound(&t), incumbent_value(inc)));
    }
    double bound = fmin(fmin(open_bound(&t), left_bound), fmin(t.worst_cut, incumbent_value(inc)));
    result->proved = !status && !limit;
    result->infeasible = result->proved && !inc->found && !isfinite(bound);
    result->bound = bound;
    result->sweeps = r->sweeps - sweeps_before;
    report(&t, bound);
done:
    if (t.next) node_release(t.next);
    while (t.open) node_release(heap_pop(&t));
    mem_free(t.heap);
    mem_free(t.pick);
    mem_free(t.heaviest);
    mem_free(t.probed);
    mem_free(t.was);
    return status;
}

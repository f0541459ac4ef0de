/* plan/spatial/box_pricer.c - the value of the best policy of a box at given prices, by the faster of two searches.
 *
 * V of (6.1) lets each class of a policy node choose for itself; this maximum is over policies, so it is never more. One search
 * uses likelihood classes (corner_search.c), fast where histories are many and classes few; one goes stage by stage over the
 * graph of corners (plan/stage/stagewise.h), fast where histories meet at nodes. They take turns with growing budgets, each begins
 * with the best policy of the other, and the one that ended last time is first the next time. Source: src/THEORY.md, 6. Invariant:
 * `upper` is never less than the value of a policy of the box, unless that is no more than task->least.
 */
#include "plan/spatial/box.h"

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"
#include "plan/stage/stagewise.h"
#include "policy/parameters.h"

/* ---- corners, and the graph of policies over them ---------------------------------------------------------------------- */

/* Corners nearer than this are one. */
static const double SAME = 1e-14;

/* A box of `count` choices whose sum is 1 has at most count * binomial(count - 1, (count - 1) / 2) corners. There is room for one
 * more, which only rounding can make. */
static int corners_of(int count)
{
    static const int most[CORNER_CHOICES + 1] = {0, 1, 2, 6, 12, 30};
    return most[count];
}

static bool box_corners_fit(const know_graph *g)
{
    for (int n = 0; n < g->time_start[g->T]; n++)
        if (box_choices(g, n) > CORNER_CHOICES) return false;
    return true;
}

static vouch_status box_corners_make(box_corners *x, const know_graph *g, arena *a)
{
    size_t shares = 0;
    int decided = g->time_start[g->T], corners = 0;
    CHECK(box_corners_fit(g));
    *x = (box_corners){.g = g};
    x->start = ARENA_NEW(a, int, decided + 1);
    x->count = ARENA_ZERO(a, int, decided);
    x->share_start = ARENA_NEW(a, size_t, decided);
    x->open = ARENA_NEW(a, unsigned char, g->choices);
    if (a->failed) return VOUCH_ERROR_MEMORY;
    x->start[0] = 0;
    for (int n = 0; n < decided; n++) {
        int room = corners_of(box_choices(g, n)) + 1;
        x->share_start[n] = shares;
        shares += (size_t)(room * box_choices(g, n));
        corners += room;
        x->start[n + 1] = corners;
    }
    x->share = ARENA_NEW(a, double, shares);
    return a->failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* The corner of node n with all choices but `loose` at the sides given by bits (1: high), the loose one with the rest; counted if
 * it is one and new. */
static void add_corner(box_corners *x, int n, int loose, unsigned sides, policy_box in)
{
    int count = box_choices(x->g, n), first = x->g->choice_start[n];
    double *share = box_corner(x, n, x->count[n]), left = 1;
    for (int i = 0; i < count; i++)
        if (i != loose) left -= share[i] = (sides >> i & 1 ? in.high : in.low)[first + i];
    if (left < in.low[first + loose] - BOX_ROUNDING || left > in.high[first + loose] + BOX_ROUNDING) return;
    share[loose] = fmax(0, left);
    for (int j = 0; j < x->count[n]; j++) {
        double off = 0;
        for (int i = 0; i < count; i++) off = fmax(off, fabs(box_corner(x, n, j)[i] - share[i]));
        if (off <= SAME) return;
    }
    x->count[n]++;
}

/* ---- the graph of corners ---- */

static void box_graph_make(box_graph *x, const box_corners *at, arena *a)
{
    const know_graph *g = at->g;
    size_t K = (size_t)g->K, edges = 0, corners = (size_t)at->start[g->time_start[g->T]];
    for (int n = 0; n < g->time_start[g->T]; n++)
        edges += (size_t)(at->start[n + 1] - at->start[n]) *
                 (size_t)(g->edge_start[g->choice_start[n + 1]] - g->edge_start[g->choice_start[n]]);
    know_graph *own = &x->g;
    x->at = at;
    *own = *g;
    own->choices = (int)corners;
    own->choice_start = ARENA_NEW(a, int, g->nodes + 1);
    own->choice_pair = ARENA_NEW(a, int, corners);
    own->choice_twin = ARENA_NEW(a, int, corners);
    own->edge_start = ARENA_NEW(a, int, corners + 1);
    own->edge_child = ARENA_NEW(a, int, edges);
    own->edge_row = ARENA_NEW(a, int, edges);
    own->successor_prob = ARENA_NEW(a, double, edges *K);
    own->reward = ARENA_NEW(a, double, corners *K);
    x->edge_at = ARENA_NEW(a, int, g->nodes);
}

/* Adds the successors of a choice, taken with probability `part`, to the edges of the corner, which begin at `first`. */
static void add_edges(box_graph *x, int choice, double part, int first)
{
    const know_graph *g = x->at->g;
    know_graph *own = &x->g;
    size_t K = (size_t)g->K;
    for (int e = g->edge_start[choice]; e < g->edge_start[choice + 1]; e++) {
        int child = g->edge_child[e], set = g->set[child], at = x->edge_at[child];
        if (at < first) {
            at = x->edge_at[child] = own->edges++;
            own->edge_child[at] = child;
            own->edge_row[at] = at;
            memset(own->successor_prob + (size_t)at * K, 0, K * sizeof *own->successor_prob);
        }
        const double *p = g->successor_prob + (size_t)g->edge_row[e] * K;
        double *to = own->successor_prob + (size_t)at * K;
        for (int i = g->member_start[set]; i < g->member_start[set + 1]; i++) to[g->member[i]] += part * p[g->member[i]];
    }
}

void box_graph_enter(box_graph *x)
{
    const know_graph *g = x->at->g;
    know_graph *own = &x->g;
    own->choices = own->edges = 0;
    own->edge_start[0] = 0;
    for (int n = 0; n < g->nodes; n++) x->edge_at[n] = -1;
    for (int n = 0; n < g->nodes; n++) {
        own->choice_start[n] = own->choices;
        if (n >= g->time_start[g->T]) continue;
        for (int j = 0; j < x->at->count[n]; j++) {
            const double *share = box_corner(x->at, n, j);
            int first = own->edges;
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                if (share[c - g->choice_start[n]] > 0) add_edges(x, c, share[c - g->choice_start[n]], first);
            own->choice_pair[own->choices] = own->choice_twin[own->choices] = own->choices;
            own->edge_start[++own->choices] = own->edges;
        }
    }
    own->choice_start[g->nodes] = own->choices;
}

void box_graph_price(box_graph *x, const double reward[], const double mu[])
{
    const know_graph *g = x->at->g;
    const know_graph *own = &x->g;
    size_t K = (size_t)g->K;
    for (int n = 0; n < g->time_start[g->T]; n++)
        for (int j = 0; j < x->at->count[n]; j++) {
            int choice = own->choice_start[n] + j;
            double *r = own->reward + (size_t)choice * K;
            const double *share = box_corner(x->at, n, j);
            memset(r, 0, K * sizeof *r);
            for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
                for (size_t k = 0; k < K; k++) r[k] += share[c - g->choice_start[n]] * reward[(size_t)c * K + k];
            for (int e = own->edge_start[choice]; e < own->edge_start[choice + 1] && n >= g->time_start[g->T - 1]; e++)
                for (int i = g->member_start[g->set[own->edge_child[e]]]; i < g->member_start[g->set[own->edge_child[e]] + 1];
                     i++) {
                    size_t k = (size_t)g->member[i];
                    r[k] += own->successor_prob[(size_t)e * K + k] * mu[k] * know_terminal(g, own->edge_child[e], (int)k);
                }
            for (size_t k = 0; k < K; k++) r[k] *= (double)K;
        }
}

/* ---- a proof that no policy of a box exceeds a value at given prices, node after node in the order of
 * time ----
 *
 * The tree is the one of the search by stages (plan/stage/stagewise.h) over the corners of a box: a case ends where
 *
 *     value of the decisions  +  sum of V_n(w(n)) over nodes that are not decided
 *
 * does not exceed it, w(n) the probabilities of reaching n and V the most that can be earned from there on if each history decides
 * for itself. It is made for proofs, when the value is known already. Cost: exponential in the nodes of all times but the last.
 * Invariant: w holds the probabilities of the decided nodes' successors.
 */

/* The checker takes no more; each step is a call deeper. */
enum { MOST_AHEAD = 2000 };

typedef struct stage_proof {
    const know_graph *g; /* whose choices are corners */
    stage_path path;
    const corner_task *task;
    double cut;         /* the largest bound of a case that has ended */
    double work, most;  /* visits of a reader who computes every V of each case anew: done, at most */
    int ahead;          /* steps that V looks ahead; the environment is revealed there */
    double *value;      /* [nodes] V at the nodes of the next time */
    int *order, *count; /* [nodes], [T] nodes that are reached, heaviest first */
    double *rest;       /* [nodes + T + 1] sum of V from a place of the order on */
    stage_offer *mass;  /* [nodes] scratch */
    double *cost;       /* [nodes] visits that V of a node took when it was last found */
    arena memory;
} stage_proof;

static const double *w_of(const stage_proof *f, int n) { return f->path.w + (size_t)n * (size_t)f->g->K; }

static bool stopped(const stage_proof *f)
{
    return f->work > f->most || (double)f->path.values.visits > f->most || deadline_expired(f->task->limit);
}

/* The root is decided in any case, and its V would be dear. */
static double value_of(stage_proof *f, int n, int t)
{
    stagewise_values *v = &f->path.values;
    long long before = v->visits;
    double most = t == 0 && f->g->T > 1 ? INFINITY : stagewise_value(v, n, t, f->ahead, w_of(f, n));
    f->cost[n] = (double)(v->visits - before);
    return most;
}

/* Takes a choice at node n, of time t: its pay, and the growth of V of the successors. */
static double apply(stage_proof *f, int n, int t, int choice)
{
    const know_graph *g = f->g;
    double made = stagewise_reward(g, n, choice, w_of(f, n));
    stage_path_lead(&f->path, n, choice);
    for (int e = g->edge_start[choice]; e < stage_path_last_edge(g, n, choice); e++) {
        int child = g->edge_child[e];
        double v = value_of(f, child, t + 1);
        made += v - f->value[child];
        f->value[child] = v;
    }
    return made;
}

/* Case `number` ends, in which nodes of time t are not decided from place i of the order on. */
static void end_case(stage_proof *f, int t, int i, int number, double bound)
{
    const know_graph *g = f->g;
    const corner_witness *w = f->task->witness;
    for (; i < f->count[t]; i++) f->work += f->cost[f->order[g->time_start[t] + i]];
    for (int n = g->time_start[t + 1]; n < g->time_start[t + 2] && t + 1 < g->T; n++) f->work += f->value[n] > 0 ? f->cost[n] : 1;
    f->cut = fmax(f->cut, bound);
    if (w) w->leaf(w->context, number);
}

static void decide_time(stage_proof *f, int t, double made, int number);

/* Case `number`, where nodes of time t are decided up to place i of the order. made: their pay and the pay before, with V of the
 * successors.
 */
static void decide(stage_proof *f, int t, int i, double made, int number)
{
    const know_graph *g = f->g;
    const corner_witness *w = f->task->witness;
    if (i == f->count[t]) {
        for (int n = g->time_start[t + 1]; n < g->time_start[t + 2]; n++) made -= f->value[n];
        decide_time(f, t + 1, made, number);
        return;
    }
    int n = f->order[g->time_start[t] + i], first = w ? w->split(w->context, number, n) : 0;
    double after = f->rest[g->time_start[t] + t + i + 1];
    for (int c = g->choice_start[n]; c < g->choice_start[n + 1] && !stopped(f); c++) {
        double now = made + apply(f, n, t, c);
        int child = first + c - g->choice_start[n];
        if (now + after <= f->task->least)
            end_case(f, t, i + 1, child, now + after);
        else
            decide(f, t, i + 1, now, child);
        stage_path_undo(&f->path, n, c);
    }
}

/* Sorts the reached nodes of time t and values them. */
static double order_time(stage_proof *f, int t)
{
    const know_graph *g = f->g;
    int first = g->time_start[t], count = 0;
    for (int n = first; n < g->time_start[t + 1]; n++) {
        double sum = 0;
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) sum += w_of(f, n)[g->member[i]];
        if (sum > 0) f->mass[count++] = (stage_offer){sum, n};
    }
    stage_offers_sort(f->mass, count);
    f->count[t] = count;
    f->rest[first + t + count] = 0;
    for (int i = count - 1; i >= 0; i--) {
        int n = f->order[first + i] = f->mass[i].choice;
        f->rest[first + t + i] = value_of(f, n, t) + f->rest[first + t + i + 1];
    }
    return f->rest[first + t];
}

/* made: by the nodes of all times before t, which are decided. The last time needs no decision. */
static void decide_time(stage_proof *f, int t, double made, int number)
{
    double bound = made + order_time(f, t);
    if (t == f->g->T - 1 || bound <= f->task->least)
        end_case(f, t, 0, number, bound);
    else
        decide(f, t, 0, made, number);
}

static vouch_status make(stage_proof *f)
{
    const know_graph *g = f->g;
    arena *a = &f->memory;
    f->value = f->path.value = ARENA_ZERO(a, double, g->nodes);
    f->order = ARENA_ZERO(a, int, g->nodes);
    f->count = ARENA_ZERO(a, int, g->T + 1);
    f->rest = ARENA_ZERO(a, double, g->nodes + g->T + 2);
    f->mass = ARENA_NEW(a, stage_offer, g->nodes);
    f->cost = ARENA_NEW(a, double, g->nodes);
    return a->failed ? VOUCH_ERROR_MEMORY : stage_path_make(&f->path, g, a);
}

vouch_status corner_stages_run(const box_graph *graph, const corner_task *task, double work, corner_stages *result)
{
    const know_graph *g = &graph->g;
    stage_proof f = {.g = g, .task = task, .most = work, .cut = -INFINITY};
    *result = (corner_stages){0};
    if (g->nodes > STAGEWISE.value_nodes) return VOUCH_OK;
    vouch_status status = make(&f);
    if (!status) {
        stagewise_values_reach(&f.path.values, STAGEWISE.value_visits);
        f.ahead = g->T < MOST_AHEAD ? g->T : MOST_AHEAD;
        for (int t = 1; t < g->T; t++) {
            int ahead = f.path.values.ahead[t];
            if (ahead < g->T - t && ahead < f.ahead) f.ahead = ahead;
        }
        for (int k = 0; k < g->K; k++) f.path.w[k] = 1 / (double)g->K;
        decide_time(&f, 0, 0, task->witness ? task->witness->root : 0);
        *result = (corner_stages){!stopped(&f), f.cut, f.ahead};
    }
    arena_free(&f.memory);
    return status;
}

/* Visits of the first turn; how much longer the next is. */
static const double FIRST_TURN = 4000, LONGER = 2;
/* Slots and arcs of an induction in the time of one visit of the search by stages. */
static const double VISIT_PARTS = 16;
/* The search that goes first may take this many times the visits it needed last time. */
static const double LEAD = 2;

vouch_status box_pricer_new(const policy_space *space, box_pricer **out)
{
    const know_graph *g = space->g;
    *out = NULL;
    if (!box_corners_fit(g)) return VOUCH_OK;
    box_pricer *x = MEM_ZERO(box_pricer, 1);
    if (!x) return VOUCH_ERROR_MEMORY;
    x->space = space;
    x->visit = VISIT_PARTS / ((double)space->c->slots + space->c->arcs);
    x->zero = ARENA_ZERO(&x->memory, double, space->K);
    x->share = ARENA_NEW(&x->memory, double, space->K);
    x->pick = ARENA_NEW(&x->memory, int, g->nodes);
    x->prob = ARENA_ZERO(&x->memory, double, g->choices);
    bool failed = x->memory.failed || box_corners_make(&x->at, g, &x->memory);
    if (!failed) {
        corner_search_make(&x->tree, space->c, &x->at, &x->memory);
        box_graph_make(&x->graph, &x->at, &x->memory);
        for (int k = 0; k < space->K; k++) x->share[k] = 1 / (double)space->K;
        x->view = *space;
        x->view.g = &x->graph.g;
        x->view.p = x->view.accepted = x->view.optimal = x->zero;
        x->view.share = x->share;
        x->view.floor = NULL;
        x->view.c = NULL;
        failed = x->memory.failed || incumbent_new(&x->view, &x->inc) != VOUCH_OK;
    }
    if (failed) {
        box_pricer_free(x);
        return VOUCH_ERROR_MEMORY;
    }
    *out = x;
    return VOUCH_OK;
}

void box_pricer_free(box_pricer *x)
{
    if (!x) return;
    incumbent_free(x->inc);
    corner_search_free(&x->tree);
    ARENA_FREE(x);
}

void box_pricer_enter(box_pricer *x, policy_box in)
{
    /* Makes the corners of another box, which must not be empty. */
    const know_graph *g = x->at.g;
    x->at.blurred = false;
    for (int n = 0; n < g->time_start[g->T]; n++) {
        int count = box_choices(g, n), first = g->choice_start[n];
        unsigned narrow = 0; /* choices whose sides are one */
        for (int i = 0; i < count; i++) narrow |= (unsigned)(in.low[first + i] == in.high[first + i]) << i;
        x->at.count[n] = 0;
        for (int i = 0; i < count; i++) x->at.open[first + i] = in.high[first + i] > 0;
        for (int loose = 0; loose < count; loose++)
            for (unsigned sides = 0; sides < 1u << count; sides++)
                if (!(sides & (narrow | 1u << loose)) && x->at.count[n] <= corners_of(count))
                    add_corner(&x->at, n, loose, sides, in);
        CHECK(x->at.count[n] > 0);
        if (x->at.count[n] > corners_of(count)) x->at.blurred = true;
    }
    corner_search_enter(&x->tree);
    x->entered = false;
}

/* ---- the search by stages ------------------------------------------------------------------------------------------- */

static void offer_to_tree(box_pricer *x)
{
    const know_graph *g = &x->graph.g;
    if (!x->inc->found) return;
    for (int n = 0; n < g->time_start[g->T]; n++)
        x->pick[n] = x->inc->best[n] < 0 ? x->tree.best[n] : x->inc->best[n] - g->choice_start[n];
    corner_search_offer(&x->tree, x->pick);
}

static vouch_status stages_run(box_pricer *x, const price_task *task, double visits, bool *done)
{
    stage_log log = {.space = &x->view};
    double cutoff = fmax(task->near, 0) - task->least; /* the gap comes on top of it */
    stagewise_result result;
    stagewise_options options = {
        .gap = fmax(task->near, 0), .most_visits = (long long)fmin(visits, 1e15), .limit = task->limit, .log = &log};
    if (isfinite(task->least)) options.cutoff = &cutoff;
    /* It begins with the best policy of the tree. */
    const know_graph *g = &x->graph.g;
    for (int n = 0; n < g->nodes; n++) x->pick[n] = n < g->time_start[g->T] ? g->choice_start[n] + x->tree.best[n] : -1;
    x->inc->found = false;
    if (x->tree.known) local_search_offer(x->inc, x->pick, 0);
    vouch_status status = stagewise_search(&x->view, x->inc, &options, &result);
    *done = !status && result.finished;
    x->work += x->visit * (double)result.visits;
    if (!status && isfinite(result.bound)) x->upper = fmin(x->upper, -result.bound);
    if (!status) offer_to_tree(x);
    return status;
}

static vouch_status tree_run(box_pricer *x, double inductions, bool *done)
{
    double before = x->tree.inductions;
    vouch_status status = corner_search_run(&x->tree, inductions, done);
    x->work += x->tree.inductions - before;
    return status;
}

/* ---- turns ---------------------------------------------------------------------------------------------------------- */

/* Writes the best policy of the tree, which receives the policies of both searches. */
static void conclude(box_pricer *x, const price_task *task)
{
    const know_graph *g = x->space->g;
    const corner_search *tree = &x->tree;
    x->known = tree->known;
    x->found = tree->known ? tree->found : -INFINITY;
    x->upper = fmax(fmin(x->upper, corner_search_upper(tree)), fmax(x->found, tree->known ? -INFINITY : task->least));
    for (int n = 0; n < g->time_start[g->T] && x->known; n++)
        MEM_COPY(x->prob + g->choice_start[n], box_corner(&x->at, n, tree->best[n]), box_choices(g, n));
}

vouch_status box_pricer_most(box_pricer *x, const price_task *task)
{
    corner_task tree = {task->reward, task->mu, task->least, task->near, task->limit, NULL};
    double begun = x->work, turn = FIRST_TURN;
    bool stages = x->stages_first, done = false;
    x->upper = INFINITY;
    x->known = false;
    if (x->at.blurred) return VOUCH_OK;
    vouch_status status = corner_search_begin(&x->tree, &tree);
    if (!x->entered) box_graph_enter(&x->graph);
    x->entered = true;
    box_graph_price(&x->graph, task->reward, task->mu);
    for (int turns = 0; !status && !done && x->work - begun < task->work && !deadline_expired(task->limit); turns++) {
        double before = x->work, visits = turns ? turn : fmax(turn, LEAD * x->first);
        status = stages ? stages_run(x, task, visits, &done) : tree_run(x, x->visit * visits, &done);
        if (done) x->first = (x->work - before) / x->visit;
        if (done) x->stages_first = stages;
        if (turns % 2) turn *= LONGER;
        stages = !stages;
    }
    if (!status) conclude(x, task);
    return status;
}

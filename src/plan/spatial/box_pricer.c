/* plan/spatial/box_pricer.c - the value of the best policy of a box at given prices, by the faster of two searches.
 *
 * V of (6.1) lets each class of a policy node choose for itself; this maximum is over policies, so it is never more. One search
 * uses likelihood classes (corner_search.c), fast where histories are many and classes few; one goes stage by stage over the
 * graph of corners (plan/stage/stagewise.h), fast where histories meet at nodes. They take turns with growing budgets, each begins
 * with the best policy of the other, and the one that ended last time is first the next time. Source: src/THEORY.md, 6. Invariant:
 * `upper` is never less than the value of a policy of the box, unless that is no more than task->least.
 */
#include "plan/spatial/box.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "plan/heuristic/local_search.h"
#include "plan/stage/stagewise.h"

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
    arena_free(&x->memory);
    mem_free(x);
}

void box_pricer_enter(box_pricer *x, policy_box in)
{
    box_corners_enter(&x->at, in);
    corner_search_enter(&x->tree);
    x->entered = false;
}

/* ---- the search by stages ------------------------------------------------------------------------------------------- */

static void stages_begin(box_pricer *x, const price_task *task)
{
    if (!x->entered) box_graph_enter(&x->graph);
    x->entered = true;
    box_graph_price(&x->graph, task->reward, task->mu);
}

/* It begins with the best policy of the tree. */
static void take_from_tree(box_pricer *x)
{
    const know_graph *g = &x->graph.g;
    for (int n = 0; n < g->nodes; n++) x->pick[n] = n < g->time_start[g->T] ? g->choice_start[n] + x->tree.best[n] : -1;
    x->inc->found = false;
    if (x->tree.known) local_search_offer(x->inc, x->pick, 0);
}

static void give_to_tree(box_pricer *x)
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
    take_from_tree(x);
    vouch_status status = stagewise_search(&x->view, x->inc, &options, &result);
    *done = !status && result.finished;
    x->work += x->visit * (double)result.visits;
    if (!status && isfinite(result.bound)) x->upper = fmin(x->upper, -result.bound);
    if (!status) give_to_tree(x);
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
    stages_begin(x, task);
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

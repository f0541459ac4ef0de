/* mip/search.c - the state of a search: see search.h.
 *
 * Rooms are made once, before the first node; nothing here searches. */
#include "mip/search.h"

#include <math.h>

#include "base/check.h"
#include "base/memory.h"
#include "lp/follow.h"

/* ---- node ----------------------------------------------------------------------------------------------------------------------
 *
 * Nodes counted by reference (atomically: searches on several threads share ancestors), bases of two bits a variable,
 * and the queue: a heap by (bound, depth, age).
 *
 * Invariant: a node lives as long as the queue, the search or a descendant refers to it. Cost: O(log open nodes) to push and pop.
 */

struct packed_basis {
    atomic_int references;
    int m, n;
    unsigned char bits[];
};

packed_basis *packed_basis_share(packed_basis *b)
{
    CHECK(!b || b->references > 0);
    if (b) atomic_fetch_add(&b->references, 1);
    return b;
}

void packed_basis_free(packed_basis *b)
{
    CHECK(!b || b->references > 0);
    if (b && atomic_fetch_sub(&b->references, 1) == 1) mem_free(b);
}

mip_node *node_new(mip_node *parent, long long id, bound_change *change, int changes)
{
    mip_node *n = MEM_ZERO(mip_node, 1);
    if (!n) {
        mem_free(change);
        return NULL;
    }
    atomic_init(&n->references, 1);
    n->id = id;
    n->parent = parent;
    n->depth = parent ? parent->depth + 1 : 0;
    n->bound = parent ? parent->bound : -INFINITY;
    n->branch_col = -1;
    n->change = change;
    n->changes = changes;
    if (parent) atomic_fetch_add(&parent->references, 1);
    CHECK(changes == 0 || change);
    return n;
}

void node_release(mip_node *n)
{
    CHECK(!n || n->references > 0);
    while (n && atomic_fetch_sub(&n->references, 1) == 1) {
        mip_node *parent = n->parent;
        packed_basis_free(n->basis);
        MEM_FREE_ALL(n->change, n->deduced, n);
        n = parent;
    }
}

static int preference(const node_queue *q, const mip_node *n) { return q->deep > 0 && n->depth > q->deep ? -n->depth : n->depth; }

static bool comes_before(const void *context, const void *a, const void *b)
{
    const node_queue *q = context;
    const mip_node *x = a, *y = b;
    if (x->bound != y->bound) return x->bound < y->bound;
    int left = preference(q, x), right = preference(q, y);
    return left != right ? left > right : x->id > y->id;
}

void node_queue_init(node_queue *q, int deep)
{
    q->deep = deep;
    heap_init(&q->nodes, comes_before, q);
}

int node_queue_push(node_queue *q, mip_node *n)
{
    CHECK(n && n->references > 0 && !isnan(n->bound));
    return heap_push(&q->nodes, n);
}

mip_node *node_queue_pop(node_queue *q) { return heap_pop(&q->nodes); }

double node_queue_bound(const node_queue *q)
{
    const mip_node *first = heap_top(&q->nodes);
    return first ? first->bound : INFINITY;
}

static double node_queue_prune(node_queue *q, double cutoff)
{
    double least = INFINITY;
    size_t kept = 0;
    for (size_t k = 0; k < q->nodes.count; k++) {
        mip_node *n = q->nodes.item[k];
        if (n->bound < cutoff) {
            q->nodes.item[kept++] = n;
        } else {
            least = fmin(least, n->bound);
            node_release(n);
        }
    }
    q->nodes.count = kept;
    heap_restore(&q->nodes);
    return least;
}

void node_queue_free(node_queue *q)
{
    for (size_t k = 0; k < q->nodes.count; k++) node_release(q->nodes.item[k]);
    heap_free(&q->nodes);
}

/* ---- relax ---------------------------------------------------------------------------------------------------------------------
 *
 * Min c'x over the rows and the bounds of a node: warm by the dual simplex method, afresh where that fails or is
 * stuck.
 *
 * Invariant: what is called infeasible, cut off or optimal was certified by lp; a solve that certifies nothing is FAILED. Cost: a
 * few simplex iterations a node. */

/* Exact work of one search on relaxations of which doubles say something: that they are within tolerances is enough for a bound. */
static const long long CONFIRMED_WORK = 30000000;
/* Iterations of one solve after which it counts as stuck and is started afresh: GUARD_BASE + GUARD_PART (rows + columns) */
enum { GUARD_BASE = 5000, GUARD_PART = 50 };

vouch_status relax_init(relax *r, const mip_model *model, const vouch_lp_options *options, const deadline *clock)
{
    *r = (relax){.model = model, .m = model->m, .n = model->n, .options = *options, .clock = clock};
    if (r->options.presolve > 1) r->options.presolve = 1; /* it is solved again and again */
    vouch_status status = mip_model_to_lp(model, &r->lp);
    if (status != VOUCH_OK) return status;
    lp_limit_confirmation(r->lp, CONFIRMED_WORK);
    r->lower = ARENA_NEW(&r->memory, double, r->n);
    r->upper = ARENA_NEW(&r->memory, double, r->n);
    r->col_status = ARENA_NEW(&r->memory, unsigned char, r->n);
    if (r->memory.failed || relax_rows_changed(r) != VOUCH_OK) {
        relax_free(r);
        return VOUCH_ERROR_MEMORY;
    }
    MEM_COPY(r->lower, model->lower, r->n);
    MEM_COPY(r->upper, model->upper, r->n);
    return VOUCH_OK;
}

vouch_status relax_copy(relax *r, const relax *from)
{
    vouch_lp *lp;
    vouch_status status = vouch_lp_clone(&lp, from->lp);
    if (status != VOUCH_OK) return status;
    vouch_lp_free(r->lp);
    r->lp = lp;
    lp_limit_confirmation(lp, CONFIRMED_WORK);
    MEM_COPY(r->lower, from->lower, r->n);
    MEM_COPY(r->upper, from->upper, r->n);
    return relax_rows_changed(r);
}

vouch_status relax_make_ready(relax *r) { return r->out_of_memory ? VOUCH_ERROR_MEMORY : lp_make_ready(r->lp); }

vouch_status relax_follow(relax *r, const relax *from)
{
    CHECK(r->model == from->model && r->m == from->m);
    MEM_COPY(r->lower, from->lower, r->n);
    MEM_COPY(r->upper, from->upper, r->n);
    r->iterations = from->iterations;
    r->solves = from->solves;
    return lp_follow(r->lp, from->lp);
}

void relax_free(relax *r)
{
    vouch_lp_free(r->lp);
    mem_free(r->row_status);
    arena_free(&r->memory);
    *r = (relax){0};
}

vouch_status relax_rows_changed(relax *r)
{
    r->m = vouch_lp_rows(r->lp);
    CHECK_COMPARE(r->m, >=, r->model->m); /* what is added may go, the model's own rows stay */
    if (r->row_status && r->m <= r->row_capacity) return VOUCH_OK;
    if (MEM_RESIZE(&r->row_status, r->m)) {
        r->out_of_memory = true;
        return VOUCH_ERROR_MEMORY;
    }
    r->row_capacity = r->m;
    return VOUCH_OK;
}

void relax_set_bound(relax *r, int col, double lower, double upper)
{
    CHECK(col >= 0 && col < r->n && !isnan(lower) && !isnan(upper));
    if (r->lower[col] == lower && r->upper[col] == upper) return;
    r->lower[col] = lower;
    r->upper[col] = upper;
    (void)vouch_lp_set_col_bounds(r->lp, col, lower, upper);
}

void relax_set_bounds(relax *r, const double *lower, const double *upper)
{
    for (int j = 0; j < r->n; j++) {
        bool pass = r->model->integer[j] || lower[j] == upper[j];
        relax_set_bound(r, j, pass ? lower[j] : r->model->lower[j], pass ? upper[j] : r->model->upper[j]);
    }
}

static vouch_lp_outcome solve_once(relax *r, double cutoff, long long iteration_limit, vouch_lp_method method)
{
    vouch_lp_options o = r->options;
    o.method = method;
    o.cutoff = cutoff < INFINITY ? cutoff : NAN;
    vouch_limits left = deadline_left(r->clock);
    o.limits = (vouch_limits){.seconds = left.seconds, .interrupt = left.interrupt, .iterations = iteration_limit};
    if (left.iterations > 0) {
        long long rest = left.iterations > r->iterations ? left.iterations - r->iterations : 1;
        if (iteration_limit == 0 || rest < iteration_limit) o.limits.iterations = rest;
    }
    r->solves++;
    vouch_lp_outcome outcome = VOUCH_LP_NUMERICAL;
    if (vouch_lp_solve(r->lp, &o) == VOUCH_OK) {
        vouch_lp_get_result(r->lp, &r->result);
        outcome = r->result.outcome;
        r->iterations += r->result.iterations;
    } else {
        r->out_of_memory = true;
    }
    return outcome;
}

double relax_value(const relax *r)
{
    double objective = r->result.objective, proved = r->result.bound;
    return isfinite(proved) && proved < objective - RELAX_SAME_VALUE * (1 + fabs(objective)) ? proved : objective;
}

relax_end relax_solve(relax *r, double cutoff, long long iteration_limit)
{
    for (int j = 0; j < r->n; j++)
        if (r->lower[j] > r->upper[j]) return RELAX_INFEASIBLE;
    long long guard = GUARD_BASE + GUARD_PART * ((long long)r->m + r->n);
    vouch_lp_outcome outcome = solve_once(r, cutoff, iteration_limit > 0 ? iteration_limit : guard,
                                          vouch_lp_has_basis(r->lp) ? VOUCH_LP_DUAL : r->options.method);
    bool stuck = outcome == VOUCH_LP_LIMIT && iteration_limit == 0 && r->result.iterations >= guard && !deadline_expired(r->clock);
    if (outcome == VOUCH_LP_NUMERICAL || stuck) {
        vouch_lp_forget_basis(r->lp);
        outcome = solve_once(r, INFINITY, 0, VOUCH_LP_AUTO);
    }
    if (outcome == VOUCH_LP_NUMERICAL) {
        vouch_lp_forget_basis(r->lp);
        outcome = solve_once(r, INFINITY, 0, VOUCH_LP_PRIMAL);
    }
    switch (outcome) {
    case VOUCH_LP_OPTIMAL:
        CHECK(isfinite(r->result.objective) && r->result.x);
        return relax_value(r) >= cutoff ? RELAX_CUTOFF : RELAX_OPTIMAL;
    case VOUCH_LP_INFEASIBLE:
        return RELAX_INFEASIBLE;
    case VOUCH_LP_CUTOFF:
        return RELAX_CUTOFF;
    case VOUCH_LP_UNBOUNDED:
        return RELAX_UNBOUNDED;
    case VOUCH_LP_INTERRUPTED:
        return RELAX_STOPPED;
    case VOUCH_LP_LIMIT:
        return deadline_expired(r->clock) || iteration_limit == 0 ? RELAX_STOPPED : RELAX_LIMIT;
    default:
        return RELAX_FAILED;
    }
}

packed_basis *relax_basis(relax *r)
{
    if (r->out_of_memory || !vouch_lp_has_basis(r->lp)) return NULL;
    vouch_lp_get_basis(r->lp, r->row_status, r->col_status);
    size_t count = (size_t)r->m + (size_t)r->n;
    packed_basis *b = mem_zero(1, sizeof *b + count / 4 + 1);
    if (!b) return NULL;
    atomic_init(&b->references, 1);
    b->m = r->m;
    b->n = r->n;
    for (size_t k = 0; k < count; k++) {
        unsigned status = k < (size_t)r->m ? r->row_status[k] : r->col_status[k - (size_t)r->m];
        unsigned two = status == VOUCH_BASIC ? 0 : status == VOUCH_AT_UPPER ? 2 : status == VOUCH_NONBASIC_FREE ? 3 : 1;
        b->bits[k / 4] = (unsigned char)(b->bits[k / 4] | two << (2 * (k % 4)));
    }
    return b;
}

void relax_set_basis(relax *r, const packed_basis *b)
{
    if (!b || r->out_of_memory) return;
    CHECK_COMPARE(r->m, <=, r->row_capacity);
    /* Statuses of nonbasic variables without choice (fixed, free) come out as at lower; the solver knows better. */
    static const unsigned char meaning[] = {VOUCH_BASIC, VOUCH_AT_LOWER, VOUCH_AT_UPPER, VOUCH_NONBASIC_FREE};
    size_t count = (size_t)b->m + (size_t)b->n;
    for (size_t k = 0; k < count; k++) {
        unsigned char status = meaning[b->bits[k / 4] >> (2 * (k % 4)) & 3];
        if (k < (size_t)b->m)
            r->row_status[k] = status;
        else
            r->col_status[k - (size_t)b->m] = status;
    }
    (void)vouch_lp_set_basis(r->lp, r->row_status, r->col_status);
}

/* ---- pseudo --------------------------------------------------------------------------------------------------------------------
 *
 *     expected rise of the objective = distance * mean of (rise / distance) over the children of that column and direction,
 * and of all columns where there are none. Source: M. Benichou et al., Experiments in mixed-integer linear programming,
 * Mathematical Programming 1 (1971). */

void pseudo_learn(pseudo_costs *p, int col, bool up, double distance, double gain)
{
    if (!(distance > LEAST_STEP) || !(gain < INFINITY)) return;
    double rate = fmax(gain, 0) / distance;
    CHECK(col >= 0 && rate >= 0);
    p->sum[up][col] += rate;
    p->count[up][col]++;
    p->total[up] += rate;
    p->totals[up]++;
}

double pseudo_expect(const pseudo_costs *p, int col, bool up)
{
    CHECK(col >= 0 && p->sum[up][col] >= 0 && p->count[up][col] <= p->totals[up]);
    if (p->count[up][col] > 0) return p->sum[up][col] / p->count[up][col];
    return p->totals[up] > 0 ? p->total[up] / (double)p->totals[up] : 1;
}

/* ---- the state of a search -------------------------------------------------------------------------------------------------- */

vouch_status mip_search_init(mip_search *s, const mip_model *model, const vouch_mip_options *options, const deadline *clock,
                             const mip_owner *owner)
{
    int n = model->n;
    CHECK(owner->accept && options && clock);
    *s = (mip_search){.model = model,
                      .options = options,
                      .clock = clock,
                      .owner = owner,
                      .best = {.value = INFINITY, .cutoff = INFINITY},
                      .tree = {.closed = INFINITY, .elsewhere = INFINITY, .id_step = 1},
                      .root = {.value = -INFINITY},
                      .room = -1};
    vouch_status status = domain_init(&s->dom, model);
    if (status == VOUCH_OK) status = relax_init(&s->lp.relax, model, &options->lp, clock);
    s->dom.trace = options->trace;
    double **points[] = {&s->best.x, &s->lp.x, &s->lp.reduced, &s->point, &s->root.x, &s->root.reduced};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++) *points[k] = ARENA_NEW(&s->memory, double, n);
    s->lp.fractional = ARENA_NEW(&s->memory, int, n);
    s->symmetry.order = ARENA_NEW(&s->memory, int, n);
    s->symmetry.listed = ARENA_ZERO(&s->memory, bool, n);
    for (int d = 0; d < 2; d++) {
        s->locks[d] = ARENA_NEW(&s->memory, int, n);
        s->pseudo.sum[d] = ARENA_ZERO(&s->memory, double, n);
        s->pseudo.count[d] = ARENA_ZERO(&s->memory, int, n);
    }
    if (status != VOUCH_OK || s->memory.failed) {
        mip_search_free(s);
        return VOUCH_ERROR_MEMORY;
    }
    s->best.granularity = mip_model_granularity(model);
    mip_model_count_locks(model, s->locks);
    return VOUCH_OK;
}

void mip_search_free(mip_search *s)
{
    domain_free(&s->dom);
    relax_free(&s->lp.relax);
    node_queue_free(&s->tree.open);
    node_release(s->tree.hot);
    mem_free(s->tree.path);
    symmetry_free(s->symmetry.own);
    arena_free(&s->memory);
    *s = (mip_search){0};
}

bool mip_search_must_stop(mip_search *s)
{
    const vouch_limits *l = &s->clock->limits;
    if (deadline_expired(s->clock) || (s->options->limits.nodes > 0 && s->tree.nodes >= s->options->limits.nodes) ||
        (l->iterations > 0 && s->lp.relax.iterations >= l->iterations))
        s->end.stopped = true;
    return s->end.stopped;
}

void mip_search_list_fractional(mip_search *s)
{
    node_lp *l = &s->lp;
    l->fractions = 0;
    for (int j = 0; j < s->model->n; j++)
        if (s->model->integer[j] && fabs(l->x[j] - round(l->x[j])) > s->options->integrality_tol) l->fractional[l->fractions++] = j;
}

void mip_search_take_point(mip_search *s)
{
    int n = s->model->n;
    MEM_COPY(s->lp.x, s->lp.relax.result.x, n);
    MEM_COPY(s->lp.reduced, s->lp.relax.result.reduced_cost, n);
    s->lp.value = relax_value(&s->lp.relax);
    CHECK(!isnan(s->lp.value));
    mip_search_list_fractional(s);
}

int mip_search_violated_set(const mip_search *s)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int nonzero = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++)
            nonzero += fabs(s->lp.x[p->set_col[k]]) > s->options->integrality_tol;
        if (nonzero > 1) return q;
    }
    return -1;
}

relax_end mip_search_relax(mip_search *s, long long id)
{
    vouch_trace *t = s->options->trace;
    bool told = trace_keeps(t, TRACE_PIVOT, id - 1), before = t && t->within;
    if (told) {
        t->owner = id > 1 ? id - 1 : -1;
        t->within = false;
    }
    double since = trace_start(t);
    relax_end end = relax_solve(&s->lp.relax, s->best.cutoff, 0);
    trace_stop(t, KERNEL_relaxation, since);
    if (told) t->within = before;
    return end;
}

enum { DRAWN_COLUMNS = 3 };

void mip_search_record_point(const mip_search *s, long long id)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, id > 1 ? TRACE_DETAIL : TRACE_NOTE, id - 1, "point")) return;
    trace_int(t, "id", id);
    TRACE_NUMBERS(t, {"value", mip_model_tell(s->model, s->lp.value)}, {"fractions", s->lp.fractions});
    if (s->model->n <= DRAWN_COLUMNS) trace_reals(t, "x", s->lp.x, s->model->n);
    trace_close(t);
}

/* ---- the best point so far, what it closes, and the bound that holds meanwhile --------------------------------------------------
 *
 * A node is closed when its bound reaches the cutoff: the incumbent's objective less a rounding error or, when all objectives are
 * multiples of a known number apart, the next better value plus one. */

/* What the incumbent's value is measured by: less what presolve added to all points alike. */
static double size_of(const mip_search *s, double value) { return fabs(value - s->model->offset); }

double mip_search_gap(const mip_search *s)
{
    return fmax(s->options->gap_absolute, s->options->gap_relative * fmax(1, size_of(s, s->best.value)));
}

double mip_search_bound(const mip_search *s)
{
    double bound = fmin(fmin(s->tree.closed, s->tree.elsewhere), node_queue_bound(&s->tree.open));
    if (s->tree.hot) bound = fmin(bound, s->tree.hot->bound);
    if (s->end.unproved) bound = fmin(bound, s->root.value);
    if (!s->end.complete && !s->tree.hot && s->tree.open.nodes.count == 0 && !s->best.found) bound = s->root.value;
    if (s->best.found && s->best.granularity > 0 && bound >= s->best.cutoff) bound = s->best.value;
    if (s->best.found && bound >= s->best.value - MIP_SAME_VALUE * (1 + fabs(s->best.value))) bound = s->best.value;
    CHECK(!isnan(bound));
    return fmin(bound, s->best.value);
}

/* The incumbent is a point of the model and is worth what is said of it, as far as the tolerances of a reduced model go. */
static void incumbent_check(const mip_search *s)
{
    if (!CHECKING) return;
    const mip_model *p = s->model;
    for (int j = 0; j < p->n; j++) {
        CHECK(isfinite(s->best.x[j]));
        if (p->integer[j]) CHECK_COMPARE(fabs(s->best.x[j] - round(s->best.x[j])), <=, s->options->integrality_tol);
    }
}

/* The largest objective below `value` that points can have. value may lie between two of them: the incumbent need not be a point of
 * the reduced model, whose nearest is x. Less than slack apart is the same. */
static double next_better(const mip_search *s, const double *x, double value, double slack)
{
    double step = s->best.granularity, above = value - mip_model_objective(s->model, x);
    above -= step * floor(above / step);
    return value - (above > slack ? above : step);
}

void mip_search_adopt(mip_search *s, const double *x, double value)
{
    if (!(value < s->best.value)) return;
    MEM_COPY(s->best.x, x, s->model->n);
    s->best.found = true;
    s->best.value = value;
    incumbent_check(s);
    s->best.cutoff = value - MIP_CUTOFF * (1 + size_of(s, value));
    if (s->best.granularity > 0) {
        double slack = fmin(0.1 * s->best.granularity, MIP_GRANULARITY * (1 + size_of(s, value)));
        s->best.cutoff = fmin(s->best.cutoff, next_better(s, x, value, slack) + slack);
    }
    CHECK_COMPARE(s->best.cutoff, <=, s->best.value);
    s->dom.objective_bound = s->best.cutoff - s->model->offset;
    s->root.news = true;
    s->tree.closed = fmin(s->tree.closed, node_queue_prune(&s->tree.open, s->best.cutoff));
    s->tree.next_report = 0;
}

void mip_search_require(mip_search *s, double value, double cutoff)
{
    s->best.value = value;
    s->best.cutoff = cutoff;
    s->dom.objective_bound = cutoff - s->model->offset;
}

/* The integer columns of x rounded; how far the furthest of them moved. */
static double round_integers(mip_search *s, const double *x)
{
    const mip_model *p = s->model;
    double furthest = 0;
    for (int j = 0; j < p->n; j++) {
        s->point[j] = p->integer[j] ? round(x[j]) : x[j];
        furthest = fmax(furthest, fabs(s->point[j] - x[j]));
    }
    return furthest;
}

/* Optimises the continuous columns for the integer ones of s->point; when RELAX_OPTIMAL, the result replaces s->point. */
static relax_end complete_point(mip_search *s)
{
    const mip_model *p = s->model;
    packed_basis *basis = relax_basis(&s->lp.relax);
    double *lower = MEM_NEW(double, 2 * (size_t)p->n);
    relax_end end = RELAX_STOPPED;
    if (basis && lower) {
        MEM_COPY(lower, s->lp.relax.lower, p->n);
        MEM_COPY(lower + p->n, s->lp.relax.upper, p->n);
        for (int j = 0; j < p->n; j++)
            if (p->integer[j])
                relax_set_bound(&s->lp.relax, j, s->point[j], s->point[j]);
            else
                relax_set_bound(&s->lp.relax, j, p->lower[j], p->upper[j]);
        end = relax_solve(&s->lp.relax, s->best.cutoff, 0);
        if (end == RELAX_OPTIMAL) round_integers(s, s->lp.relax.result.x);
        relax_set_bounds(&s->lp.relax, lower, lower + p->n);
        relax_set_basis(&s->lp.relax, basis);
    }
    packed_basis_free(basis);
    mem_free(lower);
    return end;
}

bool mip_search_offer(mip_search *s, const double *x)
{
    const mip_model *p = s->model;
    bool moved = round_integers(s, x) > MIP_MOVED;
    bool feasible = mip_model_feasible(p, s->point, 0);
    if (feasible && !(mip_model_objective(p, s->point) < s->best.value)) return false;
    if ((moved || !feasible) && mip_model_has_continuous(p) && !s->end.stopped) {
        /* the continuous columns belong to the unrounded point and may promise a value that no point has */
        relax_end end = complete_point(s);
        if (end == RELAX_CUTOFF) return false;
        if (end == RELAX_OPTIMAL && mip_model_feasible(p, s->point, 0))
            feasible = true;
        else if (feasible)
            round_integers(s, x);
    }
    double value;
    if (!feasible || !(mip_model_objective(p, s->point) < s->best.value)) return false;
    if (!s->owner->accept(s->owner->context, s->point, &value) || !(value < s->best.value)) return false;
    mip_search_adopt(s, s->point, value);
    return true;
}

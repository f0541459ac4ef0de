/* mip/tree.c - the loop of branch and bound.
 *
 *     while a node is open:  take one (a child of the last if there is one: plunging; else the one of least bound),
 *                            bounds -> propagate -> process_node -> its children
 *
 * Every closed node has a reason, and the least bound of what was closed within the gap is kept, so that the bound reported holds
 * whenever the search stops. Source: T. Achterberg, Constraint Integer Programming (2007), chapters 2, 5, 6. */
#include <math.h>
#include <stdlib.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/text.h"
#include "lp/follow.h"
#include "mip/search.h"

/* ---- trials of strong branching: children of a node whose relaxations are solved for a few iterations each ---------------------
 *
 * All trials of a list begin where the node's relaxation stands, each in a room: a relaxation of its own that takes over bounds,
 * basis and factors. So none depends on another, nor on the thread that makes it. */

typedef struct child_trial {
    int col; /* its bounds in the child: */
    double lower, upper;
    relax_end end;
    double gain; /* proved rise of the objective, 0 where nothing is known */
    long long iterations, solves, exact_work;
} child_trial;

static bool trial_closed(const child_trial *t) { return t->end == RELAX_INFEASIBLE || t->end == RELAX_CUTOFF; }

typedef struct trial_rooms {
    pool *threads; /* not owned; NULL: none but this one */
    int count;
    relax room[]; /* [count], owned; of no rows until used */
} trial_rooms;

static trial_rooms *trial_rooms_new(pool *threads, int count)
{
    trial_rooms *rooms = mem_zero(1, sizeof *rooms + (size_t)count * sizeof rooms->room[0]);
    if (!rooms) return NULL;
    rooms->threads = threads;
    rooms->count = count;
    return rooms;
}

/* Rooms for so many threads, those of the pool; NULL: this one alone. They are furnished when first used. NULL: memory */
static void trial_rooms_free(trial_rooms *rooms)
{
    if (!rooms) return;
    for (int k = 0; k < rooms->count; k++) relax_free(&rooms->room[k]);
    mem_free(rooms);
}

typedef struct trial_list {
    mip_search *s;
    child_trial *list;
    long long each;
} trial_list;

static vouch_status furnish(relax *r, const mip_search *s)
{
    if (r->model == s->model && r->m == s->lp.relax.m) return VOUCH_OK;
    relax_free(r);
    vouch_status status = relax_init(r, s->model, &s->options->lp, s->clock);
    return status == VOUCH_OK ? relax_copy(r, &s->lp.relax) : status;
}

static void make_trial(void *context, int i, int thread)
{
    const trial_list *l = context;
    const mip_search *s = l->s;
    child_trial *t = &l->list[i];
    CHECK_COMPARE(s->room >= 0 ? s->room : thread, <, s->rooms->count);
    relax *r = &s->rooms->room[s->room >= 0 ? s->room : thread];
    t->end = RELAX_FAILED;
    if (furnish(r, s) != VOUCH_OK || relax_follow(r, &s->lp.relax) != VOUCH_OK) {
        r->out_of_memory = true;
        return;
    }
    double since = trace_start(s->options->trace);
    relax_set_bound(r, t->col, t->lower, t->upper);
    t->end = relax_solve(r, s->best.cutoff, l->each);
    if (t->end == RELAX_OPTIMAL) t->gain = fmax(relax_value(r) - s->lp.value, 0);
    if (t->end == RELAX_LIMIT && isfinite(r->result.bound)) t->gain = fmax(r->result.bound - s->lp.value, 0);
    trace_stop(s->options->trace, KERNEL_strong_branching, since);
    t->iterations = r->iterations - s->lp.relax.iterations;
    t->solves = r->solves - s->lp.relax.solves;
    t->exact_work = lp_exact_work(r->lp) - lp_exact_work(s->lp.relax.lp);
}

static void count(mip_search *s, const child_trial *t)
{
    s->lp.relax.iterations += t->iterations;
    s->lp.relax.solves += t->solves;
    s->strong_iterations += t->iterations;
    lp_count_exact_work(s->lp.relax.lp, t->exact_work);
    if (t->end == RELAX_CUTOFF) s->tree.closed = fmin(s->tree.closed, s->best.cutoff);
}

/* Makes the trials [count], of at most `each` iterations: in the room of s, or in all rooms at once where s has none of its own.
 * What they took is counted in s. s->end.memory: memory is out. */
static void trials_make(mip_search *s, child_trial *list, int number, long long each)
{
    trial_list l = {s, list, each};
    trial_rooms *rooms = s->rooms;
    long long limit = s->clock->limits.iterations, before = s->lp.relax.iterations;
    for (int i = 0; i < number; i++) list[i].gain = 0, list[i].iterations = list[i].solves = list[i].exact_work = 0;
    if (relax_make_ready(&s->lp.relax) != VOUCH_OK) {
        s->end.memory = true;
        return;
    }
    /* The limit may end some of them: they are made one after the other. Each may use what those before it have left. */
    bool near = limit > 0 && limit - before < number * each;
    if (!near && s->room < 0 && rooms->threads)
        pool_run(rooms->threads, number, make_trial, &l);
    else
        for (int i = 0; i < number && !near; i++) make_trial(&l, i, 0);
    for (int i = 0; i < number; i++) {
        if (near && s->lp.relax.iterations < limit)
            make_trial(&l, i, 0);
        else if (near)
            list[i].end = RELAX_STOPPED;
        count(s, &list[i]);
    }
    for (int k = 0; k < rooms->count; k++) s->end.memory = s->end.memory || rooms->room[k].out_of_memory;
}

/* ---- reliability branching ------------------------------------------------------------------------------------------------------
 *
 * score(j) = max(down, eps) * max(up, eps), the expected rises of the objective in the two children: by pseudo-costs where both
 * directions have been seen often enough, else by solving the children for a few iterations (strong branching), whose results in
 * turn are remembered. A child without a point, or beyond the cutoff, tightens the node itself. Source: T. Achterberg, T. Koch, A.
 * Martin, Branching rules revisited, Operations Research Letters 33 (2005), 42-54. Deviations: trials have a budget in simplex
 * iterations, beyond which pseudo-costs are trusted as they are; and some columns are tried at once, on several threads, so that a
 * child which is closed does not spare the trials beside it. */

typedef enum branch_end {
    BRANCH_COLUMN,     /* *col, *up_first */
    BRANCH_TIGHTENED,  /* a trial proved bounds, which are in the domain and in n->deduced: solve the node again */
    BRANCH_INFEASIBLE, /* trials in both directions failed: the node is done */
    BRANCH_STOPPED
} branch_end;

enum {
    RELIABLE = 8,      /* observations in each direction after which pseudo-costs are believed */
    LOOKAHEAD = 8,     /* trials without a better score that end the trials of a node */
    MOST_TRIALS = 100, /* candidates considered for trials in a node */
    TOGETHER = 5,      /* columns tried at once, whatever the others say */
    LEAST_ITERATIONS = 10,
    MOST_ITERATIONS = 300 /* of one trial */
};

static double product(double down, double up) { return fmax(down, SCORE_FLOOR) * fmax(up, SCORE_FLOOR); }

typedef struct scored_column {
    int col;
    double score, down, up;
} scored_column;

/* By falling score, then column. */
static int by_score(const void *a, const void *b)
{
    const scored_column *x = a, *y = b;
    return x->score != y->score ? (x->score < y->score) - (x->score > y->score) : x->col - y->col;
}

/* Trials of a node: their iterations. */
typedef struct trial_budget {
    long long all, each; /* of all that there have been, and of one */
} trial_budget;

static scored_column guess(const mip_search *s, int j)
{
    double f = fraction_of(s->lp.x[j]);
    double down = f * pseudo_expect(&s->pseudo, j, false), up = (1 - f) * pseudo_expect(&s->pseudo, j, true);
    double entries = (double)(s->model->col_start[j + 1] - s->model->col_start[j]);
    /* where all gains are nil, columns near one half and in many rows come first */
    double tie = FRACTION_WEIGHT * f * (1 - f) * entries;
    return (scored_column){j, product(down, up) * (1 + ENTRIES_WEIGHT * entries / (1 + entries)) + tie, down, up};
}

static void deduce(mip_search *s, mip_node *n, int col)
{
    bound_change *more = mem_resize(n->deduced, (size_t)n->deductions + 1, sizeof *more);
    if (!more) return; /* the deduction then holds only while the node is hot */
    n->deduced = more;
    more[n->deductions++] = (bound_change){col, s->dom.lower[col], s->dom.upper[col]};
}

/* What the trials t [2] of c->col, down and up, say. BRANCH_COLUMN: c has their gains, which pseudo-costs have learned. */
static branch_end learn_from(mip_search *s, mip_node *n, const child_trial t[2], scored_column *c)
{
    int j = c->col;
    if (t[0].end == RELAX_STOPPED || t[1].end == RELAX_STOPPED) return BRANCH_STOPPED;
    bool closed[2] = {trial_closed(&t[0]), trial_closed(&t[1])};
    if (closed[0] && closed[1]) return BRANCH_INFEASIBLE;
    if (closed[0] || closed[1]) {
        bool alive = closed[0] ? domain_set_lower(&s->dom, j, t[1].lower) : domain_set_upper(&s->dom, j, t[0].upper);
        deduce(s, n, j);
        return alive ? BRANCH_TIGHTENED : BRANCH_INFEASIBLE;
    }
    double f = fraction_of(s->lp.x[j]);
    pseudo_learn(&s->pseudo, j, false, f, t[0].gain);
    pseudo_learn(&s->pseudo, j, true, 1 - f, t[1].gain);
    *c = (scored_column){j, product(t[0].gain, t[1].gain), t[0].gain, t[1].gain};
    return BRANCH_COLUMN;
}

/* Columns in the order of their guesses, and how far the choice among them has come. */
typedef struct selection {
    scored_column *column; /* owned: [count] */
    int count, next;       /* looked at so far */
    int best, since_better;
    double best_score;
} selection;

static bool unreliable(const mip_search *s, const selection *y, int k)
{
    int j = y->column[k].col;
    return k < MOST_TRIALS && (s->pseudo.count[0][j] < RELIABLE || s->pseudo.count[1][j] < RELIABLE);
}

/* The trials of the next columns that will be tried whatever these trials say: t [2 TOGETHER]; tried [TOGETHER], the columns'
 * places. Their number. */
static int list_trials(const mip_search *s, const selection *y, child_trial t[], int tried[])
{
    int count = 0, left = LOOKAHEAD - y->since_better, most = left < TOGETHER ? left : TOGETHER;
    for (int k = y->next; k < y->count && count < most; k++) {
        if (!unreliable(s, y, k)) continue;
        int j = y->column[k].col;
        double floor_x = floor(s->lp.x[j]);
        t[2 * count] = (child_trial){.col = j, .lower = s->dom.lower[j], .upper = floor_x};
        t[2 * count + 1] = (child_trial){.col = j, .lower = floor_x + 1, .upper = s->dom.upper[j]};
        tried[count++] = k;
    }
    return count;
}

/* Tries some columns, if any is left to be tried, and goes past them. BRANCH_COLUMN: none was closed. */
static branch_end try_next(mip_search *s, mip_node *n, selection *y, const trial_budget *b)
{
    child_trial t[2 * TOGETHER];
    int tried[TOGETHER], count = s->strong_iterations < b->all ? list_trials(s, y, t, tried) : 0,
                         end = count ? tried[count - 1] + 1 : y->count;
    branch_end all = BRANCH_COLUMN;
    if (count) trials_make(s, t, 2 * count, b->each);
    if (s->end.memory) return BRANCH_STOPPED;
    for (int k = y->next, q = 0; k < end; k++) {
        bool now = q < count && k == tried[q];
        if (now) {
            branch_end one = learn_from(s, n, &t[2 * q++], &y->column[k]);
            if (one == BRANCH_STOPPED || one == BRANCH_INFEASIBLE) return one;
            if (one == BRANCH_TIGHTENED) all = one;
        }
        if (y->column[k].score > y->best_score) {
            y->best_score = y->column[k].score;
            y->best = k;
            y->since_better = 0;
        } else if (now) {
            y->since_better++;
        }
    }
    y->next = end;
    return all;
}

/* Requires fractional columns in s->lp. */
static branch_end branch_select(mip_search *s, mip_node *n, int *col, bool *up_first)
{
    int count = s->lp.fractions;
    CHECK_COMPARE(count, >, 0);
    selection y = {.column = MEM_NEW(scored_column, count), .count = count, .best_score = -1};
    *col = s->lp.fractional[0];
    *up_first = fraction_of(s->lp.x[*col]) > 0.5;
    if (!y.column) return BRANCH_COLUMN;
    for (int k = 0; k < count; k++) y.column[k] = guess(s, s->lp.fractional[k]);
    qsort(y.column, (size_t)count, sizeof *y.column, by_score);

    branch_end end = BRANCH_COLUMN;
    const relax *r = &s->lp.relax;
    long long average = r->solves > 0 ? r->iterations / r->solves : LEAST_ITERATIONS;
    long long each = 2 * average < LEAST_ITERATIONS  ? LEAST_ITERATIONS
                     : 2 * average > MOST_ITERATIONS ? MOST_ITERATIONS
                                                     : 2 * average;
    trial_budget b = {r->iterations / 2 + 10000, each};
    while (y.next < count && end == BRANCH_COLUMN) end = try_next(s, n, &y, &b);
    if (end == BRANCH_TIGHTENED && !domain_propagate(&s->dom)) end = BRANCH_INFEASIBLE;
    *col = y.column[y.best].col;
    CHECK(s->model->integer[*col]);
    *up_first = y.column[y.best].up <= y.column[y.best].down;
    mem_free(y.column);
    return end;
}

/* ---- the children of a node: how its domain is divided once the column or set is known ------------------------------------------
 *
 * x_j <= floor(v) or x_j >= floor(v) + 1; of a SOS1 set, members after a place are 0 or those up to it are. Every child holds its
 * changes, its parent, and the basis of its parent's relaxation. */

static mip_node *child(mip_search *s, mip_node *parent, bound_change *change, int changes, packed_basis *basis)
{
    if (!change) {
        s->end.memory = true;
        return NULL;
    }
    s->tree.ids += s->tree.id_step;
    mip_node *c = node_new(parent, s->tree.ids, change, changes);
    if (!c)
        s->end.memory = true;
    else
        c->basis = packed_basis_share(basis);
    return c;
}

static bool may_differ(const domain *d, int j) { return d->lower[j] < 0 || d->upper[j] > 0; }

/* The members after place `split` are 0, or those up to it are. */
static void branch_split_set(mip_search *s, mip_node *n, int set, int split, mip_node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    CHECK(from <= split && split + 1 < to);
    packed_basis *basis = relax_basis(&s->lp.relax);
    for (int side = 0; side < 2; side++) {
        int a = side == 0 ? split + 1 : from, b = side == 0 ? to : split + 1;
        bound_change *c = MEM_NEW(bound_change, b - a);
        for (int k = a; c && k < b; k++)
            c[k - a] = (bound_change){p->set_col[k], fmax(s->dom.lower[p->set_col[k]], 0), fmin(s->dom.upper[p->set_col[k]], 0)};
        out[side] = child(s, n, c, b - a, basis);
    }
    packed_basis_free(basis);
}

/* Splits a violated SOS1 set at the weighted middle of its nonzeros. */
static void branch_on_set(mip_search *s, mip_node *n, int set, mip_node *out[2])
{
    const mip_model *p = s->model;
    int from = p->set_start[set], to = p->set_start[set + 1];
    double mass = 0, moment = 0;
    int first = -1, last = -1;
    for (int k = from; k < to; k++) {
        double v = fabs(s->lp.x[p->set_col[k]]);
        if (v <= s->options->integrality_tol) continue;
        if (first < 0) first = k;
        last = k;
        mass += v;
        moment += v * k;
    }
    CHECK_COMPARE(first, <, last); /* the set is violated */
    int split = (int)floor(moment / mass);
    if (split >= last) split = last - 1;
    if (split < first) split = first;
    branch_split_set(s, n, set, split, out);
}

int branch_undecided_set(const mip_search *s, int *split)
{
    const mip_model *p = s->model;
    for (int q = 0; q < p->sets; q++) {
        int open = 0, seen = 0;
        for (int k = p->set_start[q]; k < p->set_start[q + 1]; k++) open += may_differ(&s->dom, p->set_col[k]);
        if (open < 2) continue;
        for (*split = p->set_start[q];; ++*split) {
            seen += may_differ(&s->dom, p->set_col[*split]);
            if (seen == open / 2) return q;
        }
    }
    return -1;
}

/* The children of n in out, the preferred one first; NULL and s->end.memory where memory is out. x: the column's value,
 * between two whole numbers. */
static void branch_on_column(mip_search *s, mip_node *n, int j, double x, bool up_first, mip_node *out[2])
{
    CHECK(s->model->integer[j]);
    CHECK(floor(x) < s->dom.upper[j] && floor(x) + 1 > s->dom.lower[j]); /* each child has less than its parent */
    packed_basis *basis = relax_basis(&s->lp.relax);
    for (int k = 0; k < 2; k++) {
        bool up = (k == 0) == up_first;
        bound_change *c = MEM_NEW(bound_change, 1);
        if (c) *c = (bound_change){j, up ? floor(x) + 1 : s->dom.lower[j], up ? s->dom.upper[j] : floor(x)};
        out[k] = child(s, n, c, 1, basis);
        if (out[k]) {
            out[k]->branch_col = j;
            out[k]->branch_value = x;
            out[k]->up = up;
        }
    }
    packed_basis_free(basis);
}

bool branch_blindly(mip_search *s, mip_node *n, mip_node *out[2])
{
    int best = -1;
    double widest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double width = fmin(s->dom.upper[j] - s->dom.lower[j], 1e6);
        if (s->model->integer[j] && width > widest) widest = width, best = j;
    }
    if (best < 0) return false;
    double lower = s->dom.lower[best], upper = s->dom.upper[best];
    double middle = isfinite(lower) && isfinite(upper) ? floor(0.5 * (lower + upper))
                    : isfinite(lower)                  ? lower
                    : isfinite(upper)                  ? upper - 1
                                                       : 0;
    branch_on_column(s, n, best, middle + 0.5, false, out);
    if (out[0]) out[0]->branch_col = -1;
    if (out[1]) out[1]->branch_col = -1;
    return true;
}

int branch_least_integral(const mip_search *s, double *x)
{
    int worst = -1, open = -1;
    double furthest = 0;
    for (int j = 0; j < s->model->n; j++) {
        double lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || !(lower < upper)) continue;
        /* within the bounds, so that both sides of *x are tighter than they */
        double at = fmin(fmax(s->lp.x[j], lower), upper), moved = fabs(at - round(at));
        if (moved > furthest) furthest = moved, worst = j, *x = at;
        if (open < 0) open = j;
    }
    if (worst >= 0 || open < 0) return worst;
    double at = fmin(fmax(s->lp.x[open], s->dom.lower[open]), s->dom.upper[open]);
    *x = at < s->dom.upper[open] ? at + 0.5 : at - 0.5;
    return open;
}

/* ---- rounds of cutting planes at the root ---------------------------------------------------------------------------------------
 *
 * Each round separates, keeps the most distant cuts that are not too parallel to one already taken (efficacy and orthogonality, G.
 * Andreello, A. Caprara, M. Fischetti, INFORMS Journal on Computing 19 (2007)), re-solves, and takes rows out again whose slack
 * became basic; those stay in the pool. Cuts are added at the root only, so that all nodes share one set of rows. */

enum { MOST_ROUNDS = 40, MOST_STALLS = 4, MOST_FLAT = 12, CUTS_A_ROUND = 60, MOST_IN_POOL = 2000 };

/* Cuts in the relaxation, by row, and those taken out of it. */
typedef struct cut_pool {
    cut_list in; /* row model->m + k of the relaxation is in.item[k] */
    cut_list out;
} cut_pool;

/* Adding a family: a word in VOUCH_MIP_CUTS and a file with its separator. */
#define FAMILY(word) {#word, separate_##word},
static const struct cut_family {
    const char *name;
    void (*separate)(cut_scene *c);
} families[] = {VOUCH_MIP_CUTS(FAMILY)};
#undef FAMILY
enum { FAMILIES = sizeof families / sizeof *families };
_Static_assert(FAMILIES == VOUCH_MIP_FAMILIES, "the number of families stands in the public header");

static bool family_wanted(const mip_search *s, int family)
{
    unsigned chosen = s->options->cut_families;
    return chosen == 0 || (chosen >> family & 1);
}

static void append(cut_list *l, mip_cut c)
{
    if (MEM_RESERVE(&l->item, &l->capacity, l->count))
        cut_free(&c);
    else
        l->item[l->count++] = c;
}

/* A cut that is no row waits in the pool while there is room. */
static void retire(cut_pool *p, mip_cut c)
{
    if (p->out.count < MOST_IN_POOL)
        append(&p->out, c);
    else
        cut_free(&c);
}

/* Pool cuts that the point breaks join the ones found. */
static void recall(cut_pool *p, cut_scene *c)
{
    size_t kept = 0;
    for (size_t k = 0; k < p->out.count; k++) {
        mip_cut *q = &p->out.item[k];
        double activity = 0;
        for (int e = 0; e < q->count; e++) activity += q->value[e] * c->x[q->index[e]];
        q->efficacy = (activity - q->upper) / q->norm;
        if (q->efficacy > CUT_EFFICACY)
            append(&c->found, *q);
        else
            p->out.item[kept++] = *q;
    }
    p->out.count = kept;
}

/* A cut that takes the debug solution away while nothing as good is known is wrong. */
static void keeps_debug_check(const mip_search *s, const mip_cut *c)
{
    if (!CHECKING) return;
    if (!s->owner->debug) return;
    double sum = 0;
    for (int e = 0; e < c->count; e++) sum += c->value[e] * s->owner->debug[c->index[e]];
    CHECK(sum <= c->upper + MIP_FEASIBILITY * (1 + fabs(c->upper)) ||
          s->best.value <= mip_model_objective(s->model, s->owner->debug) + MIP_FEASIBILITY);
}

/* Cuts that become rows: of few columns with their coefficients, else how many. */
enum { SHOWN_COLUMNS = 12 };
static void record_cut(const mip_search *s, const mip_cut *c, int round)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, TRACE_CUT, 0, "cut")) return;
    trace_int(t, "round", round + 1);
    trace_word(t, "family", families[c->family].name);
    TRACE_NUMBERS(t, {"distance", c->efficacy}, {"entries", c->count});
    if (c->count <= SHOWN_COLUMNS) {
        trace_ints(t, "col", c->index, c->count);
        trace_reals(t, "value", c->value, c->count);
        trace_real(t, "upper", c->upper);
    }
    trace_close(t);
}

/* The first `count` found cuts become rows; the others wait in the pool as far as there is room. */
static vouch_status add_rows(mip_search *s, cut_pool *p, cut_list *found, size_t count)
{
    size_t entries = 0;
    for (size_t k = 0; k < count; k++) entries += (size_t)found->item[k].count;
    arena a = {0};
    int64_t *start = ARENA_ZERO(&a, int64_t, count + 1);
    int *index = ARENA_NEW(&a, int, entries);
    double *value = ARENA_NEW(&a, double, entries), *upper = ARENA_NEW(&a, double, count), *lower = ARENA_NEW(&a, double, count);
    vouch_status status = a.failed ? VOUCH_ERROR_MEMORY : VOUCH_OK;
    for (size_t k = 0; status == VOUCH_OK && k < count; k++) {
        const mip_cut *c = &found->item[k];
        start[k + 1] = start[k] + c->count;
        MEM_COPY(index + start[k], c->index, c->count);
        MEM_COPY(value + start[k], c->value, c->count);
        upper[k] = c->upper;
        lower[k] = -INFINITY;
        keeps_debug_check(s, c);
    }
    if (status == VOUCH_OK && MEM_RESERVE(&p->in.item, &p->in.capacity, p->in.count + count) != 0) status = VOUCH_ERROR_MEMORY;
    if (status == VOUCH_OK) status = vouch_lp_add_rows(s->lp.relax.lp, (int)count, start, index, value, lower, upper);
    if (status == VOUCH_OK) {
        for (size_t k = 0; k < count; k++) p->in.item[p->in.count++] = found->item[k];
        for (size_t k = count; k < found->count; k++) retire(p, found->item[k]);
        found->count = 0;
        status = relax_rows_changed(&s->lp.relax);
    }
    arena_free(&a);
    return status;
}

/* Takes rows with basic slacks out of the relaxation; the optimum stays what it is. */
static vouch_status drop_slack_rows(mip_search *s, cut_pool *p)
{
    int m = s->model->m, dropped = 0;
    int *rows = MEM_NEW(int, p->in.count);
    if (!rows || !vouch_lp_has_basis(s->lp.relax.lp)) {
        mem_free(rows);
        return VOUCH_OK;
    }
    vouch_lp_get_basis(s->lp.relax.lp, s->lp.relax.row_status, s->lp.relax.col_status);
    size_t kept = 0;
    for (size_t k = 0; k < p->in.count; k++) {
        if (s->lp.relax.row_status[(size_t)m + k] != VOUCH_BASIC) {
            p->in.item[kept++] = p->in.item[k];
            continue;
        }
        rows[dropped++] = m + (int)k;
        retire(p, p->in.item[k]);
    }
    p->in.count = kept;
    vouch_status status = vouch_lp_delete_rows(s->lp.relax.lp, dropped, rows);
    mem_free(rows);
    return status == VOUCH_OK ? relax_rows_changed(&s->lp.relax) : status;
}

/* What the rounds have done so far. */
typedef struct rounds {
    cut_pool pool;
    double first, last; /* bound before the first round, after the last */
    int count, stalls;
    size_t added[FAMILIES], total; /* cuts that became rows, by family */
} rounds;

/* Separates and adds the best cuts. False: there are none. */
static bool separate_round(mip_search *s, rounds *r)
{
    cut_scene c;
    double since = trace_start(s->options->trace);
    if (cut_scene_init(&c, s->model, s->lp.relax.lp, (cut_request){s->dom.lower, s->dom.upper, s->lp.x, false}) != VOUCH_OK)
        return false;
    recall(&r->pool, &c);
    size_t most = CUTS_A_ROUND + (size_t)s->model->m / 4, known = c.found.count;
    for (c.family = 0; c.family < FAMILIES; c.family++) {
        if (family_wanted(s, c.family)) families[c.family].separate(&c);
        if (c.family > 0 || r->stalls > 0 || c.found.count <= known + most) continue;
        most = c.found.count; /* the point is far from these, which have few entries: others would be of rows that lack them */
        break;
    }
    size_t count = cut_list_choose(&c.found, most);
    r->total += count;
    for (size_t k = 0; k < count; k++) r->added[c.found.item[k].family]++;
    trace_stop(s->options->trace, KERNEL_cuts, since);
    trace_count(s->options->trace, TALLY_cut_rows, (long long)count);
    for (size_t k = 0; k < count && trace_on(s->options->trace); k++) record_cut(s, &c.found.item[k], r->count);
    bool more = count > 0 && add_rows(s, &r->pool, &c.found, count) == VOUCH_OK;
    cut_scene_free(&c);
    return more;
}

/* False: the rounds are over. */
static bool cut_once(mip_search *s, rounds *r, relax_end *end)
{
    if (!separate_round(s, r)) return false;
    *end = mip_search_relax(s, 1);
    if (*end != RELAX_OPTIMAL) return false;
    mip_search_take_point(s);
    mip_search_record_point(s, 1);
    bool stalled = s->lp.value - r->last <= CUT_STALL * fmax(s->lp.value - r->first, CUT_WORTH * (1 + fabs(s->lp.value)));
    /* the optima are a face that is cut off piece by piece: the bound moves when all of it is gone */
    bool flat = r->count < MOST_FLAT && s->lp.value - r->first <= CUT_STALL * CUT_WORTH * (1 + fabs(s->lp.value));
    r->stalls = stalled && !flat ? r->stalls + 1 : 0;
    r->last = s->lp.value;
    if (s->options->heuristics) heuristic_round(s);
    return drop_slack_rows(s, &r->pool) == VOUCH_OK;
}

static void solve_again(mip_search *s, relax_end *end)
{
    *end = mip_search_relax(s, 1);
    if (*end == RELAX_OPTIMAL) mip_search_take_point(s);
}

/* Takes all cuts and the basis out of the relaxation. */
static void remove_cuts(mip_search *s, rounds *r, relax_end *end)
{
    int rows = vouch_lp_rows(s->lp.relax.lp) - s->model->m;
    int *list = MEM_NEW(int, rows);
    for (int k = 0; list && k < rows; k++) list[k] = s->model->m + k;
    if (list && vouch_lp_delete_rows(s->lp.relax.lp, rows, list) == VOUCH_OK && relax_rows_changed(&s->lp.relax) == VOUCH_OK) {
        vouch_lp_forget_basis(s->lp.relax.lp);
        while (r->pool.in.count > 0) cut_free(&r->pool.in.item[--r->pool.in.count]);
        solve_again(s, end);
    }
    mem_free(list);
}

static void log_rounds(const mip_search *s, const rounds *r)
{
    char by_family[FAMILIES * 24] = "";
    if (!log_wants(&s->options->log, VOUCH_LOG_INFO)) return;
    for (int f = 0, used = 0; f < FAMILIES; f++)
        used += format_text(by_family + used, sizeof by_family - (size_t)used, " %s %zu", families[f].name, r->added[f]);
    log_line(&s->options->log, VOUCH_LOG_INFO, "cuts: %d rounds, %zu added (%s), %zu kept, bound %.10g from %.10g", r->count,
             r->total, by_family + 1, r->pool.in.count, s->lp.value, r->first);
}

/* Adds rows to s->relax.lp and leaves its relaxation solved. The point is s->x. False: the node can be closed (*end says how). */
static bool cut_root(mip_search *s, relax_end *end)
{
    rounds r = {.first = s->lp.value, .last = s->lp.value};
    *end = RELAX_OPTIMAL;
    while (r.count < MOST_ROUNDS && r.stalls < MOST_STALLS && s->lp.fractions > 0 && !mip_search_must_stop(s)) {
        if (!cut_once(s, &r, end)) break;
        r.count++;
    }
    /* rows may have gone: the point must be that of the rows that stay */
    if (r.count > 0 && *end == RELAX_OPTIMAL) solve_again(s, end);
    if (*end == RELAX_FAILED || *end == RELAX_UNBOUNDED) remove_cuts(s, &r, end);
    log_rounds(s, &r);
    for (int f = 0; f < FAMILIES; f++) s->root.cut_rows[f] += (long long)r.added[f];
    cut_list_free(&r.pool.in);
    cut_list_free(&r.pool.out);
    return *end == RELAX_OPTIMAL;
}

/* ---- fixing by reduced costs ----------------------------------------------------------------------------------------------------
 *
 * A column nonbasic at its lower bound l with reduced cost d > 0 in a relaxation of value z: moving it t up costs d t at least,
 *     x <= l + floor((cutoff - z) / d)     if integer,
 * and the mirror image at an upper bound. Source: H. Crowder, E. L. Johnson, M. Padberg, Solving large-scale zero-one linear
 * programming problems, Operations Research 31 (1983). Cost O(n), and what propagation follows. */

static bool fix_by_root_costs(mip_search *s)
{
    CHECK_COMPARE(s->dom.trail, ==, 0);
    s->root.news = false;
    if (!s->root.solved || !s->best.found) return true;
    double gap = s->best.cutoff - s->root.value;
    bool alive = true;
    for (int j = 0; j < s->model->n && alive; j++) {
        double d = s->root.reduced[j];
        if (!s->model->integer[j] || fabs(d) < LEAST_REDUCED_COST) continue;
        double steps = floor(gap / fabs(d) + STEP_SLACK);
        if (d > 0 && s->root.x[j] <= s->model->lower[j] + AT_BOUND)
            alive = domain_set_upper(&s->dom, j, s->model->lower[j] + steps);
        if (d < 0 && s->root.x[j] >= s->model->upper[j] - AT_BOUND)
            alive = domain_set_lower(&s->dom, j, s->model->upper[j] - steps);
    }
    alive = alive && domain_propagate(&s->dom);
    s->dom.trail = 0; /* from now on this holds everywhere */
    return alive;
}

/* By those of the node's relaxation; *fixed bounds were moved. False: the node can be closed at the cutoff. */
static bool fix_by_costs(mip_search *s, int *fixed)
{
    double gap = s->best.cutoff - s->lp.value;
    *fixed = 0;
    if (!(gap < INFINITY)) return true;
    for (int j = 0; j < s->model->n; j++) {
        double d = s->lp.reduced[j], lower = s->dom.lower[j], upper = s->dom.upper[j];
        if (!s->model->integer[j] || fabs(d) < LEAST_REDUCED_COST || lower == upper) continue;
        double steps = floor(gap / fabs(d) + STEP_SLACK);
        if (steps >= upper - lower) continue;
        bool alive = true;
        if (d > 0 && s->lp.x[j] <= lower + AT_BOUND) alive = domain_set_upper(&s->dom, j, lower + steps), ++*fixed;
        if (d < 0 && s->lp.x[j] >= upper - AT_BOUND) alive = domain_set_lower(&s->dom, j, upper - steps), ++*fixed;
        if (!alive) return false;
    }
    return *fixed == 0 || domain_propagate(&s->dom);
}

/* Has propagation moved a bound past the relaxation's point? */
static bool fix_moved_point(const mip_search *s)
{
    for (int k = 0; k < s->lp.fractions; k++) {
        int j = s->lp.fractional[k];
        if (s->lp.x[j] < s->dom.lower[j] || s->lp.x[j] > s->dom.upper[j]) return true;
    }
    return false;
}

/* ---- what is done with one node -------------------------------------------------------------------------------------------------
 *
 *     relax -> integral? -> separate (root) -> fix by reduced costs -> heuristics -> restart? (root) -> branch
 *
 * Every step says: go on with the next, again from the relaxation (bounds were tightened), or the node has ended. Source: T.
 * Achterberg, Constraint Integer Programming (2007), chapters 2, 5, 6. */

enum { DIVE_EVERY = 20, IMPROVE_EVERY = 100 };

typedef enum visit_step { STEP_ON, STEP_AGAIN, STEP_ENDED } visit_step;

typedef struct visit {
    mip_search *s;
    mip_node *n;
    mip_node **out; /* [2], the children */
    vouch_node_end end;
    int set;                /* a violated SOS1 set, -1: none */
    bool held;              /* the debug solution is within the node */
    bool learned, searched; /* pseudo-costs; heuristics */
} visit;

static visit_step ended(visit *v, vouch_node_end end)
{
    v->end = end;
    return STEP_ENDED;
}

static visit_step stopped(visit *v)
{
    v->s->end.stopped = true;
    return ended(v, VOUCH_NODE_LIMIT);
}

/* Closed by a bound: the node's objectives are not below the cutoff. */
static visit_step cut_off(visit *v)
{
    v->n->bound = fmax(v->n->bound, v->s->best.cutoff);
    return ended(v, VOUCH_NODE_BOUND);
}

static bool holds_debug(const mip_search *s)
{
    if (!s->owner->debug) return false;
    for (int j = 0; j < s->model->n; j++)
        if (s->owner->debug[j] < s->dom.lower[j] - MIP_FEASIBILITY || s->owner->debug[j] > s->dom.upper[j] + MIP_FEASIBILITY)
            return false;
    return true;
}

/* bound: of what is being closed, which held the debug solution. */
static void closed_debug_check(const mip_search *s, bool held, double bound)
{
    if (!CHECKING) return;
    if (!held) return;
    double value = mip_model_objective(s->model, s->owner->debug), slack = MIP_FEASIBILITY * (1 + fabs(value));
    CHECK(bound <= value + slack || s->best.value <= value + slack);
}

static void learn(mip_search *s, const mip_node *n)
{
    if (n->branch_col < 0 || !n->parent) return;
    double f = fraction_of(n->branch_value);
    pseudo_learn(&s->pseudo, n->branch_col, n->up, n->up ? 1 - f : f, s->lp.value - n->parent->bound);
}

static void remember_root(mip_search *s)
{
    s->root.solved = true;
    s->root.value = s->lp.value;
    MEM_COPY(s->root.reduced, s->lp.reduced, s->model->n);
    MEM_COPY(s->root.x, s->lp.x, s->model->n);
}

/* The node's relaxation is unbounded. Its ray proves something only where no two members of a set are on it: sets
 * are divided until each has one member left. Then, data being rational, the problem is unbounded if it has a
 * point here (R. R. Meyer, Mathematical Programming 7 (1974)). */
static vouch_node_end close_unbounded(mip_search *s, mip_node *n, mip_node *out[2])
{
    int split, set = branch_undecided_set(s, &split);
    if (set >= 0) {
        branch_split_set(s, n, set, split, out);
        return VOUCH_NODE_BRANCHED;
    }
    const mip_owner *o = s->owner;
    switch (o->inhabited ? o->inhabited(o->context, s->dom.lower, s->dom.upper) : SETTLED_UNKNOWN) {
    case SETTLED_INFEASIBLE:
        return VOUCH_NODE_INFEASIBLE;
    case SETTLED_OPTIMAL:
        s->end.unbounded = s->end.stopped = true;
        break;
    case SETTLED_STOPPED:
        s->end.stopped = true;
        break;
    case SETTLED_UNKNOWN:
        s->end.unproved = true;
        break;
    }
    return VOUCH_NODE_LIMIT;
}

/* Solves the relaxation within the domain. On: its point is in s->lp. */
static visit_step relax_node(visit *v)
{
    mip_search *s = v->s;
    mip_node *n = v->n;
    relax_set_bounds(&s->lp.relax, s->dom.lower, s->dom.upper);
    relax_end end = mip_search_relax(s, n->id);
    if (end == RELAX_STOPPED) return stopped(v);
    if (end == RELAX_INFEASIBLE) {
        closed_debug_check(s, v->held, INFINITY);
        return ended(v, VOUCH_NODE_INFEASIBLE);
    }
    if (end == RELAX_CUTOFF) {
        closed_debug_check(s, v->held, s->best.cutoff);
        return cut_off(v);
    }
    if (end == RELAX_UNBOUNDED && !s->root.solved) return ended(v, close_unbounded(s, n, v->out));
    if (end != RELAX_OPTIMAL) {
        if (branch_blindly(s, n, v->out)) return ended(v, VOUCH_NODE_BRANCHED);
        s->end.unproved = true;
        return ended(v, VOUCH_NODE_LIMIT);
    }
    mip_search_take_point(s);
    mip_search_record_point(s, n->id);
    n->bound = fmax(n->bound, s->lp.value);
    if (!v->learned) learn(s, n);
    v->learned = true;
    if (n->depth == 0) remember_root(s);
    return STEP_ON;
}

/* The relaxation's point is integral within the tolerance. Only a point that passed the caller's rows closes the node as integral;
 * without one the node is divided until its integer columns are fixed, and then the caller's rows decide about the rest. */
static visit_step close_integral(visit *v)
{
    mip_search *s = v->s;
    mip_node *n = v->n, **out = v->out;
    v->set = s->lp.fractions == 0 ? mip_search_violated_set(s) : -1;
    if (s->lp.fractions > 0 || v->set >= 0) return STEP_ON;
    double part = 0;
    int least = branch_least_integral(s, &part);
    (void)mip_search_offer(s, s->lp.x);
    if (s->best.found && n->bound >= s->best.value - mip_search_gap(s)) return ended(v, VOUCH_NODE_INTEGER);
    if (least >= 0) {
        branch_on_column(s, n, least, part, false, out);
        if (out[0]) out[0]->branch_col = -1; /* says nothing about costs */
        if (out[1]) out[1]->branch_col = -1;
        return ended(v, VOUCH_NODE_BRANCHED);
    }
    double value = -INFINITY;
    settlement end = s->owner->settle ? s->owner->settle(s->owner->context, s->lp.x, s->point, &value) : SETTLED_UNKNOWN;
    if (end == SETTLED_INFEASIBLE) return ended(v, VOUCH_NODE_INFEASIBLE);
    if (end == SETTLED_OPTIMAL) {
        mip_search_adopt(s, s->point, value);
        n->bound = fmax(n->bound, s->best.value);
        return ended(v, VOUCH_NODE_INTEGER);
    }
    if (value > -INFINITY) { /* a point, of one choice of the members that are 0 */
        mip_search_adopt(s, s->point, value);
        if (n->bound >= s->best.value - mip_search_gap(s)) return ended(v, VOUCH_NODE_INTEGER);
    }
    s->end.unproved = true;
    return ended(v, VOUCH_NODE_LIMIT);
}

/* The rounds of cuts, once, at the root. */
static visit_step separate(visit *v)
{
    mip_search *s = v->s;
    relax_end end;
    if (v->n->depth > 0 || !s->options->cuts || s->root.cut) return STEP_ON;
    s->root.cut = true;
    if (s->options->heuristics && s->owner->improve && !s->best.found) (void)heuristic_jump(s);
    if (s->best.found && !domain_propagate(&s->dom)) return cut_off(v); /* the objective may bound columns */
    if (cut_root(s, &end)) {
        s->root.solved = false; /* the root's figures are those with the cuts */
        return STEP_AGAIN;
    }
    if (end == RELAX_STOPPED) return stopped(v);
    if (end == RELAX_CUTOFF) return cut_off(v);
    return ended(v, end == RELAX_INFEASIBLE ? VOUCH_NODE_INFEASIBLE : VOUCH_NODE_LIMIT);
}

static visit_step fix(visit *v)
{
    int fixed;
    if (!fix_by_costs(v->s, &fixed)) return cut_off(v);
    return fixed > 0 && fix_moved_point(v->s) ? STEP_AGAIN : STEP_ON;
}

static void improve(mip_search *s, long long iteration_budget)
{
    if (s->best.found && s->owner->improve) s->owner->improve(s, iteration_budget);
}

static void run_heuristics(mip_search *s, const mip_node *n)
{
    heuristic_suggest(s);
    if (!s->options->heuristics) return;
    heuristic_round(s);
    bool root = n->depth == 0;
    if (!root && s->tree.nodes % DIVE_EVERY != 0) return;
    long long spent = s->heuristic_iterations, all = s->lp.relax.iterations;
    if (!root && spent > (s->best.found ? all / 5 : all / 2)) return;
    long long budget = all / 4 + 1000;
    if (root) {
        for (int rule = 0; rule < DIVE_RULES && !s->end.stopped; rule++) heuristic_dive(s, (dive_rule)rule, budget);
        if (!s->end.stopped) improve(s, budget);
    } else if (s->tree.nodes % IMPROVE_EVERY == 0) {
        improve(s, budget);
    } else {
        heuristic_dive(s, (dive_rule)(s->tree.nodes / DIVE_EVERY % DIVE_RULES), budget);
    }
}

static visit_step search_points(visit *v)
{
    mip_search *s = v->s;
    double since = trace_start(s->options->trace);
    if (!v->searched) run_heuristics(s, v->n);
    trace_stop(s->options->trace, KERNEL_heuristics, since);
    v->searched = true;
    if (s->end.stopped) return ended(v, VOUCH_NODE_LIMIT);
    bool within_gap = s->best.found && v->n->bound >= s->best.value - mip_search_gap(s);
    return v->n->bound >= s->best.cutoff || within_gap ? ended(v, VOUCH_NODE_BOUND) : STEP_ON;
}

/* Part of the columns that must have been fixed since the program was presolved: of integer ones alone, few in a program of many
 * others made the root dear again and no smaller (khb05250). */
static const double RESTART_PART = 0.2;

/* At the root of s, with an incumbent and the root's reduced costs: fixes by them what they fix everywhere. True: so much that
 * presolve and root should start again. */
static bool restart_pays(mip_search *s)
{
    const mip_model *p = s->model;
    int fixed = 0;
    s->dom.trail = 0; /* what was found at the root holds everywhere */
    if (!fix_by_root_costs(s)) return false;
    for (int j = 0; j < p->n; j++) fixed += s->dom.lower[j] == s->dom.upper[j];
    return fixed > 0 && fixed >= RESTART_PART * p->n;
}

/* At the root: the program without fixed columns may be worth a search of its own. */
static visit_step restart(visit *v)
{
    mip_search *s = v->s;
    if (v->n->depth > 0 || !s->owner->restarts || !s->best.found || !s->root.solved) return STEP_ON;
    if (!restart_pays(s)) return STEP_ON;
    s->end.restart = true;
    return stopped(v);
}

static visit_step branch(visit *v)
{
    mip_search *s = v->s;
    int col;
    bool up_first;
    if (v->set >= 0) {
        branch_on_set(s, v->n, v->set, v->out);
        return ended(v, VOUCH_NODE_BRANCHED);
    }
    switch (branch_select(s, v->n, &col, &up_first)) {
    case BRANCH_STOPPED:
        return stopped(v);
    case BRANCH_INFEASIBLE:
        closed_debug_check(s, v->held, s->best.cutoff);
        return ended(v, VOUCH_NODE_INFEASIBLE);
    case BRANCH_TIGHTENED:
        return STEP_AGAIN;
    case BRANCH_COLUMN:
        break;
    }
    branch_on_column(s, v->n, col, s->lp.x[col], up_first, v->out);
    return ended(v, VOUCH_NODE_BRANCHED);
}

/* Works on n, whose domain and basis are in place: s->dom is propagated. Its children, the preferred one first, go to out (NULL:
 * none). The reason for its end is returned. */
static vouch_node_end process_node(mip_search *s, mip_node *n, mip_node *out[2])
{
    static visit_step (*const chain[])(visit *) = {relax_node, close_integral, separate, fix, search_points, restart, branch};
    visit v = {.s = s, .n = n, .out = out, .set = -1, .held = holds_debug(s)};
    for (size_t k = 0;;) {
        CHECK(k < sizeof chain / sizeof *chain); /* the last step never says: go on */
        switch (chain[k](&v)) {
        case STEP_ON:
            k++;
            break;
        case STEP_AGAIN:
            k = 0;
            break;
        case STEP_ENDED:
            return v.end;
        }
    }
}

/* ---- the loop of branch and bound ------------------------------------------------------------------------------------------- */

enum { LEAST_PLUNGE = 10, SECONDS_BETWEEN_REPORTS = 1 };

/* Where a search stands: the node to work on next, owned (NULL: the queue knows), and how long it plunges already; while it does,
 * domain and basis are those of the node's parent. */
typedef struct tree_walk {
    mip_node *next;
    int plunge;
} tree_walk;

static bool apply_changes(mip_search *s, const bound_change *c, int count)
{
    for (int k = 0; k < count; k++)
        if (!domain_set_lower(&s->dom, c[k].col, c[k].lower) || !domain_set_upper(&s->dom, c[k].col, c[k].upper)) return false;
    return true;
}

/* n and its ancestors, from the root down: s->tree.path, [n->depth + 1]. False: memory. */
static bool list_path(mip_search *s, const mip_node *n)
{
    size_t count = (size_t)n->depth + 1;
    if (count > s->tree.path_capacity) {
        if (MEM_RESIZE(&s->tree.path, 2 * count)) return s->end.memory = true, false;
        s->tree.path_capacity = 2 * count;
    }
    for (const mip_node *q = n; q; q = q->parent) s->tree.path[q->depth] = q;
    return true;
}

/* Their changes. */
static bool apply_path(mip_search *s, const mip_node *n)
{
    if (!list_path(s, n)) return false;
    for (int k = 0; k <= n->depth; k++) {
        const mip_node *q = s->tree.path[k];
        if (!apply_changes(s, q->change, q->changes) || !apply_changes(s, q->deduced, q->deductions)) return false;
    }
    return true;
}

/* The permutations of the columns, when first asked for: small trees do without. */
static const symmetry *group_of(mip_search *s)
{
    search_symmetry *y = &s->symmetry;
    if (y->sought) return y->group;
    y->sought = true;
    if (!s->options->symmetry || s->owner->debug) return NULL; /* of the debug solution an image may be kept */
    y->group = y->own = symmetry_find(s->model);
    if (y->own)
        log_line(&s->options->log, VOUCH_LOG_INFO, "symmetry: %d generators, %d permutations of %d integer columns",
                 y->own->generators, y->own->count, y->own->columns);
    return y->group;
}

/* Takes from the node points that have an image elsewhere. */
static bool spare_images(mip_search *s, const mip_node *n)
{
    search_symmetry *y = &s->symmetry;
    const symmetry *g = n->depth > 0 ? group_of(s) : NULL;
    int count = 0;
    if (!g) return true;
    if (!list_path(s, n)) return false;
    for (int k = 1; k <= n->depth; k++) {
        CHECK_COMPARE(s->tree.path[k]->changes, ==, 1); /* without sets it was a column */
        int j = s->tree.path[k]->change[0].col;
        if (g->index[j] < 0 || y->listed[j]) continue;
        y->listed[j] = true;
        y->order[count++] = j;
    }
    for (int k = 0; k < count; k++) y->listed[y->order[k]] = false;
    return symmetry_reduce(g, &s->dom, y->order, count);
}

/* Brings domain and basis to the node. plunged: they are its parent's. */
static bool enter(mip_search *s, const mip_node *n, bool plunged)
{
    if (!plunged) {
        domain_undo(&s->dom, 0);
        if (s->root.news && !fix_by_root_costs(s)) return false;
        relax_set_basis(&s->lp.relax, n->basis);
    }
    bool alive = plunged ? apply_changes(s, n->change, n->changes) : apply_path(s, n);
    return alive && domain_propagate(&s->dom) && spare_images(s, n);
}

static void report(mip_search *s)
{
    if (!log_wants(&s->options->log, VOUCH_LOG_INFO)) return;
    double now = clock_seconds() - s->clock->start;
    if (now < s->tree.next_report && !log_due(s->tree.nodes)) return;
    s->tree.next_report = now + SECONDS_BETWEEN_REPORTS;
    double bound = mip_search_bound(s);
    double gap = s->best.found ? 100 * fabs(s->best.value - bound) / fmax(1, fabs(s->best.value)) : INFINITY;
    char best[32] = "none";
    if (s->best.found) format_text(best, sizeof best, "%.9g", mip_model_tell(s->model, s->best.value));
    log_line(&s->options->log, VOUCH_LOG_INFO, "%9lld %9zu  %14s  %14.9g  %8.4f  %10lld  %7.1f", s->tree.nodes,
             s->tree.open.nodes.count, best, mip_model_tell(s->model, bound), gap, s->lp.relax.iterations, now);
}

static void record_moment(const mip_search *s)
{
    vouch_trace *t = s->options->trace;
    if (!trace_open(t, TRACE_MOMENT, s->tree.nodes, "moment")) return;
    trace_int(t, "n", s->tree.nodes);
    trace_int(t, "w", s->lp.relax.iterations);
    TRACE_NUMBERS(t, {"b", mip_model_tell(s->model, mip_search_bound(s))}, {"inc", mip_model_tell(s->model, s->best.value)});
    trace_close(t);
}

/* An open node waits in the queue; what it is worth counts for the bound if memory is out. */
static void push_node(mip_search *s, mip_node *n)
{
    if (!n) return;
    CHECK(n->references == 1);
    if (n->bound >= s->best.cutoff) {
        s->tree.closed = fmin(s->tree.closed, n->bound);
        node_release(n);
    } else if (node_queue_push(&s->tree.open, n) != 0) {
        s->end.memory = true;
        s->tree.closed = fmin(s->tree.closed, n->bound);
        node_release(n);
    }
}

static bool worth_plunging(const mip_search *s, const mip_node *n, int depth)
{
    if (!n) return false;
    if (depth < LEAST_PLUNGE) return true;
    if (depth >= LEAST_PLUNGE + s->model->n) return false; /* general integers can go on without end */
    if (!s->best.found) return true;
    double least = fmin(node_queue_bound(&s->tree.open), n->bound);
    return n->bound <= least + PLUNGE_PART * (s->best.cutoff - least);
}

/* n has ended: what it leaves to the bound. */
static void account(mip_search *s, const mip_node *n, vouch_node_end end)
{
    search_tree *t = &s->tree;
    t->nodes++;
    if (s->owner->ended) s->owner->ended(s->owner->context, n, end == VOUCH_NODE_INFEASIBLE ? INFINITY : n->bound, end);
    if (end == VOUCH_NODE_BOUND || end == VOUCH_NODE_INTEGER || end == VOUCH_NODE_LIMIT) t->closed = fmin(t->closed, n->bound);
    if (!s->best.found) return;
    if (end == VOUCH_NODE_INFEASIBLE) t->closed = fmin(t->closed, s->best.cutoff); /* propagation knows the cutoff */
    if (end == VOUCH_NODE_INTEGER) t->closed = fmin(t->closed, s->best.value);
}

/* The preferred child if it is worth it: domain and basis are its parent's (*plunge > 0 counts how long already). NULL: the queue
 * has what is next. */
static mip_node *choose_next(mip_search *s, mip_node *children[2], int *plunge)
{
    CHECK(!children[1] || !children[0] || children[0]->depth == children[1]->depth);
    ++*plunge;
    if (worth_plunging(s, children[0], *plunge) && children[0]->bound < s->best.cutoff) {
        push_node(s, children[1]);
        return children[0];
    }
    *plunge = 0;
    push_node(s, children[0]);
    push_node(s, children[1]);
    return NULL;
}

/* Works on n and lets it go; the node to work on next. */
static mip_node *work_on(mip_search *s, mip_node *n, int *plunge)
{
    mip_node *children[2] = {NULL, NULL};
    vouch_node_end end = VOUCH_NODE_INFEASIBLE;
    s->tree.hot = n;
    if (enter(s, n, *plunge > 0))
        end = process_node(s, n, children);
    else if (s->end.memory)
        end = VOUCH_NODE_LIMIT;
    s->tree.hot = NULL;
    s->end.memory = s->end.memory || s->dom.failed || s->lp.relax.out_of_memory;
    if (!s->end.restart) account(s, n, end); /* else the root of the smaller program counts */
    for (int k = 0; k < 2; k++)
        if (children[k]) children[k]->bound = fmax(children[k]->bound, n->bound);
    node_release(n);
    if (!mip_search_must_stop(s)) return choose_next(s, children, plunge);
    push_node(s, children[0]);
    push_node(s, children[1]);
    return NULL;
}

/* Within the gap there is nothing more to find. */
static bool queue_is_done(const mip_search *s)
{
    double bound = node_queue_bound(&s->tree.open);
    return s->tree.open.nodes.count == 0 || (s->best.found && bound >= s->best.value - mip_search_gap(s));
}

/* Is nothing left to be worked on? */
static bool is_done(const mip_search *s, const tree_walk *w) { return !w->next && queue_is_done(s); }

/* A line of the log when one is due, and the trace. w: what it holds counts for the bound. */
static void report_all(mip_search *s, const tree_walk *w)
{
    s->tree.hot = w->next; /* what is about to be worked on counts for the bound */
    report(s);
    if (trace_on(s->options->trace)) record_moment(s);
    s->tree.hot = NULL;
}

static void take_next(mip_search *s, tree_walk *w)
{
    if (w->next || s->end.stopped || s->end.memory || queue_is_done(s)) return;
    w->next = node_queue_pop(&s->tree.open);
    w->plunge = 0;
}

/* Works on one node after the other until the queue holds nothing to work on, the search must stop, or its nodes or its iterations
 * have come to so many (0: no such limit). */
static void walk_tree(mip_search *s, tree_walk *w, long long nodes, long long iterations)
{
    for (take_next(s, w); w->next && !s->end.memory && !s->end.stopped; take_next(s, w)) {
        if ((nodes > 0 && s->tree.nodes >= nodes) || (iterations > 0 && s->lp.relax.iterations >= iterations)) return;
        w->next = work_on(s, w->next, &w->plunge);
        if (s->tree.id_step == 1) report_all(s, w); /* else whoever runs the searches does */
    }
}

/* The root, to be worked on; without a point to be found by propagation it has ended already. */
static vouch_status begin_tree(mip_search *s, tree_walk *w)
{
    *w = (tree_walk){node_new(NULL, ++s->tree.ids, NULL, 0), 0};
    if (!w->next) return VOUCH_ERROR_MEMORY;
    w->next->bound = s->root.value; /* of an earlier root */
    /* What those lines say. */
    static const char *const lines[] = {
        "nodes        parts of the problem that are settled; a line at 1, 2, 4, 8 and so on, and each second",
        "open         parts that wait",
        "best         objective of the best point found, bound: what no point can be better than; the search ends where they meet",
        "gap          their distance in percent of the best",
        "pivots       of all relaxations",
        "    nodes      open            best           bound       gap      pivots  seconds"};
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) log_line(&s->options->log, VOUCH_LOG_INFO, "%s", lines[i]);
    node_queue_init(&s->tree.open, LEAST_PLUNGE + 2 * s->model->n);
    domain_queue_all(&s->dom);
    if (domain_propagate(&s->dom)) {
        s->dom.trail = 0;
        return VOUCH_OK;
    }
    account(s, w->next, VOUCH_NODE_INFEASIBLE);
    node_release(w->next);
    w->next = NULL;
    return VOUCH_OK;
}

/* ---- several searches on one tree, in rounds ------------------------------------------------------------------------------------
 *
 * Each search has its own queue, relaxation, domain and incumbent, and in a round works on nodes of its own until it has done a
 * given number of nodes or simplex iterations, which it does on any thread. Between rounds, in the order of the searches and never
 * of the clock, all learn the best incumbent and the sums of pseudo-costs and counters, and the best nodes of all queues are dealt
 * out anew. So the number of searches changes the tree, and the number of threads changes nothing.
 *
 * Source: synchronised parallel branch and bound, as in T. K. Ralphs, Y. Shinano, T. Berthold, T. Koch, Parallel solvers for mixed
 * integer linear optimization (2018), section 3. Small trees, of fewer than FIRST_NODES nodes, are searched by one alone; threads
 * then share the trials of its branchings. */

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
    ARENA_FREE(c);
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
            if (node_queue_push(&c->hand, n) != 0) push_node(c->search[k], n);
        }
    int to = 0;
    for (mip_node *n = node_queue_pop(&c->hand); n; n = node_queue_pop(&c->hand)) {
        push_node(c->search[to], n);
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
    walk_tree(s, &c->walk[k], s->tree.nodes + ROUND_NODES, s->lp.relax.iterations + ROUND_ITERATIONS);
}

static void work_round(crew *c)
{
    if (c->threads)
        pool_run(c->threads, c->count, work_in_round, c);
    else
        for (int k = 0; k < c->count; k++) work_in_round(c, k, 0);
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
    share_pseudo(c);
    share_ends(c);
    deal(c);
    report_all(c->search[0], &c->walk[0]);
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
    for (int k = 0; k < c->count; k++) done = done && is_done(c->search[k], &c->walk[k]);
    return done;
}

/* All nodes to the first search. */
static void gather(crew *c, tree_walk *w)
{
    mip_search *s = c->search[0];
    for (int k = 1; k < c->count; k++) {
        mip_search *t = c->search[k];
        push_node(s, c->walk[k].next);
        c->walk[k].next = NULL;
        for (mip_node *n = node_queue_pop(&t->tree.open); n; n = node_queue_pop(&t->tree.open)) push_node(s, n);
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
    walk_tree(s, w, FIRST_NODES, 0);
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
    if (begin_tree(s, &w) != VOUCH_OK) return VOUCH_ERROR_MEMORY;
    int wanted = s->owner->fork && !s->options->trace ? s->options->threads : 1; /* a trace has one place to write to */
    pool *threads = wanted > 1 ? pool_new(wanted < THREADS_MOST ? wanted : THREADS_MOST) : NULL;
    s->rooms = trial_rooms_new(threads, threads ? THREADS_MOST : 1);
    if (!s->rooms) s->end.memory = true;
    search_together(s, &w, threads);
    walk_tree(s, &w, 0, 0);
    node_release(w.next);
    trial_rooms_free(s->rooms);
    s->rooms = NULL;
    pool_free(threads);
    s->end.complete = !s->end.stopped && !s->end.memory && !s->end.unproved;
    return s->end.memory ? VOUCH_ERROR_MEMORY : VOUCH_OK;
}

/* mip/mip.c - the public face: the caller's problem, the incumbent checked on it, and what was proved. See vouch/mip.h. */
#include <math.h>

#include "base/check.h"
#include "base/error.h"
#include "base/memory.h"
#include "mip/search.h"

struct vouch_mip {
    mip_model model; /* the caller's problem, minimised */
    vouch_mip_result result;
    double *x;                                 /* owned: [n], the incumbent */
    double value;                              /* of x in the model; INFINITY without one */
    double *scratch;                           /* owned: [2 n] */
    const mip_presolved *reduced;              /* during a solve */
    const deadline *clock;                     /* during a solve */
    const vouch_mip_options *options;          /* during a solve */
    mip_owner owner;                           /* during a solve: what searches of the reduced program ask for */
    long long nested_nodes, nested_iterations; /* of searches for a point where the relaxation is unbounded */
    bool has_x, is_copy;
    bool out_of_memory;      /* where a search rests on it */
    vouch_mip_node *reports; /* owned: [report_count], of a copy (fork_owner): nodes that are still to be told */
    size_t report_count, report_capacity;
};

/* What a solve has shown, in the model's sense. */
typedef struct mip_summary {
    vouch_mip_outcome outcome;
    double bound;
    long long nodes, iterations;
    long long cut_rows[VOUCH_MIP_FAMILIES];
} mip_summary;

/* ---- the root again, for the smaller program that its reduced costs leave -------------------------------------------------------
 *
 * With a good point and reduced costs of the root with all its cuts, many integer columns are fixed wherever something better is.
 * What presolve, cuts, heuristics and each relaxation cost grows with the columns, and presolve finds more where some are fixed:
 * the root is started again. Source: T. Achterberg, Constraint Integer Programming (2007), section 10.9. */

/* What outer solved for, then what inner did, by the numbers of outer's original. False: memory. */
static bool compose_solved(solved_columns *inner, const mip_presolved *outer)
{
    const solved_columns *before = &outer->solved;
    solved_columns all = {.count = before->count + inner->count, .entries = before->entries + inner->entries};
    all.column = MEM_NEW(solved_column, all.capacity = (size_t)all.count);
    all.entry = MEM_NEW(solved_entry, all.entry_capacity = all.entries);
    if (!all.column || !all.entry) {
        MEM_FREE_ALL(all.column, all.entry);
        return false;
    }
    if (before->count) MEM_COPY(all.column, before->column, before->count);
    if (before->entries) MEM_COPY(all.entry, before->entry, before->entries);
    for (int k = 0; k < inner->count; k++) {
        solved_column c = inner->column[k];
        c.column = outer->col_of[c.column];
        c.first += before->entries;
        c.end += before->entries;
        all.column[before->count + k] = c;
    }
    for (size_t k = 0; k < inner->entries; k++)
        all.entry[before->entries + k] = (solved_entry){outer->col_of[inner->entry[k].column], inner->entry[k].value};
    MEM_FREE_ALL(inner->column, inner->entry);
    *inner = all;
    return true;
}

/* inner maps to columns of outer: afterwards to those that outer maps to. */
static vouch_status compose(mip_presolved *inner, const mip_presolved *outer)
{
    if (!compose_solved(&inner->solved, outer)) return VOUCH_ERROR_MEMORY;
    double *fixed = MEM_NEW(double, outer->original_cols);
    if (!fixed) return VOUCH_ERROR_MEMORY;
    mip_presolved_expand(outer, inner->fixed, fixed);
    for (int j = 0; j < inner->model.n; j++) inner->col_of[j] = outer->col_of[inner->col_of[j]];
    mem_free(inner->fixed);
    inner->fixed = fixed;
    inner->original_cols = outer->original_cols;
    inner->rows_before = outer->rows_before;
    inner->cols_before = outer->cols_before;
    return VOUCH_OK;
}

/* The program of p within the bounds of s, which searched it and holds no nodes, presolved: it has each point of p that is better
 * than the cutoff of s, or is called infeasible. *again maps to the columns that p maps to. ERROR_MEMORY: *again is empty. */
static vouch_status restart_presolve(mip_presolved *again, const mip_presolved *p, const mip_search *s)
{
    mip_model within = p->model; /* with bounds of its own: those of the search are whole for integers */
    CHECK(s->model == &p->model && s->tree.open.nodes.count == 0);
    within.lower = s->dom.lower;
    within.upper = s->dom.upper;
    vouch_status status = mip_presolve(again, &within, true, s->clock);
    if (status == VOUCH_OK) status = compose(again, p);
    if (status != VOUCH_OK) mip_presolved_free(again);
    return status;
}

void restart_continue(mip_search *t, const mip_search *s)
{
    t->lp.relax.iterations = s->lp.relax.iterations;
    t->lp.relax.solves = s->lp.relax.solves;
    t->strong_iterations = s->strong_iterations;
    t->heuristic_iterations = s->heuristic_iterations;
    t->best.granularity = fmax(t->best.granularity, s->best.granularity); /* points of t are points of s */
    mip_search_require(t, t->best.value, fmin(t->best.cutoff, s->best.cutoff));
    t->tree.closed = s->best.cutoff; /* what is worse is not in the program */
    t->root.value = s->root.value;
    for (int f = 0; f < VOUCH_MIP_FAMILIES; f++) t->root.cut_rows[f] = s->root.cut_rows[f];
}

/* ---- one solve -------------------------------------------------------------------------------------------------------------- */

static double mip_gap_of(const vouch_mip *p, double value)
{
    double asked = fmax(p->options->gap_absolute, p->options->gap_relative * fmax(1, fabs(value)));
    return fmax(asked, 2 * MIP_CUTOFF * (1 + fabs(value)));
}

static vouch_mip_outcome outcome_of(const vouch_mip *p, const mip_search *s, double bound)
{
    if (s->end.unbounded) return VOUCH_MIP_UNBOUNDED;
    CHECK(!isnan(bound) && !(s->end.complete && s->end.stopped));
    if (p->has_x && p->value - bound <= mip_gap_of(p, p->value)) return VOUCH_MIP_OPTIMAL;
    if (s->end.complete) return p->has_x ? VOUCH_MIP_NUMERICAL : VOUCH_MIP_INFEASIBLE;
    if (deadline_interrupted(s->clock)) return VOUCH_MIP_INTERRUPTED;
    return s->end.stopped ? VOUCH_MIP_LIMIT : VOUCH_MIP_NUMERICAL;
}

/* The reduced program if it is a single row that a table solves; true: *out says so, as one node. */
static bool solve_row(vouch_mip *p, const mip_model *m, mip_summary *out, vouch_status *status)
{
    const mip_owner owner = p->owner;
    double *x = p->scratch + p->model.n, value = INFINITY;
    knapsack_end end = p->options->presolve ? mip_knapsack(m, p->clock, x) : KNAPSACK_NONE;
    if (end == KNAPSACK_MEMORY) *status = VOUCH_ERROR_MEMORY;
    if (end == KNAPSACK_OPTIMAL && !owner.accept(p, x, &value)) end = KNAPSACK_NONE;
    if (end == KNAPSACK_NONE || end == KNAPSACK_MEMORY) return end == KNAPSACK_MEMORY;
    bool optimal = end == KNAPSACK_OPTIMAL;
    *out = (mip_summary){.outcome = optimal ? VOUCH_MIP_OPTIMAL : VOUCH_MIP_INFEASIBLE, .bound = value, .nodes = 1};
    if (!optimal && p->has_x) out->outcome = VOUCH_MIP_NUMERICAL; /* a checked point contradicts it */
    if (owner.ended) owner.ended(p, &(mip_node){.id = 1}, value, optimal ? VOUCH_NODE_INTEGER : VOUCH_NODE_INFEASIBLE);
    log_line(&p->options->log, VOUCH_LOG_INFO, "one row: %s", optimal ? "solved by states" : "ruled out by residues");
    return true;
}

/* Begins the search s of the reduced program, with what is known; debug: [n] room. */
static vouch_status begin(vouch_mip *p, mip_search *s, mip_owner *owner, double *debug)
{
    const mip_model *m = &p->reduced->model;
    *owner = p->owner;
    if (p->options->debug_solution && debug) { /* presolve keeps an optimum, not every one */
        mip_presolved_restrict(p->reduced, p->options->debug_solution, debug);
        if (mip_model_feasible(m, debug, p->options->integrality_tol)) owner->debug = debug;
    }
    vouch_status status = mip_search_init(s, m, p->options, p->clock, owner);
    if (status != VOUCH_OK || !p->has_x) return status;
    mip_presolved_restrict(p->reduced, p->x, p->scratch);
    mip_search_adopt(s, p->scratch, p->value);
    return VOUCH_OK;
}

static void log_size(const vouch_mip *p, const char *what, const mip_presolved *reduced)
{
    const mip_model *m = &reduced->model;
    log_line(&p->options->log, VOUCH_LOG_INFO, "%s: %d rows, %d columns, %lld entries, %d coefficients tightened", what, m->m, m->n,
             (long long)(reduced->infeasible ? 0 : m->col_start[m->n]), reduced->rows_tightened);
}

/* Searches the reduced program, and reduces it further whenever the root is started again. s: [2], the last one is *last. */
static vouch_status search(vouch_mip *p, mip_presolved *reduced, mip_owner *owner, double *debug, mip_search *s, int *last)
{
    vouch_status status = begin(p, &s[0], owner, debug);
    *last = 0;
    if (status == VOUCH_OK) status = mip_tree_search(&s[0]);
    while (status == VOUCH_OK && s[*last].end.restart) {
        mip_search *from = &s[*last], *to = &s[1 - *last];
        mip_presolved again;
        status = restart_presolve(&again, reduced, from);
        if (status != VOUCH_OK) break;
        log_size(p, "started again", &again);
        if (again.infeasible) { /* nothing is better than what is known */
            mip_presolved_free(&again);
            /* The program is infeasible: s has searched its own to the end. */
            CHECK(from->end.restart && from->best.found);
            from->tree.closed = fmin(from->tree.closed, from->best.cutoff);
            from->end.restart = from->end.stopped = false;
            from->end.complete = true;
            break;
        }
        mip_presolved_free(reduced);
        *reduced = again;
        status = begin(p, to, owner, debug);
        *last = 1 - *last;
        if (status == VOUCH_OK) restart_continue(to, from);
        mip_search_free(from);
        if (status == VOUCH_OK) status = mip_tree_search(to);
    }
    return status;
}

static void summarise(const vouch_mip *p, const mip_search *s, mip_summary *out)
{
    *out = (mip_summary){.bound = mip_search_bound(s), .nodes = s->tree.nodes, .iterations = s->lp.relax.iterations};
    MEM_COPY(out->cut_rows, s->root.cut_rows, VOUCH_MIP_FAMILIES);
    out->outcome = outcome_of(p, s, out->bound);
    log_line(&p->options->log, VOUCH_LOG_INFO,
             "%lld nodes, %lld iterations (%lld to choose branchings, %lld in heuristics), %lld relaxations", s->tree.nodes,
             s->lp.relax.iterations, s->strong_iterations, s->heuristic_iterations, s->lp.relax.solves);
}

static vouch_status mip_solve_model(vouch_mip *p, mip_summary *out)
{
    const vouch_mip_options *o = p->options;
    mip_presolved reduced;
    static const mip_search none;
    mip_search s[2] = {none, none};
    mip_owner owner;
    double *debug = NULL;
    *out = (mip_summary){.outcome = VOUCH_MIP_UNSOLVED, .bound = -INFINITY};
    double since = trace_start(o->trace);
    vouch_status status = mip_presolve(&reduced, &p->model, o->presolve, p->clock);
    trace_stop(o->trace, KERNEL_presolve, since);
    if (status != VOUCH_OK) return status;
    bool within = trace_within(o->trace, true); /* only some of the programs solved on the way are traced */
    p->reduced = &reduced;
    log_line(&o->log, VOUCH_LOG_INFO, "%d rows, %d columns, %lld entries", p->model.m, p->model.n,
             (long long)p->model.col_start[p->model.n]);
    log_size(p, "presolved", &reduced);
    if (reduced.infeasible) {
        out->outcome = VOUCH_MIP_INFEASIBLE;
        if (p->has_x) out->outcome = VOUCH_MIP_NUMERICAL; /* a checked point contradicts it */
    } else if (!solve_row(p, &reduced.model, out, &status)) {
        int last;
        debug = o->debug_solution ? MEM_NEW(double, reduced.model.n) : NULL;
        status = search(p, &reduced, &owner, debug, s, &last);
        if (status == VOUCH_OK) summarise(p, &s[last], out);
        mip_search_free(&s[last]);
    }
    (void)trace_within(o->trace, within);
    mem_free(debug);
    mip_presolved_free(&reduced);
    p->reduced = NULL;
    return status;
}

static settlement mip_inhabited(void *context, const double *lower, const double *upper)
{
    vouch_mip *p = context;
    mip_model whole = p->model, *m = &p->model;
    const mip_presolved *reduced = p->reduced;
    bool had_x = p->has_x;
    mip_summary found = {.outcome = VOUCH_MIP_UNSOLVED};
    double *x = MEM_NEW(double, m->n);
    m->cost = MEM_ZERO(double, m->n);
    m->lower = MEM_NEW(double, m->n);
    m->upper = MEM_NEW(double, m->n);
    m->offset = 0;
    if (x && m->cost && m->lower && m->upper) {
        MEM_COPY(x, p->x, m->n);
        MEM_COPY(m->lower, whole.lower, m->n);
        MEM_COPY(m->upper, whole.upper, m->n);
        for (int j = 0; j < reduced->model.n; j++) {
            m->lower[reduced->col_of[j]] = fmax(whole.lower[reduced->col_of[j]], lower[j]);
            m->upper[reduced->col_of[j]] = fmin(whole.upper[reduced->col_of[j]], upper[j]);
        }
        p->has_x = false;
        p->value = INFINITY;
        if (mip_solve_model(p, &found) != VOUCH_OK) p->out_of_memory = true, found.outcome = VOUCH_MIP_UNSOLVED;
        p->nested_nodes += found.nodes;
        p->nested_iterations += found.iterations;
    } else {
        p->out_of_memory = true;
    }
    bool has_point = p->has_x;
    MEM_FREE_ALL(m->cost, m->lower, m->upper);
    *m = whole;
    p->reduced = reduced;
    if (!has_point && had_x) MEM_COPY(p->x, x, m->n);
    p->has_x = has_point || had_x;
    p->value = p->has_x ? mip_model_objective(m, p->x) : INFINITY;
    mem_free(x);
    if (has_point) return SETTLED_OPTIMAL;
    if (found.outcome == VOUCH_MIP_LIMIT || found.outcome == VOUCH_MIP_INTERRUPTED) return SETTLED_STOPPED;
    return found.outcome == VOUCH_MIP_INFEASIBLE ? SETTLED_INFEASIBLE : SETTLED_UNKNOWN;
}

/* ---- the options of vouch/mip.h as they are by default, and the words for outcomes ------------------------------------------ */

void vouch_mip_options_init(vouch_mip_options *options)
{
    if (!options) return;
    *options = (vouch_mip_options){.gap_absolute = 1e-9,
                                   .gap_relative = 1e-6,
                                   .integrality_tol = 1e-6,
                                   .presolve = 1,
                                   .cuts = 1,
                                   .heuristics = 1,
                                   .symmetry = 1,
                                   .threads = 1};
    vouch_lp_options_init(&options->lp);
}

const char *vouch_mip_outcome_text(vouch_mip_outcome outcome)
{
    static const char *const text[] = {"unsolved", "optimal", "infeasible", "unbounded", "limit", "interrupted", "numerical"};
    return (size_t)outcome < sizeof text / sizeof *text ? text[outcome] : "unknown";
}

/* ---- the public face -------------------------------------------------------------------------------------------------------- */

vouch_status vouch_mip_new(vouch_mip **mip, const vouch_lp *problem)
{
    if (mip) *mip = NULL;
    if (!mip || !problem) return VOUCH_ERROR_ARGUMENT;
    vouch_mip *p = MEM_ZERO(vouch_mip, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    vouch_status status = mip_model_build(&p->model, problem);
    p->x = MEM_NEW(double, vouch_lp_cols(problem));
    p->scratch = MEM_NEW(double, 2 * (size_t)vouch_lp_cols(problem));
    if (status != VOUCH_OK || !p->x || !p->scratch) {
        vouch_mip_free(p);
        return VOUCH_ERROR_MEMORY;
    }
    p->result = (vouch_mip_result){.objective = NAN, .bound = p->model.negated ? INFINITY : -INFINITY};
    *mip = p;
    return VOUCH_OK;
}

void vouch_mip_free(vouch_mip *mip)
{
    if (!mip) return;
    mip_model_free(&mip->model);
    MEM_FREE_ALL(mip->x, mip->scratch, mip);
}

void vouch_mip_get_result(const vouch_mip *mip, vouch_mip_result *result)
{
    if (result) *result = mip ? mip->result : (vouch_mip_result){0};
}

/* The one door through which a point becomes the incumbent: the caller's rows, bounds and integers are checked. */
static bool accept_original(vouch_mip *p, const double *x, double *value)
{
    CHECK(p->options && p->model.n >= 0);
    if (!mip_model_feasible(&p->model, x, p->options->integrality_tol)) return false;
    *value = mip_model_objective(&p->model, x);
    if (*value < p->value || !p->has_x) {
        for (int j = 0; j < p->model.n; j++) p->x[j] = x[j] + 0.0; /* no -0 */
        p->value = *value;
        p->has_x = true;
    }
    return true;
}

static bool accept(void *context, const double *reduced, double *value)
{
    vouch_mip *p = context;
    mip_presolved_expand(p->reduced, reduced, p->scratch);
    return accept_original(p, p->scratch, value);
}

static bool suggest(void *context, const double *reduced, double *out, double *value)
{
    vouch_mip *p = context;
    double *candidate = p->scratch + p->model.n;
    mip_presolved_expand(p->reduced, reduced, p->scratch);
    if (!p->options->heuristic(p->options->heuristic_context, p->scratch, candidate)) return false;
    for (int j = 0; j < p->model.n; j++)
        if (p->model.integer[j]) candidate[j] = round(candidate[j]);
    if (!accept_original(p, candidate, value)) return false;
    mip_presolved_restrict(p->reduced, candidate, out);
    return true;
}

/* Fixes the integer columns of x, and the members of sets that are 0, and optimises the others on the caller's
 * rows. OPTIMAL: x is the result. */
static vouch_lp_outcome complete(vouch_mip *p, double *x)
{
    const mip_model *m = &p->model;
    vouch_lp *lp = NULL;
    vouch_lp_outcome outcome = VOUCH_LP_NUMERICAL;
    bool fits = mip_model_to_lp(m, &lp) == VOUCH_OK;
    p->out_of_memory = p->out_of_memory || !fits;
    if (!fits) return outcome;
    for (int j = 0; j < m->n; j++)
        if (m->integer[j]) fits = vouch_lp_set_col_bounds(lp, j, round(x[j]), round(x[j])) == VOUCH_OK && fits;
    for (int k = 0; m->sets > 0 && k < m->set_start[m->sets]; k++)
        if (fabs(x[m->set_col[k]]) <= p->options->integrality_tol)
            fits = vouch_lp_set_col_bounds(lp, m->set_col[k], 0, 0) == VOUCH_OK && fits;
    vouch_lp_options o = p->options->lp;
    o.limits = deadline_left(p->clock);
    o.limits.iterations = 0;
    o.log = (vouch_log){0};
    /* sharper first: the tolerances of the search have been spent on its own rows */
    o.feasibility_tol = fmin(o.feasibility_tol, MIP_COMPLETION);
    for (int round = 0; fits && round < 2 && outcome == VOUCH_LP_NUMERICAL; round++) {
        vouch_lp_result r;
        p->out_of_memory = vouch_lp_solve(lp, &o) != VOUCH_OK || p->out_of_memory;
        if (p->out_of_memory) break;
        vouch_lp_get_result(lp, &r);
        outcome = r.outcome;
        for (int j = 0; outcome == VOUCH_LP_OPTIMAL && j < m->n; j++) x[j] = m->integer[j] ? nearbyint(r.x[j]) : r.x[j];
        o.feasibility_tol = p->options->lp.feasibility_tol;
        vouch_lp_forget_basis(lp);
    }
    vouch_lp_free(lp);
    return outcome;
}

static settlement settle(void *context, const double *reduced, double *out, double *value)
{
    vouch_mip *p = context;
    double *x = p->scratch;
    mip_presolved_expand(p->reduced, reduced, x);
    for (int j = 0; j < p->model.n; j++)
        if (p->model.integer[j]) x[j] = round(x[j]);
    settlement none = SETTLED_INFEASIBLE;
    if (mip_model_has_continuous(&p->model)) {
        if (p->model.sets > 0) none = SETTLED_UNKNOWN; /* their zeros are a choice */
        vouch_lp_outcome end = complete(p, x);
        if (end == VOUCH_LP_INFEASIBLE) return none;
        if (end != VOUCH_LP_OPTIMAL) return SETTLED_UNKNOWN;
        none = SETTLED_UNKNOWN;
    }
    if (!accept_original(p, x, value)) return none;
    mip_presolved_restrict(p->reduced, x, out);
    return p->model.sets > 0 ? SETTLED_UNKNOWN : SETTLED_OPTIMAL;
}

static void record_node(const vouch_mip *p, const vouch_mip_node *n)
{
    vouch_trace *t = p->options->trace;
    trace_count(t, trace_tally_of(n->end), 1);
    if (!trace_open(t, TRACE_NODE, 0, "node")) return;
    trace_int(t, "id", n->id);
    trace_int(t, "up", n->parent);
    if (n->column >= 0) TRACE_NUMBERS(t, {"col", n->column}, {"lower", n->lower}, {"upper", n->upper});
    TRACE_NUMBERS(t, {"b", n->bound}, {"inc", !p->has_x ? NAN : mip_model_tell(&p->model, p->value)}, {"end", n->end});
    trace_close(t);
}

static void ended(void *context, const mip_node *n, double bound, vouch_node_end end)
{
    vouch_mip *p = context;
    vouch_mip_node report = {.id = n->id,
                             .parent = n->parent ? n->parent->id : 0,
                             .depth = n->depth,
                             .column = -1,
                             .lower = -INFINITY,
                             .upper = INFINITY,
                             .bound = mip_model_tell(&p->model, bound),
                             .end = end};
    if (n->changes > 0) {
        report.column = p->reduced->col_of[n->change[0].col];
        report.lower = n->change[0].lower;
        report.upper = n->change[0].upper;
    }
    record_node(p, &report);
    if (!p->options->on_node) return;
    if (!p->is_copy)
        p->options->on_node(p->options->on_node_context, &report);
    else if (MEM_RESERVE(&p->reports, &p->report_capacity, p->report_count))
        p->out_of_memory = true;
    else
        p->reports[p->report_count++] = report;
}

/* ---- relaxation induced neighbourhood search: a small search where incumbent and relaxation agree -------------------------------
 *
 * Integer columns with the same value in the incumbent and in the relaxation's point are fixed there; the remainder, if small
 * enough, is presolved and searched for something better under a limit of nodes. Source: E. Danna, E. Rothberg, C. Le Pape,
 * Exploring relaxation induced neighborhoods to improve MIP solutions, Mathematical Programming 102 (2005). */

static const double LEAST_FIXED = 0.5; /* part of the integer columns that must agree: else it is no small search */
enum { NODES = 100 };

typedef struct inner {
    mip_search *outer;
    const mip_presolved *reduced;
    double *x; /* owned: [n] of the outer model */
    bool found;
} inner;

static bool accept_inner(void *context, const double *x, double *value)
{
    inner *in = context;
    mip_search *s = in->outer;
    mip_presolved_expand(in->reduced, x, in->x);
    if (!s->owner->accept(s->owner->context, in->x, value)) return false;
    mip_search_adopt(s, in->x, *value);
    in->found = true;
    return true;
}

/* A small search in the neighbourhood of the incumbent and the relaxation's point. Needs an incumbent; leaves all but that. */
static void heuristic_rins(mip_search *s, long long iteration_budget)
{
    const mip_model *p = s->model;
    CHECK(s->best.found);
    mip_model sub = {0};
    mip_presolved reduced = {0};
    mip_search t = {0};
    inner in = {.outer = s, .reduced = &reduced, .x = MEM_NEW(double, p->n)};
    int integers = 0, agreed = 0;
    if (!in.x || mip_model_copy(&sub, p) != VOUCH_OK) goto done;
    for (int j = 0; j < p->n; j++) {
        if (!p->integer[j]) continue;
        sub.lower[j] = s->dom.lower[j];
        sub.upper[j] = s->dom.upper[j];
        integers++;
        if (fabs(s->lp.x[j] - s->best.x[j]) > s->options->integrality_tol || s->best.x[j] < sub.lower[j] ||
            s->best.x[j] > sub.upper[j])
            continue;
        sub.lower[j] = sub.upper[j] = s->best.x[j];
        agreed++;
    }
    CHECK_COMPARE(agreed, <=, integers);
    if (agreed < LEAST_FIXED * integers || agreed == integers) goto done;
    if (mip_presolve(&reduced, &sub, true, s->clock) != VOUCH_OK || reduced.infeasible) goto done;

    vouch_mip_options o = *s->options;
    o.limits.nodes = NODES;
    o.log = (vouch_log){0};
    o.trace = NULL;
    o.cuts = 1;
    o.symmetry = 0; /* it would pay in larger trees only */
    deadline clock = *s->clock;
    clock.limits.iterations = iteration_budget;
    if (s->clock->limits.iterations > 0 && s->clock->limits.iterations - s->lp.relax.iterations < iteration_budget)
        clock.limits.iterations =
            s->clock->limits.iterations > s->lp.relax.iterations ? s->clock->limits.iterations - s->lp.relax.iterations : 1;
    mip_owner owner = {.context = &in, .accept = accept_inner};
    if (mip_search_init(&t, &reduced.model, &o, &clock, &owner) != VOUCH_OK) goto done;
    mip_search_require(&t, s->best.value, s->best.cutoff);
    (void)mip_tree_search(&t);
    s->lp.relax.iterations += t.lp.relax.iterations;
    s->heuristic_iterations += t.lp.relax.iterations;
    mip_search_free(&t);
done:
    mip_model_free(&sub);
    mip_presolved_free(&reduced);
    mem_free(in.x);
}

/* ---- copies for searches on other threads: the model is shared and stays as it is, the point is each one's own ------------- */

static void release_copy(void *copy)
{
    vouch_mip *q = copy;
    MEM_FREE_ALL(q->x, q->scratch, q->reports, q);
}

static void *fork_owner(void *context)
{
    const vouch_mip *p = context;
    vouch_mip *q = MEM_NEW(vouch_mip, 1);
    if (!q) return NULL;
    *q = *p;
    q->is_copy = true;
    q->x = MEM_NEW(double, p->model.n);
    q->scratch = MEM_NEW(double, 2 * (size_t)p->model.n);
    if (!q->x || !q->scratch) {
        release_copy(q);
        return NULL;
    }
    MEM_COPY(q->x, p->x, p->has_x ? p->model.n : 0);
    return q;
}

static void exchange_points(void *context, void *copy)
{
    vouch_mip *p = context, *q = copy;
    bool from_copy = q->has_x && (!p->has_x || q->value < p->value);
    vouch_mip *from = from_copy ? q : p, *to = from_copy ? p : q;
    if (from->has_x) {
        MEM_COPY(to->x, from->x, p->model.n);
        to->value = from->value;
        to->has_x = true;
    }
    for (size_t k = 0; k < q->report_count; k++) p->options->on_node(p->options->on_node_context, &q->reports[k]);
    q->report_count = 0;
    p->out_of_memory = p->out_of_memory || q->out_of_memory;
}

static mip_owner owner_of(vouch_mip *p)
{
    const vouch_mip_options *o = p->options;
    return (mip_owner){.context = p,
                       .accept = accept,
                       .settle = settle,
                       .inhabited = mip_inhabited,
                       .suggest = o->heuristic ? suggest : NULL,
                       .improve = heuristic_rins,
                       .restarts = o->presolve && o->heuristics,
                       .fork = o->heuristic ? NULL : fork_owner, /* the caller's heuristic is asked by one thread */
                       .exchange = exchange_points,
                       .release = release_copy,
                       .ended = o->on_node || o->trace ? ended : NULL};
}

/* The incumbent's continuous columns once more on the caller's rows: those of the search carry the tolerances of
 * tightened bounds and cuts. Sharper rows may cost part of the gap; false: they cost more, and p->scratch is the sharper point. */
static bool polish(vouch_mip *p, double bound)
{
    if (!p->has_x || !mip_model_has_continuous(&p->model) || deadline_expired(p->clock)) return true;
    MEM_COPY(p->scratch, p->x, p->model.n);
    if (complete(p, p->scratch) != VOUCH_LP_OPTIMAL) return true;
    double value = mip_model_objective(&p->model, p->scratch), gap = p->value - bound;
    if (!mip_model_feasible(&p->model, p->scratch, p->options->integrality_tol)) return true;
    if (!(value <= fmax(p->value, bound + fmax(gap, mip_gap_of(p, value))))) return false;
    for (int j = 0; j < p->model.n; j++) p->x[j] = p->scratch[j] + 0.0;
    p->value = value;
    return true;
}

/* In rows of small coefficients the tolerance can be worth more than the gap: the search again with the sharper tolerance of
 * complete() and from its point. Its answer counts if it is optimal; else that of the first search stays, as within tolerances. */
static vouch_status search_sharper(vouch_mip *p, vouch_mip_options *o, mip_summary *sum)
{
    double *known = MEM_NEW(double, p->model.n), value = p->value, tolerance = o->lp.feasibility_tol, sharp;
    mip_summary again;
    if (!known) return VOUCH_ERROR_MEMORY;
    MEM_COPY(known, p->x, p->model.n);
    p->has_x = false;
    p->owner.ended = NULL; /* the log has the first tree */
    o->lp.feasibility_tol = fmin(tolerance, MIP_COMPLETION);
    bool accepted = accept_original(p, p->scratch, &sharp);
    vouch_status status = mip_solve_model(p, &again);
    if (status == VOUCH_OK && again.outcome == VOUCH_MIP_OPTIMAL && accepted && polish(p, again.bound)) {
        p->nested_nodes += sum->nodes;
        p->nested_iterations += sum->iterations;
        *sum = again;
    } else {
        MEM_COPY(p->x, known, p->model.n);
        p->value = value;
    }
    p->has_x = true;
    o->lp.feasibility_tol = tolerance;
    mem_free(known);
    return status;
}

vouch_status vouch_mip_solve(vouch_mip *p, const vouch_mip_options *given)
{
    if (!p) return VOUCH_ERROR_ARGUMENT;
    vouch_mip_options options;
    vouch_mip_options_init(&options);
    if (given) options = *given;
    deadline clock = deadline_start(&options.limits);
    p->options = &options;
    p->clock = &clock;
    p->owner = owner_of(p);
    p->nested_nodes = p->nested_iterations = 0;
    p->has_x = p->out_of_memory = false;
    p->value = INFINITY;
    double value = 0;
    mip_summary sum;
    for (int j = 0; options.start && j < p->model.n; j++)
        p->scratch[j] = p->model.integer[j] ? round(options.start[j]) : options.start[j];
    if (options.start && !accept_original(p, p->scratch, &value))
        log_line(&options.log, VOUCH_LOG_INFO, "the starting point is not feasible and is ignored");
    vouch_status status = mip_solve_model(p, &sum);
    if (sum.outcome == VOUCH_MIP_UNBOUNDED) sum.bound = -INFINITY;
    if (sum.outcome == VOUCH_MIP_INFEASIBLE) sum.bound = INFINITY;
    if (status == VOUCH_OK && !polish(p, sum.bound) && sum.outcome == VOUCH_MIP_OPTIMAL) status = search_sharper(p, &options, &sum);
    if (p->out_of_memory) status = VOUCH_ERROR_MEMORY;
    if (p->has_x) sum.bound = fmin(sum.bound, p->value);
    CHECK(!p->has_x || mip_model_feasible(&p->model, p->x, options.integrality_tol)); /* the incumbent, on the caller's data */
    CHECK(sum.outcome == VOUCH_MIP_OPTIMAL ? p->has_x : sum.outcome != VOUCH_MIP_INFEASIBLE || !p->has_x);
    p->result = (vouch_mip_result){.outcome = sum.outcome,
                                   .has_incumbent = p->has_x,
                                   .objective = p->has_x ? mip_model_tell(&p->model, p->value) : NAN,
                                   .bound = mip_model_tell(&p->model, sum.bound),
                                   .x = p->has_x ? p->x : NULL,
                                   .nodes = sum.nodes + p->nested_nodes,
                                   .iterations = sum.iterations + p->nested_iterations,
                                   .seconds = clock_seconds() - clock.start,
                                   .reason = sum.outcome == VOUCH_MIP_NUMERICAL ? "a relaxation was not certified" : NULL};
    MEM_COPY(p->result.cut_rows, sum.cut_rows, VOUCH_MIP_FAMILIES);
    p->options = NULL;
    p->clock = NULL;
    return status;
}

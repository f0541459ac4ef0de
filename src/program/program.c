/* program/program.c - programs: assembly of columns, names, conversion to values, solving. Invariant of an assembly: start[cols] =
 * entries. */
#include "program/program.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/mip.h>

#include "base/check.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/trace.h"

void assembly_init(assembly *a, int rows)
{
    *a = (assembly){.rows = rows};
    a->row_lower = MEM_NEW(double, rows);
    a->row_upper = MEM_NEW(double, rows);
    if (!a->row_lower || !a->row_upper || MEM_RESERVE(&a->start, &a->start_capacity, 1)) {
        a->failed = true;
        return;
    }
    for (int i = 0; i < rows; i++) {
        a->row_lower[i] = -INFINITY;
        a->row_upper[i] = INFINITY;
    }
    a->start[0] = 0;
}

void assembly_row(assembly *a, int row, double lower, double upper)
{
    if (a->failed) return;
    CHECK(row >= 0 && row < a->rows && lower <= upper);
    a->row_lower[row] = lower;
    a->row_upper[row] = upper;
}

int assembly_column(assembly *a, double cost, double lower, double upper, bool integer)
{
    size_t n = (size_t)a->cols;
    if (a->failed || MEM_RESERVE(&a->start, &a->start_capacity, n + 1) || MEM_RESERVE(&a->cost, &a->cost_capacity, n) ||
        MEM_RESERVE(&a->lower, &a->lower_capacity, n) || MEM_RESERVE(&a->upper, &a->upper_capacity, n) ||
        MEM_RESERVE(&a->integer, &a->integer_capacity, n)) {
        a->failed = true;
        return 0;
    }
    CHECK(isfinite(cost) && lower < INFINITY && upper > -INFINITY);
    a->cost[n] = cost;
    a->lower[n] = lower;
    a->upper[n] = upper;
    a->integer[n] = integer;
    a->start[n + 1] = a->entries;
    return a->cols++;
}

void assembly_entry(assembly *a, int row, double value)
{
    if (a->failed || value == 0) return;
    size_t n = (size_t)a->entries;
    if (MEM_RESERVE(&a->index, &a->index_capacity, n) || MEM_RESERVE(&a->value, &a->value_capacity, n)) {
        a->failed = true;
        return;
    }
    CHECK(row >= 0 && row < a->rows && isfinite(value) && a->cols > 0);
    a->index[n] = row;
    a->value[n] = value;
    a->start[a->cols] = ++a->entries;
}

vouch_status assembly_finish(assembly *a, double offset, vouch_lp **lp)
{
    vouch_status status = VOUCH_ERROR_MEMORY;
    *lp = NULL;
    if (!a->failed) status = vouch_lp_new(lp);
    if (!status) {
        vouch_lp_data data = {.rows = a->rows,
                              .cols = a->cols,
                              .start = a->start,
                              .index = a->index,
                              .value = a->value,
                              .cost = a->cost,
                              .offset = offset,
                              .col_lower = a->lower,
                              .col_upper = a->upper,
                              .row_lower = a->row_lower,
                              .row_upper = a->row_upper};
        status = vouch_lp_load(*lp, &data, NULL);
        for (int j = 0; j < a->cols && !status; j++)
            if (a->integer[j]) status = vouch_lp_set_integer(*lp, j, 1);
        if (status) {
            vouch_lp_free(*lp);
            *lp = NULL;
        }
    }
    MEM_FREE_ALL(a->start, a->index, a->value, a->cost, a->lower, a->upper, a->integer, a->row_lower, a->row_upper);
    return status;
}

/* ---- names: y_n3_a1_k0, pi_n3_a1, x_b2_t4_s1_a0_k1, sigma_c17_a2, D_n3_a1, flow_.., ...
 *
 * n: policy node, b: boundary node, c: likelihood class, t: time, s: state, a: action, k: environment, j: promise on average, all
 * counted from 0 ---- */

static void append(char text[64], const char *letter, int number)
{
    size_t used = strlen(text);
    if (number >= 0) format_text(text + used, 64 - used, "_%s%d", letter, number);
}

static void column_name(const program *p, int j, char text[64])
{
    const column_meaning *c = &p->column[j];
    bool after = p->kind == PROGRAM_PAPER && c->time >= 0;
    if (c->kind == COLUMN_REGRET || c->kind == COLUMN_VALUE) {
        format_text(text, 64, "z");
        return;
    }
    format_text(text, 64, "%s",
                c->kind == COLUMN_INDICATOR   ? "D"
                : c->kind == COLUMN_CHANCE    ? "pi"
                : p->kind == PROGRAM_BILINEAR ? "y"
                : p->kind == PROGRAM_PAPER    ? (after ? "x" : "y")
                                              : "sigma");
    append(text, after ? "b" : "n", c->node);
    append(text, "c", c->cls);
    append(text, "t", c->time);
    append(text, "s", c->state);
    append(text, "a", c->action);
    append(text, "k", c->env);
}

static void row_name(const program *p, int i, char text[64])
{
    static const char *const kinds[] = {"flow", "regret", "commitment", "one", "link", "tie", "value", "average"};
    const row_meaning *r = &p->row[i];
    format_text(text, 64, "%s", kinds[r->kind]);
    append(text, p->kind == PROGRAM_PAPER && r->time >= 0 ? "b" : "n", r->node);
    append(text, "c", r->cls);
    append(text, "t", r->time);
    append(text, "s", r->state);
    append(text, "a", r->action);
    append(text, r->kind == ROW_AVERAGE ? "j" : "k", r->env);
}

vouch_status program_set_names(program *p)
{
    char text[64];
    vouch_status status = VOUCH_OK;
    static const char *const names[] = {"milp_ccl_paper", "milp_ccl_compact", "history_optimal", "exact_ccl"};
    status = vouch_lp_set_name(p->lp, names[p->kind]);
    bool regret = p->column[0].kind == COLUMN_REGRET;
    if (!status) status = vouch_lp_set_objective_name(p->lp, regret ? "regret" : "minus_value");
    for (int j = 0; j < vouch_lp_cols(p->lp) && !status; j++) {
        column_name(p, j, text);
        status = vouch_lp_set_col_name(p->lp, j, text);
    }
    for (int i = 0; i < vouch_lp_rows(p->lp) && !status; i++) {
        row_name(p, i, text);
        status = vouch_lp_set_row_name(p->lp, i, text);
    }
    return status;
}

/* ---- programs of regrets (with all U*_c(k) = 0) to programs of values, for other solvers:
 *
 *   weighted    min - sum over k of w_k U(k)                      regret rows and z are removed, U(k) = sum R y is in the costs
 *   max-min     min - z,   z <= U(k)  every k
 *
 * Source: Steimle, Kaufman, Denton 2021 (the multi-model MDP as an integer program) ---- */

/* Renumbers after the removal of column 0 and of `rows` rows from `first` on. */
static void close_ranks(program *p, int first, int rows)
{
    int cols = vouch_lp_cols(p->lp), left = vouch_lp_rows(p->lp);
    for (int j = 0; j < cols; j++) p->column[j] = p->column[j + 1];
    for (int i = first; i < left; i++) p->row[i] = p->row[i + rows];
    for (int i = 0; i < p->products; i++) {
        vouch_lp_product *x = &p->product[i];
        CHECK(x->row < first || x->row >= first + rows);
        if (x->row >= first) x->row -= rows;
        x->first--;
        x->second--;
    }
    for (int s = 0; p->slot_column && s < p->c->slots; s++) p->slot_column[s]--;
    for (int c = 0; p->indicator_column && c < p->g->choices; c++)
        if (p->indicator_column[c] >= 0) p->indicator_column[c]--;
}

/* -sum over k of weight U(k) as costs. */
static vouch_status weigh(program *p, const double weight[])
{
    vouch_status status = VOUCH_OK;
    vouch_lp_data d;
    for (int j = 0; j < vouch_lp_cols(p->lp) && !status; j++) {
        double cost = 0;
        vouch_lp_view(p->lp, &d);
        for (int64_t e = d.start[j]; e < d.start[j + 1]; e++)
            if (p->row[d.index[e]].kind == ROW_REGRET) cost -= weight[p->row[d.index[e]].env] * d.value[e];
        if (cost != 0) status = vouch_lp_set_cost(p->lp, j, cost);
    }
    return status;
}

vouch_status program_value(program *p, const double weight[])
{
    int K = p->g->K, first = 0, z = 0;
    int64_t start[2] = {0, K};
    int *row = MEM_NEW(int, K);
    double *entry = MEM_NEW(double, K), cost = -1, lower = -INFINITY, upper = INFINITY;
    vouch_status status = row && entry ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    CHECK(p->column[0].kind == COLUMN_REGRET);
    while (p->row[first].kind != ROW_REGRET) first++;
    for (int k = 0; k < K && !status; k++) {
        CHECK(p->row[first + k].kind == ROW_REGRET && p->row[first + k].env == k);
        row[k] = first + k;
        entry[k] = -1;
    }
    column_meaning meaning = p->column[0];
    if (!status && weight) status = weigh(p, weight);
    if (!status) status = vouch_lp_delete_cols(p->lp, 1, &z);
    if (!status && weight) status = vouch_lp_delete_rows(p->lp, K, row);
    if (!status) close_ranks(p, first, weight ? K : 0);
    if (!status && !weight) {
        status = vouch_lp_add_cols(p->lp, 1, start, row, entry, &cost, &lower, &upper);
        meaning.kind = COLUMN_VALUE;
        p->column[vouch_lp_cols(p->lp) - 1] = meaning;
        for (int k = 0; k < K; k++) p->row[first + k].kind = ROW_VALUE;
    }
    mem_free(row);
    mem_free(entry);
    return status;
}

/* ---- solving: a point is returned only with a status that guarantees it; a bound is valid with every status ---- */

/* Points of linear programs become policies, which must keep promises within 2^-40; the solver's default is the fallback. */
static const double PLAYED_TOLERANCE = 1e-10;

static double *copy_point(const double x[], int n)
{
    double *copy = MEM_NEW(double, n);
    if (copy) MEM_COPY(copy, x, n);
    return copy;
}

static program_end end_of_lp(vouch_lp_outcome outcome)
{
    if (outcome == VOUCH_LP_OPTIMAL) return PROGRAM_SOLVED;
    if (outcome == VOUCH_LP_INFEASIBLE) return PROGRAM_INFEASIBLE;
    return outcome == VOUCH_LP_LIMIT || outcome == VOUCH_LP_INTERRUPTED ? PROGRAM_LIMIT : PROGRAM_TROUBLE;
}

static program_end end_of_mip(vouch_mip_outcome outcome)
{
    if (outcome == VOUCH_MIP_OPTIMAL) return PROGRAM_SOLVED;
    if (outcome == VOUCH_MIP_INFEASIBLE) return PROGRAM_INFEASIBLE;
    return outcome == VOUCH_MIP_LIMIT || outcome == VOUCH_MIP_INTERRUPTED ? PROGRAM_LIMIT : PROGRAM_TROUBLE;
}

static vouch_status solve_lp(program *p, const program_options *options, program_solution *solution)
{
    vouch_lp_options lo;
    vouch_lp_result result;
    *solution = (program_solution){.end = PROGRAM_TROUBLE, .value = NAN, .bound = -INFINITY};
    if (deadline_expired(options->limit)) {
        solution->end = PROGRAM_LIMIT;
        return VOUCH_OK;
    }
    vouch_lp_options_init(&lo);
    lo.presolve = 1; /* fixed, since optimal faces have many vertices and the policy depends on the pivots */
    lo.trace = options->trace;
    lo.limits = deadline_left(options->limit);
    lo.limits.nodes = 0;
    double default_feasibility = lo.feasibility_tol, default_optimality = lo.optimality_tol;
    lo.feasibility_tol = lo.optimality_tol = PLAYED_TOLERANCE;
    vouch_status status = vouch_lp_solve(p->lp, &lo);
    if (status) return status;
    vouch_lp_get_result(p->lp, &result);
    if (result.outcome == VOUCH_LP_NUMERICAL) {
        lo.limits.seconds = deadline_left(options->limit).seconds;
        lo.feasibility_tol = default_feasibility;
        lo.optimality_tol = default_optimality;
        status = vouch_lp_solve(p->lp, &lo);
        if (status) return status;
        vouch_lp_get_result(p->lp, &result);
    }
    solution->iterations = result.iterations;
    solution->nodes = 1;
    solution->end = end_of_lp(result.outcome);
    if (solution->end != PROGRAM_SOLVED) return VOUCH_OK;
    solution->value = result.objective;
    solution->bound = result.bound;
    solution->x = copy_point(result.x, vouch_lp_cols(p->lp));
    return solution->x ? VOUCH_OK : VOUCH_ERROR_MEMORY;
}

vouch_status program_solve_lp(program *p, const program_options *options, program_solution *solution)
{
    double since = trace_start(options->trace);
    bool within = trace_within(options->trace, true);
    vouch_status status = solve_lp(p, options, solution);
    (void)trace_within(options->trace, within);
    trace_stop(options->trace, KERNEL_program, since);
    return status;
}

typedef struct relay {
    const program_options *options;
    long long nodes;
    double bound;
} relay;

static void on_node(void *context, const vouch_mip_node *node)
{
    relay *r = context;
    r->nodes++;
    if (node->parent == 0) r->bound = node->bound;
    if ((r->nodes & 15) == 1) r->options->progress(r->options->progress_context, r->bound, r->nodes);
}

static vouch_status solve_mip(program *p, const program_options *options, program_solution *solution)
{
    vouch_mip_options mo;
    vouch_mip_result result;
    vouch_mip *mip = NULL;
    relay r = {options, 0, -INFINITY};
    *solution = (program_solution){.end = PROGRAM_TROUBLE, .value = NAN, .bound = -INFINITY};
    if (deadline_expired(options->limit)) {
        solution->end = PROGRAM_LIMIT;
        return VOUCH_OK;
    }
    vouch_mip_options_init(&mo);
    mo.gap_absolute = options->gap;
    mo.gap_relative = 0;
    mo.limits = deadline_left(options->limit);
    mo.log = options->log;
    mo.seed = options->seed;
    mo.threads = options->threads;
    if (!trace_on(options->trace)) mo.trace = mo.lp.trace = options->trace; /* subproblems are counted, but not recorded */
    mo.start = options->start;
    mo.heuristic = options->round;
    mo.heuristic_context = options->round_context;
    if (options->progress) {
        mo.on_node = on_node;
        mo.on_node_context = &r;
    }
    vouch_status status = vouch_mip_new(&mip, p->lp);
    if (!status) status = vouch_mip_solve(mip, &mo);
    if (!status) {
        vouch_mip_get_result(mip, &result);
        solution->nodes = result.nodes;
        solution->iterations = result.iterations;
        solution->bound = result.bound;
        if (result.has_incumbent) {
            solution->value = result.objective;
            solution->x = copy_point(result.x, vouch_lp_cols(p->lp));
            if (!solution->x) status = VOUCH_ERROR_MEMORY;
        }
        solution->end = end_of_mip(result.outcome);
    }
    vouch_mip_free(mip);
    return status;
}

vouch_status program_solve_mip(program *p, const program_options *options, program_solution *solution)
{
    double since = trace_start(options->trace);
    vouch_status status = solve_mip(p, options, solution);
    trace_stop(options->trace, KERNEL_program, since);
    return status;
}

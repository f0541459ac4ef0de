/* program/program.c - programs: assembly of columns, names, conversion to values, solving. Invariant of an assembly: start[cols] =
 * entries. */
#include "program/program.h"

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

static void append_all(char text[64], const meaning *x, bool after, const char *last)
{
    append(text, after ? "b" : "n", x->node);
    append(text, "c", x->cls);
    append(text, "t", x->time);
    append(text, "s", x->state);
    append(text, "a", x->action);
    append(text, last, x->env);
}

vouch_status program_set_names(program *p)
{
    char text[64];
    static const char *const names[] = {"milp_ccl_paper", "milp_ccl_compact", "history_optimal", "exact_ccl"};
    vouch_status status = vouch_lp_set_name(p->lp, names[p->kind]);
    bool regret = p->column[0].kind == COLUMN_REGRET;
    if (!status) status = vouch_lp_set_objective_name(p->lp, regret ? "regret" : "minus_value");
    for (int j = 0; j < vouch_lp_cols(p->lp) && !status; j++) {
        const meaning *c = &p->column[j];
        bool after = p->kind == PROGRAM_PAPER && c->time >= 0, z = c->kind == COLUMN_REGRET || c->kind == COLUMN_VALUE;
        format_text(text, 64, "%s",
                    z                             ? "z"
                    : c->kind == COLUMN_INDICATOR ? "D"
                    : c->kind == COLUMN_CHANCE    ? "pi"
                    : p->kind == PROGRAM_BILINEAR ? "y"
                    : p->kind == PROGRAM_PAPER    ? (after ? "x" : "y")
                                                  : "sigma");
        if (!z) append_all(text, c, after, "k");
        status = vouch_lp_set_col_name(p->lp, j, text);
    }
    for (int i = 0; i < vouch_lp_rows(p->lp) && !status; i++) {
        static const char *const kinds[] = {"flow", "regret", "commitment", "one", "link", "tie", "value", "average"};
        const meaning *r = &p->row[i];
        format_text(text, 64, "%s", kinds[r->kind]);
        append_all(text, r, p->kind == PROGRAM_PAPER && r->time >= 0, r->kind == ROW_AVERAGE ? "j" : "k");
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
    meaning z_meaning = p->column[0];
    if (!status && weight) status = weigh(p, weight);
    if (!status) status = vouch_lp_delete_cols(p->lp, 1, &z);
    if (!status && weight) status = vouch_lp_delete_rows(p->lp, K, row);
    if (!status) close_ranks(p, first, weight ? K : 0);
    if (!status && !weight) {
        status = vouch_lp_add_cols(p->lp, 1, start, row, entry, &cost, &lower, &upper);
        z_meaning.kind = COLUMN_VALUE;
        p->column[vouch_lp_cols(p->lp) - 1] = z_meaning;
        for (int k = 0; k < K; k++) p->row[first + k].kind = ROW_VALUE;
    }
    MEM_FREE_ALL(row, entry);
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

/* ---- MILP-CCL and the history-optimal LP over likelihood classes ----------------------------------------------------------------
 *
 *   min z (or total regret, z <= cap)
 *   sum_a sigma(c,a) - sum over arcs into c of factor * sigma(parent,a') = [c is the root]       every class before T
 *   z + sum w_k R(s,a;k) sigma(c,a) >= U*_c(k)                                                    every k
 *   sum over arcs into Phi at T of factor * w_k(child) sigma(c,a) >= p(k)                        every k
 *   sum_a Delta(n,a) <= 1,  sigma(c,a) <= M(c) Delta(n,a)                                        nodes with a choice
 *
 * M(c), an upper bound of sigma, is min(1, sum over parents of the largest factor times the parent's M). With indicators the
 * columns are the shares sigma(c,a) / M(c), and the flow row of c is divided by M(c): classes of probability 1e-8 are common, and
 * rows sigma <= 1e-8 Delta would be below a solver's tolerances. Sources: sequence form, von Stengel 1996; Koller, Megiddo, von
 * Stengel 1996; indicators as in Zhang, Singh, Durfee 2017. */

static const double RARE = 1e-12; /* least M, so that no quotient overflows */

typedef struct compact_layout {
    int deciding;     /* classes before T: flow rows 0 .. deciding-1 */
    int regret, keep; /* first regret, commitment row */
    int rows;
    int *one;  /* [nodes] one-choice row, or -1 */
    int *link; /* [slots] link row, or -1 */
} compact_layout;

/* most: scratch [classes], zero before and after: the largest factor from the current parent. */
static void bound_occupancy(const know_classes *c, double most[], double largest[])
{
    for (int i = 0; i < c->classes; i++) largest[i] = i == 0;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        CHECK_COMPARE(largest[i], >=, 0);
        largest[i] = fmin(1, fmax(RARE, largest[i]));
        int first = c->arc_start[c->slot_start[i]], last = c->arc_start[c->slot_start[i + 1]];
        for (int a = first; a < last; a++) {
            int child = c->arc_child[a];
            if (c->arc_factor[a] <= most[child]) continue;
            largest[child] += largest[i] * (c->arc_factor[a] - most[child]);
            most[child] = c->arc_factor[a];
        }
        for (int a = first; a < last; a++) most[c->arc_child[a]] = 0;
    }
}

static vouch_status lay_out(program *p, bool indicators, const promise_averages *averages, compact_layout *l)
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    l->deciding = c->time_start[g->T];
    l->regret = l->deciding;
    l->keep = l->regret + c->K;
    l->rows = l->keep + c->K + averages->count;
    l->one = MEM_NEW(int, g->nodes);
    l->link = MEM_NEW(int, c->slots);
    p->unit = MEM_NEW(double, c->classes);
    double *most = MEM_ZERO(double, c->classes);
    if (!l->one || !l->link || !p->unit || !most) {
        mem_free(most);
        return VOUCH_ERROR_MEMORY;
    }
    for (int n = 0; n < g->nodes; n++) l->one[n] = indicators && know_real_choices(g, n) > 1 ? l->rows++ : -1;
    for (int i = 0; i < l->deciding; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            l->link[slot] = l->one[c->node[i]] >= 0 ? l->rows++ : -1;
    if (indicators)
        bound_occupancy(c, most, p->unit);
    else
        for (int i = 0; i < c->classes; i++) p->unit[i] = 1;
    mem_free(most);
    return VOUCH_OK;
}

static int slot_action(const know_classes *c, int slot) { return c->g->m->pair_action[c->g->choice_pair[c->slot_option[slot]]]; }

static void add_rows(program *p, assembly *a, const compact_layout *l, const program_aim *aim)
{
    const know_classes *c = p->c;
    double mean = 0;
    for (int k = 0; k < c->K && aim->share; k++) mean += aim->share[k] * aim->optimal[k];
    for (int k = 0; k < c->K; k++) {
        double least = !aim->share ? aim->optimal[k] : k == 0 ? mean : -INFINITY;
        program_row(p, a, l->regret + k, (meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, least, INFINITY);
    }
    program_promise_rows(p, a, l->keep, c->K, aim);
    for (int n = 0; n < c->g->nodes; n++)
        if (l->one[n] >= 0) program_row(p, a, l->one[n], (meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, -INFINITY, 1);
    for (int i = 0; i < l->deciding; i++) {
        program_row(p, a, i, (meaning){ROW_FLOW, -1, i, -1, -1, -1, -1}, i == 0, i == 0);
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            if (l->link[slot] >= 0)
                program_row(p, a, l->link[slot], (meaning){ROW_LINK, -1, i, -1, -1, slot_action(c, slot), -1}, -INFINITY, 0);
    }
}

/* keep: [K] scratch */
static void add_occupancies(program *p, assembly *a, const compact_layout *l, const program_aim *aim, double keep[])
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    size_t K = (size_t)c->K;
    for (int i = 0; i < l->deciding; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++) {
            int option = c->slot_option[slot];
            const double *w = know_class_weights(c, i), *r = g->reward + (size_t)g->choice_pair[option] * K;
            double total = 0, mean = 0, unit = p->unit[i];
            memset(keep, 0, K * sizeof *keep);
            for (size_t k = 0; k < K; k++) total += w[k] * r[k];
            for (size_t k = 0; k < K && aim->share; k++) mean += aim->share[k] * w[k] * r[k];
            int j = assembly_column(a, aim->goal == PROGRAM_TOTAL_REGRET ? -total * unit : 0, 0, INFINITY, false);
            p->slot_column[slot] = j;
            p->column[j] = (meaning){COLUMN_OCCUPANCY, -1, i, -1, -1, slot_action(c, slot), -1};
            assembly_entry(a, i, 1);
            if (aim->share) assembly_entry(a, l->regret, mean * unit);
            for (size_t k = 0; k < K && !aim->share; k++) assembly_entry(a, l->regret + (int)k, w[k] * r[k] * unit);
            for (int arc = c->arc_start[slot]; arc < c->arc_start[slot + 1]; arc++) {
                int child = c->arc_child[arc];
                if (child < l->deciding)
                    assembly_entry(a, child, -c->arc_factor[arc] * unit / p->unit[child]);
                else
                    for (size_t k = 0; k < K; k++)
                        keep[k] += c->arc_factor[arc] * know_class_weights(c, child)[k] * know_terminal(g, c->node[child], (int)k);
            }
            for (size_t k = 0; k < K; k++) assembly_entry(a, l->keep + (int)k, keep[k] * unit);
            for (int mean_of = 0; mean_of < aim->averages->count; mean_of++)
                assembly_entry(a, l->keep + c->K + mean_of, average_mean(aim->averages, mean_of, c->K, keep) * unit);
            if (l->link[slot] >= 0) assembly_entry(a, l->link[slot], 1);
        }
}

static void add_indicators(program *p, assembly *a, const compact_layout *l)
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    /* slots of each choice: classes are visited once, in a chain per choice */
    int *head = MEM_NEW(int, g->choices), *next = MEM_NEW(int, c->slots);
    if (!head || !next) {
        a->failed = true;
        goto done;
    }
    for (int o = 0; o < g->choices; o++) head[o] = -1;
    for (int i = l->deciding - 1; i >= 0; i--)
        for (int slot = c->slot_start[i + 1] - 1; slot >= c->slot_start[i]; slot--) {
            next[slot] = head[c->slot_option[slot]];
            head[c->slot_option[slot]] = slot;
        }
    for (int n = 0; n < g->nodes; n++)
        for (int o = g->choice_start[n]; o < g->choice_start[n + 1]; o++) {
            if (l->one[n] < 0 || g->choice_twin[o] != o) continue;
            int j = p->indicator_column[o] = assembly_column(a, 0, 0, 1, true);
            p->column[j] = (meaning){COLUMN_INDICATOR, n, -1, -1, -1, g->m->pair_action[g->choice_pair[o]], -1};
            assembly_entry(a, l->one[n], 1);
            for (int slot = head[o]; slot >= 0; slot = next[slot]) assembly_entry(a, l->link[slot], -1);
        }
done:
    MEM_FREE_ALL(head, next);
}

vouch_status program_compact(const know_classes *c, const program_aim *aim, bool indicators, program **out)
{
    *out = NULL;
    program *p = MEM_ZERO(program, 1);
    if (!p) return VOUCH_ERROR_MEMORY;
    compact_layout l = {0};
    assembly a;
    double offset = 0, *keep = NULL;
    p->kind = indicators ? PROGRAM_COMPACT : PROGRAM_HISTORY;
    p->c = c;
    p->g = c->g;
    p->slot_column = MEM_NEW(int, c->slots);
    p->indicator_column = MEM_NEW(int, c->g->choices);
    vouch_status status = p->slot_column && p->indicator_column ? lay_out(p, indicators, aim->averages, &l) : VOUCH_ERROR_MEMORY;
    if (status) goto done;
    p->row = MEM_NEW(meaning, l.rows);
    p->column = MEM_NEW(meaning, 1 + (size_t)c->slots + (size_t)c->g->choices);
    keep = MEM_NEW(double, c->K);
    if (!p->row || !p->column || !keep) {
        status = VOUCH_ERROR_MEMORY;
        goto done;
    }
    assembly_init(&a, l.rows);
    add_rows(p, &a, &l, aim);
    for (int k = 0; k < c->K && aim->goal == PROGRAM_TOTAL_REGRET; k++) offset += aim->optimal[k];
    p->column[0] = (meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
    assembly_column(&a, aim->goal == PROGRAM_MAX_REGRET, 0, aim->goal == PROGRAM_TOTAL_REGRET ? aim->cap : INFINITY, false);
    for (int k = 0; k < c->K; k++) assembly_entry(&a, l.regret + k, 1);
    add_occupancies(p, &a, &l, aim, keep);
    for (int o = 0; o < c->g->choices; o++) p->indicator_column[o] = -1;
    if (indicators) add_indicators(p, &a, &l);
    CHECK(a.failed || a.cols > l.deciding);
    status = assembly_finish(&a, offset, &p->lp);
done:
    MEM_FREE_ALL(l.one, l.link, keep);
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}

void program_promise_rows(program *p, assembly *a, int keep, int K, const program_aim *aim)
{
    for (int k = 0; k < K; k++)
        program_row(p, a, keep + k, (meaning){ROW_COMMITMENT, -1, -1, -1, -1, -1, k}, aim->probability[k], INFINITY);
    for (int i = 0; i < aim->averages->count; i++)
        program_row(p, a, keep + K + i, (meaning){ROW_AVERAGE, -1, -1, -1, -1, -1, i}, aim->probability[K + i], INFINITY);
}

void program_promise_entries(assembly *a, int keep, int K, const promise_averages *averages, int k, double probability)
{
    assembly_entry(a, keep + k, probability);
    for (int i = 0; i < averages->count; i++)
        assembly_entry(a, keep + K + i, averages->weight[(size_t)i * (size_t)K + (size_t)k] * probability);
}

void program_row(program *p, assembly *a, int i, meaning row, double lower, double upper)
{
    p->row[i] = row;
    assembly_row(a, i, lower, upper);
}

void program_free(program *p)
{
    if (!p) return;
    vouch_lp_free(p->lp);
    MEM_FREE_ALL(p->column, p->row, p->slot_column, p->unit, p->indicator_column, p->product, p);
}

void program_point(const program *p, const int pick[], double z, double reach[], double x[])
{
    const know_classes *c = p->c;
    const know_graph *g = c->g;
    memset(x, 0, (size_t)vouch_lp_cols(p->lp) * sizeof *x);
    memset(reach, 0, (size_t)c->classes * sizeof *reach);
    x[0] = z;
    reach[0] = 1;
    for (int i = 0; i < c->time_start[g->T]; i++)
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1] && reach[i] > 0; slot++) {
            if (c->slot_option[slot] != g->choice_twin[pick[c->node[i]]]) continue;
            x[p->slot_column[slot]] = reach[i] / p->unit[i];
            for (int arc = c->arc_start[slot]; arc < c->arc_start[slot + 1]; arc++)
                reach[c->arc_child[arc]] += reach[i] * c->arc_factor[arc];
        }
    for (int n = 0; n < g->time_start[g->T]; n++) {
        CHECK(pick[n] >= g->choice_start[n] && pick[n] < g->choice_start[n + 1]);
        int j = p->indicator_column[g->choice_twin[pick[n]]];
        if (j >= 0) x[j] = 1;
    }
}

void program_slot_mass(const program *p, const double x[], double mass[])
{
    const know_classes *c = p->c;
    for (int i = 0; i < c->time_start[c->g->T]; i++) {
        double sum = 0;
        for (int k = 0; k < c->K; k++) sum += know_class_weights(c, i)[k];
        for (int slot = c->slot_start[i]; slot < c->slot_start[i + 1]; slot++)
            mass[slot] = fmax(0, x[p->slot_column[slot]]) * p->unit[i] * sum / c->K;
    }
}

/* ---- MILP-CCL exactly as the paper prints it ------------------------------------------------------------------------------------
 *
 * Before L: y(b,a;k) for reachable knowledge states b and k consistent with b. From L on: x(b_L,t,s,a;k) for every state s, every t
 * = L..T-1 and k consistent with b_L, whether reachable or not (unreachable flow is zero by conservation).
 *
 *   min z,   z >= U*_c(k) - U(k),   sum over b_L of the flow into Phi at T >= p   every k, or their mean
 *   out-flow = in-flow at each b, and at each (b_L,t,s), in each k; x(b_L,L,s_L) is fed by y_{b_L}(k)
 *   sum_a Delta <= 1,  y <= Delta,  x <= Delta                                                   one row a column
 * Source: Zhang, Singh, Durfee, ICAPS 2017 (MILP-CCL). */

typedef struct paper_layout {
    const know_graph *g;
    const vouch_model *m;
    int K, L, T;
    int before;            /* nodes before L */
    int boundaries, first; /* nodes at time L: first .. first + boundaries - 1 */
    int *rank_start;       /* [nodes up to L, + 1] environments of all nodes before this one */
    int flow_after;        /* first flow row of (b_L,t,s) */
    int regret, keep;
    int one_before, one_after;
    int link; /* first link row; link rows follow the occupancy columns in order */
    int rows, occupancies;
    const promise_averages *averages;
} paper_layout;

static int set_size(const paper_layout *l, int node) { return know_set_size(l->g, l->g->set[node]); }

/* Flow row of knowledge state `node` (before L) in environment k. */
static int row_before(const paper_layout *l, int node, int k) { return l->rank_start[node] + know_rank(l->g, l->g->set[node], k); }

/* Flow row of (b_L, t, s) in environment k, t = L .. T-1. */
static int row_after(const paper_layout *l, int boundary, int t, int s, int k)
{
    int per_time = l->m->S * set_size(l, boundary);
    int before = l->rank_start[boundary] - l->rank_start[l->first]; /* environments of earlier boundaries */
    return l->flow_after + before * l->m->S * (l->T - l->L) + (t - l->L) * per_time + s * set_size(l, boundary) +
           know_rank(l->g, l->g->set[boundary], k);
}

static vouch_status lay_out_paper(paper_layout *l)
{
    const know_graph *g = l->g;
    l->first = l->before = g->time_start[l->L];
    l->boundaries = g->time_start[l->L + 1] - l->first;
    l->rank_start = MEM_NEW(int, l->first + l->boundaries + 1);
    if (!l->rank_start) return VOUCH_ERROR_MEMORY;
    long long rows = 0, pairs_before = 0, after = 0, one = 0;
    for (int n = 0; n <= l->first + l->boundaries; n++) {
        l->rank_start[n] = (int)rows;
        if (n == l->first + l->boundaries) break;
        rows += set_size(l, n);
        if (n < l->before) {
            pairs_before += (long long)set_size(l, n) * (g->choice_start[n + 1] - g->choice_start[n]);
            one++;
        } else
            after += set_size(l, n);
    }
    int span = l->T - l->L;
    l->flow_after = l->rank_start[l->first];
    long long total = l->flow_after + after * l->m->S * span;
    l->regret = (int)total;
    l->keep = l->regret + l->K;
    l->one_before = l->keep + l->K + l->averages->count;
    l->one_after = l->one_before + (int)one;
    long long link = l->one_after + (long long)l->boundaries * span * l->m->S;
    long long occupancies = pairs_before + after * span * l->m->pairs;
    if (link + occupancies > 500000000) return VOUCH_ERROR_SIZE;
    l->link = (int)link;
    l->occupancies = (int)occupancies;
    l->rows = l->link + l->occupancies;
    return VOUCH_OK;
}

typedef struct writer {
    program *p;
    const paper_layout *l;
    assembly a;
    int link; /* of the next occupancy column */
} writer;

static void occupancy_column(writer *w, meaning m)
{
    int j = assembly_column(&w->a, 0, 0, INFINITY, false);
    m.kind = COLUMN_OCCUPANCY;
    w->p->column[j] = m;
    meaning link = {ROW_LINK, m.node, -1, m.time, m.state, m.action, m.env};
    program_row(w->p, &w->a, w->link, link, -INFINITY, 0);
}

/* y(b,a;k) for all b before L. */
static void columns_before(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    for (int n = 0; n < l->before; n++)
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++)
            for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
                int k = g->member[i], q = g->choice_pair[c];
                double keep = 0;
                occupancy_column(w, (meaning){COLUMN_OCCUPANCY, n, -1, -1, -1, l->m->pair_action[q], k});
                assembly_entry(&w->a, row_before(l, n, k), 1);
                for (int e = g->edge_start[c]; e < g->edge_start[c + 1]; e++) {
                    int child = g->edge_child[e];
                    double prob = g->successor_prob[(size_t)g->edge_row[e] * (size_t)l->K + (size_t)k];
                    if (prob <= 0 || !know_in_set(g, g->set[child], k)) continue;
                    if (child < l->before)
                        assembly_entry(&w->a, row_before(l, child, k), -prob);
                    else if (l->L < l->T)
                        assembly_entry(&w->a, row_after(l, child, l->L, g->state[child], k), -prob);
                    else
                        keep += prob * know_terminal(g, child, k);
                }
                assembly_entry(&w->a, l->regret + k, g->reward[(size_t)q * (size_t)l->K + (size_t)k]);
                program_promise_entries(&w->a, l->keep, l->K, l->averages, k, keep);
                assembly_entry(&w->a, w->link++, 1);
            }
}

/* x(b_L,t,s,a;k) for all t >= L. */
static void columns_after(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    const vouch_model *m = l->m;
    for (int b = l->first; b < l->first + l->boundaries; b++)
        for (int t = l->L; t < l->T; t++)
            for (int s = 0; s < m->S; s++)
                for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                    for (int i = g->member_start[g->set[b]]; i < g->member_start[g->set[b] + 1]; i++) {
                        int k = g->member[i];
                        const mdp *e = &m->env[k];
                        double keep = 0;
                        occupancy_column(w, (meaning){COLUMN_OCCUPANCY, b - l->first, -1, t, s, m->pair_action[q], k});
                        assembly_entry(&w->a, row_after(l, b, t, s, k), 1);
                        for (int o = e->start[q]; o < e->start[q + 1]; o++)
                            if (t + 1 < l->T)
                                assembly_entry(&w->a, row_after(l, b, t + 1, e->next[o], k), -e->prob[o]);
                            else
                                keep += e->prob[o] * e->terminal[e->next[o]];
                        assembly_entry(&w->a, l->regret + k, e->expected[q]);
                        program_promise_entries(&w->a, l->keep, l->K, l->averages, k, keep);
                        assembly_entry(&w->a, w->link++, 1);
                    }
}

/* Delta: the link rows of one indicator are `size` consecutive ones, because environments vary fastest. */
static void indicator_column(writer *w, int one, int size, meaning m)
{
    int j = assembly_column(&w->a, 0, 0, 1, true);
    m.kind = COLUMN_INDICATOR;
    m.env = -1;
    w->p->column[j] = m;
    assembly_entry(&w->a, one, 1);
    for (int i = 0; i < size; i++) assembly_entry(&w->a, w->link++, -1);
}

static void indicators(writer *w)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    const vouch_model *m = l->m;
    w->link = l->link;
    for (int n = 0; n < l->before; n++) {
        program_row(w->p, &w->a, l->one_before + n, (meaning){ROW_ONE_CHOICE, n, -1, -1, -1, -1, -1}, -INFINITY, 1);
        for (int c = g->choice_start[n]; c < g->choice_start[n + 1]; c++) {
            w->p->indicator_column[c] = w->a.cols;
            indicator_column(w, l->one_before + n, set_size(l, n),
                             (meaning){COLUMN_INDICATOR, n, -1, -1, -1, m->pair_action[g->choice_pair[c]], -1});
        }
    }
    for (int b = 0; b < l->boundaries; b++)
        for (int t = l->L; t < l->T; t++)
            for (int s = 0; s < m->S; s++) {
                int one = l->one_after + (b * (l->T - l->L) + (t - l->L)) * m->S + s;
                program_row(w->p, &w->a, one, (meaning){ROW_ONE_CHOICE, b, -1, t, s, -1, -1}, -INFINITY, 1);
                for (int q = m->pair_start[s]; q < m->pair_start[s + 1]; q++)
                    indicator_column(w, one, set_size(l, l->first + b),
                                     (meaning){COLUMN_INDICATOR, b, -1, t, s, m->pair_action[q], -1});
            }
}

static void fixed_rows(writer *w, const program_aim *aim)
{
    const paper_layout *l = w->l;
    const know_graph *g = l->g;
    for (int n = 0; n < l->first + l->boundaries; n++)
        for (int i = g->member_start[g->set[n]]; i < g->member_start[g->set[n] + 1]; i++) {
            int k = g->member[i];
            if (n < l->before) {
                int row = row_before(l, n, k);
                program_row(w->p, &w->a, row, (meaning){ROW_FLOW, n, -1, -1, -1, -1, k}, n == 0, n == 0);
                continue;
            }
            for (int t = l->L; t < l->T; t++)
                for (int s = 0; s < l->m->S; s++) {
                    int row = row_after(l, n, t, s, k);
                    double in = l->L == 0 && t == 0 && s == l->m->s0;
                    program_row(w->p, &w->a, row, (meaning){ROW_FLOW, n - l->first, -1, t, s, -1, k}, in, in);
                }
        }
    for (int k = 0; k < l->K; k++)
        program_row(w->p, &w->a, l->regret + k, (meaning){ROW_REGRET, -1, -1, -1, -1, -1, k}, aim->optimal[k], INFINITY);
    program_promise_rows(w->p, &w->a, l->keep, l->K, aim);
}

vouch_status program_paper(const know_graph *g, const program_aim *aim, program **out)
{
    *out = NULL;
    paper_layout l = {.g = g, .m = g->m, .K = g->K, .L = g->L, .T = g->T, .averages = aim->averages};
    program *p = MEM_ZERO(program, 1);
    vouch_status status = p ? lay_out_paper(&l) : VOUCH_ERROR_MEMORY;
    if (!status) {
        p->kind = PROGRAM_PAPER;
        p->g = g;
        size_t indicator_count = (size_t)(l.boundaries * (l.T - l.L)) * (size_t)g->m->pairs + (size_t)g->choice_start[l.before];
        p->row = MEM_NEW(meaning, l.rows);
        p->column = MEM_NEW(meaning, 1 + (size_t)l.occupancies + indicator_count);
        p->indicator_column = MEM_NEW(int, g->choices);
        if (!p->row || !p->column || !p->indicator_column) status = VOUCH_ERROR_MEMORY;
    }
    if (!status) {
        writer w = {.p = p, .l = &l, .link = l.link};
        for (int c = 0; c < g->choices; c++) p->indicator_column[c] = -1;
        assembly_init(&w.a, l.rows);
        fixed_rows(&w, aim);
        assembly_column(&w.a, 1, -INFINITY, INFINITY, false);
        p->column[0] = (meaning){COLUMN_REGRET, -1, -1, -1, -1, -1, -1};
        for (int k = 0; k < l.K; k++) assembly_entry(&w.a, l.regret + k, 1);
        columns_before(&w);
        columns_after(&w);
        indicators(&w);
        status = assembly_finish(&w.a, 0, &p->lp);
    }
    mem_free(l.rank_start);
    if (status)
        program_free(p);
    else
        *out = p;
    return status;
}

/* cli/lp.c - vouch lp: the LP and MILP solver alone, on problem files, with glpsol's options where it has them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/memory.h"
#include "cli/commands.h"
#include "cli/happened.h"
#include "cli/report.h"
#include "io/file.h"
#include "io/glpk.h"
#include "io/tree.h"

typedef struct lp_args {
    cli_common common;
    int minimize, maximize, simplex, primal, dual, no_presolve, no_mip, check, no_cuts, no_heuristics;
    int fixed_mps, free_mps, lp_format;
    int stats;
    int accepted; /* options of glpsol that are always on here */
    int factor;
    double seconds, gap;
    long long nodes;
    const char *report, *plain, *basis_in, *basis_out, *tree, *write_lp, *write_mps, *write_free;
} lp_args;

#define AT(field) offsetof(lp_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "FILE", AT(report), .help = "write the solution as a readable report, in glpsol's layout"},
    {CLI_OUTPUT, 'w', "write", "FILE", AT(plain), .help = "write the solution in glpsol's plain layout"},
    {CLI_FLAG, 0, "min", NULL, AT(minimize), .help = "minimise, whatever the file says"},
    {CLI_FLAG, 0, "max", NULL, AT(maximize), .help = "maximise, whatever the file says"},
    {CLI_FLAG, 0, "simplex", NULL, AT(simplex), .help = "use the simplex method (there is no other)"},
    {CLI_FLAG, 0, "primal", NULL, AT(primal), .help = "primal simplex"},
    {CLI_FLAG, 0, "dual", NULL, AT(dual), .help = "dual simplex"},
    {CLI_FLAG, 0, "nopresol", NULL, AT(no_presolve), .help = "solve without presolve"},
    {CLI_FLAG, 0, "nomip", NULL, AT(no_mip), .help = "solve the relaxation: integer columns may take any value"},
    {CLI_REAL, 0, "tmlim", "SECONDS", AT(seconds), "0", 0, 1e9, .help = "the same as --time-limit"},
    {CLI_REAL, 0, "mipgap", "G", AT(gap), "1e-6", 0, 1e300, .help = "relative gap at which an integer program counts as solved"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18, .help = "most nodes of the search tree; 0: no limit"},
    {CLI_FLAG, 0, "check", NULL, AT(check), .help = "read the problem, write it if asked to, do not solve it"},
    {CLI_FILE, 0, "basis-in", "F.bas", AT(basis_in), .help = "start from the basis in this file"},
    {CLI_OUTPUT, 0, "basis-out", "F.bas", AT(basis_out), .help = "write the last basis (LP only)"},
    {CLI_OUTPUT, 0, "log-tree", "F.jsonl", AT(tree), .help = "write the search tree, one JSON object for each node"},
    {CLI_FLAG, 0, "mps", NULL, AT(fixed_mps), .help = "the file is fixed MPS (default: what parses; .lp is LP format)"},
    {CLI_FLAG, 0, "freemps", NULL, AT(free_mps), .help = "the file is free MPS"},
    {CLI_FLAG, 0, "lp", NULL, AT(lp_format), .help = "the file is in CPLEX LP format"},
    {CLI_OUTPUT, 0, "wlp", "FILE", AT(write_lp), .help = "write the problem in CPLEX LP format"},
    {CLI_OUTPUT, 0, "wmps", "FILE", AT(write_mps), .help = "write the problem as fixed MPS"},
    {CLI_OUTPUT, 0, "wfreemps", "FILE", AT(write_free), .help = "write the problem as free MPS"},
    {CLI_WORD, 0, "factor", "F", AT(factor), "auto", .words = "auto|dense|sparse", .help = "how bases are factorised"},
    {CLI_FLAG, 0, "stats", NULL, AT(stats), .help = "print counters and timers on standard error, as a line of JSON"},
    {CLI_FLAG, 0, "no-cuts", NULL, AT(no_cuts), .help = "no cutting planes"},
    {CLI_FLAG, 0, "no-heuristics", NULL, AT(no_heuristics), .help = "no heuristics"},
    {CLI_FLAG, 0, "cuts", NULL, AT(accepted), .help = "cutting planes of every kind (as is the default)"},
#define CUT_SWITCH(family) {CLI_FLAG, 0, #family, NULL, AT(accepted), .help = "likewise"},
    VOUCH_MIP_CUTS(CUT_SWITCH)
#undef CUT_SWITCH
        {CLI_FLAG, 0, "pcost", NULL, AT(accepted), .help = "branch by pseudo-costs (as is the default)"},
    {0},
};
#undef AT

/* What came out of either solver. */
typedef struct answer {
    bool mip;
    int code;
    const char *status;
    glpk_state state;
    double objective, bound; /* NAN: none */
    long long iterations, nodes;
    double seconds, primal_residual, dual_residual;
    const double *x;
} answer;

/* ---- the search tree as JSON lines ----------------------------------------------------------------------------- */

typedef struct tree_log {
    text out;
    const vouch_lp *lp;
    long long nodes;
    double bound;
} tree_log;

static void add_number(text *out, const char *name, double value)
{
    char digits[32];
    text_add(out, "\"%s\":%s", name, isfinite(value) ? text_number(value, digits) : "null");
}

static void log_node(void *context, const vouch_mip_node *n)
{
    tree_log *t = context;
    t->nodes++;
    report_progress("node %lld, depth %d, bound %.10g", t->nodes, n->depth, n->bound);
    if (!t->lp) return;
    char branch[512], number[32];
    const char *name = n->column >= 0 ? vouch_lp_col_name(t->lp, n->column) : "";
    snprintf(number, sizeof number, "column %d", n->column + 1);
    snprintf(branch, sizeof branch, "%.400s in [%g, %g]", *name ? name : number, n->lower, n->upper);
    tree_add_line(&t->out, &(tree_entry){.id = n->id,
                                         .parent = n->parent,
                                         .depth = n->depth,
                                         .branch = n->column >= 0 ? branch : NULL,
                                         .bound = n->bound,
                                         .incumbent = NAN,
                                         .end = n->end});
}

/* ---- solving --------------------------------------------------------------------------------------------------- */

static void take_lp(const vouch_lp_result *r, answer *a)
{
    static const struct {
        int code;
        const char *text;
        glpk_state state;
    } of[] = {[VOUCH_LP_UNSOLVED] = {CLI_NUMERICAL, "unsolved", GLPK_UNDEFINED},
              [VOUCH_LP_OPTIMAL] = {CLI_SOLVED, "optimal", GLPK_OPTIMAL},
              [VOUCH_LP_INFEASIBLE] = {CLI_INFEASIBLE, "infeasible", GLPK_INFEASIBLE},
              [VOUCH_LP_UNBOUNDED] = {CLI_INFEASIBLE, "unbounded", GLPK_UNBOUNDED},
              [VOUCH_LP_CUTOFF] = {CLI_LIMIT, "cutoff", GLPK_UNDEFINED},
              [VOUCH_LP_LIMIT] = {CLI_LIMIT, "limit", GLPK_UNDEFINED},
              [VOUCH_LP_INTERRUPTED] = {CLI_INTERRUPTED, "interrupted", GLPK_UNDEFINED},
              [VOUCH_LP_NUMERICAL] = {CLI_NUMERICAL, "numerical", GLPK_UNDEFINED}};
    *a = (answer){.code = of[r->outcome].code,
                  .status = of[r->outcome].text,
                  .state = of[r->outcome].state,
                  .objective = r->objective,
                  .bound = r->bound,
                  .iterations = r->iterations,
                  .seconds = r->seconds,
                  .primal_residual = fmax(r->certificate.primal_residual, r->certificate.primal_infeasibility),
                  .dual_residual = r->certificate.dual_infeasibility,
                  .x = r->x};
    if (a->state == GLPK_UNDEFINED && r->x && r->certificate.primal_infeasibility <= 1e-7) a->state = GLPK_FEASIBLE;
    if (a->state != GLPK_OPTIMAL && a->state != GLPK_FEASIBLE) a->objective = NAN;
}

static void take_mip(const vouch_mip_result *r, answer *a)
{
    static const struct {
        int code;
        const char *text;
        glpk_state state;
    } of[] = {[VOUCH_MIP_UNSOLVED] = {CLI_NUMERICAL, "unsolved", GLPK_UNDEFINED},
              [VOUCH_MIP_OPTIMAL] = {CLI_SOLVED, "optimal", GLPK_OPTIMAL},
              [VOUCH_MIP_INFEASIBLE] = {CLI_INFEASIBLE, "infeasible", GLPK_INFEASIBLE},
              [VOUCH_MIP_UNBOUNDED] = {CLI_INFEASIBLE, "unbounded", GLPK_UNBOUNDED},
              [VOUCH_MIP_LIMIT] = {CLI_LIMIT, "limit", GLPK_UNDEFINED},
              [VOUCH_MIP_INTERRUPTED] = {CLI_INTERRUPTED, "interrupted", GLPK_UNDEFINED},
              [VOUCH_MIP_NUMERICAL] = {CLI_NUMERICAL, "numerical", GLPK_UNDEFINED}};
    *a = (answer){.mip = true,
                  .code = of[r->outcome].code,
                  .status = of[r->outcome].text,
                  .state = of[r->outcome].state,
                  .objective = r->objective,
                  .bound = r->bound,
                  .iterations = r->iterations,
                  .nodes = r->nodes,
                  .seconds = r->seconds,
                  .x = r->x};
    if (a->state == GLPK_UNDEFINED && r->has_incumbent) a->state = GLPK_FEASIBLE;
    if (a->state == GLPK_UNBOUNDED) a->objective = NAN;
}

static vouch_limits limits_of(const lp_args *args)
{
    vouch_limits limits = cli_limits(&args->common);
    if (args->seconds > 0 && (limits.seconds <= 0 || args->seconds < limits.seconds)) limits.seconds = args->seconds;
    return limits;
}

static vouch_lp_options lp_options_of(const lp_args *args)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.method = args->primal ? VOUCH_LP_PRIMAL : args->dual ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
    o.factor = (vouch_lp_factor)args->factor;
    o.presolve = !args->no_presolve;
    o.seed = args->common.seed;
    return o;
}

static vouch_status solve_lp(vouch_lp *lp, const lp_args *args, answer *a)
{
    vouch_lp_options o = lp_options_of(args);
    o.limits = limits_of(args);
    o.log = report_log();
    o.trace = happened_trace(args->stats, 1);
    vouch_status status = vouch_lp_solve(lp, &o);
    happened_program(o.trace, args->stats, 0);
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    take_lp(&r, a);
    return status;
}

/* *mip owns the point of the answer. */
static vouch_status solve_mip(vouch_lp *lp, const lp_args *args, tree_log *tree, vouch_mip **mip, answer *a)
{
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.lp = lp_options_of(args);
    o.presolve = !args->no_presolve;
    o.cuts = !args->no_cuts;
    o.heuristics = !args->no_heuristics;
    o.gap_relative = args->gap;
    o.threads = args->common.threads;
    o.seed = args->common.seed;
    o.limits = limits_of(args);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.on_node = log_node;
    o.on_node_context = tree;
    o.trace = happened_trace(args->stats, 1);
    o.lp.trace = args->stats ? o.trace : NULL;
    vouch_status status = vouch_mip_new(mip, lp);
    if (!status) status = vouch_mip_solve(*mip, &o);
    happened_program(o.trace, args->stats, 1);
    if (status) return status;
    vouch_mip_result r;
    vouch_mip_get_result(*mip, &r);
    take_mip(&r, a);
    return VOUCH_OK;
}

/* ---- answers --------------------------------------------------------------------------------------------------- */

/* Largest bound violation of a point, and its activities into activity [rows]. */
static double violation(const vouch_lp *lp, const double *x, double *activity)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double worst = 0;
    for (int i = 0; i < d.rows; i++) activity[i] = 0;
    for (int j = 0; j < d.cols; j++) {
        worst = fmax(worst, fmax(d.col_lower[j] - x[j], x[j] - d.col_upper[j]));
        for (int64_t k = d.start[j]; k < d.start[j + 1]; k++) activity[d.index[k]] += d.value[k] * x[j];
    }
    for (int i = 0; i < d.rows; i++) worst = fmax(worst, fmax(d.row_lower[i] - activity[i], activity[i] - d.row_upper[i]));
    return worst;
}

/* Without a basis of its own (presolve may prove infeasibility before there is one) the slack basis is the last. */
static vouch_status write_basis(vouch_lp *lp, const char *path, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (!vouch_lp_has_basis(lp)) {
        unsigned char *basis = MEM_NEW(unsigned char, (size_t)vouch_lp_rows(lp) + (size_t)vouch_lp_cols(lp));
        if (!basis) return VOUCH_ERROR_MEMORY;
        vouch_lp_get_basis(lp, basis, basis + vouch_lp_rows(lp));
        status = vouch_lp_set_basis(lp, basis, basis + vouch_lp_rows(lp));
        mem_free(basis);
    }
    return status ? status : vouch_lp_write_basis(lp, path, error);
}

static double objective_at(const vouch_lp *lp, const double *x)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    double sum = d.offset;
    for (int j = 0; j < d.cols; j++) sum += d.cost[j] * x[j];
    return sum;
}

/* Writes what was asked for. activity: [rows] scratch, for a MIP. */
static vouch_status write_files(const vouch_lp *lp, const lp_args *args, const answer *a, double *activity, vouch_error *error)
{
    if (!args->report && !args->plain) return VOUCH_OK;
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    unsigned char *row = MEM_ZERO(unsigned char, vouch_lp_rows(lp)), *col = MEM_ZERO(unsigned char, vouch_lp_cols(lp));
    text out = {0};
    vouch_status status = row && col ? VOUCH_OK : VOUCH_ERROR_MEMORY;
    glpk_solution s = {.lp = lp,
                       .mip = a->mip,
                       .state = a->state,
                       .objective = !isnan(a->objective) ? a->objective
                                    : a->x               ? objective_at(lp, a->x)
                                                         : 0,
                       .x = a->x};
    if (a->mip) {
        s.row_activity = a->x ? activity : NULL;
    } else {
        s.row_activity = r.row_activity, s.row_dual = r.row_dual, s.reduced_cost = r.reduced_cost;
        s.row_status = row, s.col_status = col;
        if (status == VOUCH_OK) vouch_lp_get_basis(lp, row, col);
    }
    if (status == VOUCH_OK && args->report) {
        glpk_report(&s, &out);
        status = text_write(&out, args->report, error);
        text_free(&out);
    }
    if (status == VOUCH_OK && args->plain) {
        glpk_plain(&s, &out);
        status = text_write(&out, args->plain, error);
        text_free(&out);
    }
    mem_free(row);
    mem_free(col);
    return status;
}

static void print_json(const answer *a)
{
    text out = {0};
    text_add(&out, "{\"status\":\"%s\",", a->status);
    add_number(&out, "objective", a->objective);
    text_add(&out, ",");
    add_number(&out, "bound", a->bound);
    text_add(&out, ",\"iterations\":%lld,\"nodes\":%lld,", a->iterations, a->nodes);
    add_number(&out, "seconds", a->seconds);
    text_add(&out, ",");
    bool point = a->x && !isnan(a->objective);
    add_number(&out, "primal_residual", point ? a->primal_residual : NAN);
    text_add(&out, ",");
    add_number(&out, "dual_residual", point && !a->mip ? a->dual_residual : NAN);
    text_add(&out, "}\n");
    cli_print(&out);
    text_free(&out);
}

static void print_answer(const answer *a)
{
    printf("%-11s %s\n", "status", a->status);
    if (!isnan(a->objective)) printf("%-11s %.12g\n", "objective", a->objective);
    if (a->mip || a->code == CLI_LIMIT) printf("%-11s %.12g\n", "bound", a->bound);
    if (a->mip) printf("%-11s %lld\n", "nodes", a->nodes);
    printf("%-11s %lld\n%-11s %.2f\n", "iterations", a->iterations, "seconds", a->seconds);
    if (!a->x || isnan(a->objective)) return;
    printf("%-11s primal %.2e", "residuals", a->primal_residual);
    if (!a->mip) printf(", dual %.2e", a->dual_residual);
    printf("\n");
}

static vouch_status write_problem(const vouch_lp *lp, const lp_args *args, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (args->write_lp) status = vouch_lp_write(lp, args->write_lp, VOUCH_FORMAT_LP, error);
    if (!status && args->write_mps) status = vouch_lp_write(lp, args->write_mps, VOUCH_FORMAT_MPS_FIXED, error);
    if (!status && args->write_free) status = vouch_lp_write(lp, args->write_free, VOUCH_FORMAT_MPS_FREE, error);
    return status;
}

static bool has_integers(const vouch_lp *lp)
{
    for (int j = 0; j < vouch_lp_cols(lp); j++)
        if (vouch_lp_is_integer(lp, j)) return true;
    return vouch_lp_sos1_count(lp) > 0;
}

static int run(void *arguments, char **operand, int operands)
{
    const lp_args *args = arguments;
    (void)operands;
    vouch_lp *lp = NULL;
    vouch_mip *mip = NULL;
    vouch_error error = {0};
    tree_log tree = {.bound = NAN};
    answer a = {0};
    double *activity = NULL;
    if (args->minimize && args->maximize) return cli_wrong("--min and --max exclude each other");
    if (args->primal && args->dual) return cli_wrong("--primal and --dual exclude each other");
    if (args->fixed_mps + args->free_mps + args->lp_format > 1) return cli_wrong("--mps, --freemps and --lp exclude each other");
    vouch_lp_format format = args->fixed_mps   ? VOUCH_FORMAT_MPS_FIXED
                             : args->free_mps  ? VOUCH_FORMAT_MPS_FREE
                             : args->lp_format ? VOUCH_FORMAT_LP
                                               : VOUCH_FORMAT_AUTO;
    vouch_log log = report_log();
    vouch_status status = vouch_lp_read(&lp, operand[0], format, &log, &error);
    if (!status && (args->minimize || args->maximize)) status = vouch_lp_set_maximize(lp, args->maximize > 0);
    if (!status) status = write_problem(lp, args, &error);
    if (!status && args->basis_in) status = vouch_lp_read_basis(lp, args->basis_in, &error);
    if (status || args->check) goto done;
    bool integer = !args->no_mip && has_integers(lp);
    if (integer && args->basis_out) {
        error = (vouch_error){VOUCH_ERROR_ARGUMENT, "--basis-out: an integer program has no basis; see --nomip"};
        status = VOUCH_ERROR_ARGUMENT;
        goto done;
    }
    tree.lp = args->tree ? lp : NULL;
    status = integer ? solve_mip(lp, args, &tree, &mip, &a) : solve_lp(lp, args, &a);
    report_clear();
    if (status) goto done;
    activity = MEM_ZERO(double, vouch_lp_rows(lp));
    if (!activity) {
        status = VOUCH_ERROR_MEMORY;
        goto done;
    }
    if (integer && a.x) a.primal_residual = violation(lp, a.x, activity);
    status = write_files(lp, args, &a, activity, &error);
    if (!status && args->basis_out) status = write_basis(lp, args->basis_out, &error);
    if (!status && args->tree) status = text_write(&tree.out, args->tree, &error);
    if (args->common.json) /* also when a file could not be written */
        print_json(&a);
    else
        print_answer(&a);
done:
    if (status && !error.text[0]) error.status = status;
    int code = status ? cli_failed(&error) : a.code;
    text_free(&tree.out);
    mem_free(activity);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
    return code;
}

const cli_command cli_lp = {
    .name = "lp",
    .operands = "FILE",
    .least_operands = 1,
    .summary = "solve a linear or mixed-integer program from a file",
    .text = "FILE is an MPS file (fixed or free, told apart by what parses) or, when its name ends in .lp or "
            ".lp.gz, a CPLEX LP file; plain or gzip. "
            "Exit status 2 means proved infeasible or unbounded.",
    .examples = "vouch lp diet.lp -o report.txt\n",
    .options = options,
    .size = sizeof(lp_args),
    .run = run,
};

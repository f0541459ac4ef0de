/* cli/lp.c - vouch lp: the LP and MILP solver alone, on problem files, with glpsol's options where it has them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/happened.h"
#include "cli/lp_answer.h"
#include "cli/report.h"
#include "io/file.h"
#include "io/tree.h"

typedef struct lp_args {
    cli_common common;
#define CUT_FIELD(family) int cut_##family;
    VOUCH_MIP_CUTS(CUT_FIELD)
#undef CUT_FIELD
    int all_cuts;
    int minimize, maximize, simplex, primal, dual, no_presolve, no_mip, check, no_cuts, no_heuristics, no_symmetry, exact, xcheck;
    int fixed_mps, free_mps, lp_format, glp_format;
    int stats;
    int accepted; /* options of glpsol that are always on here */
    int factor;
    double seconds, gap;
    long long nodes;
    const char *report, *plain, *proof, *basis_in, *basis_out, *ranges, *tree, *write_lp, *write_mps, *write_free, *write_glp;
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
    {CLI_FLAG, 0, "exact", NULL, AT(exact),
     .help = "solve an LP in rational arithmetic: an exact verdict and the optimum as a fraction"},
    {CLI_FLAG, 0, "xcheck", NULL, AT(xcheck),
     .help = "check the final basis of an LP in rational arithmetic, and go on from it where it is not optimal"},
    {CLI_OUTPUT, 0, "proof", "F.vipr", AT(proof),
     .help =
         "write a proof of the verdict in the format VIPR 1.0, which any checker of it accepts; exit status 3 where there is none"},
    {CLI_REAL, 0, "tmlim", "SECONDS", AT(seconds), "0", 0, 1e9, .help = "the same as --time-limit"},
    {CLI_REAL, 0, "mipgap", "G", AT(gap), "1e-6", 0, 1e300, .help = "relative gap at which an integer program counts as solved"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18, .help = "most nodes of the search tree; 0: no limit"},
    {CLI_FLAG, 0, "check", NULL, AT(check), .help = "read the problem, write it if asked to, do not solve it"},
    {CLI_FILE, 0, "basis-in", "F.bas", AT(basis_in), .help = "start from the basis in this file"},
    {CLI_FILE, 0, "ini", "FILE", AT(basis_in), .help = "the same, glpsol's name for it; a file of -w or --write will do"},
    {CLI_OUTPUT, 0, "basis-out", "F.bas", AT(basis_out), .help = "write the last basis (LP only)"},
    {CLI_OUTPUT, 0, "ranges", "FILE", AT(ranges), .help = "write the sensitivity report of an optimal LP, in glpsol's layout"},
    {CLI_OUTPUT, 0, "log-tree", "F.jsonl", AT(tree), .help = "write the search tree, one JSON object for each node"},
    {CLI_FLAG, 0, "mps", NULL, AT(fixed_mps), .help = "the file is fixed MPS (default: what parses; .lp is LP format)"},
    {CLI_FLAG, 0, "freemps", NULL, AT(free_mps), .help = "the file is free MPS"},
    {CLI_FLAG, 0, "lp", NULL, AT(lp_format), .help = "the file is in CPLEX LP format"},
    {CLI_FLAG, 0, "glp", NULL, AT(glp_format), .help = "the file is in GLPK's format"},
    {CLI_OUTPUT, 0, "wlp", "FILE", AT(write_lp), .help = "write the problem in CPLEX LP format"},
    {CLI_OUTPUT, 0, "wmps", "FILE", AT(write_mps), .help = "write the problem as fixed MPS"},
    {CLI_OUTPUT, 0, "wfreemps", "FILE", AT(write_free), .help = "write the problem as free MPS"},
    {CLI_OUTPUT, 0, "wglp", "FILE", AT(write_glp), .help = "write the problem in GLPK's format"},
    {CLI_WORD, 0, "factor", "F", AT(factor), "auto", .words = "auto|dense|sparse", .help = "how bases are factorised"},
    {CLI_FLAG, 0, "stats", NULL, AT(stats), .help = "print counters and timers on standard error, as a line of JSON"},
    {CLI_FLAG, 0, "no-cuts", NULL, AT(no_cuts), .help = "no cutting planes"},
    {CLI_FLAG, 0, "no-heuristics", NULL, AT(no_heuristics), .help = "no heuristics"},
    {CLI_FLAG, 0, "no-symmetry", NULL, AT(no_symmetry), .help = "look at points that only rename columns of one another, too"},
    {CLI_FLAG, 0, "cuts", NULL, AT(all_cuts),
     .help = "cutting planes of every kind (as is the default), and how many of each there were"},
#define CUT_SWITCH(family)                                                                                                         \
    {CLI_FLAG,         0,                                                                                                          \
     #family,          NULL,                                                                                                       \
     AT(cut_##family), .help = "only " #family " cuts and the other kinds that are asked for, and how many there were"},
    VOUCH_MIP_CUTS(CUT_SWITCH)
#undef CUT_SWITCH
        {CLI_FLAG, 0, "pcost", NULL, AT(accepted), .help = "branch by pseudo-costs (as is the default)"},
    {0},
};
#undef AT

/* ---- the search tree as JSON lines ----------------------------------------------------------------------------- */

typedef struct tree_log {
    text out;
    const vouch_lp *lp;
    long long nodes;
} tree_log;

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
    if (args->no_presolve) o.presolve = 0;
    o.seed = args->common.seed;
    return o;
}

static vouch_status solve_lp(vouch_lp *lp, const lp_args *args, lp_answer *a)
{
    vouch_lp_options o = lp_options_of(args);
    o.limits = limits_of(args);
    o.log = report_log();
    o.trace = happened_trace(args->stats, args->common.threads);
    o.exact = args->exact || args->xcheck;
    vouch_status status = vouch_lp_solve(lp, &o);
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    happened_program(o.trace, args->stats, &(solved_program){false, r.outcome == VOUCH_LP_LIMIT, r.seconds});
    lp_answer_take(&r, a);
    a->exact = o.exact;
    return status;
}

/* The families of cuts asked for, as bits; 0: no word was said. */
static unsigned families_of(const lp_args *args)
{
    unsigned chosen = 0, bit = 1;
#define CUT_BIT(family) chosen |= args->cut_##family ? bit : 0, bit <<= 1;
    VOUCH_MIP_CUTS(CUT_BIT)
#undef CUT_BIT
    return args->all_cuts ? bit - 1 : chosen;
}

/* *mip owns the point of the answer. */
static vouch_status solve_mip(vouch_lp *lp, const lp_args *args, tree_log *tree, vouch_mip **mip, lp_answer *a)
{
    vouch_mip_options o;
    vouch_mip_options_init(&o);
    o.lp = lp_options_of(args);
    o.presolve = !args->no_presolve;
    o.cuts = !args->no_cuts;
    o.cut_families = families_of(args);
    o.heuristics = !args->no_heuristics;
    o.symmetry = !args->no_symmetry;
    o.gap_relative = args->gap;
    o.threads = args->common.threads;
    o.seed = args->common.seed;
    o.limits = limits_of(args);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.on_node = log_node;
    o.on_node_context = tree;
    o.trace = happened_trace(args->stats, args->common.threads);
    o.lp.trace = args->stats ? o.trace : NULL;
    vouch_status status = vouch_mip_new(mip, lp);
    if (!status) status = vouch_mip_solve(*mip, &o);
    if (status) {
        vouch_trace_free(o.trace);
        return status;
    }
    vouch_mip_result r;
    vouch_mip_get_result(*mip, &r);
    happened_program(o.trace, args->stats, &(solved_program){true, r.outcome == VOUCH_MIP_LIMIT, r.seconds});
    lp_answer_take_mip(&r, a);
    a->cuts_asked = families_of(args) != 0;
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

static vouch_status write_ranges(const glpk_solution *s, const char *path, vouch_error *error)
{
    if (s->state != GLPK_OPTIMAL) {
        report_note("--ranges: %s is not written, as there is no optimum to be sensitive", path);
        return VOUCH_OK;
    }
    text out = {0};
    vouch_lp_range *range = MEM_NEW(vouch_lp_range, (size_t)vouch_lp_rows(s->lp) + (size_t)vouch_lp_cols(s->lp) + 1);
    vouch_status status = range ? vouch_lp_ranges(s->lp, range) : VOUCH_ERROR_MEMORY;
    if (status == VOUCH_ERROR_ARGUMENT) {
        *error = (vouch_error){status, "--ranges: the optimum found has no basis that could be factorised"};
    } else if (!status) {
        glpk_ranges(s, range, &out);
        status = text_write(&out, path, error);
    }
    mem_free(range);
    return status;
}

/* Writes what was asked for. activity: [rows] scratch, for a MIP. */
static vouch_status write_files(const vouch_lp *lp, const lp_args *args, const lp_answer *a, double *activity, vouch_error *error)
{
    if (!args->report && !args->plain && !args->ranges) return VOUCH_OK;
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
    }
    if (status == VOUCH_OK && args->plain) {
        glpk_plain(&s, &out);
        status = text_write(&out, args->plain, error);
    }
    if (status == VOUCH_OK && args->ranges) status = write_ranges(&s, args->ranges, error);
    mem_free(row);
    mem_free(col);
    return status;
}

/* The proof of the answer into its file, and what became of it into the answer. A verdict that could not be proved is still the
 * answer, with no file, not even an older one, and an exit status that says so. */
static vouch_status write_proof(const vouch_lp *lp, const lp_args *args, lp_answer *a, vouch_error *error)
{
    bool claims = a->state == GLPK_OPTIMAL || a->state == GLPK_INFEASIBLE;
    vouch_limits limits = limits_of(args);
    vouch_proof proof = {.why =
                             a->state == GLPK_UNBOUNDED ? "unboundedness has no place in the format VIPR" : "there is no verdict"};
    vouch_lp *relaxed = NULL;
    vouch_status status = VOUCH_OK;
    if (claims && args->no_mip) {
        status = vouch_lp_clone(&relaxed, lp);
        for (int j = 0; !status && j < vouch_lp_cols(lp); j++) status = vouch_lp_set_integer(relaxed, j, 0);
    }
    if (claims && !status) status = vouch_lp_prove(relaxed ? relaxed : lp, a->state == GLPK_OPTIMAL ? a->x : NULL, &limits, &proof);
    bool refuted = proof.proved && proof.feasible != (a->state == GLPK_OPTIMAL);
    bool shown = !status && proof.proved && !refuted;
    if (shown) status = file_write(args->proof, proof.text, proof.length, error);
    if (!shown && file_remove(args->proof)) report_note("nothing is proved: an older file %s is removed", args->proof);
    if (!shown && (a->code == CLI_SOLVED || a->code == CLI_INFEASIBLE)) a->code = CLI_LIMIT;
    a->proof = proof.proved && !refuted ? "proved" : "not proved";
    a->proof_why = refuted ? "in rational arithmetic there is a solution" : proof.why;
    a->proof_objective = proof.proved && proof.feasible ? proof.objective : NAN;
    a->proof_nodes = proof.nodes, a->proof_derived = proof.derived;
    vouch_proof_free(&proof);
    vouch_lp_free(relaxed);
    return status;
}

static vouch_status write_problem(const vouch_lp *lp, const lp_args *args, vouch_error *error)
{
    vouch_status status = VOUCH_OK;
    if (args->write_lp) status = vouch_lp_write(lp, args->write_lp, VOUCH_FORMAT_LP, error);
    if (!status && args->write_mps) status = vouch_lp_write(lp, args->write_mps, VOUCH_FORMAT_MPS_FIXED, error);
    if (!status && args->write_free) status = vouch_lp_write(lp, args->write_free, VOUCH_FORMAT_MPS_FREE, error);
    if (!status && args->write_glp) status = vouch_lp_write(lp, args->write_glp, VOUCH_FORMAT_GLP, error);
    return status;
}

static bool has_integers(const vouch_lp *lp)
{
    for (int j = 0; j < vouch_lp_cols(lp); j++)
        if (vouch_lp_is_integer(lp, j)) return true;
    return vouch_lp_sos1_count(lp) > 0;
}

static int run(void *arguments, char **operand)
{
    const lp_args *args = arguments;
    vouch_lp *lp = NULL;
    vouch_mip *mip = NULL;
    vouch_error error = {0};
    tree_log tree = {0};
    lp_answer a = {0};
    double *activity = NULL;
    mem_use_large_pages();
    if (args->minimize && args->maximize) return cli_wrong("--min and --max exclude each other");
    if (args->no_cuts && families_of(args)) return cli_wrong("--no-cuts and the families of cuts exclude each other");
    if (args->primal && args->dual) return cli_wrong("--primal and --dual exclude each other");
    if (args->fixed_mps + args->free_mps + args->lp_format + args->glp_format > 1)
        return cli_wrong("--mps, --freemps, --lp and --glp exclude each other");
    static const char solved[] = "an answer: leave --check out";
    const cli_need needs[] = {{"output", !args->check, solved},
                              {"write", !args->check, solved},
                              {"ranges", !args->check, solved},
                              {"basis-out", !args->check, solved},
                              {"proof", !args->check, solved},
                              {"log-tree", !args->check && !args->no_mip, "a search tree: leave --check and --nomip out"}};
    if (cli_refuse_idle(needs, sizeof needs / sizeof *needs)) return CLI_WRONG;
    vouch_lp_format format = args->fixed_mps    ? VOUCH_FORMAT_MPS_FIXED
                             : args->free_mps   ? VOUCH_FORMAT_MPS_FREE
                             : args->lp_format  ? VOUCH_FORMAT_LP
                             : args->glp_format ? VOUCH_FORMAT_GLP
                                                : VOUCH_FORMAT_AUTO;
    vouch_log log = report_log();
    vouch_status status = vouch_lp_read(&lp, operand[0], format, &log, &error);
    if (!status && (args->minimize || args->maximize)) status = vouch_lp_set_maximize(lp, args->maximize > 0);
    if (!status) status = write_problem(lp, args, &error);
    if (!status && args->basis_in) status = vouch_lp_read_basis(lp, args->basis_in, &error);
    if (status || args->check) goto done;
    bool integer = !args->no_mip && has_integers(lp);
    if (integer && (args->exact || args->xcheck))
        report_note(
            "--exact and --xcheck are about linear programs: this one has integer columns, and is solved in doubles; see --nomip");
    if (integer && (args->basis_out || args->ranges)) {
        status = error_set(&error, VOUCH_ERROR_ARGUMENT, "--%s: an integer program has no basis; see --nomip",
                           args->basis_out ? "basis-out" : "ranges");
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
    if (!status && args->proof) status = write_proof(lp, args, &a, &error);
    if (args->common.json) /* also when a file could not be written */
        lp_answer_print_json(&a);
    else
        lp_answer_print(&a);
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
    .text = "FILE is an MPS file (fixed or free, told apart by what parses), a CPLEX LP file (.lp) or one in "
            "GLPK's format (.glp), plain or gzip; where the name does not say which, and on standard input (-), its content does. "
            "Exit status 2 means proved infeasible or unbounded.",
    .examples = "vouch lp diet.lp -o report.txt\n",
    .options = options,
    .size = sizeof(lp_args),
    .run = run,
};

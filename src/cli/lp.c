/* cli/lp.c - vouch lp: the LP and MILP solver alone, on problem files, with glpsol's options where it has them. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <vouch/vouch.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/run_summary.h"
#include "cli/lp_answer.h"
#include "cli/lp_files.h"
#include "cli/lp_glpsol.h"
#include "cli/report.h"
#include "io/file.h"
#include "io/tree.h"

#define AT(field) offsetof(lp_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "FILE", AT(report), .help = "write the solution as a readable report, in glpsol's layout"},
    {CLI_OUTPUT, 'w', "write", "FILE", AT(plain), .help = "write the solution in glpsol's plain layout"},
    {CLI_FLAG, 0, "min", NULL, AT(minimize), .help = "minimise, overriding the file"},
    {CLI_FLAG, 0, "max", NULL, AT(maximize), .help = "maximise, overriding the file"},
    {CLI_FLAG, 0, "simplex", NULL, AT(simplex), .help = "use the simplex method (the only one)"},
    {CLI_FLAG, 0, "primal", NULL, AT(primal), .help = "primal simplex"},
    {CLI_FLAG, 0, "dual", NULL, AT(dual), .help = "dual simplex"},
    {CLI_FLAG, 0, "nopresol", NULL, AT(no_presolve), .help = "solve without presolve"},
    {CLI_FLAG, 0, "nomip", NULL, AT(no_mip), .help = "solve the relaxation: integer columns may take any value"},
    {CLI_FLAG, 0, "exact", NULL, AT(exact),
     .help = "solve an LP in rational arithmetic: an exact verdict and the optimum as a fraction"},
    {CLI_FLAG, 0, "xcheck", NULL, AT(xcheck),
     .help = "check the final basis of an LP in rational arithmetic, and continue from it if it is not optimal"},
    {CLI_OUTPUT, 0, "proof", "F.vipr", AT(proof),
     .help = "write a proof of the verdict in the format VIPR 1.0; exit status 3 if there is none"},
    {CLI_REAL, 0, "tmlim", "SECONDS", AT(seconds), "0", 0, 1e9, .help = "the same as --time-limit"},
    {CLI_REAL, 0, "mipgap", "G", AT(gap), "1e-6", 0, 1e300, .help = "relative gap at which an integer program counts as solved"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18, .help = "node limit of the search tree; 0: no limit"},
    {CLI_FLAG, 0, "check", NULL, AT(check), .help = "read the problem and write it if requested, without solving it"},
    {CLI_FILE, 0, "basis-in", "F.bas", AT(basis_in), .help = "start from the basis in this file"},
    {CLI_FILE, 0, "ini", "FILE", AT(basis_in), .help = "glpsol's name for --basis-in; also reads a file of -w or --write"},
    {CLI_FILE, 'r', "read", "FILE", AT(read), .help = "report the solution in this file of -w or --write, without solving"},
    {CLI_OUTPUT, 0, "basis-out", "F.bas", AT(basis_out), .help = "write the final basis (LP only)"},
    {CLI_OUTPUT, 0, "ranges", "FILE", AT(ranges), .help = "write the sensitivity report of an optimal LP, in glpsol's layout"},
    {CLI_OUTPUT, 0, "log-tree", "F.jsonl", AT(tree), .help = "write the search tree, one JSON object for each node"},
    {CLI_FLAG, 0, "mps", NULL, AT(fixed_mps), .help = "the file is fixed MPS (default: detected; .lp is LP format)"},
    {CLI_FLAG, 0, "freemps", NULL, AT(free_mps), .help = "the file is free MPS"},
    {CLI_FLAG, 0, "lp", NULL, AT(lp_format), .help = "the file is in CPLEX LP format"},
    {CLI_FLAG, 0, "cpxlp", NULL, AT(lp_format), .help = "the same"},
    {CLI_FLAG, 0, "math", NULL, AT(math_format),
     .help = "the file is a MathProg model; the installed glpsol translates it and prints its display statements"},
    {CLI_FILE, 'm', "model", "FILE", AT(math), .help = "--math with FILE as the model"},
    {CLI_LIST, 'd', "data", "FILE", AT(data), .help = "data of the MathProg model; may be given several times"},
    {CLI_FLAG, 0, "glp", NULL, AT(glp_format), .help = "the file is in GLPK's format"},
    {CLI_OUTPUT, 0, "wlp", "FILE", AT(write_lp), .help = "write the problem in CPLEX LP format"},
    {CLI_OUTPUT, 0, "wmps", "FILE", AT(write_mps), .help = "write the problem as fixed MPS"},
    {CLI_OUTPUT, 0, "wfreemps", "FILE", AT(write_free), .help = "write the problem as free MPS"},
    {CLI_OUTPUT, 0, "wglp", "FILE", AT(write_glp), .help = "write the problem in GLPK's format"},
    {CLI_WORD, 0, "factor", "F", AT(factor), "auto", .words = "auto|dense|sparse", .help = "factorisation of bases"},
#define WORD(word) "|" #word
    {CLI_WORD, 0, "dual-pricing", "RULE", AT(dual_pricing), "auto", .words = "auto" VOUCH_LP_DUAL_PRICING(WORD),
     .help = "row choice of the dual simplex method"},
    {CLI_WORD, 0, "primal-pricing", "RULE", AT(primal_pricing), "auto", .words = "auto" VOUCH_LP_PRIMAL_PRICING(WORD),
     .help = "column choice of the primal simplex method"},
#undef WORD
    {CLI_FLAG, 0, "stats", NULL, AT(stats), .help = "print counters and timers on standard error, as a line of JSON"},
    {CLI_FLAG, 0, "no-cuts", NULL, AT(no_cuts), .help = "no cutting planes"},
    {CLI_FLAG, 0, "no-heuristics", NULL, AT(no_heuristics), .help = "no heuristics"},
    {CLI_FLAG, 0, "no-symmetry", NULL, AT(no_symmetry), .help = "do not use symmetry between columns"},
    {CLI_FLAG, 0, "cuts", NULL, AT(all_cuts), .help = "all families of cuts (default), and their counts"},
#define CUT_SWITCH(family)                                                                                                         \
    {CLI_FLAG,         0,                                                                                                          \
     #family,          NULL,                                                                                                       \
     AT(cut_##family), .help = "only " #family " cuts (and the other families given), and their counts"},
    VOUCH_MIP_CUTS(CUT_SWITCH)
#undef CUT_SWITCH
        {CLI_FLAG, 0, "interior", NULL, AT(interior), .help = "use the simplex method (there is no interior-point method)"},
    {CLI_INT, 0, "memlim", "MEGABYTES", AT(memory), "0", 0, 1 << 30, .help = "memory limit; 0: no limit"},
    {CLI_TEXT, 0, "name", "NAME", AT(name), .help = "name of the problem"},
    {CLI_FLAG, 0, "hide", NULL, AT(hide), .help = "discard all names of the problem"},
    {CLI_OUTPUT, 0, "log", "FILE", AT(log), .help = "copy the output to FILE"},
    {CLI_MAYBE, 0, "proxy", NULL, AT(proxy), .help = NULL},
#define TAKEN(name)                              {CLI_FLAG, 0, #name, NULL, AT(ignored), .help = NULL},
#define REFUSED(name, does)                      {CLI_FLAG, 0, #name, NULL, AT(ignored), .help = NULL},
#define REFUSED_VALUE(letter, name, value, does) {CLI_TEXT, letter, #name, value, AT(refused), .help = NULL},
    LP_GLPSOL_TAKEN(TAKEN) LP_GLPSOL_REFUSED(REFUSED) LP_GLPSOL_REFUSED_VALUE(REFUSED_VALUE)
#undef TAKEN
#undef REFUSED
#undef REFUSED_VALUE
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

static vouch_lp_options lp_options_of(const lp_args *args)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.method = args->primal ? VOUCH_LP_PRIMAL : args->dual ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
    o.factor = (vouch_lp_factor)args->factor;
    o.dual_pricing = args->dual_pricing ? args->dual_pricing - 1 : 0;
    o.primal_pricing = args->primal_pricing ? args->primal_pricing - 1 : 0;
    if (args->no_presolve) o.presolve = 0;
    o.seed = args->common.seed;
    return o;
}

static vouch_status solve_lp(vouch_lp *lp, const lp_args *args, lp_answer *a)
{
    vouch_lp_options o = lp_options_of(args);
    o.limits = lp_files_limits(args);
    o.log = report_log();
    o.trace = summary_trace(args->stats, args->common.threads);
    o.exact = args->exact || args->xcheck;
    vouch_status status = vouch_lp_solve(lp, &o);
    vouch_lp_result r;
    vouch_lp_get_result(lp, &r);
    summary_program(o.trace, args->stats, &(solved_program){false, r.outcome == VOUCH_LP_LIMIT, r.seconds});
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
    o.gap_relative = lp_glpsol_role() && !cli_given("mipgap") ? 0 : args->gap;
    o.threads = args->common.threads;
    o.seed = args->common.seed;
    o.limits = lp_files_limits(args);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.on_node = log_node;
    o.on_node_context = tree;
    o.trace = summary_trace(args->stats, args->common.threads);
    o.lp.trace = args->stats ? o.trace : NULL;
    vouch_status status = vouch_mip_new(mip, lp);
    if (!status) status = vouch_mip_solve(*mip, &o);
    if (status) {
        vouch_trace_free(o.trace);
        return status;
    }
    vouch_mip_result r;
    vouch_mip_get_result(*mip, &r);
    summary_program(o.trace, args->stats, &(solved_program){true, r.outcome == VOUCH_MIP_LIMIT, r.seconds});
    lp_answer_take_mip(&r, a);
    a->cuts_asked = families_of(args) != 0;
    return VOUCH_OK;
}

/* ---- answers --------------------------------------------------------------------------------------------------- */

static vouch_status read_problem(const lp_args *args, const char *path, vouch_lp **lp, vouch_error *error)
{
    vouch_lp_format format = args->fixed_mps    ? VOUCH_FORMAT_MPS_FIXED
                             : args->free_mps   ? VOUCH_FORMAT_MPS_FREE
                             : args->lp_format  ? VOUCH_FORMAT_LP
                             : args->glp_format ? VOUCH_FORMAT_GLP
                                                : VOUCH_FORMAT_AUTO;
    vouch_log log = report_log();
    bool math = args->math || args->math_format;
    report_reading(math ? NULL : path); /* the program that translates must not be left alone */
    vouch_status status =
        math ? lp_glpsol_translate(&(lp_model){path, &args->data}, &log, lp, error) : vouch_lp_read(lp, path, format, &log, error);
    report_reading(NULL);
    if (!status && (args->minimize || args->maximize)) status = vouch_lp_set_maximize(*lp, args->maximize > 0);
    if (!status && args->name) status = vouch_lp_set_name(*lp, args->name);
    if (status || !args->hide) return status;
    status = vouch_lp_set_name(*lp, "");
    if (!status) status = vouch_lp_set_objective_name(*lp, "");
    for (int i = 0; !status && i < vouch_lp_rows(*lp); i++) status = vouch_lp_set_row_name(*lp, i, "");
    for (int j = 0; !status && j < vouch_lp_cols(*lp); j++) status = vouch_lp_set_col_name(*lp, j, "");
    return status;
}

/* What the options say before anything is read. */
static int check_options(const lp_args *args, const char *path)
{
    if (args->log && report_copy(args->log)) return cli_wrong("--log: %s cannot be written", args->log);
    if (lp_glpsol_refuse()) return CLI_WRONG;
    if (!path) return cli_wrong("something is missing: expected FILE; see vouch lp --help");
    if (args->fixed_mps + args->free_mps + args->lp_format + args->glp_format + args->math_format + (args->math != NULL) > 1)
        return cli_wrong("--mps, --freemps, --lp, --glp and --math exclude each other");
    if (args->interior) report_note("--interior: the simplex method is used; there is no interior-point method");
    if (args->memory > 0) {
        struct rlimit most = {(rlim_t)args->memory << 20, (rlim_t)args->memory << 20};
        if (setrlimit(RLIMIT_AS, &most) != 0) return cli_wrong("--memlim: the limit could not be set");
    }
    return 0;
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
    glpk_reading reading = {0};
    double *activity = NULL;
    mem_use_large_pages();
    if (args->minimize && args->maximize) return cli_wrong("--min and --max exclude each other");
    if (args->no_cuts && families_of(args)) return cli_wrong("--no-cuts and the families of cuts exclude each other");
    if (args->primal && args->dual) return cli_wrong("--primal and --dual exclude each other");
    const char *path = args->math ? args->math : operand[0];
    if (args->math && operand[0]) return cli_wrong("-m and a FILE exclude each other");
    if (check_options(args, path)) return CLI_WRONG;
    static const char solved[] = "an answer: leave --check out", optimum[] = "a program that is solved: leave --read out";
    const cli_need needs[] = {{"data", args->math || args->math_format, "a MathProg model: --math or --model"},
                              {"output", !args->check, solved},
                              {"write", !args->check, solved},
                              {"ranges", !args->check, solved},
                              {"basis-out", !args->check, solved},
                              {"proof", !args->check, solved},
                              {"ranges", !args->read, optimum},
                              {"basis-out", !args->read, optimum},
                              {"proof", !args->read, optimum},
                              {"log-tree", !args->read, optimum},
                              {"log-tree", !args->check && !args->no_mip, "a search tree: leave --check and --nomip out"}};
    if (cli_refuse_idle(needs, sizeof needs / sizeof *needs)) return CLI_WRONG;
    vouch_status status = read_problem(args, path, &lp, &error);
    if (!status) status = lp_files_problem(lp, args, &error);
    if (!status && args->basis_in) status = vouch_lp_read_basis(lp, args->basis_in, &error);
    if (status || args->check) goto done;
    bool integer = !args->no_mip && has_integers(lp);
    if (integer && (args->exact || args->xcheck))
        report_note("--exact and --xcheck are for linear programs; this one has integer columns and is solved in doubles. --proof "
                    "proves the optimum in rational arithmetic; --nomip --exact solves the relaxation");
    if (integer && (args->basis_out || args->ranges)) {
        status = error_set(&error, VOUCH_ERROR_ARGUMENT, "--%s: an integer program has no basis; see --nomip",
                           args->basis_out ? "basis-out" : "ranges");
        goto done;
    }
    tree.lp = args->tree ? lp : NULL;
    if (args->read)
        status = lp_files_read(lp, args, integer, &reading, &a, &error);
    else
        status = integer ? solve_mip(lp, args, &tree, &mip, &a) : solve_lp(lp, args, &a);
    report_clear();
    if (status) goto done;
    activity = MEM_ZERO(double, vouch_lp_rows(lp));
    if (!activity) {
        status = VOUCH_ERROR_MEMORY;
        goto done;
    }
    if ((integer || args->read) && a.x) a.primal_residual = lp_files_violation(lp, a.x, activity);
    if (!args->read) status = lp_files_solution(lp, args, &a, activity, &error);
    if (!status && args->basis_out) status = lp_files_basis(lp, args->basis_out, &error);
    if (!status && args->tree) status = text_write(&tree.out, args->tree, &error);
    if (!status && args->proof) status = lp_files_proof(lp, args, &a, &error);
    if (args->common.json) /* also when a file could not be written */
        lp_answer_print_json(&a);
    else
        lp_answer_print(&a, stdout);
    if (args->log) lp_answer_print(&a, report_copied());
    if (!status && (args->math || args->math_format)) status = lp_files_display(lp, args, path, &a, activity, &error);
done:
    if (status && !error.text[0]) error.status = status;
    int code = status ? cli_failed(&error) : a.code;
    if (lp_glpsol_role() && !status) code = lp_glpsol_code(code);
    text_free(&tree.out);
    mem_free(activity);
    glpk_reading_free(&reading);
    vouch_mip_free(mip);
    vouch_lp_free(lp);
    return code;
}

const cli_command cli_lp = {
    .name = "lp",
    .operands = "FILE",
    .least_operands = 0,
    .more_operands = 1,
    .summary = "solve a linear or mixed-integer program from a file",
    .text = "FILE is an MPS file (fixed or free, detected), a CPLEX LP file (.lp) or a file in GLPK's format (.glp), plain or "
            "gzip. The content decides if the name has no known suffix, and on standard input (-). Exit status 2 means proved "
            "infeasible or unbounded. glpsol exits with 0 for every verdict, including a limit, and with 1 for an error; a link to "
            "this program named glpsol or vouch-glpsol does the same, and is vouch lp with glpsol's defaults. All switches of "
            "glpsol are recognised: those that choose its presolve, pricing, ratio test, branching or backtracking have no effect; "
            "unsupported ones are refused with a line that names an alternative. Two of its letters have another meaning here, "
            "except under such a link: -v is --verbose, and --seed is the seed of the search.",
    .examples = "vouch lp diet.lp -o report.txt\n",
    .options = options,
    .size = sizeof(lp_args),
    .run = run,
};

/* cli/sweep.c - vouch sweep: a grid over L, T, p, methods and parameters of the model, as CSV, table and picture.
 *
 * Every cell is one plan or one exact evaluation of CCIL (sweep_cells.c). The CSV file is rewritten as cells are finished, so that
 * --resume continues an interrupted sweep; a failed cell is a row with its error, and the others continue. --merge joins the files
 * of shards (sweep_out.c).
 */
#include <inttypes.h>
#include <limits.h>
#include <unistd.h>

#include "cli/sweep.h"

#define AT(field) offsetof(sweep_args, field)
static const cli_option options[] = {
    {CLI_LIST, 0, "vary", "NAME=VALUES", AT(vary), NULL,
     .help =
         "values of L, T, p, policies (size of the portfolio) or a parameter of the model: lo:hi, lo:hi:step or v1,v2; repeatable"},
    {CLI_INT, 'L', "lookahead", "N", AT(lookahead), "0", 0, INT_MAX,
     .help = "lookahead: steps after which the policy learns nothing more about the environment, 0 to T, where --vary has no L"},
    {CLI_TEXT, 'm', "method", "M,..", AT(method), "milp-ccl", .help = "methods, with or without replanning",
     .list = sweep_method_words},
    {CLI_WORD, 0, "promises", "WHOSE", AT(promises), "own", .words = GROUP_PROMISE_WORDS,
     .help = "--vary policies: each policy keeps the promises of its own environments, or of all"},
    OBJECTIVE_OPTIONS(sweep_args),
    {CLI_OUTPUT, 0, "csv", "F.csv", AT(csv), NULL, .help = "write the cells"},
    {CLI_OUTPUT, 0, "resume", "F.csv", AT(spread.resume), NULL,
     .help = "reuse the finished cells of this file, and write it; or continue from a journal"},
    {CLI_WORD, 0, "retry", "W", AT(retry), "none", .words = "none|limit", .help = "--resume: recompute rows that ended at a limit"},
    {CLI_OUTPUT, 0, "plot", "F.svg", AT(plot), NULL, .help = "draw the maximum regret, or the value of the objective"},
    {CLI_LONG, 0, "program-limit", "N", AT(program_limit), "100000", 0, 9e18,
     .help = "CCIL: maximum number of plans of a cell; 0: no limit"},
    SPREAD_OPTIONS(sweep_args),
    {CLI_TEXT, 0, "shard", "I/N", AT(shard), NULL, .help = "compute only every N-th cell, from the I-th on"},
    {CLI_FILE, 0, "merge", "F.csv", AT(merge), NULL, .help = "compute nothing; merge this file and the operands"},
    MODEL_OPTIONS(sweep_args),
    {0},
};
#undef AT

/* Is every cell, including those of earlier runs, proved, or of a method without bounds? */
static bool all_settled(const grid *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const cell *c = &g->cells[i];
        bool settled = strcmp(c->status, "optimal") == 0 || strcmp(c->status, "infeasible") == 0;
        if (!settled && (c->method->proves || strcmp(c->status, "failed") == 0)) return false;
    }
    return true;
}

/* Fingerprints of the rows and of the limits. Limits are separate, as they change only the rows that end at them. */
static int mark_grid(sweep *s)
{
    const sweep_args *args = s->args;
    fingerprint f = fingerprint_start();
    vouch_error error = {0};
    char seed[32], seconds[32];
    snprintf(seed, sizeof seed, "%" PRIu64, args->common.seed);
    fingerprint_add(&f, vouch_version());
    fingerprint_add(&f, seed);
    fingerprint_add_number(&f, args->model.reward_tolerance);
    if (args->promises) fingerprint_add_number(&f, args->promises);
    if (s->g.objective != VOUCH_OBJECTIVE_REGRET) {
        fingerprint_add(&f, vouch_objective_text(s->g.objective));
        fingerprint_add(&f, args->objective.weights);
    }
    if (s->kind)
        fingerprint_add(&f, s->operand);
    else if (fingerprint_add_model(&f, &args->model, s->operand, &error))
        return cli_failed(&error);
    fingerprint_text(&f, s->g.run);
    snprintf(s->g.limits, sizeof s->g.limits, "seconds=%s plans=%lld", text_number(args->common.time_limit, seconds),
             args->program_limit);
    s->g.retry_limits = args->retry;
    return 0;
}

/* The mark of the journal: the grid, cell by cell. */
static void mark_journal(const sweep *s, char out[FINGERPRINT])
{
    fingerprint f = fingerprint_start();
    fingerprint_add(&f, "sweep");
    fingerprint_add(&f, s->g.run);
    fingerprint_add(&f, s->g.limits);
    for (size_t i = 0; i < s->g.count; i++) {
        fingerprint_add(&f, s->g.cells[i].method->name);
        for (int a = 0; a < s->g.axes; a++) fingerprint_add_number(&f, s->g.cells[i].at[a]);
    }
    fingerprint_text(&f, out);
}

/* One value where the axis has its own, once the axes are read. */
static int refuse_idle_values(const sweep *s)
{
    double p;
    bool named = !model_probability(&s->args->model, &p) && isnan(p); /* -p NAME=P alone is given */
    bool several = false;
    for (int a = MODEL_AXES; a < s->g.axes; a++) several = several || grid_is_policies(&s->g, a);
    const cli_need needs[] = {{"promises", several, "--vary policies"},
                              {"lookahead", s->g.axis[AXIS_L].count == 0, "beside --vary L: leave one of them out"},
                              {"horizon", s->g.axis[AXIS_T].count == 0, "beside --vary T: leave one of them out"},
                              {"probability", named || s->g.axis[AXIS_P].count == 0, "beside --vary p: leave one of them out"}};
    return cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

/* A wrong number of weights is an error for a file; the number of environments of a generated model varies by cell. */
static int check_weights(const sweep *s)
{
    vouch_plan_options unused;
    double *weights;
    int code = objective_set(&s->args->objective, s->m, &unused, &weights);
    mem_free(weights);
    return code;
}

/* The cells of the grid, or of the files that are merged. */
static int make_cells(sweep *s, const char *const file[], size_t files, size_t *missing)
{
    const sweep_args *args = s->args;
    int code = 0;
    for (size_t i = 0; i < args->vary.count && !code; i++) code = grid_read_axis(&s->g, args->vary.item[i]);
    if (!code) code = refuse_idle_values(s);
    if (s->operand) {
        if (!code) code = sweep_start(s);
        if (!code && s->m) code = check_weights(s);
        if (!code && grid_default(&s->g, AXIS_L, args->lookahead)) code = cli_wrong("out of memory");
        if (!code) code = mark_grid(s);
        if (!code) code = grid_make(&s->g, args->method);
    } else if (!code && args->vary.count)
        code = cli_wrong("--merge: --vary needs the model of the cells, whose order it gives");
    else if (!code && cli_given("objective"))
        code = cli_wrong("--merge: the files contain their --objective");
    if (!code && args->shard) code = sweep_take_shard(&s->g, args->shard);
    if (!code && files) code = sweep_merge(&s->g, file, files, missing);
    return code;
}

/* Where a file or a journal has left off. *csv: the file to write. */
static int take_up(sweep *s, const char **csv, vouch_journal **journal)
{
    const sweep_args *args = s->args;
    const char *resume = s->spread.resume ? NULL : args->spread.resume;
    char mark[FINGERPRINT];
    /* which cells are left is for the first process to know */
    int kept = 0, code = resume && !group_is_worker() ? sweep_read_csv(&s->g, resume, &kept) : 0;
    if (!code && kept && !args->common.quiet) fprintf(stderr, "%d finished cells reused from %s\n", kept, resume);
    mark_journal(s, mark);
    *csv = resume ? resume : args->csv;
    return code ? code : spread_open(&s->spread, mark, journal);
}

/* Refuses contradictory options. */
static int check_options(const sweep_args *args, int operands)
{
    const char *resume = args->spread.resume;
    if (!args->merge && operands != 1)
        return cli_wrong("%s: expected %s; see vouch sweep --help", operands < 1 ? "something is missing" : "too many arguments",
                         cli_sweep.operands);
    if (args->retry && !resume) return cli_wrong("--retry needs --resume");
    if (args->objective.weights && args->objective.objective != VOUCH_OBJECTIVE_WEIGHTED)
        return cli_wrong("--weights has no effect without --objective weighted");
    if (args->csv && resume && access(resume, F_OK) == 0 && sweep_is_table(resume))
        return cli_wrong("--csv and --resume: give one file");
    if (args->merge && (args->shard || resume || args->spread.journal || cli_given("workers")))
        return cli_wrong("--merge computes nothing: --shard, --workers, --journal and --resume have no effect");
    return 0;
}

/* The files to merge and the model among the operands; NULL: memory. */
static const char **name_files(sweep *s, char **operand, int operands, size_t *files)
{
    const char **file = MEM_NEW(const char *, operands + 1);
    bool model = operands > 0 && !(s->args->merge && sweep_is_table(operand[0]));
    *files = 0;
    if (!file) return NULL;
    if (model) s->operand = operand[0];
    if (model) s->kind = example_find(operand[0]);
    if (s->args->merge) file[(*files)++] = s->args->merge;
    for (int i = model; i < operands; i++) file[(*files)++] = operand[i];
    return file;
}

static int show(const sweep *s)
{
    const sweep_args *args = s->args;
    if (args->common.json)
        sweep_print_json(&s->g);
    else
        sweep_print_table(&s->g);
    if (!args->plot) return 0;
    const char *name = s->m && !s->kind ? vouch_model_name(s->m) : s->operand;
    return sweep_plot(&s->g, name && name[0] ? name : "sweep", args->plot);
}

static int run(void *arguments, char **operand)
{
    const sweep_args *args = arguments;
    int operands = 0;
    while (operand[operands]) operands++;
    sweep s = {.args = args, .spread = args->spread};
    if (!args->csv && s.spread.resume && !vouch_journal_is(s.spread.resume)) s.spread.resume = NULL; /* a file of rows */
    s.timeless = spread_asked(&s.spread) || args->shard;
    size_t files = 0, missing = 0;
    vouch_error error = {0};
    vouch_journal *journal = NULL;
    const char *csv = args->csv;
    grid_init(&s.g);
    s.g.objective = (vouch_objective)args->objective.objective;
    const char **file = name_files(&s, operand, operands, &files);
    int code = file ? check_options(args, operands) : cli_wrong("out of memory");
    if (!code) code = make_cells(&s, file, files, &missing);
    if (!code && !files) code = take_up(&s, &csv, &journal);
    bool ready = !code;
    if (ready && !files) code = sweep_run_cells(&s, csv, journal);
    if (ready && files && sweep_write_csv(&s.g, csv, &error)) code = cli_failed(&error);
    if (ready && !group_is_worker()) code |= show(&s);
    if (missing) report_note("%zu cells are in none of the files", missing);
    if (!code) code = report_interrupted() ? CLI_INTERRUPTED : all_settled(&s.g) ? CLI_SOLVED : CLI_LIMIT;
    vouch_journal_free(journal);
    mem_free(file);
    grid_free(&s.g);
    vouch_model_free(s.m);
    return code;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "MODEL|" EXAMPLE_KINDS,
    .more_operands = INT_MAX,
    .summary = "a table and picture over L, T, p, methods and parameters of the model",
    .text = "Each combination of values is a cell: a plan, or the exact evaluation of replanning (CCIL). --time-limit applies to "
            "each cell. The CSV file is written as cells are finished; --resume reuses the finished cells of a file made with the "
            "same model, seed and options. Exit status 3 if a cell failed or was not proved optimal.\n\n--workers N shares the "
            "cells among N processes of this machine. Alternatively each --shard I/N is a separate run, on any machine, and "
            "--merge F1 F2 .. joins the CSV files of all shards: in the order of the grid if MODEL and --vary are given, else one "
            "row from each file in turn. The output is byte-identical to a run with --workers 0; seconds are omitted. A worker "
            "that dies is replaced. --resume also accepts a journal (--journal).\n\nParameters of the model: if MODEL names a kind "
            "of vouch generate, --vary accepts h, u, d, K and slip of t-maze; S, A, K, B, shared and seed of random; S, A, K and "
            "seed of random-dense; K, C and seed of machine-repair; A, K and seed of adaptive. p.NAME is the probability of "
            "promise NAME of a file. For a PRISM file or sketch it accepts each open constant by name (const:NAME if the name is "
            "L, T or p), with a model for every value; constants given with --const span the environments. The horizontal axis of "
            "the picture is the first --vary with several values.",
    .examples = "vouch sweep maze.json --vary L=0:3 --method milp-ccl,history --plot L.svg\n"
                "vouch sweep t-maze --vary slip=0.5:0.9:0.1 --vary K=1,2 --csv slip.csv\n"
                "vouch sweep corridor.json --vary p.safe=0.5:0.9:0.2 --plot safe.svg\n"
                "vouch sweep maze.json --vary p=0.1:0.5:0.1 --shard 1/2 --csv 1.csv\n"
                "vouch sweep maze.json --vary p=0.1:0.5:0.1 --shard 2/2 --csv 2.csv\n"
                "vouch sweep --merge 1.csv 2.csv --csv all.csv\n",
    .options = options,
    .size = sizeof(sweep_args),
    .run = run,
};

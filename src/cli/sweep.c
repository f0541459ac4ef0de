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
static void mark_grid(sweep *s)
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
    else
        cli_try(fingerprint_add_model(&f, &args->model, s->operand, &error), &error);
    fingerprint_text(&f, s->g.run);
    snprintf(s->g.limits, sizeof s->g.limits, "seconds=%s plans=%lld", text_number(args->common.time_limit, seconds),
             args->program_limit);
    s->g.retry_limits = args->retry;
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

/* Refuses a single value if the axis has values. */
static void refuse_idle_values(const sweep *s)
{
    double p;
    bool named = !model_probability(&s->args->model, &p) && isnan(p); /* -p NAME=P alone is given */
    bool several = false;
    for (int a = MODEL_AXES; a < s->g.axes; a++) several = several || grid_is_policies(&s->g, a);
    const cli_need needs[] = {{"promises", several, "--vary policies"},
                              {"lookahead", s->g.axis[AXIS_L].count == 0, "beside --vary L: leave one of them out"},
                              {"horizon", s->g.axis[AXIS_T].count == 0, "beside --vary T: leave one of them out"},
                              {"probability", named || s->g.axis[AXIS_P].count == 0, "beside --vary p: leave one of them out"}};
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
}

/* The cells of the grid, or of the files that are merged. */
static void make_cells(sweep *s, const char *const file[], size_t files, size_t *missing)
{
    const sweep_args *args = s->args;
    for (size_t i = 0; i < args->vary.count; i++) grid_read_axis(&s->g, args->vary.item[i]);
    refuse_idle_values(s);
    if (s->operand) {
        sweep_start(s);
        if (s->m) objective_set(&args->objective, s->m, &(vouch_plan_options){0}); /* only to check the weights */
        grid_default(&s->g, AXIS_L, args->lookahead);
        mark_grid(s);
        grid_make(&s->g, args->method);
    } else if (args->vary.count) {
        cli_die("--merge: --vary needs the model of the cells, whose order it gives");
    } else if (cli_given("objective")) {
        cli_die("--merge: the files contain their --objective");
    }
    if (args->shard) sweep_take_shard(&s->g, args->shard);
    if (files) sweep_merge(&s->g, file, files, missing);
}

/* Reads the file or journal of --resume. *csv: the file to write. */
static vouch_journal *take_up(sweep *s, const char **csv)
{
    const sweep_args *args = s->args;
    const char *resume = s->spread.resume ? NULL : args->spread.resume;
    char mark[FINGERPRINT];
    int kept = resume && !group_is_worker() ? sweep_read_csv(&s->g, resume) : 0; /* the first process chooses the cells */
    if (kept && !args->common.quiet) fprintf(stderr, "%d finished cells reused from %s\n", kept, resume);
    mark_journal(s, mark);
    *csv = resume ? resume : args->csv;
    return spread_open(&s->spread, mark);
}

/* Refuses contradictory options. */
static void check_options(const sweep_args *args, int operands)
{
    const char *resume = args->spread.resume;
    if (!args->merge && operands != 1)
        cli_die("%s: expected %s; see vouch sweep --help", operands < 1 ? "something is missing" : "too many arguments",
                cli_sweep.operands);
    if (args->retry && !resume) cli_die("--retry needs --resume");
    if (args->objective.weights && args->objective.objective != VOUCH_OBJECTIVE_WEIGHTED)
        cli_die("--weights has no effect without --objective weighted");
    if (args->csv && resume && access(resume, F_OK) == 0 && sweep_is_table(resume)) cli_die("--csv and --resume: give one file");
    if (args->merge && (args->shard || resume || args->spread.journal || cli_given("workers")))
        cli_die("--merge computes nothing: --shard, --workers, --journal and --resume have no effect");
}

/* The files to merge and the model among the operands. */
static const char **name_files(sweep *s, char **operand, int operands, size_t *files)
{
    const char **file = CLI_NEW(const char *, operands + 1);
    bool model = operands > 0 && !(s->args->merge && sweep_is_table(operand[0]));
    if (model) s->operand = operand[0];
    if (model) s->kind = example_find(operand[0]);
    if (s->args->merge) file[(*files)++] = s->args->merge;
    for (int i = model; i < operands; i++) file[(*files)++] = operand[i];
    return file;
}

static void show(const sweep *s)
{
    const sweep_args *args = s->args;
    if (args->common.json)
        sweep_print_json(&s->g);
    else
        sweep_print_table(&s->g);
    if (!args->plot) return;
    const char *name = s->m && !s->kind ? vouch_model_name(s->m) : s->operand;
    sweep_plot(&s->g, name && name[0] ? name : "sweep", args->plot);
}

static void free_sweep(void *object)
{
    sweep *s = object;
    grid_free(&s->g);
    vouch_model_free(s->m);
}

static int run(void *arguments, char **operand)
{
    const sweep_args *args = arguments;
    int operands = 0, code = CLI_SOLVED;
    while (operand[operands]) operands++;
    sweep *s = CLI_NEW(sweep, 1);
    s->args = args;
    s->spread = args->spread;
    if (!args->csv && s->spread.resume && !vouch_journal_is(s->spread.resume)) s->spread.resume = NULL; /* a file of rows */
    s->timeless = spread_asked(&s->spread) || args->shard;
    grid_init(&s->g);
    cli_own(free_sweep, s);
    s->g.objective = (vouch_objective)args->objective.objective;
    size_t files = 0, missing = 0;
    vouch_error error = {0};
    const char *csv = args->csv, **file = name_files(s, operand, operands, &files);
    check_options(args, operands);
    make_cells(s, file, files, &missing);
    if (files) {
        if (sweep_write_csv(&s->g, csv, &error)) code = cli_failed(&error);
    } else {
        vouch_journal *journal = take_up(s, &csv);
        code = sweep_run_cells(s, csv, journal);
    }
    if (!group_is_worker()) show(s);
    if (missing) report_note("%zu cells are in none of the files", missing);
    if (code) return code;
    return report_interrupted() ? CLI_INTERRUPTED : all_settled(&s->g) ? CLI_SOLVED : CLI_LIMIT;
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

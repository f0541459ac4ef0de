/* cli/sweep.c - vouch sweep: a grid over L, T, p, methods and parameters of the model, as CSV, table and picture.
 *
 * Every cell is one plan or one exact evaluation of CCIL. The CSV file is written anew after each cell, so that an interrupted
 * sweep has lost nothing and --resume takes up where it stopped; a cell that fails is a row that says so, and the others go on.
 * Parameters are those of `vouch generate`, or the open constants of a PRISM file: for each combination the model is made anew.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vouch/vouch.h>

#include "base/clock.h"
#include "base/memory.h"
#include "cli/commands.h"
#include "cli/example.h"
#include "cli/load.h"
#include "cli/report.h"
#include "cli/sweep_grid.h"
#include "cli/sweep_out.h"
#include "io/file.h"

typedef struct sweep_args {
    cli_common common;
    model_args model;
    cli_list vary;
    const char *method, *csv, *plot, *resume;
    int retry;
    long long program_limit;
} sweep_args;

#define AT(field) offsetof(sweep_args, field)
static const cli_option options[] = {
    {CLI_LIST, 0, "vary", "NAME=VALUES", AT(vary), NULL,
     .help = "values of L, T, p or a parameter of the model: lo:hi, lo:hi:step or v1,v2; may be given for each"},
    {CLI_TEXT, 'm', "method", "M,..", AT(method), "milp-ccl", .help = "methods, planned once or again and again",
     .list = sweep_method_words},
    {CLI_OUTPUT, 0, "csv", "F.csv", AT(csv), NULL, .help = "write the cells"},
    {CLI_OUTPUT, 0, "resume", "F.csv", AT(resume), NULL, .help = "keep the finished cells of this file, and write it"},
    {CLI_WORD, 0, "retry", "W", AT(retry), "none", .words = "none|limit",
     .help = "--resume: work rows that ended at a limit out again"},
    {CLI_OUTPUT, 0, "plot", "F.svg", AT(plot), NULL, .help = "draw the maximum regret"},
    {CLI_LONG, 0, "program-limit", "N", AT(program_limit), "100000", 0, 9e18, .help = "CCIL: most plans of a cell; 0: no limit"},
    MODEL_OPTIONS(sweep_args),
    {0},
};
#undef AT

typedef struct sweep {
    const sweep_args *args;
    const char *operand;
    example_kind kind; /* EXAMPLE_NONE: operand is a file */
    grid g;
    vouch_model *m;            /* of the last cell; NULL: it could not be had */
    double made_of[MOST_AXES]; /* the values m was made with */
} sweep;

/* ---- the model of a cell ------------------------------------------------------------------------------------------------- */

static vouch_status generate(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    example e = example_start(s->kind);
    vouch_status status = VOUCH_OK;
    e.horizon = (int)at[AXIS_T];
    e.probability = at[AXIS_P];
    e.random.seed = s->args->common.seed;
    for (int a = MODEL_AXES; a < s->g.axes && !status; a++) status = example_set(&e, s->g.axis[a].name, at[a], error);
    if (!status) status = example_make(&e, m, error);
    if (!status) status = error->status = vouch_model_set_reward_tolerance(*m, s->args->model.reward_tolerance);
    return status;
}

/* Parameters are added to the constants given. T = 0, p = NAN: as on the command line. */
static vouch_status import(const sweep *s, const double at[], vouch_model **m, vouch_error *error)
{
    static const char mark[] = "const:", promise[] = "p.";
    model_args own = s->args->model;
    size_t given = own.constants.count, all = given + (size_t)(s->g.axes - MODEL_AXES), constants = given;
    size_t probabilities = own.probabilities.count;
    const char **item = MEM_NEW(const char *, all), **p = MEM_NEW(const char *, all + probabilities);
    text *constant = MEM_ZERO(text, all);
    bool failed = !item || !p || !constant;
    for (size_t i = 0; i < probabilities && !failed; i++) p[i] = own.probabilities.item[i];
    for (size_t i = 0; i < all && !failed; i++) {
        if (i < given) {
            item[i] = own.constants.item[i];
            continue;
        }
        int a = MODEL_AXES + (int)(i - given);
        const char *name = s->g.axis[a].name;
        char number[32];
        bool of_promise = strncmp(name, promise, sizeof promise - 1) == 0;
        size_t behind = of_promise ? sizeof promise - 1 : strncmp(name, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
        text_add(&constant[i], "%s=%s", name + behind, text_number(at[a], number));
        failed = constant[i].failed;
        if (of_promise)
            p[probabilities++] = constant[i].data;
        else
            item[constants++] = constant[i].data;
    }
    vouch_status status = VOUCH_ERROR_MEMORY;
    if (failed)
        snprintf(error->text, sizeof error->text, "out of memory");
    else {
        own.constants = (cli_list){.item = item, .count = constants};
        own.probabilities = (cli_list){.item = p, .count = probabilities};
        if (at[AXIS_T] > 0) own.horizon = (int)at[AXIS_T];
        if (!isnan(at[AXIS_P])) own.probability = &at[AXIS_P];
        status = import_model(&own, s->operand, m, error);
    }
    for (size_t i = given; i < all && constant; i++) text_free(&constant[i]);
    mem_free(constant);
    mem_free(item);
    mem_free(p);
    return status;
}

static vouch_status make_model(sweep *s, const double at[], vouch_error *error)
{
    vouch_model_free(s->m);
    s->m = NULL;
    memcpy(s->made_of, at, sizeof s->made_of);
    vouch_status status = s->kind ? generate(s, at, &s->m, error) : import(s, at, &s->m, error);
    if (!status) s->made_of[AXIS_T] = vouch_model_horizon(s->m);
    return status;
}

/* Makes s->m the model of the cell; a file is read again only when a parameter or the horizon, to which a PRISM file is explored,
 * has changed. Standard input cannot be. */
static vouch_status take_model(sweep *s, const cell *c, vouch_error *error)
{
    bool same = s->m != NULL;
    bool once = strcmp(s->operand, "-") == 0;
    for (int a = once ? MODEL_AXES : AXIS_T; a < s->g.axes; a++)
        if (s->kind || a != AXIS_P) same = same && c->at[a] == s->made_of[a];
    vouch_status status = same ? VOUCH_OK : make_model(s, c->at, error);
    if (status || s->kind) return status;
    status = vouch_model_set_horizon(s->m, (int)c->at[AXIS_T]); /* of standard input */
    if (status) snprintf(error->text, sizeof error->text, "the model has a state without actions before T = %.0f", c->at[AXIS_T]);
    return status ? status : vouch_model_set_probability(s->m, c->at[AXIS_P]);
}

/* The model of some cell, which tells T and p where they do not vary. What is wrong with every cell is wrong input. */
static int first_model(sweep *s)
{
    grid *g = &s->g;
    double at[MOST_AXES] = {0};
    vouch_error error = {0};
    const axis *T = &g->axis[AXIS_T], *p = &g->axis[AXIS_P];
    size_t models = grid_models(g);
    for (size_t i = 0; i < models; i++)
        for (size_t t = 0; t <= T->count; t++) { /* first as on the command line: a JSON file says the rest */
            grid_model(g, i, at);
            at[AXIS_T] = t ? T->value[t - 1] : 0;
            at[AXIS_P] = t && p->count ? p->value[0] : NAN;
            vouch_status status = make_model(s, at, &error);
            if (!status) return 0;
            if (status == VOUCH_ERROR_MEMORY || report_interrupted() || strcmp(s->operand, "-") == 0) return cli_failed(&error);
        }
    return g->axes > MODEL_AXES ? cli_wrong("--vary: %s", error.text) : cli_failed(&error);
}

/* Checks what can be known before a model is made, and gives T and p their values. */
static int start_example(sweep *s)
{
    const model_args *m = &s->args->model;
    vouch_error error = {0};
    example e = example_start(s->kind);
    double p;
    const char *wrong = model_probability(m, &p);
    if (wrong) return cli_wrong("--probability: \"%s\" is not a number between 0 and 1", wrong);
    if (m->commits.count || m->properties || m->initial.count || m->reward || m->time_to || m->constants.count ||
        m->fix_deadlocks || m->merge_actions)
        return cli_wrong("--commit, --prop, --initial, --reward, --time-to, --const, --fix-deadlocks and --merge-actions are for "
                         "files; a file of "
                         "this name is ./%s",
                         s->operand);
    for (int a = MODEL_AXES; a < s->g.axes; a++)
        for (size_t i = 0; i < s->g.axis[a].count; i++)
            if (example_set(&e, s->g.axis[a].name, s->g.axis[a].value[i], &error)) return cli_wrong("--vary: %s", error.text);
    if (grid_default(&s->g, AXIS_T, m->horizon ? m->horizon : e.horizon) ||
        grid_default(&s->g, AXIS_P, isnan(p) ? e.probability : p))
        return cli_wrong("out of memory");
    return 0;
}

static int start_file(sweep *s)
{
    int code = first_model(s);
    if (!code &&
        (grid_default(&s->g, AXIS_T, vouch_model_horizon(s->m)) || grid_default(&s->g, AXIS_P, vouch_model_probability(s->m))))
        code = cli_wrong("out of memory");
    return code;
}

/* ---- cells ----------------------------------------------------------------------------------------------------------------- */

static void take_figures(cell *c, const vouch_environment_figures *f, int K, bool has)
{
    c->commitment = has ? INFINITY : NAN;
    for (int k = 0; k < K && has; k++) c->commitment = fmin(c->commitment, f[k].commitment_probability);
}

static vouch_status run_plan(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_policy *policy;
    vouch_plan_result r;
    vouch_status status = vouch_plan(&policy, s->m, o, error);
    if (status) return status;
    vouch_policy_get_result(policy, &r);
    snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
    c->regret = r.has_policy ? r.max_regret : NAN;
    c->total = r.has_policy ? r.total_regret : NAN;
    c->bound = !c->method->proves || !isfinite(r.bound) ? NAN : r.bound;
    take_figures(c, r.figures, r.environments, r.has_policy);
    vouch_policy_free(policy);
    return VOUCH_OK;
}

static vouch_status run_ccil(const sweep *s, cell *c, const vouch_plan_options *o, vouch_error *error)
{
    vouch_ccil *ccil;
    vouch_ccil_result r;
    vouch_ccil_options co;
    vouch_ccil_options_init(&co);
    co.plan = *o;
    co.guarded = c->method->kind == GUARDED;
    co.program_limit = s->args->program_limit;
    vouch_status status = vouch_ccil_new(&ccil, s->m, &co, error);
    if (status) return status;
    status = vouch_ccil_evaluate(ccil, error);
    if (!status) {
        vouch_ccil_get_result(ccil, &r);
        snprintf(c->status, sizeof c->status, "%s", vouch_plan_outcome_text(r.outcome));
        c->regret = r.max_regret;
        c->total = r.total_regret;
        take_figures(c, r.figures, r.environments, r.has_policy);
    }
    vouch_ccil_free(ccil);
    return status;
}

/* Methods that do not look ahead are worked out once for all L. */
static bool known_already(sweep *s, cell *c)
{
    if (c->method->looks_ahead) return false;
    for (cell *other = s->g.cells; other < c; other++) {
        bool same = other->method == c->method && other->status[0];
        for (int a = AXIS_T; a < s->g.axes; a++) same = same && other->at[a] == c->at[a];
        if (!same) continue;
        double L = c->at[AXIS_L];
        *c = *other;
        c->at[AXIS_L] = L;
        c->seconds = 0;
        return true;
    }
    return false;
}

/* "milp-ccl, L = 1, T = 10, p = 0.6, K = 2" */
static void describe(const grid *g, const cell *c, text *t)
{
    char number[32];
    text_add(t, "%s", c->method->name);
    for (int a = 0; a < g->axes; a++) text_add(t, ", %s = %s", g->axis[a].name, text_number(c->at[a], number));
}

static void run_cell(sweep *s, cell *c)
{
    const cli_common *common = &s->args->common;
    vouch_error error = {0};
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = c->method->method;
    o.lookahead = c->method->looks_ahead ? (int)c->at[AXIS_L] : 0;
    o.threads = common->threads;
    o.seed = common->seed;
    o.limits = cli_limits(common);
    o.log = report_log();
    deadline watch = deadline_start(&o.limits);
    vouch_status status = take_model(s, c, &error);
    if (!status) status = c->method->kind == PLAIN ? run_plan(s, c, &o, &error) : run_ccil(s, c, &o, &error);
    c->seconds = clock_seconds() - watch.start;
    if (status) {
        text name = {0};
        describe(&s->g, c, &name);
        snprintf(c->status, sizeof c->status, "failed");
        report_clear();
        cli_wrong("%s: %s", name.failed ? "a cell" : name.data, error.text);
        text_free(&name);
    } else if (report_interrupted())
        snprintf(c->status, sizeof c->status, "interrupted");
}

/* Is every cell, also those of earlier runs, proved, or of a method that proves nothing? */
static bool all_settled(const grid *g)
{
    for (size_t i = 0; i < g->count; i++) {
        const cell *c = &g->cells[i];
        bool settled = strcmp(c->status, "optimal") == 0 || strcmp(c->status, "infeasible") == 0;
        if (!settled && (c->method->proves || strcmp(c->status, "failed") == 0)) return false;
    }
    return true;
}

/* The cells that are still to be done. 0, or the exit status after a message: when the file can no longer be written, the cells go
 * on all the same, for their table is printed at the end. */
static int run_cells(sweep *s, const char *csv)
{
    vouch_error error = {0};
    int code = 0;
    for (size_t i = 0; i < s->g.count && !report_interrupted(); i++) {
        cell *c = &s->g.cells[i];
        text name = {0};
        if (c->status[0]) continue;
        describe(&s->g, c, &name);
        if (!name.failed) report_progress("cell %zu of %zu: %s", i + 1, s->g.count, name.data);
        text_free(&name);
        if (!known_already(s, c)) run_cell(s, c);
        if (!code && sweep_write_csv(&s->g, csv, &error)) code = cli_failed(&error);
    }
    report_clear();
    return sweep_write_csv(&s->g, csv, &error) ? cli_failed(&error) : 0; /* once more, at the end: there may be room again */
}

/* What the rows are made of. Limits are told apart: they change only the rows that end at them. */
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
    if (s->kind)
        fingerprint_add(&f, s->operand);
    else if (fingerprint_add_model(&f, &args->model, s->operand, s->m, &error))
        return cli_failed(&error);
    fingerprint_text(&f, s->g.run);
    snprintf(s->g.limits, sizeof s->g.limits, "seconds=%s plans=%lld", text_number(args->common.time_limit, seconds),
             args->program_limit);
    s->g.retry_limits = args->retry;
    return 0;
}

static int run(void *arguments, char **operand, int operands)
{
    const sweep_args *args = arguments;
    (void)operands;
    sweep s = {.args = args, .operand = operand[0], .kind = example_find(operand[0])};
    int code = 0, kept = 0;
    grid_init(&s.g);
    for (size_t i = 0; i < args->vary.count && !code; i++) code = grid_read_axis(&s.g, args->vary.item[i]);
    if (!code && args->retry && !args->resume)
        code = cli_wrong("--retry: there is no --resume file whose rows could be worked out again");
    if (!code && args->csv && args->resume) code = cli_wrong("--csv and --resume: one file is enough");
    if (!code) code = s.kind ? start_example(&s) : start_file(&s);
    if (!code && grid_default(&s.g, AXIS_L, 0)) code = cli_wrong("out of memory");
    if (!code) code = mark_grid(&s);
    if (!code) code = grid_make(&s.g, args->method);
    if (!code && args->resume) code = sweep_read_csv(&s.g, args->resume, &kept);
    if (!code && kept && !args->common.quiet) fprintf(stderr, "%d finished cells kept from %s\n", kept, args->resume);
    bool ready = !code;
    if (ready) code = run_cells(&s, args->resume ? args->resume : args->csv);
    if (ready && args->common.json)
        sweep_print_json(&s.g);
    else if (ready)
        sweep_print_table(&s.g);
    if (ready && args->plot) {
        char heading[256];
        snprintf(heading, sizeof heading, "%.200s: least maximum regret", s.operand);
        code |= sweep_plot(&s.g, heading, args->plot);
    }
    if (!code) code = report_interrupted() ? CLI_INTERRUPTED : all_settled(&s.g) ? CLI_SOLVED : CLI_LIMIT;
    grid_free(&s.g);
    vouch_model_free(s.m);
    return code;
}

const cli_command cli_sweep = {
    .name = "sweep",
    .operands = "MODEL|" EXAMPLE_KINDS,
    .least_operands = 1,
    .summary = "a table and picture over L, T, p, methods and parameters of the model",
    .text = "Plans (or evaluates CCIL exactly) for every combination of the values given. --time-limit is that of one cell. The "
            "CSV file is "
            "written after each cell; --resume keeps what is finished in it, if it was made with the same model, seed and options. "
            "Exit status 3 when a cell failed or was not proved optimal.\n\n"
            "Parameters of the model: where a kind of vouch generate is named in place of a file, --vary takes h, u, d, K and slip "
            "of t-maze; S, A, K, B, "
            "shared and seed of random. Of a PRISM file or sketch it takes each open constant by its name (const:NAME where that "
            "is L, T or p), a model "
            "for every value; constants given with --const span the environments. The picture's abscissa is the first --vary of "
            "several values.",
    .examples = "vouch sweep maze.json --vary L=0:3 --method milp-ccl,history --plot L.svg\n"
                "vouch sweep t-maze --vary slip=0.5:0.9:0.1 --vary K=1,2 --csv slip.csv\n",
    .options = options,
    .size = sizeof(sweep_args),
    .run = run,
};

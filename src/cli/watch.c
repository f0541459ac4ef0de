/* cli/watch.c - vouch watch: solves, and writes a page that replays the solve. */
#include "cli/cli.h"

/* ---- the page ---- */

/* Made by the Makefile from cli/watch/. */
extern const char watch_script[], watch_style[];

/* Larger models and programs are not drawn: transitions, coefficients. */
enum { DRAWN_TRANSITIONS = 6000, DRAWN_ENTRIES = 4000, DRAWN_COLUMNS = 3, DRAWN_ROWS = 48 };

static void add_reals(text *t, const char *name, const double *value, long long count)
{
    text_add(t, "\"%s\":[", name);
    for (long long i = 0; i < count; i++) js_add(t, "%s%g", i ? "," : "", value[i]);
    text_add(t, "],");
}

static void add_names(text *t, const char *name, int count, const char *(*of)(const vouch_model *, int), const vouch_model *m)
{
    text_add(t, "\"%s\":[", name);
    for (int i = 0; i < count; i++) js_add(t, "%s\"%s\"", i ? "," : "", of(m, i));
    text_add(t, "],");
}

/* [state, action, successor] of some environment. */
static void add_moves(text *t, const vouch_model *m)
{
    int K = vouch_model_environments(m), count = 0;
    text_add(t, "\"moves\":[");
    for (int s = 0; s < vouch_model_states(m); s++) {
        const int *action;
        int actions = vouch_model_available(m, s, &action);
        for (int i = 0; i < actions; i++)
            for (int k = 0; k < K; k++) {
                vouch_transitions to;
                vouch_model_get_transitions(m, k, s, action[i], &to);
                for (int e = 0; e < to.count && count < DRAWN_TRANSITIONS; e++)
                    text_add(t, "%s[%d,%d,%d,%d]", count++ ? "," : "", s, action[i], to.next[e], k);
            }
    }
    text_add(t, "],");
}

static void watch_add_model(text *t, const vouch_model *m)
{
    js_add(t, "\"name\":\"%s\",\"sense\":\"%s\",", vouch_model_name(m), vouch_sense_text(vouch_model_sense(m)));
    add_names(t, "states", vouch_model_states(m), vouch_model_state_name, m);
    add_names(t, "actions", vouch_model_actions(m), vouch_model_action_name, m);
    add_names(t, "environments", vouch_model_environments(m), vouch_model_environment_name, m);
    js_add(t, "\"initial\":%d,\"horizon\":%d,\"probability\":%g,\"kept\":[", vouch_model_initial(m), vouch_model_horizon(m),
           vouch_model_probability(m));
    for (int s = 0, kept = 0; s < vouch_model_states(m); s++)
        if (vouch_model_is_commitment(m, s)) text_add(t, "%s%d", kept++ ? "," : "", s);
    text_add(t, "],");
    add_moves(t, m);
}

/* largest: [environments], or NULL */
static void add_figures(text *t, const vouch_model *m, const vouch_environment_figures *figures, bool found, const double *largest)
{
    text_add(t, "\"figures\":[");
    for (int k = 0; k < vouch_model_environments(m); k++) {
        const vouch_environment_figures *f = &figures[k];
        text_add(t, "%s{", k ? "," : "");
        if (found) js_add(t, "\"value\":%g,\"regret\":%g,\"kept\":%g,", f->value, f->regret, f->commitment_probability);
        if (largest) js_add(t, "\"largest\":%g,", largest[k]);
        js_add(t, "\"optimal\":%g}", f->optimal_value);
    }
    text_add(t, "],");
}

static void watch_add_program(text *t, const vouch_lp *lp)
{
    vouch_lp_data d;
    vouch_lp_view(lp, &d);
    js_add(t, "\"name\":\"%s\",\"m\":%d,\"n\":%d,\"entries\":%lld,\"maximize\":%d,\"rows\":[", vouch_lp_name(lp), d.rows, d.cols,
           (long long)d.start[d.cols], d.maximize);
    for (int i = 0; i < d.rows; i++) js_add(t, "%s\"%s\"", i ? "," : "", vouch_lp_row_name(lp, i));
    text_add(t, "],\"cols\":[");
    for (int j = 0; j < d.cols; j++) js_add(t, "%s\"%s\"", j ? "," : "", vouch_lp_col_name(lp, j));
    js_add(t, "],\"offset\":%g,", d.offset);
    if (d.start[d.cols] > DRAWN_ENTRIES || (d.cols > DRAWN_COLUMNS && d.rows > DRAWN_ROWS)) return; /* nothing is drawn of it */
    text_add(t, "\"start\":[");
    for (int j = 0; j <= d.cols; j++) text_add(t, "%s%lld", j ? "," : "", (long long)d.start[j]);
    text_add(t, "],\"index\":[");
    for (int64_t e = 0; e < d.start[d.cols]; e++) text_add(t, "%s%d", e ? "," : "", d.index[e]);
    text_add(t, "],");
    add_reals(t, "entry", d.value, d.start[d.cols]);
    add_reals(t, "cost", d.cost, d.cols);
    add_reals(t, "lower", d.col_lower, d.cols);
    add_reals(t, "upper", d.col_upper, d.cols);
    add_reals(t, "least", d.row_lower, d.rows);
    add_reals(t, "most", d.row_upper, d.rows);
    text_add(t, "\"integer\":[");
    for (int j = 0; j < d.cols; j++) text_add(t, "%s%d", j ? "," : "", vouch_lp_is_integer(lp, j) ? 1 : 0);
    text_add(t, "],");
}

/* JSON in a page: "<" occurs in strings only, and is escaped so that no tag begins. */
static void add_escaped(text *page, const char *json, size_t length)
{
    for (size_t i = 0; i < length;) {
        const char *next = memchr(json + i, '<', length - i);
        size_t run = next ? (size_t)(next - json) - i : length - i;
        text_add_bytes(page, json + i, run);
        i += run;
        if (next) text_add_bytes(page, "\\u003c", 6), i++;
    }
}

static vouch_status watch_write(const char *kind, const char *title, text *record, const vouch_trace *trace, const char *path,
                                vouch_error *error)
{
    text page = {0};
    size_t length;
    const char *events = vouch_trace_events(trace, &length);
    text_add(&page, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>");
    xml_add(&page, title);
    text_add(&page, " - vouch watch</title>\n<style>\n");
    text_add_bytes(&page, watch_style, strlen(watch_style));
    text_add(
        &page,
        "</style>\n</head>\n<body>\n<main id=\"page\"><noscript>This page replays a solve and needs its script to do so; nothing "
        "is "
        "loaded from anywhere.</noscript></main>\n<script type=\"application/json\" id=\"record\">\n{\"kind\":\"%s\",\"title\":",
        kind);
    text name = {0};
    js_add(&name, "\"%s\"", title);
    if (name.data) add_escaped(&page, name.data, name.length);
    text_add(&page, ",\n");
    if (record->data) add_escaped(&page, record->data, record->length);
    text_add(&page, "\n\"events\":[\n");
    add_escaped(&page, events, length);
    text_add(&page, "]}\n</script>\n<script>\n");
    text_add_bytes(&page, watch_script, strlen(watch_script));
    text_add(&page, "</script>\n</body>\n</html>\n");
    page.failed = page.failed || record->failed || name.failed;
    vouch_status status = text_write(&page, path, error);
    text_free(&name);
    return status;
}

/* ---- watch ---- */

typedef struct watch_args {
    cli_common common;
    model_args model;
    int lookahead, method, engine, ccil, guarded, certify, restarts, lp_format, mps_format, primal, dual, presolve, no_mip, no_cuts,
        no_heuristics;
    double gap;
    long long nodes;
    const char *output, *without;
} watch_args;

enum { ENGINE_POLICY, ENGINE_LP };

/* Programs of at most this number of rows are solved unscaled, so that the factors shown belong to the file's numbers. */
enum { UNSCALED_ROWS = 8 };

#define AT(field) offsetof(watch_args, field)
static const cli_option options[] = {
    {CLI_OUTPUT, 'o', "output", "PAGE.html", AT(output), NULL, .help = "output file (required)"},
    {CLI_INT, 'L', "lookahead", "N", AT(lookahead), "0", 0, 2147483647,
     .help = "lookahead: steps after which the policy learns nothing more about the environment, 0 to T"},
    {CLI_WORD, 0, "method", "M", AT(method), "milp-ccl", .list = method_words, .help = "method: milp-ccl, exact-ccl or history"},
    {CLI_WORD, 0, "engine", "E", AT(engine), "policy", .words = "policy|lp",
     .help = "milp-ccl, history: policy shows the search over policies; lp shows pivots, cuts and nodes of the program that vouch "
             "export --form compact or history writes"},
    {CLI_FLAG, 0, "ccil", NULL, AT(ccil), .help = "replan every L steps, as vouch ccil does: all plans on one page"},
    {CLI_FLAG, 0, "guarded", NULL, AT(guarded),
     .help = "--ccil: a new plan earns at least as much as the plan in force, in every environment still possible"},
    {CLI_FLAG, 0, "certify", NULL, AT(certify), .help = "exact-ccl: continue until the bound is proved"},
    {CLI_INT, 0, "restarts", "N", AT(restarts), "0", 0, 2147483647, .help = "exact-ccl: random starts; 0: the default, 48"},
    MODEL_OPTIONS(watch_args),
    {CLI_REAL, 0, "gap", "G", AT(gap), NULL, 0, 1e300, .help = "stop when maximum regret and bound differ by at most G"},
    {CLI_TEXT, 0, "without", "PARTS", AT(without), NULL, .help = "switch off parts of the search, as in vouch plan"},
    {CLI_LONG, 0, "node-limit", "N", AT(nodes), "0", 0, 9e18, .help = "node limit of the search tree; 0: no limit"},
    {CLI_FLAG, 0, "lp", NULL, AT(lp_format), .help = "the file is in CPLEX LP format, regardless of its name"},
    {CLI_FLAG, 0, "mps", NULL, AT(mps_format), .help = "the file is in MPS format, regardless of its name"},
    {CLI_FLAG, 0, "primal", NULL, AT(primal), .help = "programs: primal simplex"},
    {CLI_FLAG, 0, "dual", NULL, AT(dual), .help = "programs: dual simplex"},
    {CLI_FLAG, 0, "presolve", NULL, AT(presolve), .help = "programs: presolve first; the page shows the reduced rows and columns"},
    {CLI_FLAG, 0, "nomip", NULL, AT(no_mip), .help = "programs: solve the relaxation"},
    {CLI_FLAG, 0, "no-cuts", NULL, AT(no_cuts), .help = "programs: no cutting planes"},
    {CLI_FLAG, 0, "no-heuristics", NULL, AT(no_heuristics), .help = "programs: no heuristics"},
    {0},
};
#undef AT

/* The result, for the printed line. */
typedef struct outcome {
    const char *kind, *status;
    double value, bound;
    long long nodes, iterations;
} outcome;

static void print_outcome(const watch_args *args, const outcome *o, const vouch_trace *trace)
{
    size_t bytes;
    (void)vouch_trace_events(trace, &bytes);
    if (strcmp(args->output, "-") == 0) return;
    if (args->common.json) {
        printf("{\"page\":\"%s\",\"kind\":\"%s\",\"status\":\"%s\",\"nodes\":%lld,\"iterations\":%lld}\n", "written", o->kind,
               o->status, o->nodes, o->iterations);
        return;
    }
    printf("%s: %s", args->output, o->status);
    if (isfinite(o->value)) printf(", %.10g", table_shown(o->value));
    if (isfinite(o->bound)) printf(" (bound %.10g)", table_shown(o->bound));
    printf("; nodes %lld, iterations %lld, %zu kB of events\n", o->nodes, o->iterations, (bytes + 999) / 1000);
}

static vouch_plan_options plan_options(const watch_args *args, vouch_trace *trace)
{
    vouch_plan_options o;
    vouch_plan_options_init(&o);
    o.method = (vouch_method)args->method;
    o.lookahead = args->lookahead;
    o.certify = args->certify > 0;
    o.restarts = args->restarts;
    o.gap = args->gap;
    o.seed = args->common.seed;
    o.limits = cli_limits(&args->common);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.trace = trace;
    o.without = args->without;
    return o;
}

static vouch_status watch_ccil(const watch_args *args, const vouch_model *m, vouch_trace *trace, text *record, outcome *out,
                               vouch_error *error)
{
    vouch_ccil_options o;
    vouch_ccil *ccil = NULL;
    vouch_ccil_options_init(&o);
    o.plan = plan_options(args, trace);
    if (args->lookahead < 1) o.plan.lookahead = 1;
    o.guarded = args->guarded > 0;
    vouch_status status = vouch_ccil_new(&ccil, m, &o, error);
    if (!status) status = vouch_ccil_evaluate(ccil, error);
    if (!status) {
        vouch_ccil_result r;
        vouch_ccil_get_result(ccil, &r);
        *out = (outcome){"plan", vouch_plan_outcome_text(r.outcome), r.max_regret, NAN, r.programs, r.programs};
        watch_add_model(record, m);
        js_add(
            record,
            "\"method\":\"ccil\",\"status\":\"%s\",\"plans\":%lld,\"reused\":%lld,\"missing\":%lld,\"nodes\":0,\"iterations\":0,",
            out->status, r.programs, r.reused, r.missing);
        js_add(record, "\"value\":%g,\"first\":%g,\"total\":%g,", r.max_regret, r.first_max_regret, r.total_regret);
        add_figures(record, m, r.figures, r.has_policy, NULL);
    }
    vouch_ccil_free(ccil);
    return status;
}

static vouch_status watch_plan(const watch_args *args, const vouch_model *m, vouch_trace *trace, text *record, outcome *out,
                               vouch_error *error)
{
    vouch_plan_options o = plan_options(args, trace);
    vouch_policy *policy = NULL;
    vouch_status status = vouch_plan(&policy, m, &o, error);
    if (!status) {
        vouch_plan_result r;
        vouch_policy_get_result(policy, &r);
        *out = (outcome){
            "plan",      vouch_plan_outcome_text(r.outcome), r.has_policy ? r.max_regret : NAN, r.bound < 0 ? 0 : r.bound, r.nodes,
            r.iterations};
        watch_add_model(record, m);
        js_add(record, "\"method\":\"%s\",\"status\":\"%s\",\"nodes\":%lld,\"iterations\":%lld,", vouch_method_text(o.method),
               out->status, r.nodes, r.iterations);
        js_add(record, "\"value\":%g,\"bound\":%g,\"total\":%g,", out->value, r.outcome == VOUCH_PLAN_INFEASIBLE ? NAN : r.bound,
               r.has_policy ? r.total_regret : NAN);
        add_figures(record, m, r.figures, r.has_policy, r.largest_probability);
    }
    vouch_policy_free(policy);
    return status;
}

static vouch_program_form program_form(const watch_args *args)
{
    return args->method == VOUCH_METHOD_HISTORY ? VOUCH_PROGRAM_HISTORY : VOUCH_PROGRAM_COMPACT;
}

static vouch_lp_options lp_options(const watch_args *args, const vouch_lp *lp)
{
    vouch_lp_options o;
    vouch_lp_options_init(&o);
    o.method = args->primal ? VOUCH_LP_PRIMAL : args->dual ? VOUCH_LP_DUAL : VOUCH_LP_AUTO;
    o.factor = VOUCH_FACTOR_SPARSE;
    if (!args->presolve) o.presolve = 0;
    if (vouch_lp_rows(lp) <= UNSCALED_ROWS) o.scale = 0;
    o.limits = cli_limits(&args->common);
    o.seed = args->common.seed;
    o.log = report_log();
    return o;
}

static vouch_status solve_lp(const watch_args *args, vouch_lp *lp, vouch_trace *trace, outcome *out)
{
    vouch_lp_options o = lp_options(args, lp);
    vouch_lp_result r;
    o.trace = trace;
    vouch_status status = vouch_lp_solve(lp, &o);
    vouch_lp_get_result(lp, &r);
    *out =
        (outcome){"lp", vouch_lp_outcome_text(r.outcome), r.outcome == VOUCH_LP_OPTIMAL ? r.objective : NAN, NAN, 0, r.iterations};
    return status;
}

static vouch_status solve_mip(const watch_args *args, vouch_lp *lp, vouch_trace *trace, outcome *out)
{
    vouch_mip_options o;
    vouch_mip *mip = NULL;
    vouch_mip_options_init(&o);
    o.lp = lp_options(args, lp);
    o.presolve = args->presolve;
    o.cuts = !args->no_cuts;
    o.heuristics = !args->no_heuristics;
    o.seed = args->common.seed;
    o.limits = cli_limits(&args->common);
    o.limits.nodes = args->nodes;
    o.log = report_log();
    o.trace = o.lp.trace = trace;
    vouch_status status = vouch_mip_new(&mip, lp);
    if (!status) status = vouch_mip_solve(mip, &o);
    if (!status) {
        vouch_mip_result r;
        vouch_mip_get_result(mip, &r);
        *out = (outcome){"mip", vouch_mip_outcome_text(r.outcome), r.objective, r.bound, r.nodes, r.iterations};
    }
    vouch_mip_free(mip);
    return status;
}

static vouch_status watch_program(const watch_args *args, vouch_lp *lp, vouch_trace *trace, text *record, outcome *out)
{
    bool mip = cli_has_integers(lp) && !args->no_mip;
    vouch_status status = mip ? solve_mip(args, lp, trace, out) : solve_lp(args, lp, trace, out);
    if (status) return status;
    watch_add_program(record, lp);
    js_add(record, "\"presolved\":%d,\"status\":\"%s\",\"nodes\":%lld,\"iterations\":%lld,\"value\":%G,", args->presolve,
           out->status, out->nodes, out->iterations, out->value);
    if (mip) js_add(record, "\"bound\":%G,", out->bound);
    return VOUCH_OK;
}

/* A copy of the model's program, as solved by --engine lp. */
static vouch_status program_of(const watch_args *args, const vouch_model *m, vouch_lp **lp, vouch_error *error)
{
    vouch_program *program = NULL;
    vouch_status status = vouch_program_new(&program, m, program_form(args), args->lookahead, error);
    if (!status) status = vouch_lp_clone(lp, vouch_program_lp(program));
    vouch_program_free(program);
    return status;
}

/* Describes a program made from a model. */
static void add_about(const watch_args *args, const char *path, text *record)
{
    text about = {0};
    if (program_form(args) == VOUCH_PROGRAM_HISTORY)
        text_add(&about, "The history-optimal linear program of %s, as vouch export --form history writes it.", path);
    else
        text_add(&about,
                 "The compact program of %s with L = %d, as vouch export --form compact writes it. vouch plan --engine lp also "
                 "presolves it and turns its points into policies.",
                 path, args->lookahead);
    js_add(record, "\"about\":\"%s\",", about.data ? about.data : "");
    record->failed = record->failed || about.failed;
    text_free(&about);
}

/* Is this the name of a linear program? */
static bool names_program(const char *path)
{
    static const char *const ends[] = {".mps", ".lp", ".mps.gz", ".lp.gz"};
    size_t length = strlen(path);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t end = strlen(ends[i]);
        if (length > end && strcmp(path + length - end, ends[i]) == 0) return true;
    }
    return false;
}

/* programmed: the file is a program; modelled: a program of the model is solved. */
static void refuse_idle_options(const watch_args *args, bool programmed, bool modelled)
{
    static const char model[] = "a model: the file is a program", policies[] = "a model and a search of its policies",
                      exact[] = "--method exact-ccl", program[] = "a program: a .mps or .lp file, --lp, --mps or --engine lp";
    bool stochastic = args->method == VOUCH_METHOD_EXACT_CCL, solves = programmed || modelled;
    const cli_need needs[] = {
        {"guarded", args->ccil && !programmed, "--ccil"},
        {"certify|restarts", stochastic && !programmed, exact},
        {"gap", !solves, policies},
        {"without", !solves && args->method == VOUCH_METHOD_MILP_CCL, "--method milp-ccl and its search of policies"},
        {"lookahead|method|engine|ccil", !programmed, model},
        {"primal|dual|presolve|nomip|no-cuts|no-heuristics", solves, program}};
    if (programmed) model_refuse(model);
    cli_refuse_idle(needs, sizeof needs / sizeof *needs);
    if (args->primal && args->dual) cli_die("--primal and --dual exclude each other");
}

/* Owned by the command. */
typedef struct watch_run {
    vouch_model *m;
    vouch_lp *lp;
    vouch_trace *trace;
    text record;
} watch_run;

static void free_run(void *object)
{
    watch_run *w = object;
    text_free(&w->record);
    vouch_trace_free(w->trace);
    vouch_lp_free(w->lp);
    vouch_model_free(w->m);
}

static int run(void *arguments, char **operand)
{
    const watch_args *args = arguments;
    const char *path = operand[0], *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    outcome out = {0};
    if (!args->output) cli_die("-o PAGE.html is missing");
    if (!vouch_method_describe((vouch_method)args->method)->proves)
        cli_die("--method %s does not search, so there is nothing to watch", vouch_method_text((vouch_method)args->method));
    parts_check(args->without);
    bool as_program = args->engine == ENGINE_LP;
    if (as_program && (args->ccil || args->method == VOUCH_METHOD_EXACT_CCL))
        cli_die("--engine lp is for one plan of milp-ccl or history");
    bool program = args->lp_format || args->mps_format || names_program(path);
    refuse_idle_options(args, program, as_program && !program);
    vouch_log log = report_log();
    watch_run *w = CLI_NEW(watch_run, 1);
    cli_own(free_run, w);
    cli_try(program ? vouch_lp_read(&w->lp, path, args->lp_format ? VOUCH_FORMAT_LP : VOUCH_FORMAT_AUTO, &log, &cli_error)
                    : import_model(&args->model, path, &w->m, &cli_error));
    if (w->m && vouch_model_has_error(w->m))
        cli_die("a plan under the error of probabilities is many searches; a page replays one");
    if (as_program && !program) {
        vouch_status status = program_of(args, w->m, &w->lp, &cli_error);
        if (status == VOUCH_ERROR_INPUT) { /* infeasible in one environment, so the program has no regrets */
            (void)cli_failed(&cli_error);
            return CLI_INFEASIBLE;
        }
        cli_try(status);
        add_about(args, name, &w->record);
    }
    cli_try(vouch_trace_new(&w->trace, 1));
    vouch_status status = w->lp        ? watch_program(args, w->lp, w->trace, &w->record, &out)
                          : args->ccil ? watch_ccil(args, w->m, w->trace, &w->record, &out, &cli_error)
                                       : watch_plan(args, w->m, w->trace, &w->record, &out, &cli_error);
    report_clear();
    cli_try(status);
    cli_try(watch_write(out.kind, name, &w->record, w->trace, args->output, &cli_error));
    print_outcome(args, &out, w->trace);
    return report_interrupted() ? CLI_INTERRUPTED : CLI_SOLVED;
}

const cli_command cli_watch = {
    .name = "watch",
    .operands = "MODEL|FILE",
    .least_operands = 1,
    .summary = "write a page that replays the solution of a model or program",
    .text = "Plans as vouch plan or, with --ccil, as vouch ccil does, on one thread, or solves a linear or mixed-integer program "
            "(.mps, .lp) as vouch lp does, and writes one self-contained page: the search tree as it grew, bounds and best policy "
            "over time, the bounds of mixtures and pure policies at each node, column generation, local search and boxes of "
            "stochastic policies, the plans of CCIL; or the pivots of the simplex method, the cuts and the tree of an integer "
            "program. Programs are solved without presolve, so that rows and columns match the file. Recording changes no result; "
            "long solves are thinned out, with a note on the page.",
    .examples = "vouch watch maze.json -L 1 -o watch.html\n"
                "vouch watch maze.json -L 1 --engine lp --presolve -o program.html\n"
                "vouch watch diet.lp -o simplex.html\n",
    .options = options,
    .size = sizeof(watch_args),
    .run = run,
};
